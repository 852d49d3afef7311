//! The answer by counts.

use anyhow::{Context, Result, bail};
use benchbook_pinpoint::{Pinpoint, PinpointReport};
use benchbook_profile::{FunctionFilter, LibraryFrames, ProfileMetric};

use super::PinpointOptions;
use super::counted::{CountedBuild, Target};
use crate::advised_command::AdvisedCommand;

/// What tells about memory.
const MEMORY: [ProfileMetric; 4] =
    [ProfileMetric::Copied, ProfileMetric::Bytes, ProfileMetric::Loads, ProfileMetric::Stores];

/// The answer by the counts of both builds, the earlier one first.
///
/// # Errors
/// If no function has the path that the user wants, or if the builds can't be compared.
pub(super) fn of_counts(
    options: &PinpointOptions,
    builds: &[CountedBuild; 2],
    target: &Target,
) -> Result<PinpointReport> {
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
    let instructions = instructions.context("the builds made different numbers of calls, so they can't be compared")?;
    let memory = MEMORY.into_iter().filter_map(pinpoint);
    let report = PinpointReport::of(instructions, memory.collect(), &options.baseline);
    let compared = [target.function(), "--baseline", &options.baseline].map(str::to_owned);
    Ok(PinpointReport { assembly: AdvisedCommand::Assembly(&compared).to_string(), ..report })
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
