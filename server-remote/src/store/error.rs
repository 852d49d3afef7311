//! The errors of a store.

use thiserror::Error;

/// Why a store operation failed.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database is unusable and unchanged: the problem and the remedy.
    #[error("{0}")]
    Unusable(String),
    /// The result could not be found again, because of a mistake in the caller.
    #[error("the result cannot be stored: {0}")]
    Invalid(String),
    /// The database returned an error.
    #[error("the database cannot be used: {0}")]
    Database(String),
}
