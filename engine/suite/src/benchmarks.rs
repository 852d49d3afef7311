//! Benchmarks that a program finds by running its own code, as those of criterion: their names are known only then, and a routine
//! exists only while the code that calls the harness is on the stack.

use benchbook_contract::catalog::{Function, Generator};
use benchbook_contract::protocol::{Counts, FailureStage, Open};

use crate::collect::clock;
use crate::collect::ready_functions::ReadyFunctions;
use crate::collect::timed_batch::{BatchSpec, LoopTiming, TimedBatch, UntimedBatch};
use crate::entry::stage;
use crate::memory;
use crate::workload::Throughput;

/// The benchmarks of a program. Each is a function in the catalog, and its inputs are the parameter of a generator.
pub trait Benchmarks: Sync {
    /// Runs the program's code without measuring, and returns the functions and generators that it finds, each sorted by path.
    ///
    /// # Errors
    /// States what the program has to change.
    fn find(&self) -> Result<(Vec<Function>, Vec<Generator>), String>;
    /// Prepares the benchmarks that a host names.
    ///
    /// # Errors
    /// States which of them does not exist.
    fn open(&self, open: &Open) -> Result<Box<dyn OpenBenchmarks>, String>;
}

/// The registration of a program's benchmarks.
pub struct BenchmarksEntry(pub &'static dyn Benchmarks);

inventory::collect!(BenchmarksEntry);

/// Benchmarks that a host has opened.
pub trait OpenBenchmarks {
    /// Runs the program's code up to these benchmarks, and calls `work` with them.
    ///
    /// # Errors
    /// If the code does not reach one of them; `work` was not called then.
    fn with_functions(&mut self, work: &mut dyn FnMut(&mut dyn ReadyFunctions)) -> Result<(), String>;
}

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
pub struct Routines<'r> {
    routines: Vec<&'r mut dyn Routine>,
    throughput: Throughput,
}

impl<'r> Routines<'r> {
    /// Adds a routine, and what one of its calls processes; for a slot, that of the first routine counts.
    pub fn with<'s>(self, routine: &'s mut dyn Routine, throughput: Throughput) -> Routines<'s>
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
