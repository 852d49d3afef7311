//! Benchbook measures documented functions, with single inputs or over the values of one parameter.
//!
//! A **suite** is a crate with measured functions and the generators that prepare their workloads:
//!
//! ```
//! use benchbook::prelude::*;
//!
//! /// Sorts the keys in place, without keeping the order of equal keys.
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
//!   parameters needs none. [`measure!`] declares functions of other crates.
//! - [`generator`] declares a generator. Each of its parameters, except the [`Service`], is a control on the page.
//!   [`generators!`] names a list of generators, for functions that share them.
//! - [`Fresh`], [`Owned`], [`Shared`], [`Calls`] and [`Contended`] are the workloads that a generator can return. They determine how calls
//!   share inputs.
//! - [`Choice`](derive@Choice) makes an enum a parameter type.
//! - [`suite!`] makes the crate a suite.
//!
//! # Functions of other crates
//!
//! ```
//! # mod sorting {
//! use benchbook::prelude::*;
//!
//! measure! {
//!     /// Sorts keys; equal keys keep their order.
//!     fn sort(keys: &mut [u64]) = <[u64]>::sort, generators(..orders);
//!
//!     /// Whether the keys are sorted.
//!     fn is_sorted(keys: &[u64]) -> bool = <[u64]>::is_sorted, generators(..orders);
//! }
//!
//! generators!(orders = [random, reversed]);
//!
//! /// Random keys.
//! #[generator(name = "Random")]
//! fn random(_service: &Service) -> Fresh<Vec<u64>> {
//!     Fresh::new(|rng| (0..1_000).map(|_| rng.random()).collect())
//! }
//!
//! /// Keys in descending order.
//! #[generator(name = "Reversed")]
//! fn reversed(_service: &Service) -> Fresh<Vec<u64>> {
//!     Fresh::new(|_| (0..1_000).rev().collect())
//! }
//! # }
//! ```
//!
//! # Several types and constants
//!
//! ```
//! use benchbook::prelude::*;
//!
//! /// Sums numbers in chunks of a constant size: `sum<u32, 4>`, `sum<u32, 16>`, `sum<u64, 4>` and `sum<u64, 16>`.
//! #[measured(types(u32, u64), consts(4, 16), generators(numbers::<T>))]
//! fn sum<T: Copy + Into<u64>, const N: usize>(numbers: &[T]) -> u64 {
//!     numbers.chunks(N).map(|chunk| chunk.iter().map(|&number| number.into()).sum::<u64>()).sum()
//! }
//!
//! /// Small numbers.
//! #[generator(name = "Numbers")]
//! fn numbers<T: From<u8> + 'static>(_service: &Service) -> Shared<Vec<T>> {
//!     Shared::new(|rng| (0..1_000).map(|_| T::from(rng.random())).collect())
//! }
//! # benchbook::suite!("sums");
//! ```
//!
//! # Asynchronous functions
//!
//! The author names an executor. In a browser, where it cannot block, such functions are not available; a runner measures them.
//!
//! ```
//! use std::pin::pin;
//! use std::task::{Context, Poll, Waker};
//!
//! use benchbook::prelude::*;
//!
//! /// Completes at once: the time is that of the executor.
//! #[measured(executor = block_on)]
//! async fn ready() {}
//!
//! /// Polls until the future is ready. An executor such as `pollster::block_on` sleeps in between.
//! fn block_on<F: Future>(future: F) -> F::Output {
//!     let mut future = pin!(future);
//!     loop {
//!         if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
//!             return output;
//!         }
//!     }
//! }
//! # benchbook::suite!("waiting");
//! ```
//!
//! # Calls from several threads
//!
//! With the option `threads`, all threads of a [`Contended`] workload call the function at the same time, on the same input. If their number is a
//! parameter, a curve shows how contention grows. In a browser, where a suite has a single thread, such functions are not available.
//!
//! ```
//! use std::sync::Mutex;
//!
//! use benchbook::prelude::*;
//!
//! /// Adds one under a lock.
//! #[measured(threads, generators(counters))]
//! fn add(count: &Mutex<u64>) {
//!     *count.lock().unwrap() += 1;
//! }
//!
//! /// A counter for several threads.
//! #[generator(name = "Counter")]
//! fn counters(
//!     _service: &Service,
//!     /// Number of threads.
//!     #[parameter(min = 1, max = 64, default = 1..=4)]
//!     threads: usize,
//! ) -> Contended<Mutex<u64>> {
//!     Contended::new(threads, |_| Mutex::new(0))
//! }
//! # benchbook::suite!("locks");
//! ```

pub use benchbook_macros::{Choice, generator, generators, measure, measured};
pub use benchbook_suite::{Calls, Choice, Contended, Fresh, Owned, Rng, Service, Shared};
pub use rand;

/// The items that most suites use, including the traits for random numbers.
pub mod prelude {
    pub use crate::{
        Calls, Choice, Contended, Fresh, Owned, Rng, Service, Shared, generator, generators, measure, measured,
    };
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
    pub use benchbook_macros::suite_allocator;
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
        $crate::suite!(@name $name, memory_bound = $bound);
    };
    (@name $name:expr, memory_bound = $bound:expr) => {
        #[doc(hidden)]
        #[global_allocator]
        static BENCHBOOK_ALLOCATOR: $crate::__private::BoundedAllocator = $crate::__private::BoundedAllocator::system();

        #[doc(hidden)]
        const BENCHBOOK_IDENTITY: $crate::__private::Identity = $crate::__private::Identity {
            name: $name,
            version: ::core::env!("CARGO_PKG_VERSION"),
            crate_name: ::core::module_path!(),
        };

        // `#[measured]` refers to it, so that a crate without `suite!` does not compile.
        #[doc(hidden)]
        #[allow(dead_code)]
        pub(crate) const WRITE_BENCHBOOK_SUITE_IN_THE_CRATE_ROOT: () = ();

        $crate::suite!(@exports || super::BENCHBOOK_IDENTITY, $bound);

        /// The entry point of the native executable. It does nothing in wasm, where hosts do not call it.
        fn main() {
            #[cfg(not(target_family = "wasm"))]
            $crate::__private::run(BENCHBOOK_IDENTITY, $bound);
        }
    };
    (@exports $identity:expr, $bound:expr) => {
        #[doc(hidden)]
        #[cfg(target_family = "wasm")]
        mod benchbook_exports {
            #[unsafe(no_mangle)]
            extern "C" fn benchbook_protocol() -> u32 {
                $crate::__private::wasm::start($identity, $bound)
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
    };
}
