//! The host's side of sampling: what to ask of a suite next, and when it is enough.
//!
//! Nothing here reads a clock or does IO: answers come in as values, and so does what became of the suite.

mod at_work;
mod calibration;
mod circumstances;
pub mod clock_card;
pub mod ending;
pub mod measurement;
mod overhead;
pub mod sampler;
mod warm_up;

/// The most work that is asked for at once, in nanoseconds, unless one batch takes longer: so long a measurement cannot
/// be stopped.
const MOST_WORK: f64 = 50e6;
