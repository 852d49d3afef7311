//! Problems of a configuration.

use std::fmt;
use std::process::ExitCode;

use thiserror::Error;

use super::value_source::ValueSource;

/// An invalid or missing value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The source of the value; absent if it is missing.
    pub source: Option<ValueSource>,
    /// The value as written, abbreviated; absent if it is missing.
    pub value: Option<String>,
    /// The allowed values, or the problem and how to fix it.
    pub advice: String,
}

impl ConfigProblem {
    /// A missing value.
    pub(super) fn missing(advice: &str) -> Self {
        Self { source: None, value: None, advice: advice.to_owned() }
    }
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.source, &self.value) {
            (None, _) => return write!(f, "{}", self.advice),
            (Some(source), None) => write!(f, "{source}")?,
            (Some(source @ ValueSource::Option(_)), Some(value)) => write!(f, "{source} {value}")?,
            (Some(source @ ValueSource::Variable(_)), Some(value)) => write!(f, "{source}={value}")?,
            (Some(source @ ValueSource::File { key, .. }), Some(value)) if key.is_empty() => {
                write!(f, "{source}: {value}")?;
            }
            (Some(source @ ValueSource::File { .. }), Some(value)) => write!(f, "{source} = {value}")?,
        }
        write!(f, "\n    {}", self.advice)
    }
}

/// Why the configuration cannot be used.
#[derive(Debug, Error)]
pub enum ReadError {
    /// A request for the help text or the version, or an invalid command line.
    #[error(transparent)]
    CommandLine(clap::Error),
    /// All problems; never empty.
    #[error("invalid configuration; the runner was not started:\n\n{}", listed(.0))]
    Problems(Vec<ConfigProblem>),
}

impl ReadError {
    /// Prints the help text to standard output, or the problems to standard error.
    pub fn report(&self) -> ExitCode {
        match self {
            Self::CommandLine(error) => {
                // If the output is closed, the text cannot be read.
                let _ = error.print();
                if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
            }
            Self::Problems(_) => {
                eprintln!("error: {self}");
                ExitCode::from(2)
            }
        }
    }
}

fn listed(problems: &[ConfigProblem]) -> String {
    problems.iter().map(|problem| format!("  {problem}")).collect::<Vec<_>>().join("\n\n")
}
