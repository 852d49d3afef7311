//! Counts what a call of a function executes: wasm operators, exactly.
//!
//! A suite has a counting module, which counts the operators that it executes ([`benchbook_instrument`]). Nothing is timed here: counting
//! slows the counting module down. A [`CountSession`] says which messages to send to a fresh instance of the counting module, and what to read meanwhile;
//! whatever executes the instance obeys. On the page that is a worker, elsewhere the `interpreter`.
//!
//! # What is counted
//!
//! The suite times batches as always, and the counters are read at both readings of the clock. A batch of one round of calls is subtracted
//! from one of 17 (of 2, if a round executes over a million), so that what a batch costs by itself cancels out; then the same of the loop without
//! the call. Two rounds warm up first: the first call may allocate what later ones reuse. Seed and inputs are those of the measurement, and the clock stands
//! still, so that two runs of one module count the same, on all machines.
//!
//! # Which readings are those of the batch
//!
//! A suite reads the clock at other moments, too. While it warms up, reading number k returns 2ᵏ ms, so that the time of the batch tells
//! which two readings it lies between. Other batches read the clock as often.

mod contexts;
#[cfg(feature = "interpreter")]
mod counter;
mod counting;
#[cfg(feature = "interpreter")]
mod interpreter;
mod layout;
mod marked_clock;
mod points;

pub use contexts::ContextSession;
#[cfg(feature = "interpreter")]
pub use counter::{Counter, count_if_requested};
pub use counting::{Clock, CountFailure, CountSession, Rounds, Step, StepOutcome, counts};
#[cfg(feature = "interpreter")]
pub use interpreter::Interpreter;
pub use layout::Layout;
pub use marked_clock::MAX_READINGS;
pub use points::{CountStep, LIMIT, PlanCounter, PointCounts};
