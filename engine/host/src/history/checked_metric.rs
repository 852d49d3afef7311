//! What checks compare between builds.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::analyze::history::steps::{HistoryStep, StepRule};
use crate::metric::{ALLOCATED_BYTES, ALLOCATIONS, Metric, PEAK_BYTES, WASM_INSTRUCTIONS};
use crate::response::{MeasuredPoint, Run, StartUpTimes};
use crate::units::{Nanos, number};

/// What a check compares between builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CheckedMetric {
    /// The time of a call after warm-up, in nanoseconds.
    Time,
    /// The time of the first call in a process, in nanoseconds.
    FirstCall,
    /// The allocations per call.
    Allocations,
    /// The allocated bytes per call.
    AllocatedBytes,
    /// The maximum number of bytes that a call holds at once.
    PeakBytes,
    /// The wasm instructions that a call executes.
    WasmInstructions,
}

impl CheckedMetric {
    /// All metrics.
    pub const ALL: [Self; 6] =
        [Self::Time, Self::FirstCall, Self::Allocations, Self::AllocatedBytes, Self::PeakBytes, Self::WasmInstructions];

    /// The memory use of a call.
    pub const MEMORY: [Self; 3] = [Self::Allocations, Self::AllocatedBytes, Self::PeakBytes];

    /// The name in JSON and in links.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::FirstCall => "first_call",
            Self::Allocations => ALLOCATIONS.name,
            Self::AllocatedBytes => ALLOCATED_BYTES.name,
            Self::PeakBytes => PEAK_BYTES.name,
            Self::WasmInstructions => WASM_INSTRUCTIONS.name,
        }
    }

    /// The quantity, as the heading of an axis.
    pub fn title(self) -> &'static str {
        match self {
            Self::Time => "Time per call",
            Self::FirstCall => "First call",
            Self::Allocations => ALLOCATIONS.title,
            Self::AllocatedBytes => ALLOCATED_BYTES.title,
            Self::PeakBytes => PEAK_BYTES.title,
            Self::WasmInstructions => WASM_INSTRUCTIONS.title,
        }
    }

    /// Whether the values are counts, which do not vary between measurements of a build.
    pub fn is_exact(self) -> bool {
        self == Self::WasmInstructions || Self::MEMORY.contains(&self)
    }

    /// The value of each process: its mean per call, for a time [`Run::undisturbed_mean`]. Processes are the independent units: see [`crate::analyze::history`]. Counts are those of
    /// the first process alone.
    pub fn means(self, point: &MeasuredPoint) -> Vec<f64> {
        match self {
            Self::Time => point.runs.iter().filter_map(Run::undisturbed_mean).collect(),
            // Each process has one first call.
            Self::FirstCall => {
                let times = point.first_calls.as_ref().and_then(|first_calls| first_calls.call.as_ref());
                times.into_iter().flat_map(StartUpTimes::counted).collect()
            }
            Self::Allocations => count(&ALLOCATIONS, point),
            Self::AllocatedBytes => count(&ALLOCATED_BYTES, point),
            Self::PeakBytes => count(&PEAK_BYTES, point),
            Self::WasmInstructions => count(&WASM_INSTRUCTIONS, point),
        }
    }

    /// A value with its unit: `1.25 µs`, `3 allocations`, `4 096 bytes`.
    pub fn text(self, value: f64) -> String {
        let unit = match self {
            Self::Time | Self::FirstCall => return Nanos(value).to_string(),
            Self::Allocations => "allocation",
            Self::AllocatedBytes | Self::PeakBytes => "byte",
            Self::WasmInstructions => "wasm instruction",
        };
        let plural = if value == 1.0 { "" } else { "s" };
        format!("{} {unit}{plural}", number(value))
    }

    /// The steps of a history of this metric, in its order. Each change of an exact metric is a step.
    pub fn steps(self, values: &[f64]) -> Vec<HistoryStep> {
        if !self.is_exact() {
            return StepRule::default().steps(values);
        }
        let changes = values.windows(2).enumerate().filter(|(_, pair)| pair[0] != pair[1]);
        changes.map(|(index, pair)| HistoryStep { index: index + 1, means: (pair[0], pair[1]), p: 0.0 }).collect()
    }
}

impl fmt::Display for CheckedMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "time",
            Self::FirstCall => "first call",
            Self::Allocations => "allocations",
            Self::AllocatedBytes => "allocated bytes",
            Self::PeakBytes => "peak bytes",
            Self::WasmInstructions => "wasm instructions",
        })
    }
}

/// The value of an exact metric; empty if it was not counted.
fn count(metric: &Metric, point: &MeasuredPoint) -> Vec<f64> {
    (metric.value)(point).and_then(|value| value.centre()).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_units() {
        let text = |metric: CheckedMetric, value| metric.text(value).replace('\u{202f}', " ");
        assert_eq!(text(CheckedMetric::Time, 1_250.0), "1.25 µs");
        assert_eq!(text(CheckedMetric::Allocations, 1.0), "1 allocation");
        assert_eq!(text(CheckedMetric::Allocations, 0.5), "0.5 allocations");
        assert_eq!(text(CheckedMetric::PeakBytes, 4_096.0), "4 096 bytes");
        let names = CheckedMetric::ALL.map(|metric| serde_json::to_value(metric).expect("it is written"));
        assert_eq!(names, CheckedMetric::ALL.map(|metric| serde_json::Value::from(metric.name())));
    }

    #[test]
    fn each_change_of_a_count_is_a_step() {
        let steps = CheckedMetric::AllocatedBytes.steps(&[0.0, 0.0, 64.0, 64.0, 65.0]);
        let steps: Vec<(usize, f64)> = steps.iter().map(|step| (step.index, step.change())).collect();
        assert_eq!(steps, [(2, f64::INFINITY), (4, 1.0 / 64.0)]);
        // Too few values for a statistical test.
        assert_eq!(CheckedMetric::Time.steps(&[1.0, 2.0]), []);
    }
}
