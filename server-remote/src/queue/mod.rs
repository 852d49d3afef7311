//! The queue of the measuring core.
//!
//! A pure state machine. One job runs at a time. Clients take turns; within a client, lower priority numbers come first. A
//! request that equals a queued one joins its job. That job is in the lane of each of its clients, runs at the earliest of
//! their turns, and counts as a turn of all of them.

mod bounds;
mod fair_queue;
mod ids;
#[cfg(test)]
mod tests;
mod turns;

pub use bounds::{QueueBounds, QueueRejection};
pub use fair_queue::{Departure, JobRequest, Queue, QueuePosition, Ticket};
pub use ids::{JobId, SubscriberId};
