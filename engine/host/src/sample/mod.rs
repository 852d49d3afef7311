//! The host's side of sampling: what to ask of a suite next, and when it is enough.
//!
//! Nothing here reads a clock or does IO: answers come in as values, and so does what became of the suite.

mod agenda;
mod alike;
mod approach;
mod at_work;
mod block;
mod calibration;
pub mod clock_card;
mod collected;
pub mod collection;
mod empty_loop;
pub mod ending;
mod figures;
pub mod measurement;
mod overhead;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod processes;
mod reply;
pub mod sentinel;
mod uninterrupted;
mod warm_up;

/// The most work that is asked for at once, in nanoseconds, unless one batch takes longer: so long a measurement cannot
/// be stopped.
const MOST_WORK: f64 = 50e6;
