//! Where a value was given.

use std::fmt;
use std::path::PathBuf;

/// Where a value was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the command line, such as `--port`.
    Option(&'static str),
    /// In the environment, such as `BENCHBOOK_PORT`.
    Variable(String),
    /// In the file.
    File {
        /// The file, as it was named.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// Dotted, such as `limits.clients`; empty where none can be told.
        key: String,
    },
}

impl Place {
    /// Whether the other was given in the same way, or with less precedence.
    pub(super) fn overrules(&self, other: &Self) -> bool {
        let rank = |place: &Self| match place {
            Self::Option(_) => 0,
            Self::Variable(_) => 1,
            Self::File { .. } => 2,
        };
        rank(self) <= rank(other)
    }

    /// The line, where it is of the file.
    pub(super) fn line(&self) -> Option<usize> {
        match self {
            Self::File { line, .. } => Some(*line),
            _ => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(option) => f.write_str(option),
            Self::Variable(variable) => f.write_str(variable),
            Self::File { path, line, key } if key.is_empty() => write!(f, "{}:{line}", path.display()),
            Self::File { path, line, key } => write!(f, "{}:{line}: {key}", path.display()),
        }
    }
}
