//! The routines of benchmarks, which exist only while the code that calls the harness is on the stack.

use benchbook_contract::protocol::{Counts, FailureStage};

use crate::collect::clock;
use crate::collect::ready_functions::{NotReady, OpenBenchmarks, ReadyFunctions};
use crate::collect::timed_batch::{BatchSpec, LoopTiming, TimedBatch, UntimedBatch};
use crate::memory;
use crate::stage;
use crate::workload::Throughput;

/// The code of a benchmark, with the variables that it borrows.
pub trait Routine {
    /// Whether each batch must be a single call.
    fn one_call_per_batch(&self) -> bool;
    /// The number of inputs that `batch` has and no earlier one had.
    fn new_inputs(&self, batch: u32, calls: usize) -> usize;
    /// Times calls.
    fn time(&mut self, calls: usize) -> LoopTiming;
    /// Times the same loop without the calls.
    fn time_empty(&mut self, calls: usize) -> LoopTiming;
    /// Makes the calls without timing them, and returns their memory use.
    fn call_untimed(&mut self, calls: usize) -> Counts;
}

/// Routines on the stack, as the functions of a slot.
#[derive(Default)]
struct Routines<'r> {
    routines: Vec<&'r mut dyn Routine>,
    throughput: Throughput,
}

impl<'r> Routines<'r> {
    /// Adds a routine, and what one of its calls processes; for a slot, that of the first routine counts.
    fn with<'s>(self, routine: &'s mut dyn Routine, throughput: Throughput) -> Routines<'s>
    where
        'r: 's,
    {
        let throughput = if self.routines.is_empty() { throughput } else { self.throughput };
        let mut routines: Vec<&'s mut dyn Routine> = Vec::with_capacity(self.routines.len() + 1);
        routines.extend(self.routines.into_iter().map(|routine| routine as &mut dyn Routine));
        routines.push(routine);
        Routines { routines, throughput }
    }

    fn timed(
        &mut self,
        index: usize,
        spec: BatchSpec,
        time: impl FnOnce(&mut dyn Routine, usize) -> LoopTiming,
    ) -> TimedBatch {
        let routine = &mut *self.routines[index];
        let entered = clock::now();
        let new_inputs = routine.new_inputs(spec.batch, spec.calls);
        let before = memory::live_bytes();
        stage::enter(FailureStage::Function);
        let timed = time(routine, spec.calls);
        let held = (timed.live_after - before).max(0) as f64 / spec.calls as f64;
        TimedBatch { entered, elapsed: timed.elapsed, held, new_inputs, interrupted: timed.interrupted }
    }
}

impl ReadyFunctions for Routines<'_> {
    fn count(&self) -> usize {
        self.routines.len()
    }
    fn round(&self) -> usize {
        1
    }
    fn throughput(&self) -> Throughput {
        self.throughput
    }
    fn one_call_per_batch(&self) -> bool {
        self.routines.iter().any(|routine| routine.one_call_per_batch())
    }
    fn time(&mut self, index: usize, spec: BatchSpec) -> TimedBatch {
        self.timed(index, spec, |routine, calls| routine.time(calls))
    }
    fn time_empty(&mut self, index: usize, spec: BatchSpec) -> TimedBatch {
        self.timed(index, spec, |routine, calls| routine.time_empty(calls))
    }
    /// Without hashes: the harness does not require that outputs can be hashed.
    fn call_untimed(&mut self, index: usize, spec: BatchSpec, _is_hashing: bool) -> UntimedBatch {
        stage::enter(FailureStage::Function);
        UntimedBatch { counts: self.routines[index].call_untimed(spec.calls), hash: None }
    }
}

/// Measures a routine, and receives what one of its calls processes.
pub type Measure<'a> = &'a mut dyn FnMut(&mut dyn Routine, Throughput);

/// A benchmark that a host has opened.
pub trait RunsToRoutine {
    /// The path of the benchmark in the catalog.
    fn path(&self) -> &str;
    /// Runs the program's code up to the routine of the benchmark, and passes it to `measure`.
    fn run(&self, measure: Measure<'_>);
    /// Why the code passes no routine.
    fn not_reached(&self) -> NotReady;
}

impl<B: RunsToRoutine> OpenBenchmarks for Vec<B> {
    fn with_functions(&mut self, work: &mut dyn FnMut(&mut dyn ReadyFunctions)) -> Result<(), NotReady> {
        run_nested(self, Routines::default(), work)
    }
}

/// Runs the first benchmark up to its routine. There, with this routine on the stack, runs the next benchmark up to its own, and so on.
/// Calls `work` with all routines.
///
/// * `reached`: the routines of the benchmarks before these.
///
/// # Errors
/// If the code of a benchmark passes no routine; `work` was not called then.
fn run_nested(
    benchmarks: &[impl RunsToRoutine],
    reached: Routines<'_>,
    work: &mut dyn FnMut(&mut dyn ReadyFunctions),
) -> Result<(), NotReady> {
    let Some((benchmark, others)) = benchmarks.split_first() else {
        let mut reached = reached;
        work(&mut reached);
        return Ok(());
    };
    let mut outcome = Err(benchmark.not_reached());
    let mut reached = Some(reached);
    benchmark.run(&mut |routine, throughput| {
        if let Some(reached) = reached.take() {
            let is_alone = others.is_empty() && reached.routines.is_empty();
            outcome = match throughput.check_benchmark(benchmark.path()) {
                Ok(()) => run_nested(others, reached.with(routine, throughput), work),
                Err(reason) if is_alone => Err(NotReady { reason, is_skipped: false }),
                // An error would fail the others of a comparison, too.
                Err(_) => run_nested(others, reached.with(routine, Throughput::default()), work),
            };
        }
    });
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A benchmark without a routine of its own, with a number of bytes per call.
    struct Declared(u64);

    impl Routine for () {
        fn one_call_per_batch(&self) -> bool {
            false
        }
        fn new_inputs(&self, _batch: u32, _calls: usize) -> usize {
            0
        }
        fn time(&mut self, _calls: usize) -> LoopTiming {
            LoopTiming { elapsed: 1.0, live_after: 0, interrupted: false }
        }
        fn time_empty(&mut self, calls: usize) -> LoopTiming {
            self.time(calls)
        }
        fn call_untimed(&mut self, _calls: usize) -> Counts {
            Counts::default()
        }
    }

    impl RunsToRoutine for Declared {
        fn path(&self) -> &str {
            "group::copy"
        }
        fn run(&self, measure: Measure<'_>) {
            measure(&mut (), Throughput { elements: None, bytes: Some(self.0) });
        }
        fn not_reached(&self) -> NotReady {
            NotReady { reason: "not reached".to_owned(), is_skipped: false }
        }
    }

    #[test]
    fn a_throughput_that_is_too_large_is_an_error_unless_others_are_measured() {
        let mut measured = Vec::new();
        let mut measure = |bytes: &[u64]| {
            let mut benchmarks: Vec<Declared> = bytes.iter().copied().map(Declared).collect();
            benchmarks.with_functions(&mut |functions| measured.push((functions.count(), functions.throughput().bytes)))
        };
        measure(&[1 << 53]).expect("it is in range");
        measure(&[u64::MAX, 1]).expect("a comparison");
        let error = measure(&[u64::MAX]).expect_err("it is out of range").reason;
        assert_eq!(
            error,
            "the benchmark `group::copy` declares 18446744073709551615 bytes per call: expected at most 2^53. Declare a smaller throughput, or none"
        );
        assert_eq!(measured, [(1, Some(1 << 53)), (2, None)]);
    }
}
