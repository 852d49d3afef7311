//! Benchbook: its program's arguments and output.

use anyhow::{Context, Result};

use super::figures::PeerFigures;

/// The mode of a reference.
pub(crate) const REFERENCE: &str = "reference";

/// The arguments that measure a function. `mode`: `3`, `4`, `one-percent` or `reference`. `history`: the file of the machine's history.
/// References are not part of it: the intervals are compared with them.
pub(crate) fn point_arguments(suite: &str, function: &str, mode: &str, history: &str) -> Vec<String> {
    let function = format!("{function}::call");
    let history = (mode != REFERENCE).then_some(history);
    [suite, "point", &function, mode].into_iter().chain(history).map(str::to_owned).collect()
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
    use crate::peers::figures::AnotherDay;

    #[test]
    fn a_recorded_comparison_has_a_ratio_and_an_interval() {
        let figures = parse(include_str!("fixtures/benchbook-longer.json")).unwrap();
        let (low, high) = figures.interval().unwrap();
        assert!(low < figures.estimate && figures.estimate < high, "{figures:?}");
        assert!((figures.estimate - 1.01).abs() < 0.005, "{figures:?}");
        assert_eq!((figures.median, figures.is_different, figures.another_day), (None, None, None));
    }

    #[test]
    fn a_point_may_have_an_interval_for_another_day() {
        let line = |another_day| {
            format!(r#"{{"estimate":2.5,"median":2.4,"low":2.4,"high":2.6,"another_day":{another_day}}}"#)
        };
        assert_eq!(parse(&line("null")).unwrap().another_day, None);
        let another = parse(&line(r#"{"low":2.0,"high":3.1,"occasions":3}"#)).unwrap().another_day;
        assert_eq!(another, Some(AnotherDay { low: 2.0, high: 3.1, occasions: 3 }));
    }

    #[test]
    fn other_output_is_quoted() {
        assert_eq!(parse("oops\n").unwrap_err().to_string(), "the output is not a line of figures: `oops\n`");
    }

    #[test]
    fn a_function_is_called_by_its_path() {
        assert_eq!(point_arguments("s", "mix", "3", "h"), ["s", "point", "mix::call", "3", "h"]);
        assert_eq!(point_arguments("s", "mix", REFERENCE, "h"), ["s", "point", "mix::call", "reference"]);
        assert_eq!(pair_arguments("s", "longer"), ["s", "pair", "pair::baseline", "pair::longer"]);
    }
}
