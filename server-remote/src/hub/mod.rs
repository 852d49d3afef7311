//! The hub connects clients with the measurement thread.
//!
//! Clients submit requests and read events asynchronously; one thread measures, and blocks. The [`crate::queue`] decides
//! which job is next, and each job has an event log that all of its subscribers read. The hub does not interpret the work
//! `W` that passes through it.

mod admission;
mod event_log;
mod facade;
mod rejection;
mod running_job;
mod shared;
mod streams;
mod subscription;
#[cfg(test)]
mod tests;

pub use admission::Admission;
pub use event_log::SharedEvent;
pub use facade::{Hub, Task};
pub use rejection::{CANCELLED, HubRejection};
pub use running_job::RunningJob;
pub use streams::{StreamLimits, StreamPermit, StreamRejection, Streams};
pub use subscription::{JobError, JobResult, Subscription};
