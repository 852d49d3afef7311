//! The host's side of sampling: what to ask of a suite next, and when it is enough.
//!
//! Nothing here reads a clock or does IO: answers come in as values, and so does what became of the suite.

mod agenda;
mod block;
mod calibration;
pub mod clock_card;
pub mod collection;
mod comparable_batches;
mod current_point;
mod empty_loop;
pub mod ending;
mod figures;
mod function_samples;
pub mod measurement;
mod overhead;
mod preparation;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod processes;
mod reply;
pub mod sentinel;
mod typical_batch;
mod warm_up;

/// The most work that is asked for at once, in nanoseconds, unless one batch takes longer: so long a measurement cannot
/// be stopped.
const MOST_WORK: f64 = 50e6;
