//! The source of a value.

use std::fmt;
use std::path::PathBuf;

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueSource {
    /// An option of the command line, such as `--port`.
    Option(&'static str),
    /// An environment variable, such as `BENCHBOOK_PORT`.
    Variable(String),
    /// The configuration file.
    File {
        /// The path, as it was given.
        path: PathBuf,
        /// The line, starting at 1.
        line: usize,
        /// The dotted key, such as `limits.clients`; empty if unknown.
        key: String,
    },
}

impl ValueSource {
    /// Whether this source has at least the precedence of the other.
    pub(super) fn overrules(&self, other: &Self) -> bool {
        let rank = |source: &Self| match source {
            Self::Option(_) => 0,
            Self::Variable(_) => 1,
            Self::File { .. } => 2,
        };
        rank(self) <= rank(other)
    }

    /// The line in the file; absent for other sources.
    pub(super) fn line(&self) -> Option<usize> {
        match self {
            Self::File { line, .. } => Some(*line),
            _ => None,
        }
    }
}

impl fmt::Display for ValueSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(option) => f.write_str(option),
            Self::Variable(variable) => f.write_str(variable),
            Self::File { path, line, key } if key.is_empty() => write!(f, "{}:{line}", path.display()),
            Self::File { path, line, key } => write!(f, "{}:{line}: {key}", path.display()),
        }
    }
}
