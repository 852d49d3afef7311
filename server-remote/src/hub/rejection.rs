//! Rejected submissions, and the reasons that clients receive.

use thiserror::Error;

use crate::queue::QueueRejection;

/// The reason that clients receive if a job ends without a result.
pub(super) const ABORTED: &str =
    "The runner aborted this measurement because of an internal error. Try again; the runner's log has the cause.";

/// The reason that a client receives for a request that it cancelled.
pub const CANCELLED: &str = "The client cancelled its request.";

/// Why the hub rejects a submission.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HubRejection {
    /// The request exceeds the bounds of the queue.
    #[error(transparent)]
    QueueFull(#[from] QueueRejection),
    /// The runner is shutting down, for this reason.
    #[error("{0}")]
    Closed(String),
    /// The client cancelled the request before it was submitted.
    #[error("{CANCELLED}")]
    Cancelled,
}
