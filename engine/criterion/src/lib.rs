//! Benches written for [criterion](https://docs.rs/criterion), measured and shown by Benchbook, without editing them.
//!
//! ```sh
//! cargo add --dev benchbook-criterion --rename criterion
//! cargo bench            # measures the benches with Benchbook's method
//! cargo benchbook        # opens the notebook on them
//! ```
//!
//! Each benchmark is a function in the notebook. The inputs of a group are its parameter: numbers become a curve, other inputs become
//! bars. Benchbook decides how many samples a measurement takes, so that settings such as `sample_size` have no effect.
//!
//! The items of this crate have the names and signatures of criterion's, where its documentation describes them.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod async_bencher;
pub mod async_executor;
mod bencher;
mod benchmark_id;
mod criterion;
mod found;
mod group;
mod list;
pub mod measurement;
mod names;
pub mod profiler;
mod program;
mod run;
mod settings;

pub use std::hint::black_box;

pub use async_bencher::AsyncBencher;
pub use bencher::Bencher;
pub use benchmark_id::{BenchmarkId, IntoBenchmarkId};
pub use criterion::Criterion;
pub use group::BenchmarkGroup;
pub use settings::{
    AxisScale, BatchSize, BenchmarkFilter, PlotConfiguration, PlottingBackend, SamplingMode, Throughput,
};

/// Items for the code that the macros generate. They may change in any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::program::{Program, run_target};
    pub use benchbook;
    pub use benchbook_suite::__private::{BenchmarksEntry, inventory};
}

/// Defines a function that runs benchmarks: `criterion_group!(benches, sort, search);`, or with a `name`, a `config` and `targets`.
#[macro_export]
macro_rules! criterion_group {
    (name = $name:ident; config = $config:expr; targets = $($target:path),+ $(,)?) => {
        /// Runs the benchmarks of this group.
        pub fn $name() {
            let configure = || $config.configure_from_args();
            let mut criterion: ::core::option::Option<$crate::Criterion<_>> = ::core::option::Option::None;
            $(
                $crate::__private::run_target(&mut criterion, configure, stringify!($target), |criterion| {
                    $target(criterion);
                });
            )+
        }
    };
    ($name:ident, $($target:path),+ $(,)?) => {
        $crate::criterion_group! { name = $name; config = $crate::Criterion::default(); targets = $($target),+ }
    };
}

/// Makes the crate a suite with the benchmarks of these groups, named after the target: `criterion_main!(benches);`.
#[macro_export]
macro_rules! criterion_main {
    ($($group:path),+ $(,)?) => {
        $crate::__private::inventory::submit! {
            $crate::__private::BenchmarksEntry(&$crate::__private::Program {
                groups: &[$((stringify!($group), $group)),+],
            })
        }
        $crate::__private::benchbook::suite! { @name ::core::env!("CARGO_CRATE_NAME"), memory_bound = 1 << 30 }
    };
}
