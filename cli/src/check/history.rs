//! `cargo benchbook history`: the accepted results of a function, and the steps between them.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use anyhow::{Result, ensure};
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Argument;
use benchbook_host::analyze::history::steps::{HistoryStep, StepRule};
use benchbook_host::history::{AcceptedResult, Benchmark, MachineClass};
use benchbook_host::units::{Nanos, axis_value};

use super::folder::HistoryFolder;
use super::report::signed;
use crate::project::SuiteOptions;
use crate::selection::is_selected;

/// The digits of a commit or of a fingerprint that are shown.
const DIGITS: usize = 8;

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

/// The results of a benchmark on a class of machines, the oldest first.
struct ResultSeries<'a> {
    benchmark: &'a Benchmark,
    machine: &'a MachineClass,
    results: Vec<&'a AcceptedResult>,
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
    let series = series(read.results().filter(matches));
    ensure!(
        !series.is_empty(),
        "{} has no accepted results of these functions. Measure and accept some with\n  cargo benchbook check\n  cargo benchbook accept",
        folder.path.display()
    );
    for one in series {
        anstream::print!("\n{}", one.text());
    }
    Ok(())
}

/// The results by benchmark and class of machines, in the order of their first results.
fn series<'a>(results: impl Iterator<Item = &'a AcceptedResult>) -> Vec<ResultSeries<'a>> {
    let mut series: Vec<ResultSeries<'a>> = Vec::new();
    for one in results {
        let (benchmark, machine) = (&one.result.benchmark, &one.result.machine);
        match series.iter_mut().find(|series| series.benchmark == benchmark && series.machine == machine) {
            Some(series) => series.results.push(one),
            None => series.push(ResultSeries { benchmark, machine, results: vec![one] }),
        }
    }
    series
}

impl ResultSeries<'_> {
    /// A paragraph for each axis value.
    fn text(&self) -> String {
        let Benchmark { function, metric, arguments, .. } = self.benchmark;
        let fixed = arguments.iter().filter_map(|(name, argument)| match argument {
            Argument::Number(value) => Some(format!("{name} {}", axis_value(&AxisValue::Number(*value)))),
            Argument::Text(text) => Some(format!("{name} {text}")),
            Argument::Range(_) | Argument::Values(_) => None,
        });
        let title: Vec<String> = [format!("{metric} of {function}")].into_iter().chain(fixed).collect();
        let cpu = self.machine.cpu.as_deref().unwrap_or("an unknown processor");
        let mut text = format!("{}, on {cpu}\n", title.join(", "));
        let mut values: Vec<&AxisValue> = Vec::new();
        for x in self.results.iter().flat_map(|one| &one.result.points).map(|point| &point.x) {
            if !values.contains(&x) {
                values.push(x);
            }
        }
        for x in values {
            text += &self.paragraph(x);
        }
        text
    }

    /// A line for each result at an axis value.
    fn paragraph(&self, x: &AxisValue) -> String {
        let axis = self
            .benchmark
            .arguments
            .iter()
            .find(|(_, argument)| matches!(argument, Argument::Range(_) | Argument::Values(_)));
        let mut text = axis.map(|(name, _)| format!("  {name} {}\n", axis_value(x))).unwrap_or_default();
        let at_x: Vec<(&AcceptedResult, f64)> = self
            .results
            .iter()
            .filter_map(|one| {
                let means = one.result.means_at(x).filter(|means| !means.is_empty())?;
                Some((*one, means.iter().sum::<f64>() / means.len() as f64))
            })
            .collect();
        let means: Vec<f64> = at_x.iter().map(|(_, mean)| *mean).collect();
        let steps = StepRule::default().steps(&means);
        for (index, (one, mean)) in at_x.iter().enumerate() {
            let step = steps.iter().find(|step| step.index == index).map(HistoryStep::change);
            let step = step.map(|change| format!("  step: {}", signed(change))).unwrap_or_default();
            let note = if one.accepted.note.is_empty() { String::new() } else { format!("  {}", one.accepted.note) };
            let by = &one.accepted.by;
            text += &format!("  {}  {}  {}  {by}{note}{step}\n", date(one.result.measured), build(one), Nanos(*mean));
        }
        text
    }
}

/// The commit, with a `+` if files differed from it, or else the fingerprint of the build.
fn build(one: &AcceptedResult) -> String {
    let build = &one.result.build;
    let shortened = |text: &str| text.chars().take(DIGITS).collect::<String>();
    match &build.commit {
        Some(commit) => format!("{}{}", shortened(commit), if build.dirty { "+" } else { " " }),
        None => format!("{} ", shortened(&build.fingerprint)),
    }
}

/// The day in UTC.
fn date(seconds: f64) -> String {
    let time = Duration::try_from_secs_f64(seconds).ok().and_then(|time| SystemTime::UNIX_EPOCH.checked_add(time));
    let text = time.map(|time| humantime::format_rfc3339_seconds(time).to_string()).unwrap_or_default();
    text.split('T').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use benchbook_contract::parameter::{Arguments, Range};
    use benchbook_host::history::{Acceptance, BuildOrigin, CheckedMetric, CheckedPoint, CheckedResult, VERSION};

    use super::*;

    /// The result of a day, at two sizes.
    fn accepted(day: u32, mean: f64) -> AcceptedResult {
        let text = str::to_owned;
        let size = Argument::Range(Range { low: 10.0, high: 1_000.0 });
        let spread = Argument::Text(text("Sorted"));
        let wobble = 1.0 + 0.001 * f64::from(day % 3);
        let point = |x, mean: f64| CheckedPoint { x: AxisValue::Number(x), means: vec![mean * wobble, mean * wobble] };
        let result = CheckedResult {
            benchmark: Benchmark {
                suite: text("demo"),
                function: text("sorting::sort"),
                generator: text("keys"),
                arguments: Arguments::from([(text("size"), size), (text("spread"), spread)]),
                inputs: text("ab"),
                metric: CheckedMetric::Time,
            },
            machine: MachineClass {
                cpu: Some(text("AMD EPYC 9R14")),
                settings: Vec::new(),
                system: None,
                target: text("x86_64-unknown-linux-gnu"),
                runner: None,
            },
            build: BuildOrigin {
                fingerprint: text("fedcba9876543210"),
                commit: day.is_multiple_of(2).then(|| text("77c0a41f0b12")),
                dirty: day == 2,
                compiler: text("rustc 1.95.0"),
            },
            measured: f64::from(day) * 86_400.0,
            points: vec![point(10.0, 100.0), point(1_000.0, mean)],
        };
        let note = if day == 1 { text("first") } else { String::new() };
        AcceptedResult { benchbook_history: VERSION, accepted: Acceptance { by: text("Ada"), note }, result }
    }

    #[test]
    fn results_are_printed_by_day_with_the_steps() {
        let results: Vec<AcceptedResult> =
            (0..8).map(|day| accepted(day, if day < 4 { 2_000.0 } else { 3_000.0 })).collect();
        let [series] = &series(results.iter())[..] else { panic!("one series") };
        let text = series.text().replace('\u{202f}', " ");
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
        let mut results = [accepted(0, 2_000.0), accepted(1, 2_000.0), accepted(2, 2_000.0)];
        results[1].result.machine.cpu = None;
        results[2].result.benchmark.arguments.remove("spread");
        assert_eq!(series(results.iter()).len(), 3);
    }
}
