//! `cargo benchbook history`: the accepted results of a function, and the steps between them.

use std::io::Write as _;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use anyhow::{Result, ensure};
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::history::{Acceptance, AcceptedResult, Benchmark, BuildOrigin, HistoryPoint, HistorySeries};
use benchbook_host::units::axis_value;
use benchbook_report::history::{axis_name, build_label, day, fixed_arguments};

use crate::accepted::location::LocationOptions;
use crate::advised_command::AdvisedCommand;
use crate::check::report::signed;
use crate::output::print;
use crate::project::selection::is_selected;
use crate::project::suite_options::SuiteOptions;

/// The width of the column of builds: the digits of a commit, and a `+`.
const BUILD_WIDTH: usize = 9;

/// Print the accepted results of functions, and at which of them the level has changed
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook history sort_stable                      the functions whose path contains \"sort_stable\"
  cargo benchbook history --history benchmarks/history     all functions of a shared folder
  cargo benchbook history --csv > history.csv              for a spreadsheet
  cargo benchbook history --history https://bench.example  all functions of a runner")]
pub(crate) struct HistoryOptions {
    /// Only functions whose path contains one of these strings
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Print the results as JSON; docs/history.schema.json describes it
    #[arg(long, group = "format")]
    json: bool,
    /// Print a line of CSV for each result and axis value
    #[arg(long, group = "format")]
    csv: bool,
    #[command(flatten)]
    location: LocationOptions,
    #[command(flatten)]
    suites: SuiteOptions,
}

/// Prints the accepted results.
///
/// # Errors
/// If no accepted result matches.
pub(crate) fn run(options: &HistoryOptions) -> Result<()> {
    let location = options.location.location(&options.suites.project()?)?;
    let read = location.read()?;
    for problem in &read.problems {
        anstream::eprintln!("warning: {problem}");
    }
    let matches = |one: &&AcceptedResult| {
        is_selected(&options.filters, &one.result.benchmark.suite, &one.result.benchmark.function)
    };
    let series = HistorySeries::all(read.results().filter(matches).cloned().map(Rc::new));
    ensure!(
        !series.is_empty(),
        "{location} has no accepted results of these functions. Measure and accept some with\n  {}\n  {}",
        AdvisedCommand::Check,
        AdvisedCommand::Accept { note: None }
    );
    if options.json {
        let results: Vec<&AcceptedResult> =
            series.iter().flat_map(|one| &one.results).map(|accepted| &**accepted).collect();
        println!("{}", serde_json::to_string_pretty(&results)?);
        return Ok(());
    }
    if options.csv {
        std::io::stdout().write_all(&csv(&series)?)?;
        return Ok(());
    }
    for one in series {
        print(&format!("\n{}", text(&one)));
    }
    Ok(())
}

/// The columns of the CSV.
const COLUMNS: [&str; 15] = [
    "suite",
    "function",
    "metric",
    "generator",
    "arguments",
    "x",
    "measured",
    "mean",
    "sd",
    "step",
    "commit",
    "dirty",
    "compiler",
    "by",
    "note",
];

/// A line for each result at each axis value: means and standard deviations in the unit of the metric per call, steps as ratios, and the time in RFC 3339.
fn csv(series: &[HistorySeries]) -> Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(COLUMNS)?;
    for one in series {
        let Benchmark { suite, function, generator, arguments, metric, .. } = &one.benchmark;
        let arguments = serde_json::to_string(arguments)?;
        for x in one.axis_values() {
            for HistoryPoint { accepted, mean, sd, step } in one.at(x) {
                let BuildOrigin { commit, dirty, compiler, .. } = &accepted.result.build;
                let Acceptance { by, note } = &accepted.accepted;
                let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
                table.write_record([
                    suite,
                    function,
                    &metric.to_string(),
                    generator,
                    &arguments,
                    &x.to_string(),
                    &instant(accepted.result.measured),
                    &mean.to_string(),
                    &number(sd),
                    &number(step.map(|step| step.change())),
                    commit.as_deref().unwrap_or_default(),
                    &dirty.to_string(),
                    compiler,
                    by,
                    note,
                ])?;
            }
        }
    }
    Ok(table.into_inner()?)
}

/// A time in seconds since 1970, in RFC 3339; empty if it is out of range.
fn instant(seconds: f64) -> String {
    let time = Duration::try_from_secs_f64(seconds).ok().and_then(|time| SystemTime::UNIX_EPOCH.checked_add(time));
    time.map(|time| humantime::format_rfc3339_seconds(time).to_string()).unwrap_or_default()
}

/// A paragraph for each axis value.
fn text(series: &HistorySeries) -> String {
    let Benchmark { function, metric, arguments, harness, .. } = &series.benchmark;
    let title: Vec<String> =
        [format!("{metric} of {function}")].into_iter().chain(fixed_arguments(arguments)).collect();
    let cpu = series.machine.cpu.as_deref().unwrap_or("an unknown processor");
    let harness = harness.as_ref().map(|harness| format!(", measured by {harness}")).unwrap_or_default();
    let mut text = format!("{}, on {cpu}{harness}\n", title.join(", "));
    for x in series.axis_values() {
        text += &paragraph(series, x);
    }
    text
}

/// A line for each result at an axis value.
fn paragraph(series: &HistorySeries, x: &AxisValue) -> String {
    let axis = axis_name(&series.benchmark.arguments);
    let mut text = axis.map(|name| format!("  {name} {}\n", axis_value(x))).unwrap_or_default();
    let metric = series.benchmark.metric;
    for HistoryPoint { accepted, mean, step, .. } in series.at(x) {
        let step = step.map(|step| format!("  step: {}", signed(step.change()))).unwrap_or_default();
        let Acceptance { by, note } = &accepted.accepted;
        let note = if note.is_empty() { String::new() } else { format!("  {note}") };
        let (day, build) = (day(accepted.result.measured), build_label(&accepted.result.build));
        text += &format!("  {day}  {build:<BUILD_WIDTH$}  {}  {by}{note}{step}\n", metric.text(mean));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accepted::fixtures::{accepted, sized_result};
    use benchbook_contract::parameter::Argument;

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
    fn results_are_lines_of_csv() {
        let results = (0..8).map(|day| Rc::new(accepted_on(day, if day < 4 { 2_000.0 } else { 3_000.0 })));
        let text = String::from_utf8(csv(&HistorySeries::all(results)).unwrap()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + 2 * 8, "{text}");
        assert!(
            lines[0].starts_with("suite,function,metric,generator,arguments,x,measured,mean,sd,step,commit,"),
            "{text}"
        );
        assert!(lines[1].contains(",10,1970-01-01T00:00:00Z,100,") && lines[1].contains("77c0a41f0b12"), "{text}");
        let records =
            ::csv::Reader::from_reader(text.as_bytes()).into_records().map(Result::unwrap).collect::<Vec<_>>();
        let steps: Vec<f64> = records.iter().filter_map(|record| record[9].parse().ok()).collect();
        assert!(matches!(steps[..], [step] if (step - 0.5).abs() < 0.01), "{steps:?}");
    }

    #[test]
    fn results_are_printed_by_day_with_the_steps() {
        let results = (0..8).map(|day| Rc::new(accepted_on(day, if day < 4 { 2_000.0 } else { 3_000.0 })));
        let [series] = &HistorySeries::all(results)[..] else { panic!("one series") };
        let text = text(series).replace('\u{202f}', " ");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "time of sorting::sort, spread Sorted, on AMD EPYC 9R14");
        assert_eq!(lines[1], "  size 10");
        assert_eq!(lines[3], "  1970-01-02  fedcba98   100 ns  Ada  first");
        assert_eq!(lines[4], "  1970-01-03  77c0a41f+  100 ns  Ada");
        assert_eq!(lines[10], "  size 1 000");
        assert_eq!(lines[15], "  1970-01-05  77c0a41f   3.00 µs  Ada  step: +50%");
        assert_eq!(text.matches("step").count(), 1);
    }
}
