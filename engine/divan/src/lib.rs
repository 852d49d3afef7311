//! Benches written for [divan](https://docs.rs/divan), measured and shown by Benchbook, without editing them.
//!
//! ```sh
//! cargo add --dev benchbook-divan --rename divan
//! cargo bench            # measures the benches with Benchbook's method
//! cargo benchbook        # opens the notebook on them
//! ```
//!
//! Each benchmark is a function in the notebook. Its arguments, constants and thread counts are parameters: numbers become a curve, other
//! values become bars. Each type of a generic benchmark is a function of its own. Benchbook decides how many samples a measurement takes, so
//! that settings such as `sample_count` have no effect.
//!
//! The items of this crate have the names and signatures of divan's, where its documentation describes them.

// The macros generate paths that start with `::divan`, also in this crate's tests.
#[cfg(test)]
extern crate self as divan;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod bencher;
pub mod counter;
mod entry;
mod harness;
mod list;
mod options;
mod program;
mod routine;
mod settings;
#[cfg(test)]
mod tests;

pub use std::hint::black_box;

pub use bencher::{Bencher, BencherConfig};
pub use harness::{Divan, SkippedBenchmarks, main};

/// Registers a benchmark.
///
/// The options are those of divan. An unknown one is a compile error that lists the others.
///
/// ```
/// # extern crate benchbook_divan as divan;
/// #[divan::bench(args = [1_000, 1_000_000])]
/// fn collect(size: usize) -> Vec<usize> {
///     (0..size).collect()
/// }
/// # fn main() {}
/// ```
pub use benchbook_macros::divan_bench as bench;

/// Sets options of all benchmarks in a module. Those of an inner module and of a benchmark take precedence.
///
/// ```
/// # extern crate benchbook_divan as divan;
/// #[divan::bench_group(name = "sums", items_count = 3_u32)]
/// mod of_numbers {
///     #[divan::bench]
///     fn sum() -> u32 {
///         divan::black_box([1, 2, 3]).iter().sum()
///     }
/// }
/// # fn main() {}
/// ```
pub use benchbook_macros::divan_bench_group as bench_group;

/// The global allocator that counts allocations and bounds the memory of the suite. Without it, Benchbook does not count them.
///
/// ```
/// # extern crate benchbook_divan as divan;
/// #[global_allocator]
/// static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();
/// # fn main() {}
/// ```
pub type AllocProfiler<A = std::alloc::System> = benchbook_suite::__private::BoundedAllocator<A>;

/// Passes a value through [`black_box`], and drops it.
#[inline]
pub fn black_box_drop<T>(value: T) {
    drop(black_box(value));
}

/// The items that most benches use.
pub mod prelude {
    pub use crate::{AllocProfiler, Bencher, Divan, bench, bench_group, black_box, black_box_drop};
}

/// Items for the code that the macros generate. They may change in any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::entry::{
        ArgumentList, BenchEntry, BenchInstance, DebugLabel, DisplayLabel, GroupEntry, InstanceConstant, Label, Visit,
        constant_at, has_constant_at, pass, with_argument, without_argument,
    };
    pub use crate::options::BenchOptions;
    pub use benchbook_suite::__private::{inventory, program_name};
    pub use std::hint::black_box;
}

benchbook::suite!(@exports crate::program::identity, crate::program::MEMORY_BOUND);
