//! What is wrong with a configuration.

use std::fmt;
use std::process::ExitCode;

use thiserror::Error;

use super::Place;

/// A value that will not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigProblem {
    /// Where it was given; absent where it is missing.
    pub place: Option<Place>,
    /// The value as it was written, shortened; absent where it is missing, and where it is secret.
    pub value: Option<String>,
    /// What is wrong, what is allowed and what to do.
    pub advice: String,
}

impl ConfigProblem {
    /// A problem with what was given nowhere.
    pub(super) fn missing(advice: &str) -> Self {
        Self { place: None, value: None, advice: advice.to_owned() }
    }
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.place, &self.value) {
            (None, _) => return write!(f, "{}", self.advice),
            (Some(place), None) => write!(f, "{place}")?,
            (Some(place @ Place::Option(_)), Some(value)) => write!(f, "{place} {value}")?,
            (Some(place @ Place::Variable(_)), Some(value)) => write!(f, "{place}={value}")?,
            (Some(place @ Place::File { key, .. }), Some(value)) if key.is_empty() => write!(f, "{place}: {value}")?,
            (Some(place @ Place::File { .. }), Some(value)) => write!(f, "{place} = {value}")?,
        }
        write!(f, "\n    {}", self.advice)
    }
}

/// Why there is no configuration.
#[derive(Debug, Error)]
pub enum ReadError {
    /// Help or the version was asked for, or an option is unknown.
    #[error(transparent)]
    CommandLine(clap::Error),
    /// All that is wrong, never empty.
    #[error("the configuration will not do, and nothing was started:\n\n{}", listed(.0))]
    Problems(Vec<ConfigProblem>),
}

impl ReadError {
    /// Tells it: help on standard output, what is wrong on standard error.
    pub fn tell(&self) -> ExitCode {
        match self {
            Self::CommandLine(error) => {
                // A terminal that is gone needs no help.
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
