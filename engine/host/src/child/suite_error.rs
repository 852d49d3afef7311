//! Errors of native suites.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::request::Problem;

/// A failure to open or measure a native suite.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The file does not exist or cannot be executed.
    #[error("cannot start {path}: {source}")]
    Start {
        /// The executable.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The program violates the contract.
    #[error("{path} is not a usable Benchbook suite: {reason}")]
    Contract {
        /// The executable.
        path: PathBuf,
        /// The violation.
        reason: String,
    },
    /// The request does not fit the suite.
    #[error("invalid request: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Request(Vec<Problem>),
    /// The measurement was stopped by its [`StopHandle`](super::StopHandle).
    #[error("the measurement was stopped")]
    Stopped,
}
