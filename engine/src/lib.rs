//! Benchbook measures documented functions, with single inputs or over the values of one parameter.
//!
//! A **suite** is a crate with measured functions and the generators that prepare their workloads:
//!
//! ```
//! use benchbook::prelude::*;
//!
//! /// Sorts the keys in place, without retaining the order of equal keys.
//! #[measured(generators(keys))]
//! pub fn sort_unstable(keys: &mut Vec<u64>) {
//!     keys.sort_unstable();
//! }
//!
//! /// A vector of random keys.
//! #[generator(name = "Keys")]
//! fn keys(
//!     _service: &Service,
//!     /// Number of keys.
//!     #[parameter(min = 100, max = 1_000_000, step = 100, scale = "log", default = 1_000..=100_000, unit = "keys")]
//!     size: u32,
//! ) -> Fresh<Vec<u64>> {
//!     Fresh::new(move |rng| (0..size).map(|_| rng.random()).collect())
//! }
//!
//! benchbook::suite!("sorting");
//! ```
//!
//! The crate compiles to a `.wasm` file for the page and to a native executable for a runner. Both implement the contract
//! of `docs/suite-contract.md`.
//!
//! - [`measured`] declares a function to measure. It names the generators that prepare its inputs; a function without
//!   parameters needs none.
//! - [`generator`] declares a generator. Each of its parameters, except the [`Service`], is a control on the page.
//! - [`Fresh`], [`Shared`] and [`Calls`] are the workloads that a generator can return. They determine how calls share
//!   inputs.
//! - [`Choice`](derive@Choice) makes an enum a parameter type.
//! - [`suite!`] makes the crate a suite.

pub use benchbook_macros::{Choice, generator, measured};
pub use benchbook_suite::{Calls, Choice, Fresh, Rng, Service, Shared};
pub use rand;

/// The items that most suites use, including the traits for random numbers.
pub mod prelude {
    pub use crate::{Calls, Choice, Fresh, Rng, Service, Shared, generator, measured};
    pub use rand::RngExt;
    pub use rand::seq::{IndexedRandom, SliceRandom};
}

#[cfg(not(target_family = "wasm"))]
mod program;

/// Items for the code that the macros generate. They may change in any version.
#[doc(hidden)]
pub mod __private {
    #[cfg(not(target_family = "wasm"))]
    pub use crate::program::run;
    pub use benchbook_suite::__private::*;
}

/// Makes a crate a suite: defines the exports of its wasm, its global allocator, and `main` of its native executable.
///
/// Invoke it once, in the root of a binary crate, or of an example or bench target with `harness = false`:
/// `benchbook::suite!("name");`.
///
/// The suite may hold at most 1 GiB of memory at once; further allocations fail. To set another bound, in bytes:
/// `benchbook::suite!("name", memory_bound = 64 << 20);`.
#[macro_export]
macro_rules! suite {
    ($name:literal) => {
        $crate::suite!($name, memory_bound = 1 << 30);
    };
    ($name:literal, memory_bound = $bound:expr) => {
        #[global_allocator]
        static BENCHBOOK_ALLOCATOR: $crate::__private::BoundedAllocator = $crate::__private::BoundedAllocator;

        const BENCHBOOK_IDENTITY: $crate::__private::Identity = $crate::__private::Identity {
            name: $name,
            version: ::core::env!("CARGO_PKG_VERSION"),
            crate_name: ::core::module_path!(),
        };

        // `#[measured]` refers to it, so that a crate without `suite!` does not compile.
        #[allow(dead_code)]
        pub(crate) const WRITE_BENCHBOOK_SUITE_IN_THE_CRATE_ROOT: () = ();

        #[cfg(target_family = "wasm")]
        mod benchbook_exports {
            #[unsafe(no_mangle)]
            extern "C" fn benchbook_protocol() -> u32 {
                $crate::__private::wasm::start(super::BENCHBOOK_IDENTITY, $bound)
            }

            #[unsafe(no_mangle)]
            extern "C" fn benchbook_receive(len: usize) -> *mut u8 {
                $crate::__private::wasm::receive(len)
            }

            #[unsafe(no_mangle)]
            extern "C" fn benchbook_handle(len: usize) {
                $crate::__private::wasm::handle(len)
            }
        }

        /// The entry point of the native executable. It does nothing in wasm, where hosts do not call it.
        fn main() {
            #[cfg(not(target_family = "wasm"))]
            $crate::__private::run(BENCHBOOK_IDENTITY, $bound);
        }
    };
}
