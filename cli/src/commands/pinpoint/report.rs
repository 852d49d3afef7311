//! The answer, with what the terminal adds to it.

use anyhow::{Context, Result, bail};
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::units::{axis_value, percent};
use benchbook_pinpoint::Pinpoint;
use benchbook_profile::{FunctionFilter, LibraryFrames, short_number};
use serde::Serialize;

use super::PinpointOptions;
use super::bisect::FoundCommit;
use super::counted::{CountedBuild, Target};
use super::time::TimeChange;

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
    /// How the wasm instructions differ, and why.
    pub(super) instructions: Pinpoint,
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
        let pinpoint = Pinpoint::new(profiles.each_ref(), code, depth);
        let instructions = pinpoint.context("the builds made different numbers of calls, so they can't be compared")?;
        let mut report = Self {
            benchbook_pinpoint: VERSION,
            totals: String::new(),
            answer: instructions.answer(),
            baseline: options.baseline.clone(),
            found: None,
            time: None,
            instructions,
        };
        report.totals = report.totals();
        Ok(report)
    }

    /// Adds the commit that made the difference.
    pub(super) fn with_commit(self, found: FoundCommit) -> Self {
        Self { baseline: found.parent.clone(), found: Some(found), ..self }
    }

    /// Adds how the time has changed.
    pub(super) fn with_time(mut self, time: TimeChange) -> Self {
        self.time = Some(time);
        self.totals = self.totals();
        self
    }

    /// The axis value that the answer is about.
    pub(super) fn x(&self) -> &AxisValue {
        &self.instructions.points[self.instructions.shown].x
    }

    fn totals(&self) -> String {
        let Pinpoint { function, axis, points, shown, .. } = &self.instructions;
        let [before, after] = points[*shown].instructions;
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
