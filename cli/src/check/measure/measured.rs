//! What the measurements of a check return.

use std::collections::BTreeSet;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::history::{BuildOrigin, CheckedResult};
use serde::Serialize;

use super::interference::Interference;

/// The results of a check, or of some of its functions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Measurements {
    /// One for each metric of each function, in the order of the plan.
    pub(crate) results: Vec<MeasuredResult>,
    /// A sentence for each measurement that failed.
    pub(crate) failures: Vec<String>,
    /// The commit that was measured, too; absent if the results are compared with accepted ones.
    pub(crate) baseline: Option<MeasuredBaseline>,
    /// What other programs took from the measurements of times.
    pub(crate) interference: Interference,
}

/// A commit whose builds were measured in turn with the current ones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MeasuredBaseline {
    /// The revision and its commit, such as `main (77c0a41f)`.
    pub(crate) name: String,
    /// The hash of the commit.
    pub(crate) commit: String,
    /// The paths of the functions that only this commit contains.
    pub(crate) removed: Vec<String>,
    /// Sentences about the versions of suites that measured it, where that is not clear.
    pub(crate) suites: Vec<String>,
    /// The inputs that only one of the commits has.
    pub(crate) inputs: Vec<ChangedInputs>,
    /// Why the intervals do not include the effect of the order of functions; absent if they do.
    pub(crate) warning: Option<&'static str>,
}

/// The inputs of a function that only one of two commits has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ChangedInputs {
    /// The path of the function.
    pub(crate) function: String,
    /// The varied parameter.
    pub(crate) parameter: String,
    /// The inputs that only the current commit has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) added: Vec<String>,
    /// Those that only the baseline has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) removed: Vec<String>,
}

/// A result, and what it is compared with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MeasuredResult {
    /// The number of its check in the plan.
    pub(crate) check: usize,
    pub(crate) result: CheckedResult,
    /// The baseline; absent if the result is compared with accepted ones.
    pub(crate) baseline: Option<BaselineFigures>,
    /// The least relative change that counts.
    pub(crate) minimum_effect: f64,
    /// Whether the check also measured a time of the function.
    pub(crate) has_time: bool,
    /// The noise of a virtual machine: smaller changes are undecided. Absent unless it is greater than the least change that counts.
    pub(crate) noise: Option<f64>,
}

/// The baseline of a result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BaselineFigures {
    /// The baseline does not contain the function.
    Absent,
    /// It cannot be compared with the current build, for this reason.
    Different(String),
    /// The native code of the function, of all functions that it calls, and of their data is the same in both builds, so neither was measured.
    SameCode,
    /// Both builds were measured, in turn if the metric is a time.
    Pairs {
        points: Vec<PairedPoint>,
        /// The build of the baseline.
        build: BuildOrigin,
        /// Whether nothing has changed that the function depends on: neither its source nor that of what it calls.
        has_same_source: bool,
    },
}

/// The figures of both builds at an axis value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PairedPoint {
    pub(crate) x: AxisValue,
    /// The means of the processes of the baseline and of the current build, in the unit of the metric per call.
    pub(crate) means: [Vec<f64>; 2],
    /// For each pair of builds, the natural logarithm of the ratio of their times. Empty for an exact metric.
    pub(crate) ln_ratios: Vec<f64>,
    /// The number of counted calls of the baseline and of the current build; absent unless the metric is exact.
    pub(crate) calls: [Option<f64>; 2],
}

impl Measurements {
    /// The results with points, which can be accepted.
    pub(crate) fn acceptable(&self) -> Vec<CheckedResult> {
        let measured = self.results.iter().filter(|one| !one.result.points.is_empty());
        measured.map(|one| one.result.clone()).collect()
    }

    /// Whether a function was not measured, since its code is the same as that of the baseline.
    pub(crate) fn has_same_code(&self) -> bool {
        self.results.iter().any(|one| one.baseline == Some(BaselineFigures::SameCode))
    }

    /// Adds the results of other functions.
    pub(super) fn add(&mut self, other: Self) {
        self.results.extend(other.results);
        self.interference.add(other.interference);
        self.add_failures(other.failures);
    }

    /// Replaces the results of the same benchmarks.
    pub(super) fn replace(&mut self, other: Self) {
        for one in other.results {
            let is_same = |known: &&mut MeasuredResult| known.result.benchmark == one.result.benchmark;
            if let Some(known) = self.results.iter_mut().find(is_same) {
                (known.result, known.baseline) = (one.result, one.baseline);
            }
        }
        self.interference.add(other.interference);
        self.add_failures(other.failures);
    }

    /// Adds failures, each once: a suite that cannot be built is the same failure of each of its functions.
    pub(super) fn add_failures(&mut self, failures: Vec<String>) {
        self.failures.extend(failures);
        let mut known = BTreeSet::new();
        self.failures.retain(|failure| known.insert(failure.clone()));
    }
}
