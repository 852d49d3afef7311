//! criterion: the arguments of its benchmarks and its `estimates.json`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::figures::PeerFigures;

/// The environment variable with the folder that criterion writes to.
pub(crate) const FOLDER: &str = "CRITERION_HOME";

/// The arguments that measure a function. `seconds`: the time of the samples; absent: criterion's default of 5 s.
pub(crate) fn arguments(function: &str, seconds: Option<u32>) -> Vec<String> {
    let mut arguments = vec!["--bench".to_owned(), "--exact".to_owned(), function.to_owned()];
    arguments.extend(seconds.into_iter().flat_map(|seconds| ["--measurement-time".to_owned(), seconds.to_string()]));
    arguments
}

/// The file with the estimates of a function in criterion's folder.
fn estimates(folder: &Path, function: &str) -> PathBuf {
    folder.join(function).join("new/estimates.json")
}

/// Reads the estimates of a function from criterion's folder.
pub(crate) fn read(folder: &Path, function: &str) -> Result<PeerFigures> {
    let path = estimates(folder, function);
    let json = fs::read_to_string(&path).with_context(|| format!("criterion did not write {}", path.display()))?;
    parse(&json).with_context(|| format!("failed to read {}", path.display()))
}

/// The estimates; other fields are ignored.
#[derive(Deserialize)]
struct CriterionEstimates {
    mean: CriterionEstimate,
    median: CriterionEstimate,
    /// Absent if every sample has the same number of calls.
    slope: Option<CriterionEstimate>,
}

#[derive(Deserialize)]
struct CriterionEstimate {
    /// In nanoseconds per call.
    point_estimate: f64,
    confidence_interval: CriterionInterval,
}

#[derive(Deserialize)]
struct CriterionInterval {
    lower_bound: f64,
    upper_bound: f64,
}

/// Returns the figures that criterion prints: the slope if there is one, otherwise the mean.
fn parse(json: &str) -> Result<PeerFigures> {
    let CriterionEstimates { mean, median, slope } =
        serde_json::from_str(json).context("the estimates have another format than those of criterion 0.8")?;
    let CriterionEstimate { point_estimate, confidence_interval } = slope.unwrap_or(mean);
    Ok(PeerFigures {
        estimate: point_estimate,
        median: Some(median.point_estimate),
        low: Some(confidence_interval.lower_bound),
        high: Some(confidence_interval.upper_bound),
        is_different: None,
        wall_seconds: None,
        another_day: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_estimates_with_a_slope_state_the_slope() {
        let figures = parse(include_str!("fixtures/criterion-mix.json")).unwrap();
        let expected = PeerFigures {
            estimate: 2.539_586_940_182_960_7,
            median: Some(2.459_702_516_338_933_4),
            low: Some(2.388_054_182_863_682_3),
            high: Some(2.720_441_032_729_438),
            is_different: None,
            wall_seconds: None,
            another_day: None,
        };
        assert_eq!(figures, expected);
    }

    #[test]
    fn recorded_estimates_without_a_slope_state_the_mean() {
        let figures = parse(include_str!("fixtures/criterion-sieve.json")).unwrap();
        assert_eq!((figures.estimate, figures.median), (6_122_427.355, Some(6_053_518.25)));
        assert_eq!(figures.interval(), Some((6_080_174.651_749_999, 6_171_233.082_625)));
    }

    #[test]
    fn other_json_names_the_expected_version() {
        let error = parse("{}").unwrap_err().to_string();
        assert_eq!(error, "the estimates have another format than those of criterion 0.8");
    }

    #[test]
    fn only_a_reference_sets_the_time() {
        assert_eq!(arguments("mix", None), ["--bench", "--exact", "mix"]);
        assert_eq!(arguments("mix", Some(20))[3..], ["--measurement-time", "20"]);
    }
}
