//! `cargo benchbook accept`: records the results of the last check as normal.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};
use benchbook_accepted::ReadHistory;
use benchbook_host::history::{Acceptance, AcceptedResult, Benchmark, CheckedResult, VERSION};
use benchbook_host::units::percent;
use benchbook_report::history::day;

use crate::accepted::last_check::LastCheck;
use crate::accepted::location::{HistoryLocation, LocationOptions};
use crate::accepted::noise::noise;
use crate::accepted::person::PersonOption;
use crate::project::selection::is_selected;
use crate::project::suite_options::SuiteOptions;

/// Accept the results of the last check: later checks compare with them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook accept                             all results of the last check, in addition to earlier ones
  cargo benchbook accept sort --note \"new compiler\"  only those of functions whose path contains \"sort\"
  cargo benchbook accept --replace                   instead of earlier ones, after a permanent change of speed")]
pub(crate) struct AcceptOptions {
    /// Only functions whose path contains one of these strings
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Delete the earlier accepted results of the same measurements. Otherwise their speed still counts as normal
    #[arg(long)]
    replace: bool,
    /// Accept results whose processes differ by more than ±10%, too
    #[arg(long)]
    noisy: bool,
    /// Why these results are normal
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,
    #[command(flatten)]
    person: PersonOption,
    #[command(flatten)]
    location: LocationOptions,
    #[command(flatten)]
    suites: SuiteOptions,
}

/// Accepts the results of the last check.
///
/// # Errors
/// If the last check has no such results, or if they cannot be written.
pub(crate) fn run(options: &AcceptOptions) -> Result<()> {
    let project = options.suites.project()?;
    let matches =
        |result: &CheckedResult| is_selected(&options.filters, &result.benchmark.suite, &result.benchmark.function);
    let LastCheck { results: last, has_same_code, .. } = LastCheck::read(&project)?;
    if last.is_empty() && has_same_code {
        println!("Nothing to accept: the functions have the same code as the commit that they were compared with.");
        return Ok(());
    }
    ensure!(!last.is_empty(), "the last check has no results, since each measurement failed");
    let results: Vec<CheckedResult> = last.into_iter().filter(matches).collect();
    ensure!(!results.is_empty(), "the last check has no results that match {}", options.filters.join(", "));
    let by = options.person.name(&project)?;
    let accepted = Acceptance { by, note: options.note.clone() };
    let (results, noisy): (Vec<CheckedResult>, Vec<CheckedResult>) =
        results.into_iter().partition(|result| options.noisy || noise_of(result).is_none());
    record(results, &accepted, &options.location.location(&project)?, options.replace)?;
    ensure!(noisy.is_empty(), "{}", rejection(&noisy));
    Ok(())
}

/// How much the processes of a result vary at a point, if that is too much.
fn noise_of(result: &CheckedResult) -> Option<f64> {
    let points = result.points.iter().filter(|_| !result.benchmark.metric.is_exact());
    points.filter_map(|point| noise(&point.means)).reduce(f64::max)
}

/// Why results were not accepted.
fn rejection(noisy: &[CheckedResult]) -> String {
    let list: Vec<String> = noisy
        .iter()
        .map(|result| {
            let Benchmark { function, metric, .. } = &result.benchmark;
            format!("the {metric} of {function} (\u{b1}{})", percent(noise_of(result).unwrap_or_default()))
        })
        .collect();
    format!(
        "not accepted, since the processes differ too much for later checks to find anything: {}. Measure again on a quieter machine, or with more --samples. \
         --noisy accepts them all the same",
        list.join(", ")
    )
}

/// Adds results to the accepted ones. `replaces`: whether those of the same measurements are deleted.
///
/// # Errors
/// If a result is invalid or cannot be written.
pub(crate) fn record(
    results: Vec<CheckedResult>,
    accepted: &Acceptance,
    location: &HistoryLocation,
    replaces: bool,
) -> Result<()> {
    let known = location.read()?;
    for warning in clock_warnings(&results, &known) {
        anstream::eprintln!("warning: {warning}");
    }
    let earlier = match location {
        HistoryLocation::Folder(_) => known.files,
        HistoryLocation::Runner(_) => {
            ensure!(
                !replaces,
                "a runner deletes no results. Delete the files in its folder, then accept without --replace"
            );
            Vec::new()
        }
    };
    for result in results {
        let Benchmark { function, metric, .. } = result.benchmark.clone();
        let (benchmark, machine) = (result.benchmark.clone(), result.machine.clone());
        let result = AcceptedResult { benchbook_history: VERSION, accepted: accepted.clone(), result };
        result.check().map_err(|problem| anyhow!("the {metric} of {function} was not accepted: {problem}"))?;
        let path = location.add(&result)?;
        let place = path.as_ref().map_or_else(|| location.to_string(), |path| path.display().to_string());
        println!("Accepted the {metric} of {function} in {place}.");
        let is_earlier = |file: &&(PathBuf, AcceptedResult)| {
            Some(&file.0) != path.as_ref() && file.1.check_comparable(&benchmark, &machine).is_ok()
        };
        for (old, _) in earlier.iter().filter(|file| replaces && is_earlier(file)) {
            fs::remove_file(old).with_context(|| format!("failed to delete {}", old.display()))?;
            println!("Deleted {}.", old.display());
        }
    }
    Ok(())
}

/// A sentence for each result that was measured before the latest accepted one, since the order of a history is that of the times.
fn clock_warnings(results: &[CheckedResult], known: &ReadHistory) -> Vec<String> {
    let warning = |result: &CheckedResult| {
        let Benchmark { function, metric, .. } = &result.benchmark;
        let is_same =
            |accepted: &&AcceptedResult| accepted.check_comparable(&result.benchmark, &result.machine).is_ok();
        let latest = known.results().filter(is_same).map(|accepted| accepted.result.measured).reduce(f64::max)?;
        (latest > result.measured).then(|| {
            format!(
                "the {metric} of {function} was measured on {}, before the latest accepted result ({}). If this machine's clock was wrong \
                 then, delete that result: histories are ordered by time",
                day(result.measured),
                day(latest)
            )
        })
    };
    results.iter().filter_map(warning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accepted::fixtures::{accepted, single_result};

    #[test]
    fn results_that_later_checks_cannot_use_are_rejected() {
        let with = |means: [f64; 4]| {
            let mut result = single_result("mix", 100.0);
            result.points[0].means = means.to_vec();
            result
        };
        assert_eq!(noise_of(&with([99.0, 100.0, 101.0, 100.0])), None);
        let noisy = with([60.0, 100.0, 160.0, 90.0]);
        assert!(rejection(&[noisy]).contains("the time of mix (\u{b1}"));
        let mut count = with([1.0, 100.0, 1.0, 100.0]);
        count.benchmark.metric = benchbook_host::history::CheckedMetric::Allocations;
        assert_eq!(noise_of(&count), None);
    }

    #[test]
    fn a_result_before_the_latest_accepted_one_is_reported() {
        const DAY: f64 = 86_400.0;
        let on = |function: &str, day: f64| CheckedResult { measured: day * DAY, ..single_result(function, 1.0) };
        let files = vec![(PathBuf::new(), accepted(on("sort", 10.0)))];
        let known = ReadHistory { files, problems: Vec::new() };
        assert_eq!(clock_warnings(&[on("sort", 11.0), on("merge", 9.0)], &known), Vec::<String>::new());
        let warnings = clock_warnings(&[on("sort", 9.0)], &known);
        let expected = "the time of sort was measured on 1970-01-10, before the latest accepted result (1970-01-11). ";
        assert!(warnings.len() == 1 && warnings[0].starts_with(expected), "{warnings:?}");
    }
}
