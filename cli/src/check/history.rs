//! `cargo benchbook history`: the accepted results of a function, and the steps between them.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::history::{AcceptedResult, Benchmark, CheckedResult};
use benchbook_host::units::{Nanos, axis_value};

use super::arguments_text::{axis, fixed_value};
use super::folder::HistoryFolder;
use super::report::signed;
use super::series::{ResultSeries, SeriesPoint, SeriesResult, build_text, day};
use crate::project::SuiteOptions;
use crate::selection::is_selected;

/// The width of the column of builds: a shortened commit, and a `+` if files differed from it.
const BUILD_WIDTH: usize = 9;

/// Print the accepted results of functions, and at which of them the level has changed
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook history sort_stable                      the functions whose path contains \"sort_stable\"
  cargo benchbook history --history benchmarks/history     all functions of a shared folder")]
pub(crate) struct HistoryOptions {
    /// Only functions whose path contains one of these strings
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// The folder of accepted results [default: benchbook/history in cargo's output folder]
    #[arg(long, value_name = "DIR")]
    history: Option<PathBuf>,
    #[command(flatten)]
    suites: SuiteOptions,
}

/// Prints the accepted results.
///
/// # Errors
/// If no accepted result matches.
pub(crate) fn history(options: &HistoryOptions) -> Result<()> {
    let folder = HistoryFolder::of(&options.suites.project()?, options.history.as_deref());
    let read = folder.read();
    for problem in &read.problems {
        anstream::eprintln!("warning: {problem}");
    }
    let matches = |one: &&AcceptedResult| {
        is_selected(&options.filters, &one.result.benchmark.suite, &one.result.benchmark.function)
    };
    let all = all_series(read.results().filter(matches));
    ensure!(
        !all.is_empty(),
        "{} has no accepted results of these functions. Measure and accept some with\n  cargo benchbook check\n  cargo benchbook accept",
        folder.path.display()
    );
    for series in &all {
        anstream::print!("\n{}", text(series));
    }
    Ok(())
}

/// The results by benchmark and class of machines, in the order of their first results.
fn all_series<'a>(results: impl Iterator<Item = &'a AcceptedResult>) -> Vec<ResultSeries<'a>> {
    let mut all: Vec<ResultSeries<'a>> = Vec::new();
    for one in results.map(SeriesResult::from) {
        let key = |result: &'a CheckedResult| (&result.benchmark, &result.machine);
        let is_same = |series: &&mut ResultSeries<'a>| key(series.results[0].result) == key(one.result);
        match all.iter_mut().find(is_same) {
            Some(series) => series.results.push(one),
            None => all.push(ResultSeries { results: vec![one] }),
        }
    }
    all
}

/// A paragraph for each axis value.
fn text(series: &ResultSeries<'_>) -> String {
    let CheckedResult { benchmark: Benchmark { function, metric, arguments, .. }, machine, .. } =
        series.results[0].result;
    let fixed = arguments.iter().filter_map(|(name, argument)| Some(format!("{name} {}", fixed_value(argument)?)));
    let title: Vec<String> = [format!("{metric} of {function}")].into_iter().chain(fixed).collect();
    let cpu = machine.cpu.as_deref().unwrap_or("an unknown processor");
    let paragraphs: String = series.axis_values().into_iter().map(|x| paragraph(series, x)).collect();
    format!("{}, on {cpu}\n{paragraphs}", title.join(", "))
}

/// A line for each result at an axis value.
fn paragraph(series: &ResultSeries<'_>, x: &AxisValue) -> String {
    let axis = axis(&series.results[0].result.benchmark.arguments);
    let mut text = axis.map(|(name, _)| format!("  {name} {}\n", axis_value(x))).unwrap_or_default();
    for SeriesPoint { index, mean, step, .. } in series.points_at(x) {
        let SeriesResult { result, accepted } = series.results[index];
        let step = step.map(|change| format!("  step: {}", signed(change))).unwrap_or_default();
        let by = accepted.map_or("", |accepted| accepted.by.as_str());
        let note = accepted.map_or("", |accepted| accepted.note.as_str());
        let note = if note.is_empty() { String::new() } else { format!("  {note}") };
        let (day, build) = (day(result.measured), build_text(&result.build));
        text += &format!("  {day}  {build:BUILD_WIDTH$}  {}  {by}{note}{step}\n", Nanos(mean));
    }
    text
}

#[cfg(test)]
mod tests {
    use benchbook_contract::parameter::Argument;
    use benchbook_host::history::BuildOrigin;

    use super::*;
    use crate::check::fixtures::{accepted, sized_result};

    /// The result of a day, at two sizes.
    fn accepted_on(day: u32, mean: f64) -> AcceptedResult {
        let text = str::to_owned;
        let wobble = 1.0 + 0.001 * f64::from(day % 3);
        let mut result = sized_result("sorting::sort", 100.0 * wobble, mean * wobble);
        result.benchmark.arguments.insert(text("spread"), Argument::Text(text("Sorted")));
        result.machine.cpu = Some(text("AMD EPYC 9R14"));
        result.build = BuildOrigin {
            fingerprint: text("fedcba9876543210"),
            commit: day.is_multiple_of(2).then(|| text("77c0a41f0b12")),
            dirty: day == 2,
            ..result.build
        };
        result.measured = f64::from(day) * 86_400.0;
        let mut accepted = accepted(result);
        accepted.accepted.note = if day == 1 { text("first") } else { String::new() };
        accepted
    }

    #[test]
    fn results_are_printed_by_day_with_the_steps() {
        let results: Vec<AcceptedResult> =
            (0..8).map(|day| accepted_on(day, if day < 4 { 2_000.0 } else { 3_000.0 })).collect();
        let [series] = &all_series(results.iter())[..] else { panic!("one series") };
        let text = text(series).replace('\u{202f}', " ");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "time of sorting::sort, spread Sorted, on AMD EPYC 9R14");
        assert_eq!(lines[1], "  size 10");
        assert_eq!(lines[3], "  1970-01-02  fedcba98   100 ns  Ada  first");
        assert_eq!(lines[4], "  1970-01-03  77c0a41f+  100 ns  Ada");
        assert_eq!(lines[10], "  size 1 000");
        assert_eq!(lines[15], "  1970-01-05  77c0a41f   3.00 µs  Ada  step: +50 %");
        assert_eq!(text.matches("step").count(), 1);
    }

    #[test]
    fn other_machines_and_arguments_are_series_of_their_own() {
        let mut results = [accepted_on(0, 2_000.0), accepted_on(1, 2_000.0), accepted_on(2, 2_000.0)];
        results[1].result.machine.cpu = None;
        results[2].result.benchmark.arguments.remove("spread");
        assert_eq!(all_series(results.iter()).len(), 3);
    }
}
