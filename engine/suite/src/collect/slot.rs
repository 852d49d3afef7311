//! A slot: an opened workload and the functions to measure on it.

use std::hint::black_box;

use crate::collect::binding::{AnyInputs, BatchTimer, FunctionLoops};
use crate::collect::timed_batch::{BatchSpec, TimedBatch};
use crate::collect::{clock, reference, tier};
use crate::workload::Throughput;
use benchbook_contract::protocol::{Collect, LaneTarget, Samples};

/// The maximum number of batches per message: enough for 50 ms of work in batches of half a microsecond.
pub(super) const MAX_BATCHES: u32 = 100_000;

/// An opened workload.
pub(crate) struct Slot {
    inputs: Box<dyn AnyInputs>,
    functions: Vec<FunctionLoops>,
}

impl Slot {
    pub(crate) fn new(inputs: Box<dyn AnyInputs>, functions: Vec<FunctionLoops>) -> Self {
        Self { inputs, functions }
    }

    pub(crate) fn round(&self) -> u64 {
        self.inputs.round() as u64
    }

    pub(crate) fn one_call_per_batch(&self) -> bool {
        self.inputs.one_call_per_batch()
    }

    pub(crate) fn throughput(&self) -> Throughput {
        self.inputs.throughput()
    }

    /// Times the requested batches.
    ///
    /// # Errors
    /// Returns an error if the request is invalid.
    pub(crate) fn collect(&mut self, request: &Collect) -> Result<Samples, String> {
        match request.target {
            LaneTarget::Function(index) => {
                self.time_batches(request, self.function_in_batches(index, request.calls)?.time)
            }
            LaneTarget::Empty(index) => {
                self.time_batches(request, self.function_in_batches(index, request.calls)?.time_empty)
            }
            LaneTarget::Check(index) => self.check(request, index),
            LaneTarget::Count(index) => self.count(request, index),
            LaneTarget::Reference | LaneTarget::Tier | LaneTarget::Clock => without_slot(request),
        }
    }

    /// Times one batch on the slot's inputs.
    pub(super) fn time_batch(&mut self, time: BatchTimer, spec: BatchSpec) -> TimedBatch {
        time(self.inputs.as_any(), spec)
    }

    /// Returns the function `index` of the slot, to be timed in batches of `calls` calls.
    ///
    /// # Errors
    /// Returns an error if the slot has no such function or does not allow this number of calls.
    pub(super) fn function_in_batches(&self, index: usize, calls: u64) -> Result<FunctionLoops, String> {
        let function = self.function(index)?;
        let round = self.round();
        if self.one_call_per_batch() && calls != 1 {
            return Err("calls affect each other: expected 1 call per batch".to_owned());
        }
        // A single call is always allowed: it may be the first one of a process.
        if calls != 1 && (calls == 0 || calls % round != 0) {
            return Err(format!("{calls} calls are not whole rounds of {round}"));
        }
        Ok(function)
    }

    fn function(&self, index: usize) -> Result<FunctionLoops, String> {
        let function = self.functions.get(index).copied();
        function.ok_or_else(|| format!("function {index} is out of range: the slot has {}", self.functions.len()))
    }

    fn time_batches(&mut self, request: &Collect, time: BatchTimer) -> Result<Samples, String> {
        samples_of(request, |samples| {
            for batch in 0..request.batches {
                let before = clock::now();
                let timed = self.time_batch(time, BatchSpec::new(request, batch));
                if (request.calls, request.batches) == (1, 1) {
                    samples.entry = (timed.entered - before).max(0.0);
                }
                samples.elapsed.push(timed.elapsed);
                samples.held = samples.held.max(timed.held);
                samples.interrupted.extend(timed.interrupted.then_some(batch));
            }
            Ok(())
        })
    }

    fn check(&mut self, request: &Collect, index: usize) -> Result<Samples, String> {
        let call_untimed = self.function(index)?.call_untimed;
        samples_of(request, |samples| {
            let hashes = (0..request.batches)
                .filter_map(|batch| call_untimed(self.inputs.as_any(), BatchSpec::new(request, batch), true).hash);
            samples.hashes = Some(hashes.map(|hash| format!("{hash:016x}")).collect());
            Ok(())
        })
    }

    fn count(&mut self, request: &Collect, index: usize) -> Result<Samples, String> {
        let call_untimed = self.function_in_batches(index, request.calls)?.call_untimed;
        samples_of(request, |samples| {
            let counts = (0..request.batches)
                .map(|batch| call_untimed(self.inputs.as_any(), BatchSpec::new(request, batch), false).counts);
            samples.counts = Some(counts.collect());
            Ok(())
        })
    }
}

impl BatchSpec {
    fn new(request: &Collect, batch: u32) -> Self {
        Self { input_set: request.input_set, batch, calls: request.calls as usize }
    }
}

/// Times the targets that need no workload: the clock and the kernels. Ignores the request's slot.
///
/// # Errors
/// Returns an error if the request is invalid or the clock is stuck.
pub(crate) fn without_slot(request: &Collect) -> Result<Samples, String> {
    samples_of(request, |samples| {
        if request.target == LaneTarget::Clock {
            return clock_steps(request, samples);
        }
        // `black_box` prevents inlining through the pointer, as for measured functions: see `FunctionLoops`.
        let time: BatchTimer = black_box(if request.target == LaneTarget::Tier { tier::time } else { reference::time });
        for batch in 0..request.batches {
            let timed = time(&mut (), BatchSpec::new(request, batch));
            samples.elapsed.push(timed.elapsed);
            samples.interrupted.extend(timed.interrupted.then_some(batch));
        }
        Ok(())
    })
}

/// Checks a request and returns the samples that `fill` adds. All time outside the timed batches counts as preparation.
fn samples_of(request: &Collect, fill: impl FnOnce(&mut Samples) -> Result<(), String>) -> Result<Samples, String> {
    if request.calls == 0 || !(1..=MAX_BATCHES).contains(&request.batches) {
        return Err(format!("expected at least 1 call and 1 to {MAX_BATCHES} batches"));
    }
    let start = clock::now();
    let mut samples = Samples {
        slot: request.slot,
        target: request.target,
        calls: request.calls,
        elapsed: Vec::with_capacity(request.batches as usize),
        interrupted: Vec::new(),
        preparation: 0.0,
        held: 0.0,
        entry: 0.0,
        counts: None,
        hashes: None,
    };
    fill(&mut samples)?;
    samples.preparation = clock::now() - start - samples.elapsed.iter().sum::<f64>();
    Ok(samples)
}

fn clock_steps(request: &Collect, samples: &mut Samples) -> Result<(), String> {
    samples.calls = 0;
    for _ in 0..request.batches {
        let (elapsed, readings) = clock::step().ok_or("the clock is stuck")?;
        samples.elapsed.push(elapsed);
        samples.calls += readings;
    }
    Ok(())
}
