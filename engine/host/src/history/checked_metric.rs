//! What checks compare between builds.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::response::{MeasuredPoint, Run, StartUpTimes};

/// What a check compares between builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckedMetric {
    /// The time of a call after warm-up.
    Time,
    /// The time of the first call in a process.
    FirstCall,
}

impl CheckedMetric {
    /// All metrics.
    pub const ALL: [Self; 2] = [Self::Time, Self::FirstCall];

    /// The name in JSON and in links.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::FirstCall => "first_call",
        }
    }

    /// The mean of each process in nanoseconds per call. Processes are the independent units: see [`crate::analyze::history`].
    pub fn means(self, point: &MeasuredPoint) -> Vec<f64> {
        match self {
            Self::Time => point.runs.iter().filter_map(mean).collect(),
            // Each process has one first call.
            Self::FirstCall => {
                let times = point.first_calls.as_ref().and_then(|first_calls| first_calls.call.as_ref());
                times.into_iter().flat_map(StartUpTimes::counted).collect()
            }
        }
    }
}

impl fmt::Display for CheckedMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "time",
            Self::FirstCall => "first call",
        })
    }
}

/// The mean time per call of a process; `None` if all of its samples are warm-up.
fn mean(run: &Run) -> Option<f64> {
    let times = run.times();
    (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
}
