//! Functions that are ready to be measured on the inputs of a slot.

use crate::collect::binding::{AnyInputs, FunctionLoops};
use crate::collect::timed_batch::{BatchSpec, TimedBatch, UntimedBatch};
use crate::workload::Throughput;

/// Functions that are ready to be measured on the same inputs. They are numbered in the order in which they were opened.
pub trait ReadyFunctions {
    /// Returns the number of functions.
    fn count(&self) -> usize;
    /// Returns the number of calls in a round.
    fn round(&self) -> usize;
    /// Returns what a call processes, as its author declares it.
    fn throughput(&self) -> Throughput;
    /// Whether each batch must be a single call.
    fn one_call_per_batch(&self) -> bool;
    /// Times a batch of function `index`.
    fn time(&mut self, index: usize, spec: BatchSpec) -> TimedBatch;
    /// Times the loop of function `index` without the calls.
    fn time_empty(&mut self, index: usize, spec: BatchSpec) -> TimedBatch;
    /// Makes the calls of a batch of function `index` without timing them. Returns a hash of the outputs if `is_hashing`, and if they
    /// can be hashed.
    fn call_untimed(&mut self, index: usize, spec: BatchSpec, is_hashing: bool) -> UntimedBatch;
}

/// Functions that are bound to the generator of the inputs.
pub(crate) struct BoundFunctions {
    pub(crate) inputs: Box<dyn AnyInputs>,
    pub(crate) functions: Vec<FunctionLoops>,
}

impl ReadyFunctions for BoundFunctions {
    fn count(&self) -> usize {
        self.functions.len()
    }
    fn round(&self) -> usize {
        self.inputs.round()
    }
    fn throughput(&self) -> Throughput {
        self.inputs.throughput()
    }
    fn one_call_per_batch(&self) -> bool {
        self.inputs.one_call_per_batch()
    }
    fn time(&mut self, index: usize, spec: BatchSpec) -> TimedBatch {
        (self.functions[index].time)(self.inputs.as_any(), spec)
    }
    fn time_empty(&mut self, index: usize, spec: BatchSpec) -> TimedBatch {
        (self.functions[index].time_empty)(self.inputs.as_any(), spec)
    }
    fn call_untimed(&mut self, index: usize, spec: BatchSpec, is_hashing: bool) -> UntimedBatch {
        (self.functions[index].call_untimed)(self.inputs.as_any(), spec, is_hashing)
    }
}

/// Why functions are not ready.
#[derive(Debug)]
pub struct NotReady {
    /// The reason, as a clause.
    pub reason: String,
    /// Whether their author has decided not to measure them here, which is no error.
    pub is_skipped: bool,
}

/// Benchmarks that a host has opened.
pub trait OpenBenchmarks {
    /// Runs the program's code up to these benchmarks, and calls `work` with them.
    ///
    /// # Errors
    /// If the code does not reach one of them; `work` was not called then.
    fn with_functions(&mut self, work: &mut dyn FnMut(&mut dyn ReadyFunctions)) -> Result<(), NotReady>;
}
