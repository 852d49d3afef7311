//! The results as Markdown.

use super::goals::PeerGoal;
use super::rows::{PairRow, PeerRow};

/// A table of one function: a line per harness.
pub(crate) fn function_table(rows: &[PeerRow]) -> String {
    let mut table = String::new();
    if let Some(first) = rows.first() {
        table += &format!("\n### `{}`\n\n", first.function);
        table += "| harness | estimate | median | stated interval | wall time | RMS error | RMS error of the median | coverage | another day | its coverage |\n";
        table += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    }
    for row in rows {
        table += &format!(
            "| {} | {} | {} | {} | {:.2} s | {} | {} | {} | {} | {} |\n",
            row.harness.title(),
            time(row.estimate),
            row.median.map_or_else(unknown, time),
            row.half_width.map_or_else(unknown, plus_minus),
            row.wall_seconds,
            row.rms_error.map_or_else(unknown, per_cent),
            row.median_rms_error.map_or_else(unknown, per_cent),
            coverage(row.coverage),
            row.another_day.map_or_else(unknown, plus_minus),
            coverage(row.another_day_coverage),
        );
    }
    table
}

/// The table of comparisons: a line per function and harness.
pub(crate) fn pair_table(rows: &[PairRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut table = "\n### Comparisons with the baseline\n\n".to_owned();
    table += "| function | harness | ratio | stated interval | reported slower | reported faster | wall time |\n";
    table += "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n";
    for row in rows {
        let PairRow { function, ratio, slower, faster, tries, wall_seconds, .. } = row;
        table += &format!(
            "| `{function}` | {} | {ratio:.4} | {} | {slower} of {tries} | {faster} of {tries} | {wall_seconds:.2} s |\n",
            row.harness.title(),
            row.half_width.map_or_else(unknown, plus_minus),
        );
    }
    table
}

/// The section that says which goals are met.
pub(crate) fn goal_section(goals: &[PeerGoal]) -> String {
    let mut section = "## Goals\n\n".to_owned();
    for PeerGoal { text, cases, misses } in goals {
        let met = cases - misses.len();
        section += &match (cases, misses.is_empty()) {
            (0, _) => format!("- Not measured: {text}.\n"),
            (_, true) => format!("- Met ({met} of {cases}): {text}.\n"),
            (_, false) => format!("- **Missed** ({met} of {cases}): {text}.\n  Misses: {}.\n", misses.join("; ")),
        };
    }
    section
}

fn per_cent(part: f64) -> String {
    format!("{:.2}%", 100.0 * part)
}

fn plus_minus(half_width: f64) -> String {
    format!("±{}", per_cent(half_width))
}

fn coverage(counts: Option<(usize, usize)>) -> String {
    match counts {
        Some((inside, count)) if count > 0 => format!("{inside} of {count}"),
        _ => unknown(),
    }
}

fn unknown() -> String {
    "–".to_owned()
}

/// A time of `nanos` nanoseconds with four significant digits, such as `12.34 µs`.
pub(crate) fn time(nanos: f64) -> String {
    let (value, unit) = match nanos.abs() {
        size if size < 1e3 => (nanos, "ns"),
        size if size < 1e6 => (nanos / 1e3, "µs"),
        size if size < 1e9 => (nanos / 1e6, "ms"),
        _ => (nanos / 1e9, "s"),
    };
    let decimals = match value.abs() {
        size if size < 10.0 => 3,
        size if size < 100.0 => 2,
        _ => 1,
    };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::harness::Harness;

    #[test]
    fn times_have_four_digits() {
        let table =
            [(0.8964, "0.896 ns"), (2.5, "2.500 ns"), (82_071.1, "82.07 µs"), (1e6, "1.000 ms"), (2e9, "2.000 s")];
        for (nanos, expected) in table {
            assert_eq!(time(nanos), expected);
        }
    }

    #[test]
    fn absent_figures_are_dashes() {
        let row = PeerRow {
            function: "mix".to_owned(),
            harness: Harness::Divan,
            estimate: 2.0,
            median: Some(1.9),
            half_width: None,
            wall_seconds: 0.1,
            rms_error: None,
            median_rms_error: Some(0.012),
            coverage: Some((0, 0)),
            another_day: None,
            another_day_coverage: Some((0, 0)),
        };
        let table = function_table(&[row]);
        assert!(table.ends_with("| divan | 2.000 ns | 1.900 ns | – | 0.10 s | – | 1.20% | – | – | – |\n"), "{table}");
    }

    #[test]
    fn a_goal_is_met_missed_or_not_measured() {
        let goal = |cases, misses: &[&str]| PeerGoal {
            text: "a goal",
            cases,
            misses: misses.iter().map(ToString::to_string).collect(),
        };
        let section = goal_section(&[goal(0, &[]), goal(2, &[]), goal(3, &["one", "two"])]);
        let expected =
            "- Not measured: a goal.\n- Met (2 of 2): a goal.\n- **Missed** (1 of 3): a goal.\n  Misses: one; two.\n";
        assert_eq!(section, format!("## Goals\n\n{expected}"));
    }
}
