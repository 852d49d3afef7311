//! The errors of a store.

use thiserror::Error;

/// Why a store operation failed.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database is unusable and unchanged: its path, the problem and how to fix it.
    #[error("{0}")]
    Unusable(String),
    /// The result could not be found again, because of a mistake in the caller.
    #[error("the result cannot be stored: {0}. Report this as a bug of benchbook-server.")]
    Invalid(String),
    /// The database failed during an operation: its path, the problem and how to fix it.
    #[error("{0}")]
    Database(String),
}
