//! tango: the arguments of a comparison and its line of output.

use anyhow::{Context, Result};

use super::figures::PeerFigures;

/// The smallest difference, in per cent, that tango reports in its sensitive configuration: by default, it ignores differences
/// of up to 1%, and so half of those of exactly 1%.
pub(crate) const SENSITIVE_PER_CENT: f64 = 0.5;

/// The arguments that compare the function `other` with the baseline for a second. `threshold`: differences below this many
/// per cent are not reported; absent: tango's default of 1%.
pub(crate) fn arguments(other: &str, threshold: Option<f64>) -> Vec<String> {
    let candidate = format!("{other}/*");
    let mut arguments: Vec<String> = ["--color", "never", "compare", "--time", "1"].map(str::to_owned).to_vec();
    arguments.extend(["--strip-baseline", "baseline/*", "--strip-candidate", &candidate].map(str::to_owned));
    arguments.extend(threshold.into_iter().flat_map(|per_cent| ["--noise-threshold".to_owned(), per_cent.to_string()]));
    arguments
}

/// Reads a line such as `walk  [   6.5 us ...   6.6 us ]  +1.00%*`; the asterisk marks a difference that tango reports. The
/// estimate is the ratio of the other function's time to the baseline's. tango states no interval.
pub(crate) fn parse(stdout: &str) -> Result<PeerFigures> {
    let line = stdout.lines().find(|line| line.contains(" ... ") && line.contains(']'));
    let line = line.with_context(|| format!("tango printed no comparison: `{stdout}`"))?;
    let change = line.rsplit(']').next().unwrap_or_default().trim();
    let is_different = change.ends_with('*');
    let per_cent = change.trim_end_matches('*').trim_end_matches('%');
    let per_cent: f64 = per_cent.parse().with_context(|| format!("expected a change in per cent, not `{change}`"))?;
    let estimate = 1.0 + per_cent / 100.0;
    Ok(PeerFigures {
        estimate,
        median: None,
        low: None,
        high: None,
        is_different: Some(is_different),
        wall_seconds: None,
        another_day: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_comparisons_have_a_ratio_and_a_decision() {
        let table = [
            (include_str!("fixtures/tango-different.txt"), 0.7464, true),
            (include_str!("fixtures/tango-undecided.txt"), 1.0096, false),
        ];
        for (stdout, ratio, is_different) in table {
            let figures = parse(stdout).unwrap();
            assert!((figures.estimate - ratio).abs() < 1e-9, "{figures:?}");
            assert_eq!((figures.is_different, figures.interval()), (Some(is_different), None));
        }
    }

    #[test]
    fn other_output_is_quoted() {
        assert_eq!(parse("oops").unwrap_err().to_string(), "tango printed no comparison: `oops`");
        let error = parse("walk [ 1 us ... 2 us ] n/a").unwrap_err().to_string();
        assert_eq!(error, "expected a change in per cent, not `n/a`");
    }

    #[test]
    fn the_threshold_is_optional() {
        let default = arguments("same", None);
        assert_eq!(default[default.len() - 2..], ["--strip-candidate", "same/*"]);
        assert_eq!(arguments("same", Some(0.5))[default.len()..], ["--noise-threshold", "0.5"]);
    }
}
