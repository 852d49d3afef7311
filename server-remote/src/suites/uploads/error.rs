//! Why an uploaded build is not available.

use std::io;

use thiserror::Error;

/// Why an uploaded build was not stored.
#[derive(Debug, Error)]
pub enum UploadError {
    /// The executable exceeds this number of bytes.
    #[error("the executable has more than {0} bytes")]
    TooLarge(u64),
    /// The client sent nothing for too long, or took too long in total.
    #[error("the executable did not arrive in time")]
    Slow,
    /// The connection broke.
    #[error("the executable did not arrive: {0}")]
    Incomplete(String),
    /// Several clients upload builds at this moment.
    #[error("too many builds are being uploaded")]
    Busy,
    /// All stored builds are waiting for measurements, so none can be replaced.
    #[error("all stored builds are in use")]
    NoRoom,
    /// The executable is not a suite, or does not run here: the reason, without paths of this machine.
    #[error("{0}")]
    Unusable(String),
    /// The folder cannot be written.
    #[error("the folder of uploaded builds is unavailable: {0}")]
    Folder(#[from] io::Error),
}
