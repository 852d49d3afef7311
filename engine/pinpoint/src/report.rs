//! The whole answer, which the terminal, the page and other programs show.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::protocol::Open;
use benchbook_host::units::{axis_value, relative_change};
use benchbook_profile::short_number;
use serde::{Deserialize, Serialize};

use crate::finder::{FindLimits, Found};
use crate::pinpoint::Pinpoint;

/// The relative change of a time from which on it needs an explanation.
const LEAST_CHANGE: f64 = 0.01;

/// The version of the JSON report. It increases with each change that is not an addition.
const VERSION: u32 = 1;

/// The cause of the difference between two builds of a function, as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "Benchbook pinpoint", extend("$schema" = "https://json-schema.org/draft/2020-12/schema")))]
pub struct PinpointReport {
    /// The version of this format.
    #[cfg_attr(feature = "schema", schemars(extend("const" = VERSION)))]
    pub benchbook_pinpoint: u32,
    /// The first line of the text: how much both builds differ.
    pub totals: String,
    /// The cause of most of the difference, in a sentence.
    pub answer: String,
    /// The commit of the earlier build, as the user named it.
    pub baseline: String,
    /// The commit that made the difference; absent unless it was searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<FoundCommit>,
    /// How the time has changed, natively, at the last point; absent if it was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeChange>,
    /// The functions that it reaches, and whose native code differs; absent if it was not compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub different_code: Vec<String>,
    /// The command that shows how the machine code of the function differs.
    pub assembly: String,
    /// How the wasm instructions differ, and why.
    pub instructions: Pinpoint,
    /// How the use of memory differs, and why: allocated bytes, loads and stores. Absent unless the time has changed more than the instructions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<Pinpoint>,
    /// What the page needs to search by time; only for the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub search: Option<TimeSearch>,
    /// What the page has found by time; only in notebooks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub by_time: Option<Found>,
}

/// A search by time: the page runs both builds in workers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeSearch {
    /// The addresses of the modules of the earlier and the later build that time ranges, relative to the page.
    pub modules: [String; 2],
    /// The inputs of the calls.
    pub open: Open,
    /// When to stop.
    pub limits: FindLimits,
}

impl PinpointReport {
    /// `memory`: the same for what tells about memory.
    pub fn of(instructions: Pinpoint, memory: Vec<Pinpoint>, baseline: &str) -> Self {
        let mut report = Self {
            benchbook_pinpoint: VERSION,
            totals: String::new(),
            answer: instructions.answer(),
            baseline: baseline.to_owned(),
            found: None,
            time: None,
            different_code: Vec::new(),
            assembly: format!("cargo benchbook assembly {} --baseline {baseline}", instructions.function),
            instructions,
            memory: memory.into_iter().filter(|memory| !memory.contributors.is_empty()).collect(),
            search: None,
            by_time: None,
        };
        report.totals = report.totals();
        report
    }

    /// Adds the commit that made the difference.
    pub fn with_commit(self, found: FoundCommit) -> Self {
        Self { baseline: found.parent.clone(), found: Some(found), ..self }
    }

    /// Adds what the native builds tell: how the time has changed, and the functions whose code differs.
    pub fn with_native(mut self, time: TimeChange, different_code: Vec<String>) -> Self {
        (self.time, self.different_code) = (Some(time), different_code);
        self.totals = self.totals();
        self
    }

    /// Adds what was found by time.
    pub fn with_found(self, found: Found) -> Self {
        Self { by_time: Some(found), ..self }
    }

    /// Whether this version knows the format, so that it can be shown.
    pub fn is_readable(&self) -> bool {
        let Pinpoint { points, shown, contributors, chain, .. } = &self.instructions;
        let others = chain.iter().flat_map(|step| &step.others);
        let steps = chain.iter().map(|step| &step.difference).chain(others);
        let mut calls = contributors.iter().map(|contributor| &contributor.difference).chain(steps);
        let is_complete = calls.all(|call| call.added.len() == points.len());
        self.benchbook_pinpoint == VERSION && *shown < points.len() && is_complete
    }

    /// The same report, without what does not matter if the counts explain the time.
    pub fn finished(mut self) -> Self {
        if !self.is_unexplained() {
            self.memory.clear();
        }
        self
    }

    /// Whether the time has changed, but the instructions by less than half as much.
    pub fn is_unexplained(&self) -> bool {
        let Some(TimeChange::Measured { low, high, .. }) = self.time else { return false };
        let [before, after] = self.instructions.points[self.instructions.shown].totals;
        let counts = if before > 0.0 { after / before - 1.0 } else { f64::INFINITY };
        (low > LEAST_CHANGE && counts < low / 2.0) || (high < -LEAST_CHANGE && counts > high / 2.0)
    }

    /// The axis value that the answer is about.
    pub fn x(&self) -> &AxisValue {
        &self.instructions.points[self.instructions.shown].x
    }

    fn totals(&self) -> String {
        let Pinpoint { function, axis, points, shown, .. } = &self.instructions;
        let [before, after] = points[*shown].totals;
        let counts = match (before, after) {
            _ if before == after => "as many wasm instructions".to_owned(),
            // It is far from what percentages are for, or was nothing.
            _ if after > 10.0 * before => {
                format!("wasm instructions from {} to {}", short_number(before), short_number(after))
            }
            _ => format!("wasm instructions {}", relative_change(after / before - 1.0)),
        };
        let time = match &self.time {
            Some(TimeChange::Measured { relative, low, high }) => {
                format!(
                    ", time {} ({} to {})",
                    relative_change(*relative),
                    relative_change(*low),
                    relative_change(*high)
                )
            }
            Some(TimeChange::SameCode) => ", the same native code".to_owned(),
            Some(TimeChange::Failed { .. }) | None => String::new(),
        };
        let at = if axis.is_empty() { String::new() } else { format!(" with {axis} {}", axis_value(self.x())) };
        format!("{function}: {counts}{time}{at}")
    }
}

/// The beginning of the hash of a commit, as it is shown.
pub fn short_hash(hash: &str) -> &str {
    hash.get(..8).unwrap_or(hash)
}

/// How the time of a call has changed, natively.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TimeChange {
    /// Both builds were measured in turn.
    Measured {
        /// The ratio of the later build's time to that of the earlier one, less 1: 0.1 is 10% slower.
        relative: f64,
        /// The lower end of its 95% interval.
        low: f64,
        /// The upper end of its 95% interval.
        high: f64,
    },
    /// The native code of the function, of all functions that it calls, and of their data is the same in both builds.
    SameCode,
    /// It could not be measured.
    Failed {
        /// Why.
        reason: String,
    },
}

/// The commit that made the difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundCommit {
    /// Its hash.
    pub commit: String,
    /// The first line of its message.
    pub subject: String,
    /// The hash of the commit before it that was compared: its parent, unless that cannot be counted.
    pub parent: String,
    /// The number of commits between the two that could not be counted.
    pub skipped: usize,
}

impl FoundCommit {
    /// The commit in a sentence.
    pub fn sentence(&self) -> String {
        let Self { commit, subject, skipped, .. } = self;
        let commit = short_hash(commit);
        match skipped {
            0 => format!("The commit: {commit} {subject}"),
            1 => format!("The commit: {commit} {subject}, or the one before it, which cannot be counted"),
            _ => format!("The commit: {commit} {subject}, or one of {skipped} before it, which cannot be counted"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_that_cannot_be_counted_are_mentioned() {
        let found = |skipped| {
            let [commit, subject, parent] = ["77c0a7e5d2c7", "Count", "5f0b1c2d3e4f"].map(str::to_owned);
            FoundCommit { commit, subject, parent, skipped }.sentence()
        };
        assert_eq!(found(0), "The commit: 77c0a7e5 Count");
        assert_eq!(found(1), "The commit: 77c0a7e5 Count, or the one before it, which cannot be counted");
        assert_eq!(found(2), "The commit: 77c0a7e5 Count, or one of 2 before it, which cannot be counted");
    }
}
