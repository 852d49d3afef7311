//! `cargo benchbook check` and `accept`: measures functions, and compares them with accepted results.

mod accept;
mod baseline;
mod check_runner;
mod compared;
mod criterion;
mod details;
mod event_stream;
#[cfg(test)]
pub(crate) mod fixtures;
mod history;
mod history_location;
mod interruption;
mod last_check;
mod measured;
mod person;
mod planned;
mod renamed_suites;
mod report;
mod run;
mod runner_api;
mod runner_results;
mod series;
#[cfg(test)]
mod tests;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use benchbook_accepted::ReadHistory;
use benchbook_host::history::AcceptedResult;

pub(crate) use self::accept::{AcceptOptions, accept};
use self::baseline::{Baseline, BaselineRevision};
use self::check_runner::CheckRunner;
use self::compared::{ComparedRun, ComparisonRule, HistoryTest, ResultToCompare};
pub(crate) use self::criterion::{ImportOptions, import_criterion};
pub(crate) use self::history::{HistoryOptions, history};
use self::history_location::HistoryLocation;
pub(crate) use self::history_location::{LocationOptions, history_folder};
use self::planned::{CheckSettings, PlannedCheck};
use self::report::{CheckReport, ReportFiles};
use self::run::CheckRun;
use self::runner_results::RunnerResults;
use crate::arguments::{self, SetArgument};
use crate::benchbook_toml::{BenchbookToml, CheckMode};
use crate::project::Project;
use crate::suite_options::SuiteOptions;

/// A function has become slower, or uses more memory.
const REGRESSION: u8 = 1;

/// A measurement failed.
const FAILED: u8 = 3;

/// The command line is wrong: `EX_USAGE` of sysexits.h.
pub(crate) const USAGE: u8 = 64;

/// Measure functions, compare them with accepted results, and fail if one has become slower or uses more memory
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook check                     every function, with its default workload
  cargo benchbook check quick               the functions of the group [groups.quick] in benchbook.toml
  cargo benchbook check sort --set size=1k  the functions whose path contains \"sort\"
  cargo benchbook check --baseline main     compare with the code of the branch main, interleaved
  cargo benchbook check --runner https://reference-01.example.org
                                            measure on a runner
  cargo benchbook accept --note \"new hash\"  accept the results of the last check

Exit status: 0 without a regression, 1 if a function has become slower or uses more memory, 3 if a measurement failed, 64 if the command line or benchbook.toml
is wrong. With --strict, undecided comparisons exit with 1, and other notes with 3.")]
pub(crate) struct CheckOptions {
    /// Groups of benchbook.toml, or parts of the paths of functions
    #[arg(value_name = "GROUP|FILTER")]
    names: Vec<String>,
    /// Set a parameter of the generators to a value or a range. Repeat the option for others
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<SetArgument>,
    /// What to compare [default: steady]
    #[arg(long, value_enum)]
    mode: Option<CheckMode>,
    /// How to compare with accepted results
    #[arg(long, value_enum, default_value = "difference", conflicts_with = "baseline")]
    test: HistoryTest,
    /// The probability that a run reports no change if nothing has changed: 90% to 99.9%
    #[arg(long, value_name = "PERCENT", value_parser = confidence, default_value = "99%")]
    confidence: f64,
    /// Stop measuring a point when the 95% interval of its mean is within ± this percentage [default: 2%]
    #[arg(long, value_name = "PERCENT", value_parser = arguments::precision)]
    precision: Option<f64>,
    /// The smallest change that counts [default: 1%]
    #[arg(long, value_name = "PERCENT", value_parser = arguments::minimum_effect)]
    minimum_effect: Option<f64>,
    /// The number of processes that measure each function: the independent samples
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(2..=100), default_value_t = 10)]
    samples: u32,
    /// Measure each point for at most this time, all processes together
    #[arg(long, value_name = "TIME", value_parser = arguments::time, default_value = "3s")]
    time_out: Duration,
    /// Warm up each point for at most this time, all processes together [default: 150ms]
    #[arg(long, value_name = "TIME", value_parser = arguments::time)]
    warm_up: Option<Duration>,
    /// Multiply the times and the minimum number of samples per process by this number
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=100), default_value_t = 1)]
    multiplier: u32,
    /// Measure a function again, at most this many times, if its result is too noisy for the precision
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..=100), default_value_t = 0)]
    re_measure: u32,
    /// If undecided, retry at lower confidence, down to this (more false alarms)
    #[arg(long, value_name = "PERCENT", value_parser = confidence)]
    least_confidence: Option<f64>,
    /// Compare with this git revision, such as `main`, instead of accepted results: build both and interleave their measurements
    #[arg(long, value_name = "REVISION", conflicts_with = "history")]
    baseline: Option<String>,
    /// Delete the checkouts and builds of earlier baselines, and do nothing else
    #[arg(long)]
    clean_up: bool,
    /// Measure on the runner at this address, such as `https://reference-01.example.org`, and compare with its accepted results, if it has any
    #[arg(long, value_name = "URL", conflicts_with = "baseline")]
    runner: Option<String>,
    #[command(flatten)]
    location: LocationOptions,
    /// Print only the overall result
    #[arg(long, group = "amount", conflicts_with = "format")]
    quiet: bool,
    /// Print the mean of each process, too
    #[arg(long, group = "amount", conflicts_with = "format")]
    verbose: bool,
    /// Print how each function is measured, as JSON on standard error
    #[arg(long)]
    debug: bool,
    /// Print the report as JSON
    #[arg(long, group = "format")]
    json: bool,
    /// Print the report as Markdown, for a pull request
    #[arg(long, group = "format")]
    markdown: bool,
    #[command(flatten)]
    files: ReportFiles,
    #[command(flatten)]
    suites: SuiteOptions,
}

/// Why a check has no report.
pub(crate) enum CheckError {
    /// The command line or benchbook.toml is wrong.
    Usage(anyhow::Error),
    /// Something could not be built, measured or written.
    Failed(anyhow::Error),
}

/// Checks, prints the report, and returns the exit status.
pub(crate) fn run(options: &CheckOptions) -> ExitCode {
    interruption::exit_with(FAILED);
    let (error, status) = match options.run() {
        Ok(None) => return ExitCode::SUCCESS,
        Ok(Some(report)) => match (options.files.write(&report, options.suites.is_strict), options.status(&report)) {
            (Ok(()), status) => return ExitCode::from(status),
            (Err(error), 0) => (error, FAILED),
            // A regression is more important than a missing file.
            (Err(error), status) => (error, status),
        },
        Err(CheckError::Usage(error)) => (error, USAGE),
        Err(CheckError::Failed(error)) => (error, FAILED),
    };
    anstream::eprintln!("error: {error:#}");
    ExitCode::from(status)
}

impl CheckOptions {
    fn run(&self) -> Result<Option<CheckReport>, CheckError> {
        let project = self.suites.project().map_err(CheckError::Usage)?;
        if self.clean_up {
            return baseline::clean_up(&project).map(|()| None).map_err(CheckError::Failed);
        }
        let groups = BenchbookToml::in_folders(project.settings_folders()).map_err(CheckError::Usage)?;
        let connection = self.runner.as_deref().map(|address| self.location.runner(address)).transpose();
        let connection = connection.map_err(CheckError::Usage)?;
        let location = self.location.location_with(&project, connection.as_ref()).map_err(CheckError::Usage)?;
        let revision = self.baseline.as_deref().map(|revision| BaselineRevision::find(&project, revision));
        let revision = revision.transpose().map_err(CheckError::Usage)?;
        // Before the build: the runner may be unreachable.
        let runner = connection.map(CheckRunner::connect).transpose().map_err(CheckError::Failed)?;
        let location = self.effective_location(location, runner.as_ref()).map_err(CheckError::Failed)?;
        let suites = project.open().map_err(CheckError::Failed)?;
        let checks = planned::checks(&suites, &self.names, &groups, &self.settings()).map_err(CheckError::Usage)?;
        // Counts do not depend on the layout.
        let is_timed = checks.iter().any(|check| !check.mode.timed_metrics().is_empty());
        let pairs = if is_timed { self.samples } else { 1 };
        let baseline =
            revision.map(|revision| Baseline::new(&project, &self.suites, &suites, revision, pairs)).transpose();
        // Before the measurements: a runner may be unreachable.
        let history = match self.baseline {
            Some(_) => ReadHistory::default(),
            None => location.read().map_err(CheckError::Failed)?,
        };
        if self.debug {
            for check in &checks {
                anstream::eprintln!("{}", check.debug_text());
            }
        }
        let (report, results) =
            self.check(&project, &checks, &history, baseline.map_err(CheckError::Failed)?, runner.as_ref());
        let text = match () {
            () if self.json => report.json(),
            () if self.markdown => report.markdown(),
            () if self.quiet => format!("{}\n", report.answer()),
            () if self.verbose => report.text() + &details::details(&results),
            () => report.text(),
        };
        anstream::print!("{text}");
        Ok(Some(report))
    }

    /// The location of the accepted results: that of the user, or else the runner that measures, if it has such results.
    fn effective_location(&self, location: HistoryLocation, runner: Option<&CheckRunner>) -> Result<HistoryLocation> {
        Ok(match runner {
            Some(runner) if !self.location.is_chosen() && runner.has_history()? => {
                HistoryLocation::Runner(RunnerResults(runner.connection().clone()))
            }
            _ => location,
        })
    }

    fn settings(&self) -> CheckSettings {
        CheckSettings {
            set: self.set.clone(),
            samples: self.samples,
            time_out: self.time_out,
            precision: self.precision,
            mode: self.mode,
            minimum_effect: self.minimum_effect,
            warm_up: self.warm_up,
            multiplier: self.multiplier,
            is_paired: self.baseline.is_some(),
        }
    }

    /// Measures and compares. Returns the report and the results.
    fn check(
        &self,
        project: &Project,
        checks: &[PlannedCheck<'_>],
        history: &ReadHistory,
        mut baseline: Option<Baseline>,
        runner: Option<&CheckRunner>,
    ) -> (CheckReport, Vec<ResultToCompare>) {
        for problem in &history.problems {
            anstream::eprintln!("warning: {problem}");
        }
        let accepted: Vec<&AcceptedResult> = history.results().collect();
        for warning in renamed_suites::warnings(project.suites(), &accepted) {
            anstream::eprintln!("warning: {warning}");
        }
        let mut run = CheckRun::of(project, checks, baseline.as_mut(), runner, self.re_measure);
        let rule = self.reached_rule(&run.results, &accepted);
        let first = ComparedRun::of(&run.results, &accepted, rule);
        run.measure_noise(&first.changes(), first.confidence);
        let results = run.results.clone();
        let compared = ComparedRun::confirmed(&results, &accepted, rule, |regressions| {
            run.measure_again(regressions);
            run.results.clone()
        });
        let failures = run.failures;
        if let Some(warning) = baseline.as_ref().and_then(Baseline::warning) {
            anstream::eprintln!("warning: {warning}");
        }
        let report = CheckReport::new(compared, &results, &accepted, failures, rule);
        let report = match &baseline {
            Some(baseline) => report.with_baseline(baseline.name(), baseline.removed_functions(&self.names)),
            None => report,
        };
        (report, results)
    }

    /// How the results are compared. The confidence is lowered in steps of 1% while comparisons are undecided, as far as the user permits.
    fn reached_rule(&self, results: &[ResultToCompare], accepted: &[&AcceptedResult]) -> ComparisonRule {
        const STEP: f64 = 0.01;
        let mut rule = ComparisonRule { confidence: self.confidence, test: self.test };
        while let Some(least) = self.least_confidence.filter(|least| *least < rule.confidence) {
            if !ComparedRun::of(results, accepted, rule).has_undecided() {
                break;
            }
            rule.confidence = (rule.confidence - STEP).max(least);
        }
        rule
    }

    fn status(&self, report: &CheckReport) -> u8 {
        match () {
            () if report.has_regression() || (self.suites.is_strict && report.is_undecided()) => REGRESSION,
            () if report.has_failed() => FAILED,
            () => 0,
        }
    }
}

/// A confidence such as `99%`. Returns the ratio.
fn confidence(text: &str) -> Result<f64> {
    let ratio = arguments::precision(text).map_err(anyhow::Error::msg)?;
    // 99.9 / 100 is greater than 0.999.
    let is_valid = (0.9..0.999 + f64::EPSILON).contains(&ratio);
    is_valid.then_some(ratio).context("expected 90% to 99.9%")
}
