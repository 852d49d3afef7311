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
//! The same binary crate compiles to a raw `.wasm` that the page loads and to a native executable that a runner
//! spawns; both speak the contract of `docs/suite-contract.md`.
//!
//! With the feature `host` the crate holds the other side too: `request` and its plan, `points`, the sampler in `sample`,
//! `analyze` and the `response`. The page and the runner reach the same code there.
//!
//! Messages, parameters and warnings have a JSON form and no other: they implement `Deserialize` for `serde_json` alone.

// The macros write `::benchbook`, in the tests of this crate too.
#[cfg(test)]
extern crate self as benchbook;

mod collect;
mod declare;
mod entry;
mod rng;
mod service;
mod tagged;
mod workload;

pub mod catalog;
pub mod parameter;
pub mod protocol;

#[cfg(feature = "host")]
pub mod analyze;
#[cfg(feature = "host")]
pub mod api;
#[cfg(all(feature = "host", not(target_arch = "wasm32")))]
pub mod child;
#[cfg(feature = "host")]
pub mod comparison;
#[cfg(feature = "host")]
pub mod fingerprint;
#[cfg(feature = "host")]
pub mod points;
#[cfg(feature = "host")]
pub mod quality;
#[cfg(feature = "host")]
pub mod request;
#[cfg(feature = "host")]
pub mod response;
#[cfg(feature = "host")]
pub mod sample;
#[cfg(feature = "host")]
pub mod units;

pub use benchbook_macros::{Choice, generator, measured};
pub use declare::Choice;
pub use rand;
pub use rng::Rng;
pub use service::Service;
pub use workload::{Calls, Fresh, Shared};

/// All that a suite needs.
pub mod prelude {
    pub use crate::{Calls, Choice, Fresh, Rng, Service, Shared, generator, measured};
    pub use rand::RngExt;
    pub use rand::seq::{IndexedRandom, SliceRandom};
}

/// What the macros write refers to this; it may change with every version.
#[doc(hidden)]
pub mod __private {
    pub use crate::collect::batch::{Batch, Timed};
    pub use crate::collect::binding::{Binding, Bound, InputOf, Opener};
    pub use crate::collect::hash::{Hashes, NoHash, Outcome, ViaHash, outcome};
    pub use crate::collect::lend::{Borrows, ByMut, ByRef, ByValue, Mutates};
    pub use crate::declare::{FunctionEntry, Generator, GeneratorSource, check_choice_default, native_only};
    pub use crate::entry::Identity;
    pub use crate::entry::allocator::Bounded;
    #[cfg(not(target_arch = "wasm32"))]
    pub use crate::entry::native;
    #[cfg(target_arch = "wasm32")]
    pub use crate::entry::wasm;
    pub use crate::workload::Workload;
    pub use inventory;
}
