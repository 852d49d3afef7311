//! Exact counts of what a suite's wasm executes, by line of source.
//!
//! [`instrument`] rewrites a module so that it counts how often each of its basic blocks is executed, and computes the same as
//! before. The [`CodeMap`] says what each counter counts, and which lines of the source that is. Nothing here does input or
//! output, and counts never share a run with times: counting slows the module down.
//!
//! # Cost
//!
//! Every operator costs one unit, except `nop`, `drop`, `block`, `loop`, `else`, `end`, `return` and `unreachable`, which are
//! free. Each entry of a function costs another unit. That is what wasmtime consumes as *fuel* by default, so that another
//! engine can check the counts: see `fuel_before_op` in `crates/cranelift/src/func_environ.rs` and `default_operator_cost` in
//! `crates/environ/src/tunables.rs` of [wasmtime 48](https://github.com/bytecodealliance/wasmtime/tree/v48.0.0). A call costs its
//! unit in the caller; a function of the host costs nothing more.
//!
//! [`CodeMap::amount`] returns the lengths of bulk operators, which are no part of the cost. wasmtime adds them to the fuel, one
//! unit per byte or element from version 48 on, and one unit per page from version 49 on. In version 48, the fuel of a run is
//! therefore [`Operators::cost`] plus the amounts of each [`BulkKind`] except [`BulkKind::MemoryGrow`].
//!
//! The counts differ from fuel in these cases:
//! - A run that traps. Here, the block that trapped counts as a whole, and so does the length of the operator that trapped.
//!   wasmtime only stores its fuel at calls and where a function ends.
//! - Counters that are read while a function of the host runs. Here, the blocks that called it count as a whole. In wasmtime, what follows
//!   the call is not yet consumed.
//! - A `memory.grow` or `table.grow` that fails. Here, its amount is 0. wasmtime 48 charges the length before it tries, and version
//!   50 only constant lengths of at most 128.
//! - `table.fill` and `table.copy` up to wasmtime 47, where some cost a unit per element.
//! - Instantiation: wasmtime also charges for calling the start function and for initializing memories, tables and globals.
//!
//! # Counters
//!
//! Each block and each bulk operator has a counter: a mutable global of type `i64`, which starts at 0. Exported functions
//! without parameters return the counters in the order of the map: `benchbook_counters_0` returns the first 1000, and
//! `benchbook_counters_1` the next ([`CodeMap::exports`] lists them). They count nothing themselves, and a module without
//! functions has none. There is no reset: a host subtracts the counters before a call from those after it.
//!
//! Why globals, and not memory: the module's own memory has no place for counters. Its allocator takes what `memory.grow`
//! returns, and an allocator may also use what lies between the end of its data and `memory.size`. A second memory needs a
//! feature that not all engines have, and an imported one changes how hosts instantiate a suite. Globals need neither, and a
//! stray write of the suite can't change them.
//!
//! Why functions that return many counters: exporting each global adds a name to each of tens of thousands of counters. A function
//! with an index as its parameter needs code for each index, and a host calls it for each. A function that copies the counters to
//! memory needs a place in that memory. Engines allow 1000 results, so that a host makes one call per 1000 counters.
//!
//! Every block has its own counter. Some could be computed from others, such as an `else` from its `if`. That would make modules
//! smaller, and every host's reading of them harder.
//!
//! # Contexts
//!
//! [`instrument_contexts`] counts the same blocks by context: by the calls that led to their function, so that what a call costs with all that it calls
//! is known exactly. The number of contexts is only known at run time, so these counters are in the memory of the module, which grows by
//! 16 MiB before the first call. A function whose work depends on addresses, or on the size of the memory, may count
//! differently. The exported globals [`CONTEXT_GLOBALS`] say where they are, and [`ContextReading`] reads them.

//!
//! # Ranges
//!
//! [`range_module`] makes a module that times a part of what a function does: some of the calls that it executes, or that one of those executes, and so on. It has each
//! function twice, and only the calls on the way to the range lead to the versions that number their calls. [`TimedPart`] says what a host sets.

mod allocations;
mod context_memory;
mod contexts;
mod cost;
#[cfg(feature = "instrument")]
mod instrument;
mod map;
mod ranges;
mod section;

pub use allocations::{AllocationEvent, AllocationOperation};
pub use context_memory::{CallMemory, ContextCounts, ContextMemory, call_memory, memory_by_context};
pub use contexts::{CONTEXT_GLOBALS, Context, ContextReading, DamagedContexts};
pub use cost::{BulkKind, Class, Operators};
#[cfg(feature = "instrument")]
pub use instrument::{
    InstrumentError, Instrumented, Options, PathPrefix, append_section, counting_module, instrument,
    instrument_contexts, range_module, source_path, without_debug_information,
};
pub use map::{Block, BulkOperator, Call, CodeMap, Frame, Function, Run, STACK_POINTER};
pub use ranges::{
    EXECUTED_GLOBALS, ListedCall, MAX_ENTERED, MAX_EXECUTED, RANGES_SECTION, RangeFunction, RangeMap, TimedPart,
};
pub use section::{BUILD_SECTION, CODE_MAP_SECTION, CONTEXTS_SECTION, COUNTING_MODULE, CodeMapError, FORMAT};
