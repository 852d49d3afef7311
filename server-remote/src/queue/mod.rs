//! The queue of the measuring core.
//!
//! A pure state machine. One job runs at a time. Addresses and their clients take turns; within a client, lower priority
//! numbers come first. A long job pauses after each of its turns. Quick jobs at priority 1 precede others, but not forever. A
//! request that equals a queued one joins its job. That job is in the lane of each of its clients, runs at the earliest of
//! their turns, and counts as a turn of all of them.

mod bounds;
mod core_turns;
mod fair_queue;
mod ids;
#[cfg(test)]
mod tests;
mod turns;

pub use bounds::{QueueBounds, QueueRejection};
pub use core_turns::CoreTurns;
pub use fair_queue::{Departure, JobRequest, Queue, QueuePosition, Ticket};
pub use ids::{JobId, SubscriberId};
