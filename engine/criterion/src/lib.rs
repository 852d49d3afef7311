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
mod main_function;
pub mod measurement;
mod names;
pub mod profiler;
mod program;
mod run;
mod settings;
mod this_program;

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
    pub use crate::main_function::{CrateEntry, NoMain, is_main, note_group};
    pub use crate::program::run_target;
    pub use benchbook;
    pub use benchbook_suite::__private::{Identity, inventory, program_name};
}

/// Defines a function that runs benchmarks: `criterion_group!(benches, sort, search);`, or with a `name`, a `config` and `targets`.
// The crate of the program, whose `main` it finds.
#[allow(clippy::crate_in_macro_def)]
#[macro_export]
macro_rules! criterion_group {
    (name = $name:ident; config = $config:expr; targets = $($target:path),+ $(,)?) => {
        /// Runs the benchmarks of this group.
        pub fn $name() {
            if $crate::__private::note_group(::core::stringify!($name), $name) {
                return;
            }
            let configure = || $config.configure_from_args();
            let mut criterion: ::core::option::Option<$crate::Criterion<_>> = ::core::option::Option::None;
            $(
                $crate::__private::run_target(&mut criterion, configure, stringify!($target), |criterion| {
                    $target(criterion);
                });
            )+
        }

        $crate::__criterion_crate! { || {
            /// For a library, whose root has no `main` that the import would find first.
            #[allow(dead_code)]
            fn main() -> $crate::__private::NoMain {
                $crate::__private::NoMain
            }
            {
                #[allow(unused_imports)]
                use crate::*;
                // Through a variable, so that clippy reports no recursion.
                let call: fn() = || {
                    let main = main;
                    _ = main();
                };
                $crate::__private::is_main(main).then_some(call)
            }
        } }
    };
    ($name:ident, $($target:path),+ $(,)?) => {
        $crate::criterion_group! { name = $name; config = $crate::Criterion::default(); targets = $($target),+ }
    };
}

/// Makes the crate a suite with the benchmarks of these groups, named after the target: `criterion_main!(benches);`.
#[macro_export]
macro_rules! criterion_main {
    ($($group:path),+ $(,)?) => {
        $crate::__private::benchbook::__private::suite_allocator! { $crate::__private::benchbook::__private }

        $crate::__criterion_crate! { || ::core::option::Option::Some(main) }

        /// Calls the groups. In wasm, it only names them: hosts send messages.
        fn main() {
            $($crate::__private::note_group(::core::stringify!($group), $group);)+
            $crate::Criterion::default().final_summary();
        }
    };
}

/// Registers the crate, with a closure that finds its `main`.
#[doc(hidden)]
#[macro_export]
macro_rules! __criterion_crate {
    ($main:expr) => {
        $crate::__private::inventory::submit! {
            $crate::__private::CrateEntry {
                identity: $crate::__private::Identity {
                    name: $crate::__private::program_name(
                        ::core::concat!(::core::env!("CARGO_PKG_NAME"), "/", ::core::env!("CARGO_CRATE_NAME")),
                        ::core::env!("CARGO_CRATE_NAME"),
                        ::core::option_env!("BENCHBOOK_QUALIFIED"),
                    ),
                    version: ::core::env!("CARGO_PKG_VERSION"),
                    crate_name: ::core::env!("CARGO_CRATE_NAME"),
                },
                main: $main,
                own_allocators: ::core::option_env!("BENCHBOOK_OWN_ALLOCATORS"),
            }
        }
    };
}

benchbook::suite!(@exports crate::main_function::identity, crate::main_function::MEMORY_BOUND);
