//! Benchbook: its program's arguments and output.

use anyhow::{Context, Result};

use super::figures::PeerFigures;

/// The arguments that measure a function. `mode`: `3`, `4`, `one-percent` or `reference`.
pub(crate) fn point_arguments(suite: &str, function: &str, mode: &str) -> Vec<String> {
    [suite, "point", &format!("{function}::call"), mode].map(str::to_owned).to_vec()
}

/// The arguments that compare the function `other` with the baseline for a second.
pub(crate) fn pair_arguments(suite: &str, other: &str) -> Vec<String> {
    [suite, "pair", "pair::baseline", &format!("pair::{other}")].map(str::to_owned).to_vec()
}

/// Reads the line that the program prints.
pub(crate) fn parse(stdout: &str) -> Result<PeerFigures> {
    serde_json::from_str(stdout.trim()).with_context(|| format!("the output is not a line of figures: `{stdout}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_comparison_has_a_ratio_and_an_interval() {
        let figures = parse(include_str!("fixtures/benchbook-longer.json")).unwrap();
        let (low, high) = figures.interval().unwrap();
        assert!(low < figures.estimate && figures.estimate < high, "{figures:?}");
        assert!((figures.estimate - 1.01).abs() < 0.005, "{figures:?}");
        assert_eq!((figures.median, figures.is_different), (None, None));
    }

    #[test]
    fn other_output_is_quoted() {
        assert_eq!(parse("oops\n").unwrap_err().to_string(), "the output is not a line of figures: `oops\n`");
    }

    #[test]
    fn a_function_is_called_by_its_path() {
        assert_eq!(point_arguments("s", "mix", "3"), ["s", "point", "mix::call", "3"]);
        assert_eq!(pair_arguments("s", "longer"), ["s", "pair", "pair::baseline", "pair::longer"]);
    }
}
