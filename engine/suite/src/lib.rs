//! The runtime of Benchbook suites: prepares workloads and times batches as a host requests them. All decisions and the
//! analysis are the host's.
//!
//! Suite authors depend on `benchbook`, which re-exports the public part of this crate.

// The macros generate paths that start with `::benchbook`, also in this crate's tests.
#[cfg(test)]
extern crate self as benchbook;

mod arguments;
mod benchmarks;
mod bits;
mod choice;
mod collect;
mod declare;
mod entry;
mod generator;
mod identity;
mod memory;
mod no_input;
mod service;
mod stage;
#[cfg(target_arch = "wasm32")]
mod wasm_imports;
mod workload;

pub use benchbook_contract::rng::Rng;
pub use choice::Choice;
pub use service::Service;
pub use workload::{Calls, Contended, Fresh, Owned, Shared};

/// Items for the code that the macros generate. They may change in any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::arguments::{choice_argument, number_argument, text_argument};
    pub use crate::benchmarks::input_calls::{
        InputCalls, InputRoutine, ReferenceCalls, ValueCalls, make_inputs, new_inputs,
    };
    pub use crate::benchmarks::inputs::{BenchmarkGenerators, input_parameter, is_input, is_number};
    pub use crate::benchmarks::parts::{OmittedParts, list_part};
    pub use crate::benchmarks::program::{
        Benchmarks, BenchmarksEntry, FoundBenchmarks, IgnoredSetting, PRECISION_REPLACEMENT, ignored_setting_notes,
    };
    pub use crate::benchmarks::routines::{Measure, Routine, RunsToRoutine};
    pub use crate::choice::check_choice_default;
    pub use crate::collect::batch::{Batch, Bound, InputOf, count_async_calls, count_calls};
    pub use crate::collect::binding::{Binding, Opener};
    pub use crate::collect::contention::on_threads;
    pub use crate::collect::hash::{Hashes, NoHash, TypeTag, ViaHash, type_tag};
    pub use crate::collect::plain_loop::{
        time_arguments, time_async_arguments, time_async_calls, time_calls, time_empty,
    };
    pub use crate::collect::ready_functions::{NotReady, OpenBenchmarks, ReadyFunctions};
    pub use crate::collect::timed_batch::LoopTiming;
    pub use crate::declare::{FunctionEntry, native_only};
    pub use crate::entry::allocator::BoundedAllocator;
    #[cfg(not(target_arch = "wasm32"))]
    pub use crate::entry::native;
    #[cfg(target_arch = "wasm32")]
    pub use crate::entry::wasm;
    pub use crate::generator::{GeneratorSource, WorkloadGenerator, check_generator};
    pub use crate::identity::{Identity, program_name};
    pub use crate::memory::is_counted;
    pub use crate::no_input::NoInput;
    pub use crate::workload::input_access::{Borrows, ByMut, ByRef, ByValue, Contends, Mutates};
    pub use crate::workload::{Throughput, Workload};
    pub use benchbook_contract::protocol::Counts;
    pub use benchbook_contract::{catalog, parameter};
    pub use inventory;
}
