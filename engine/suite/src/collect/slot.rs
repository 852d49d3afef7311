//! A slot: an opened workload and the functions to measure on it.

use std::hint::black_box;

use crate::collect::binding::{AnyInputs, BatchTimer, BoundCalls};
use crate::collect::timed_batch::{BatchOrder, TimedBatch};
use crate::collect::{clock, reference, tier};
use benchbook_contract::protocol::{Collect, Samples, Target};

/// The maximum number of batches per message: enough for 50 ms of work in batches of half a microsecond.
pub(super) const MAX_BATCHES: u32 = 100_000;

/// An opened workload.
pub(crate) struct Slot {
    inputs: Box<dyn AnyInputs>,
    functions: Vec<BoundCalls>,
}

impl Slot {
    pub(crate) fn new(inputs: Box<dyn AnyInputs>, functions: Vec<BoundCalls>) -> Self {
        Self { inputs, functions }
    }

    pub(crate) fn round(&self) -> u64 {
        self.inputs.round() as u64
    }

    pub(crate) fn one_call_per_batch(&self) -> bool {
        self.inputs.one_call_per_batch()
    }

    /// Times the requested batches.
    ///
    /// # Errors
    /// Returns an error if the order is invalid.
    pub(crate) fn collect(&mut self, order: &Collect) -> Result<Samples, String> {
        match order.target {
            Target::Function(index) => self.time_batches(order, self.function_in_batches(index, order.calls)?.time),
            Target::Empty(index) => self.time_batches(order, self.function_in_batches(index, order.calls)?.time_empty),
            Target::Check(index) => self.check(order, index),
            Target::Reference | Target::Tier | Target::Clock => without_slot(order),
        }
    }

    /// Times one batch on the slot's inputs.
    pub(super) fn time_batch(&mut self, time: BatchTimer, order: BatchOrder) -> TimedBatch {
        time(self.inputs.as_any(), order)
    }

    /// Returns the function `index` of the slot, to be timed in batches of `calls` calls.
    ///
    /// # Errors
    /// Returns an error if the slot has no such function or does not allow this number of calls.
    pub(super) fn function_in_batches(&self, index: usize, calls: u64) -> Result<BoundCalls, String> {
        let function = self.function(index)?;
        let round = self.round();
        if self.one_call_per_batch() && calls != 1 {
            return Err("calls affect each other: expected 1 call per batch".to_owned());
        }
        if calls == 0 || (!self.one_call_per_batch() && !calls.is_multiple_of(round)) {
            return Err(format!("{calls} calls are not whole rounds of {round}"));
        }
        Ok(function)
    }

    fn function(&self, index: usize) -> Result<BoundCalls, String> {
        let function = self.functions.get(index).copied();
        function.ok_or_else(|| format!("function {index} is out of range: the slot has {}", self.functions.len()))
    }

    fn time_batches(&mut self, order: &Collect, time: BatchTimer) -> Result<Samples, String> {
        samples_of(order, |samples| {
            for batch in 0..order.batches {
                let timed = self.time_batch(time, BatchOrder::new(order, batch));
                samples.elapsed.push(timed.elapsed);
                samples.held = samples.held.max(timed.held);
                samples.interrupted.extend(timed.interrupted.then_some(batch));
                if let Some(allocations) = &mut samples.allocations {
                    allocations.push(timed.allocations);
                }
            }
            Ok(())
        })
    }

    fn check(&mut self, order: &Collect, index: usize) -> Result<Samples, String> {
        let check = self.function(index)?.check;
        samples_of(order, |samples| {
            let hashes =
                (0..order.batches).filter_map(|batch| check(self.inputs.as_any(), BatchOrder::new(order, batch)));
            samples.hashes = Some(hashes.map(|hash| format!("{hash:016x}")).collect());
            Ok(())
        })
    }
}

impl BatchOrder {
    fn new(order: &Collect, batch: u32) -> Self {
        Self { input_set: order.input_set, batch, calls: order.calls as usize }
    }
}

/// Times the targets that need no workload: the clock and the kernels. Ignores the order's slot.
///
/// # Errors
/// Returns an error if the order is invalid or the clock is stuck.
pub(crate) fn without_slot(order: &Collect) -> Result<Samples, String> {
    samples_of(order, |samples| {
        if order.target == Target::Clock {
            return clock_steps(order, samples);
        }
        // `black_box` prevents inlining through the pointer, as for measured functions: see `BoundCalls`.
        let time: BatchTimer = black_box(if order.target == Target::Tier { tier::time } else { reference::time });
        for batch in 0..order.batches {
            let timed = time(&mut (), BatchOrder::new(order, batch));
            samples.elapsed.push(timed.elapsed);
            samples.interrupted.extend(timed.interrupted.then_some(batch));
        }
        Ok(())
    })
}

/// Checks an order and returns the samples that `fill` adds. All time outside the timed batches counts as preparation.
fn samples_of(order: &Collect, fill: impl FnOnce(&mut Samples) -> Result<(), String>) -> Result<Samples, String> {
    if order.calls == 0 || !(1..=MAX_BATCHES).contains(&order.batches) {
        return Err(format!("expected at least 1 call and 1 to {MAX_BATCHES} batches"));
    }
    let start = clock::now();
    let mut samples = Samples {
        slot: order.slot,
        target: order.target,
        calls: order.calls,
        elapsed: Vec::with_capacity(order.batches as usize),
        interrupted: Vec::new(),
        preparation: 0.0,
        held: 0.0,
        allocations: order.allocations.then(Vec::new),
        hashes: None,
    };
    fill(&mut samples)?;
    samples.preparation = clock::now() - start - samples.elapsed.iter().sum::<f64>();
    Ok(samples)
}

fn clock_steps(order: &Collect, samples: &mut Samples) -> Result<(), String> {
    samples.calls = 0;
    for _ in 0..order.batches {
        let (elapsed, readings) = clock::step().ok_or("the clock is stuck")?;
        samples.elapsed.push(elapsed);
        samples.calls += readings;
    }
    Ok(())
}
