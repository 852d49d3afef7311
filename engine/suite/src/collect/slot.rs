//! A slot: a workload that was opened, and the functions to measure on it.

use std::hint::black_box;

use crate::collect::binding::{AnyInputs, BoundCalls, Time};
use crate::collect::timed_batch::{BatchOrder, TimedBatch};
use crate::collect::{clock, reference, tier};
use benchbook_contract::protocol::{Collect, Samples, Target};

/// Work that one answer may hold at most: some 50 ms in batches of a microsecond.
pub(super) const MOST_BATCHES: u32 = 100_000;

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

    pub(crate) fn one_call_a_batch(&self) -> bool {
        self.inputs.one_call_a_batch()
    }

    /// Times the batches that are asked for.
    ///
    /// # Errors
    /// What is wrong with the order.
    pub(crate) fn collect(&mut self, order: &Collect) -> Result<Samples, String> {
        match order.target {
            Target::Function(index) => self.batches(order, self.in_batches_of(order.calls, index)?.time),
            Target::Empty(index) => self.batches(order, self.in_batches_of(order.calls, index)?.time_empty),
            Target::Check(index) => self.check(order, index),
            Target::Reference | Target::Tier | Target::Clock => without_slot(order),
        }
    }

    /// Has `time` time one batch on the slot's inputs.
    pub(super) fn batch(&mut self, time: Time, order: BatchOrder) -> TimedBatch {
        time(self.inputs.as_any(), order)
    }

    /// The function `index`, to be timed in batches of so many calls.
    ///
    /// # Errors
    /// Where there is none, or its batches cannot be of so many.
    pub(super) fn in_batches_of(&self, calls: u64, index: usize) -> Result<BoundCalls, String> {
        let function = self.function(index)?;
        let round = self.round();
        if self.one_call_a_batch() && calls != 1 {
            return Err("calls disturb each other here: 1 call a batch".to_owned());
        }
        if calls == 0 || (!self.one_call_a_batch() && !calls.is_multiple_of(round)) {
            return Err(format!("{calls} calls are not whole rounds of {round}"));
        }
        Ok(function)
    }

    fn function(&self, index: usize) -> Result<BoundCalls, String> {
        let function = self.functions.get(index).copied();
        function.ok_or_else(|| format!("the slot has {} functions, counted from 0", self.functions.len()))
    }

    fn batches(&mut self, order: &Collect, time: Time) -> Result<Samples, String> {
        filled(order, |samples| {
            for batch in 0..order.batches {
                let timed = self.batch(time, BatchOrder::of(order, batch));
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
        filled(order, |samples| {
            let hashes =
                (0..order.batches).filter_map(|batch| check(self.inputs.as_any(), BatchOrder::of(order, batch)));
            samples.hashes = Some(hashes.map(|hash| format!("{hash:016x}")).collect());
            Ok(())
        })
    }
}

impl BatchOrder {
    fn of(order: &Collect, batch: u32) -> Self {
        Self { number: order.inputs, batch, calls: order.calls as usize }
    }
}

/// Times what needs no workload: the clock and the kernels. The order's slot need not be open.
///
/// # Errors
/// What is wrong with the order, or with the clock.
pub(crate) fn without_slot(order: &Collect) -> Result<Samples, String> {
    filled(order, |samples| {
        if order.target == Target::Clock {
            return clock_steps(order, samples);
        }
        // Through a pointer that no optimiser can see through, as measured functions are called: see `BoundCalls`.
        let time: Time = black_box(if order.target == Target::Tier { tier::time } else { reference::time });
        for batch in 0..order.batches {
            let timed = time(&mut (), BatchOrder::of(order, batch));
            samples.elapsed.push(timed.elapsed);
            samples.interrupted.extend(timed.interrupted.then_some(batch));
        }
        Ok(())
    })
}

/// The samples of an order, as `fill` fills them in. All that it does not count as timed is preparation.
fn filled(order: &Collect, fill: impl FnOnce(&mut Samples) -> Result<(), String>) -> Result<Samples, String> {
    if order.calls == 0 || !(1..=MOST_BATCHES).contains(&order.batches) {
        return Err(format!("expected 1 call or more and 1 to {MOST_BATCHES} batches"));
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
        let (elapsed, readings) = clock::step().ok_or("the clock stands still")?;
        samples.elapsed.push(elapsed);
        samples.calls += readings;
    }
    Ok(())
}
