//! The host's side of sampling: decides which messages to send to a suite, and when there are enough samples.
//!
//! Nothing here reads a clock or does IO: the suite's replies and its end are values.

mod agenda;
mod batch_start;
mod block;
mod calibration;
pub mod collection;
mod comparable_batches;
mod current_point;
mod empty_loop;
pub mod ending;
pub mod event_sampler;
mod figures;
pub mod first_call_series;
mod function_samples;
mod interruptions;
pub mod measurement;
mod overhead;
mod preparation;
pub mod sentinel;
pub mod series;
mod settling;
mod suite_messages;
mod typical_batch;
mod warm_up;

/// The maximum work per message in nanoseconds, unless one batch takes longer. A measurement cannot be stopped in the
/// middle of a message.
const MAX_WORK: f64 = 50e6;
