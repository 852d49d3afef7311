//! The bounds of the queue, and the rejections beyond them.

use thiserror::Error;

/// The bounds of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueBounds {
    /// The maximum number of clients with pending requests.
    pub clients: usize,
    /// The maximum of a client's pending requests, in expected milliseconds of measuring.
    pub client_ms: u64,
    /// The maximum for all clients of an address together.
    pub address_ms: u64,
    /// The maximum duration of requests at priority 1 that precede others, in expected milliseconds.
    pub quick_ms: u64,
}

/// Why the queue rejects a request, and how to fix it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum QueueRejection {
    /// Too many clients are waiting.
    #[error("The queue is full: {clients} clients are waiting. Try again in {retry_after} s.")]
    TooManyClients {
        /// The maximum number of clients.
        clients: usize,
        /// When a slot may be free, in seconds.
        retry_after: u64,
    },
    /// The client's pending requests leave no room for this one.
    #[error(
        "Your pending requests need about {} s of measuring; the limit is {} s per client. Wait for some of them or cancel \
         some, then try again in {retry_after} s.",
        seconds(*.waiting_ms), seconds(*.client_ms)
    )]
    ClientFull {
        /// The client's pending requests, in expected milliseconds.
        waiting_ms: u64,
        /// The maximum per client.
        client_ms: u64,
        /// When enough of them may be finished, in seconds.
        retry_after: u64,
    },
    /// The pending requests of all clients of the address leave no room for this one.
    #[error(
        "The pending requests from your address need about {} s of measuring; the limit is {} s per address. Try again in \
         {retry_after} s.",
        seconds(*.waiting_ms), seconds(*.address_ms)
    )]
    AddressFull {
        /// The pending requests, in expected milliseconds.
        waiting_ms: u64,
        /// The maximum per address.
        address_ms: u64,
        /// When enough of them may be finished, in seconds.
        retry_after: u64,
    },
    /// The request exceeds the limit even on its own.
    #[error(
        "The request needs about {} s of measuring; the limit is {} s per client. Request a lower priority, fewer functions, \
         or less time per point.",
        seconds(*.cost_ms), seconds(*.client_ms)
    )]
    TooLong {
        /// The expected duration in milliseconds.
        cost_ms: u64,
        /// The maximum per client.
        client_ms: u64,
    },
}

impl QueueRejection {
    /// When to try again, in seconds; absent if the request can never be accepted.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooManyClients { retry_after, .. }
            | Self::ClientFull { retry_after, .. }
            | Self::AddressFull { retry_after, .. } => Some(*retry_after),
            Self::TooLong { .. } => None,
        }
    }
}

/// Whole seconds, rounded up, and at least 1, so that no client retries too early.
pub(super) fn seconds(ms: u64) -> u64 {
    ms.div_ceil(1_000).max(1)
}
