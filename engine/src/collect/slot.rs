//! A slot: a workload that was opened, and the functions to measure on it.

use std::hint::black_box;

use crate::collect::binding::{AnyInputs, BatchOrder, BoundCalls, TimedBatch};
use crate::collect::{clock, reference};
use crate::protocol::{Collect, Samples, Target};

/// Work that one answer may hold at most: some 50 ms in batches of a microsecond.
const MOST_BATCHES: u32 = 100_000;

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
        self.check_order(order)?;
        let start = clock::now();
        let mut samples = empty_samples(order);
        match order.target {
            Target::Function(index) => self.batches(order, self.functions[index].time, &mut samples),
            Target::Empty(index) => self.batches(order, self.functions[index].time_empty, &mut samples),
            Target::Reference | Target::Clock => return without_slot(order),
            Target::Check(index) => samples.hashes = Some(self.check(order, index)),
        }
        samples.preparation = clock::now() - start - samples.elapsed.iter().sum::<f64>();
        Ok(samples)
    }

    fn check_order(&self, order: &Collect) -> Result<(), String> {
        if let Target::Function(index) | Target::Empty(index) | Target::Check(index) = order.target {
            if index >= self.functions.len() {
                return Err(format!("the slot has {} functions, counted from 0", self.functions.len()));
            }
            let round = self.round();
            if matches!(order.target, Target::Check(_)) {
                return batches_in_bounds(order);
            }
            if self.one_call_a_batch() && order.calls != 1 {
                return Err("calls disturb each other here: 1 call a batch".to_owned());
            }
            if order.calls == 0 || (!self.one_call_a_batch() && !order.calls.is_multiple_of(round)) {
                return Err(format!("{} calls are not whole rounds of {round}", order.calls));
            }
        }
        batches_in_bounds(order)
    }

    fn batches(
        &mut self,
        order: &Collect,
        time: fn(&mut dyn std::any::Any, BatchOrder) -> TimedBatch,
        samples: &mut Samples,
    ) {
        for batch in 0..order.batches {
            let timed =
                time(self.inputs.as_any(), BatchOrder { number: order.inputs, batch, calls: order.calls as usize });
            samples.elapsed.push(timed.elapsed);
            samples.held = samples.held.max(timed.held);
            if let Some(allocations) = &mut samples.allocations {
                allocations.push(timed.allocations);
            }
        }
    }

    fn check(&mut self, order: &Collect, index: usize) -> Vec<String> {
        let check = self.functions[index].check;
        (0..order.batches)
            .filter_map(|batch| {
                let calls = order.calls as usize;
                check(self.inputs.as_any(), BatchOrder { number: order.inputs, batch, calls })
            })
            .map(|hash| format!("{hash:016x}"))
            .collect()
    }
}

fn batches_in_bounds(order: &Collect) -> Result<(), String> {
    match order.calls > 0 && (1..=MOST_BATCHES).contains(&order.batches) {
        true => Ok(()),
        false => Err(format!("expected 1 call or more and 1 to {MOST_BATCHES} batches")),
    }
}

/// Times what needs no workload: the clock and the reference kernel. The order's slot need not be open.
///
/// # Errors
/// What is wrong with the order, or with the clock.
pub(crate) fn without_slot(order: &Collect) -> Result<Samples, String> {
    batches_in_bounds(order)?;
    let mut samples = empty_samples(order);
    let start = clock::now();
    if order.target == Target::Clock {
        clock_steps(order, &mut samples)?;
    } else {
        // Through a pointer that no optimiser can see through, as measured functions are called: see `BoundCalls`.
        let time: fn(u64) -> f64 = black_box(reference::time);
        samples.elapsed.extend((0..order.batches).map(|_| time(order.calls)));
    }
    samples.preparation = clock::now() - start - samples.elapsed.iter().sum::<f64>();
    Ok(samples)
}

fn empty_samples(order: &Collect) -> Samples {
    Samples {
        slot: order.slot,
        target: order.target,
        calls: order.calls,
        elapsed: Vec::with_capacity(order.batches as usize),
        preparation: 0.0,
        held: 0.0,
        allocations: order.allocations.then(Vec::new),
        hashes: None,
    }
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
