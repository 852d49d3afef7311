//! Benchbook measures documented functions over a varied parameter.
//!
//! A **suite** is a crate of measured functions and of the generators that prepare their workloads:
//!
//! ```
//! use benchbook::prelude::*;
//!
//! /// Sorts the keys in place; equal keys may change places.
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
//! The same crate compiles to a raw `.wasm` that the page loads and to a native executable that a runner starts. Both
//! implement the contract of `docs/suite-contract.md`.

pub use benchbook_macros::{Choice, generator, measured};
pub use benchbook_suite::{Calls, Choice, Fresh, Rng, Service, Shared};
pub use rand;

/// Everything that a suite needs.
pub mod prelude {
    pub use crate::{Calls, Choice, Fresh, Rng, Service, Shared, generator, measured};
    pub use rand::RngExt;
    pub use rand::seq::{IndexedRandom, SliceRandom};
}

#[doc(hidden)]
pub use benchbook_suite::__private;

/// Makes this crate a suite: the exports of its wasm, the allocator, and `main` of its native executable.
///
/// Stands once in the root of a binary crate, or of an example or a bench target without a harness:
/// `benchbook::suite!("name");`. All that the suite holds at once is bounded by 1 GiB, or by what is said:
/// `benchbook::suite!("name", memory_bound = 64 << 20);`, in bytes.
#[macro_export]
macro_rules! suite {
    ($name:literal) => {
        $crate::suite!($name, memory_bound = 1 << 30);
    };
    ($name:literal, memory_bound = $bound:expr) => {
        #[global_allocator]
        static BENCHBOOK_ALLOCATOR: $crate::__private::Bounded = $crate::__private::Bounded;

        const BENCHBOOK_IDENTITY: $crate::__private::Identity = $crate::__private::Identity {
            name: $name,
            version: ::core::env!("CARGO_PKG_VERSION"),
            crate_name: ::core::module_path!(),
        };

        // `#[measured]` refers to it, so that a crate without `suite!` does not compile.
        #[allow(dead_code)]
        pub(crate) const WRITE_BENCHBOOK_SUITE_IN_THE_CRATE_ROOT: () = ();

        #[cfg(target_arch = "wasm32")]
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

        /// The native executable; a browser never calls it.
        fn main() {
            #[cfg(not(target_arch = "wasm32"))]
            $crate::__private::native::run(BENCHBOOK_IDENTITY, $bound);
        }
    };
}
