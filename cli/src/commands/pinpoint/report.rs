//! The answer, with what the terminal adds to it.

use anyhow::{Context, Result, bail};
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::units::{axis_value, percent};
use benchbook_pinpoint::Pinpoint;
use benchbook_profile::{FunctionFilter, LibraryFrames, ProfileMetric, short_number};
use serde::Serialize;

use super::PinpointOptions;
use super::bisect::FoundCommit;
use super::counted::{CountedBuild, Target};
use super::time::{NativeComparison, TimeChange};

/// What tells about memory.
const MEMORY: [ProfileMetric; 3] = [ProfileMetric::Bytes, ProfileMetric::Loads, ProfileMetric::Stores];

/// The relative change of a time from which on it needs an explanation.
const LEAST_CHANGE: f64 = 0.01;

/// The version of the JSON report. It increases with each change that is not an addition.
const VERSION: u32 = 1;

/// The cause of the difference between two builds of a function, as JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "Benchbook pinpoint", extend("$schema" = "https://json-schema.org/draft/2020-12/schema")))]
pub(super) struct PinpointReport {
    /// The version of this format.
    #[cfg_attr(test, schemars(extend("const" = VERSION)))]
    benchbook_pinpoint: u32,
    /// The first line of the text: how much both builds differ.
    pub(super) totals: String,
    /// The cause of most of the difference, in a sentence.
    pub(super) answer: String,
    /// The commit of the earlier build, as the user named it.
    pub(super) baseline: String,
    /// The commit that made the difference; absent unless it was searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) found: Option<FoundCommit>,
    /// How the time has changed, natively, at the last point; absent if it was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<TimeChange>,
    /// The functions that it reaches, and whose native code differs; absent if it was not compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) different_code: Vec<String>,
    /// How the wasm instructions differ, and why.
    pub(super) instructions: Pinpoint,
    /// How the use of memory differs, and why: allocated bytes, loads and stores. Absent unless the time has changed more than the instructions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) memory: Vec<Pinpoint>,
}

impl PinpointReport {
    /// The answer by the counts of both builds, the earlier one first.
    ///
    /// # Errors
    /// If no function has the path that the user wants, or if the builds can't be compared.
    pub(super) fn of_counts(options: &PinpointOptions, builds: &[CountedBuild; 2], target: &Target) -> Result<Self> {
        let filter = FunctionFilter {
            only: options.inside.clone(),
            exclude: options.exclude.clone(),
            library: LibraryFrames::Outermost,
        };
        let whole = builds.each_ref().map(|build| build.profile(target, &FunctionFilter::default()));
        if let [Some(part), Some(_)] = whole.each_ref().map(|profile| filter.without_match(&profile.root)) {
            bail!(
                "no function's path contains `{part}`. `cargo benchbook profile {}` lists the functions",
                target.function()
            );
        }
        let profiles = builds.each_ref().map(|build| build.profile(target, &filter));
        let code = builds.each_ref().map(|build| &build.code);
        let depth = match options.inside.is_empty() {
            true => options.depth.map(|depth| depth as usize),
            false => Some(1),
        };
        let pinpoint = |metric| Pinpoint::new(profiles.each_ref(), code, metric, depth);
        let instructions = pinpoint(ProfileMetric::Instructions);
        let instructions =
            instructions.context("the builds made different numbers of calls, so they can't be compared")?;
        let memory = MEMORY.into_iter().filter_map(pinpoint);
        Ok(Self::of(instructions, memory.collect(), &options.baseline))
    }

    /// `memory`: the same for what tells about memory.
    pub(super) fn of(instructions: Pinpoint, memory: Vec<Pinpoint>, baseline: &str) -> Self {
        let mut report = Self {
            benchbook_pinpoint: VERSION,
            totals: String::new(),
            answer: instructions.answer(),
            baseline: baseline.to_owned(),
            found: None,
            time: None,
            different_code: Vec::new(),
            instructions,
            memory: memory.into_iter().filter(|memory| !memory.contributors.is_empty()).collect(),
        };
        report.totals = report.totals();
        report
    }

    /// Adds the commit that made the difference.
    pub(super) fn with_commit(self, found: FoundCommit) -> Self {
        Self { baseline: found.parent.clone(), found: Some(found), ..self }
    }

    /// Adds what the native builds tell.
    pub(super) fn with_native(mut self, native: NativeComparison) -> Self {
        (self.time, self.different_code) = (Some(native.time), native.different_code);
        self.totals = self.totals();
        self
    }

    /// The same report, without what does not matter if the counts explain the time.
    pub(super) fn finished(mut self) -> Self {
        if !self.is_unexplained() {
            self.memory.clear();
        }
        self
    }

    /// Whether the time has changed, but the instructions by less than half as much.
    pub(super) fn is_unexplained(&self) -> bool {
        let Some(TimeChange::Measured { low, high, .. }) = self.time else { return false };
        let [before, after] = self.instructions.points[self.instructions.shown].totals;
        let counts = if before > 0.0 { after / before - 1.0 } else { f64::INFINITY };
        (low > LEAST_CHANGE && counts < low / 2.0) || (high < -LEAST_CHANGE && counts > high / 2.0)
    }

    /// The axis value that the answer is about.
    pub(super) fn x(&self) -> &AxisValue {
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
            _ => format!("wasm instructions {}", signed(after / before - 1.0)),
        };
        let time = match &self.time {
            Some(TimeChange::Measured { relative, low, high }) => {
                format!(", time {} ({} to {})", signed(*relative), signed(*low), signed(*high))
            }
            Some(TimeChange::SameCode) => ", the same native code".to_owned(),
            Some(TimeChange::Failed { .. }) | None => String::new(),
        };
        let at = if axis.is_empty() { String::new() } else { format!(" with {axis} {}", axis_value(self.x())) };
        format!("{function}: {counts}{time}{at}")
    }
}

/// A relative change: `+31%`.
pub(super) fn signed(relative: f64) -> String {
    format!("{}{}", if relative < 0.0 { '−' } else { '+' }, percent(relative.abs()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use benchbook_host::schema;

    use super::*;

    /// With `BENCHBOOK_BLESS`, the test writes the schema.
    #[test]
    fn the_published_schema_is_that_of_the_report() {
        let text = serde_json::to_string_pretty(&schema::document::<PinpointReport>()).expect("JSON") + "\n";
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pinpoint.schema.json");
        if std::env::var_os("BENCHBOOK_BLESS").is_some() {
            fs::write(&file, &text).expect("the folder is writable");
        }
        let published = fs::read_to_string(&file).unwrap_or_default();
        assert!(published == text, "docs/pinpoint.schema.json differs from the types; BENCHBOOK_BLESS=1 writes it");
    }
}
