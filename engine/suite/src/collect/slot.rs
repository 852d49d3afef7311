//! A slot: an opened workload and the functions to measure on it. Requests for batches of these functions.

use std::hint::black_box;

use super::ready_functions::{NotReady, OpenBenchmarks};
use crate::collect::binding::BatchTimer;
use crate::collect::ready_functions::{BoundFunctions, ReadyFunctions};
use crate::collect::timed_batch::{BatchSpec, TimedBatch, UntimedBatch};
use crate::collect::{clock, reference, tier};
use crate::memory;
use crate::stage;
use benchbook_contract::protocol::{Collect, FailureStage, LaneTarget, Samples};

/// The maximum number of batches per message: enough for 50 ms of work in batches of half a microsecond.
pub(super) const MAX_BATCHES: u32 = 100_000;

/// An opened workload and its functions.
pub(crate) enum Slot {
    /// Functions that are bound to a generator.
    Bound(BoundFunctions),
    /// Benchmarks of a program.
    Benchmarks(Box<dyn OpenBenchmarks>),
}

impl Slot {
    /// Calls `work` with the functions.
    ///
    /// # Errors
    /// If they are not ready; `work` was not called then.
    pub(crate) fn with_functions(&mut self, work: &mut dyn FnMut(&mut dyn ReadyFunctions)) -> Result<(), NotReady> {
        match self {
            Self::Bound(functions) => {
                work(functions);
                Ok(())
            }
            Self::Benchmarks(benchmarks) => {
                stage::enter(FailureStage::Generator);
                benchmarks.with_functions(work)
            }
        }
    }
}

/// Times the requested batches.
///
/// # Errors
/// Returns an error if the request is invalid.
pub(crate) fn collect(functions: &mut dyn ReadyFunctions, request: &Collect) -> Result<Samples, String> {
    match request.target {
        LaneTarget::Function(index) => {
            check_batches(functions, index, request.calls)?;
            time_batches(request, |spec| functions.time(index, spec))
        }
        LaneTarget::Empty(index) => {
            check_batches(functions, index, request.calls)?;
            time_batches(request, |spec| functions.time_empty(index, spec))
        }
        LaneTarget::Check(index) => {
            check_index(functions, index)?;
            check_outputs(request, |spec| functions.call_untimed(index, spec, true))
        }
        LaneTarget::Count(index) => {
            check_batches(functions, index, request.calls)?;
            count_memory(request, |spec| functions.call_untimed(index, spec, false))
        }
        LaneTarget::Reference | LaneTarget::Tier | LaneTarget::Clock => without_slot(request),
    }
}

/// Checks that function `index` exists and may be timed in batches of `calls` calls.
///
/// # Errors
/// Returns the reason if not.
pub(super) fn check_batches(functions: &dyn ReadyFunctions, index: usize, calls: u64) -> Result<(), String> {
    check_index(functions, index)?;
    let round = functions.round() as u64;
    if functions.one_call_per_batch() && calls != 1 {
        return Err("calls affect each other: expected 1 call per batch".to_owned());
    }
    // A single call is always allowed: it may be the first one of a process.
    if calls != 1 && (calls == 0 || calls % round != 0) {
        return Err(format!("{calls} calls are not whole rounds of {round}"));
    }
    Ok(())
}

fn check_index(functions: &dyn ReadyFunctions, index: usize) -> Result<(), String> {
    let count = functions.count();
    match index < count {
        true => Ok(()),
        false => Err(format!("function {index} is out of range: the slot has {count}")),
    }
}

fn time_batches(request: &Collect, mut time: impl FnMut(BatchSpec) -> TimedBatch) -> Result<Samples, String> {
    samples_of(request, |samples| {
        for batch in 0..request.batches {
            let before = clock::now();
            let timed = time(BatchSpec::new(request, batch));
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

fn check_outputs(request: &Collect, mut call: impl FnMut(BatchSpec) -> UntimedBatch) -> Result<Samples, String> {
    samples_of(request, |samples| {
        let hashes = (0..request.batches).filter_map(|batch| call(BatchSpec::new(request, batch)).hash);
        samples.hashes = Some(hashes.map(|hash| format!("{hash:016x}")).collect());
        Ok(())
    })
}

fn count_memory(request: &Collect, mut call: impl FnMut(BatchSpec) -> UntimedBatch) -> Result<Samples, String> {
    samples_of(request, |samples| {
        let counts = (0..request.batches).map(|batch| call(BatchSpec::new(request, batch)).counts).collect();
        samples.counts = memory::is_counted().then_some(counts);
        Ok(())
    })
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
    let mut samples = Samples::of(request, Vec::with_capacity(request.batches as usize));
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
