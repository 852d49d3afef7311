//! How much may wait, and what one is told who asks for more.

use thiserror::Error;

/// How much may wait at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Clients that wait for an answer.
    pub clients: usize,
    /// What one client asked for and has not got, in expected milliseconds of measuring.
    pub client_ms: u64,
}

/// Why an ask is not taken, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// Too many clients wait.
    #[error("{clients} clients wait already, as many as this runner takes: try again in {retry_after} s")]
    Crowded {
        /// How many there may be.
        clients: usize,
        /// When a place may be free, in seconds.
        retry_after: u64,
    },
    /// The client waits for so much that this does not fit beside it.
    #[error(
        "you wait for about {} s of measuring already, and {} s is the most for one client: wait for some of it or \
         cancel some, and try again in {retry_after} s",
        seconds(*.waiting_ms), seconds(*.client_ms)
    )]
    Full {
        /// What it waits for, in expected milliseconds.
        waiting_ms: u64,
        /// The most that a client may wait for.
        client_ms: u64,
        /// When enough of it is expected to be done, in seconds.
        retry_after: u64,
    },
    /// It would not fit beside nothing.
    #[error(
        "this takes about {} s, and {} s is the most for one client: ask for a lower priority, fewer functions, or less \
         time a point",
        seconds(*.cost_ms), seconds(*.client_ms)
    )]
    Long {
        /// What it is expected to take, in milliseconds.
        cost_ms: u64,
        /// The most that a client may wait for.
        client_ms: u64,
    },
}

impl Refused {
    /// When to try again, in seconds; absent where that would not help.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Crowded { retry_after, .. } | Self::Full { retry_after, .. } => Some(*retry_after),
            Self::Long { .. } => None,
        }
    }
}

/// Whole seconds, rounded up, and one at least: who waits so long is not too early.
pub(super) fn seconds(ms: u64) -> u64 {
    ms.div_ceil(1_000).max(1)
}
