//! `cargo benchbook check`: whether functions have become slower.

use std::process::{self, ExitCode};
use std::time::{Duration, SystemTime};

use anyhow::Result;
use benchbook_accepted::ReadHistory;
use benchbook_accepted::machine::current_cpu_time;
use benchbook_host::history::AcceptedResult;
use benchbook_report::history::day;

use crate::accepted::last_check::LastCheck;
use crate::accepted::location::{HistoryLocation, LocationOptions};
use crate::accepted::renamed;
use crate::arguments::{self, SetArgument};
use crate::check::check;
use crate::check::measure::{
    BaselineRevision, BothBuilds, BuildCounter, Measurements, Measurer, OnRunner, RunnerSession, ThisMachine, clean_up,
    take_turn,
};
use crate::check::plan::{self, CheckPlan, CheckSettings, ComparisonRule, HistoryTest, PlannedCheck};
use crate::check::report::{CheckReport, FAILED, ReportFiles, Strictness, details};
use crate::output::print;
use crate::project::Project;
use crate::project::benchbook_toml::{BenchbookToml, CheckMode};
use crate::project::deliberate::Deliberate;
use crate::project::selection::is_selected;
use crate::project::suite_options::SuiteOptions;

/// The command line is wrong: `EX_USAGE` of sysexits.h.
pub(crate) const USAGE: u8 = 64;

/// The confidence of a check.
const CONFIDENCE: f64 = 0.99;

/// Measure functions, compare them with accepted results, and fail if one has become slower, uses more memory or executes more wasm instructions
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

Exit status: 0 without a regression, 1 if a function has become slower, uses more memory or executes more wasm instructions, 3 if a
measurement failed, 4 if a slowdown of --at-least would not have been found, 64 if the command line or benchbook.toml is wrong. With --strict,
undecided comparisons and other code of the same source exit with 1, and other notes with 3.")]
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
    /// The probability that a run reports no change if nothing has changed: 90% to 99.9% [default: 99%]
    #[arg(long, value_name = "PERCENT", value_parser = arguments::confidence)]
    confidence: Option<f64>,
    /// Stop measuring a point when the 95% interval of its mean is within ± this percentage [default: 2%]
    #[arg(long, value_name = "PERCENT", value_parser = arguments::precision)]
    precision: Option<f64>,
    /// The smallest change that counts [default: 1%]
    #[arg(long, value_name = "PERCENT", value_parser = arguments::minimum_effect)]
    minimum_effect: Option<f64>,
    /// The number of processes that measure each function: the independent samples [default: 10]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(2..=100))]
    samples: Option<u32>,
    /// Measure each point for at most this time, all processes together [default: 3s]
    #[arg(long, value_name = "TIME", value_parser = arguments::time)]
    time_out: Option<Duration>,
    /// Warm up each point for at most this time, all processes together [default: 150ms]
    #[arg(long, value_name = "TIME", value_parser = arguments::time)]
    warm_up: Option<Duration>,
    /// Multiply the times and the minimum number of samples per process by this number
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=100), default_value_t = 1)]
    multiplier: u32,
    /// Measure a function again, at most this many times, if its result is too noisy for the precision
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..=100), default_value_t = 0)]
    re_measure: u32,
    /// Fail, with status 4, if a slowdown by this percentage would not have been found
    #[arg(long, value_name = "PERCENT", value_parser = arguments::minimum_effect)]
    at_least: Option<f64>,
    /// If undecided, retry at lower confidence, down to this (more false alarms)
    #[arg(long, value_name = "PERCENT", value_parser = arguments::confidence)]
    least_confidence: Option<f64>,
    /// Compare with this git revision, such as `main`, instead of accepted results: build both and interleave their measurements
    #[arg(long, value_name = "REVISION", conflicts_with = "history")]
    baseline: Option<String>,
    /// Measure the baseline with its own version of a suite, even if the current one compiles with its code
    #[arg(long, requires = "baseline")]
    own_suite: bool,
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
pub(crate) fn run(mut options: CheckOptions) -> ExitCode {
    options.suites.has_one_unit = true;
    handle_interruptions();
    let (error, status) = match options.run() {
        Ok(None) => return ExitCode::SUCCESS,
        Ok(Some(report)) => {
            let strictness = Strictness { is_strict: options.suites.is_strict, at_least: options.at_least };
            match (options.files.write(&report, options.suites.is_strict), report.status(strictness)) {
                (Ok(()), status) => return ExitCode::from(status),
                (Err(error), 0) => (error, FAILED),
                // A regression is more important than a missing file.
                (Err(error), status) => (error, status),
            }
        }
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
            return clean_up(&project).map(|()| None).map_err(CheckError::Failed);
        }
        let groups = BenchbookToml::in_folders(project.settings_folders()).map_err(CheckError::Usage)?;
        let connection = self.runner.as_deref().map(|address| self.location.runner(address)).transpose();
        let connection = connection.map_err(CheckError::Usage)?;
        let location = self.location.location_with(&project, connection.as_ref()).map_err(CheckError::Usage)?;
        let revision = self.baseline.as_deref().map(|revision| BaselineRevision::find(&project, revision));
        let revision = revision.transpose().map_err(CheckError::Usage)?;
        let revision = match self.own_suite {
            true => revision,
            false => revision.map(BaselineRevision::with_current_suites),
        };
        // Before the build: the runner may be unreachable.
        let runner = connection.map(RunnerSession::connect).transpose().map_err(CheckError::Failed)?;
        let location = self.effective_location(location, runner.as_ref()).map_err(CheckError::Failed)?;
        let suites = project.open().map_err(CheckError::Failed)?;
        let checks =
            plan::checks(&suites, &self.names, &groups, &self.settings(&project)).map_err(CheckError::Usage)?;
        let confidence = groups.confidence(&self.names).map_err(CheckError::Usage)?;
        let plan = self.plan(checks, self.confidence.or(confidence).unwrap_or(CONFIDENCE));
        if self.debug {
            plan.checks.iter().for_each(|check| anstream::eprintln!("{}", check.debug_text()));
        }
        let counter = BuildCounter::new(project.clone());
        if plan.checks.iter().any(|check| check.mode.counts_instructions()) {
            counter.build().map_err(CheckError::Failed)?;
        }
        let suites = ThisMachine { suites: &suites, counter: &counter };
        let mut measurer: Box<dyn Measurer> = match (revision, &runner) {
            (Some(revision), _) => Box::new(
                BothBuilds::new(&project, &self.suites, suites, revision, &plan, &self.names)
                    .map_err(CheckError::Failed)?,
            ),
            (None, Some(runner)) => Box::new(OnRunner { runner, suites }),
            (None, None) => Box::new(suites),
        };
        // Before the measurements: a runner may be unreachable.
        let history = match self.baseline {
            Some(_) => ReadHistory::default(),
            None => location.read().map_err(CheckError::Failed)?,
        };
        let accepted: Vec<&AcceptedResult> = history.results().collect();
        let mut removed =
            renamed::removed_functions(suites.suites.iter().map(|opened| opened.suite.suite()), &accepted);
        removed.retain(|path| is_selected(&self.names, "", path));
        // Counts do not depend on what else runs.
        let is_timed = plan.checks.iter().any(|check| !check.mode.timed_metrics().is_empty());
        let _turn = (is_timed && runner.is_none()).then(take_turn);
        Ok(Some(self.report(&project, &plan, &history, &groups.accepted, removed, &mut *measurer)))
    }

    /// Checks, and prints warnings and the report.
    fn report(
        &self,
        project: &Project,
        plan: &CheckPlan,
        history: &ReadHistory,
        accepted_in_advance: &[Deliberate],
        removed: Vec<String>,
        measurer: &mut dyn Measurer,
    ) -> CheckReport {
        let accepted: Vec<&AcceptedResult> = history.results().collect();
        let warnings = renamed::warnings(project.suites(), &accepted);
        history.problems.iter().chain(&warnings).for_each(|warning| anstream::eprintln!("warning: {warning}"));
        let store = |measured: &Measurements| {
            if let Err(error) = LastCheck::new(project, measured.acceptable(), measured.has_same_code()).write(project)
            {
                anstream::eprintln!("warning: {error:#}");
            }
        };
        let before = current_cpu_time();
        let (mut measured, compared) = check(plan, &accepted, measurer, &store);
        let times = current_cpu_time().zip(before).filter(|_| self.runner.is_none());
        measured.interference.stolen = times.and_then(|(now, before)| now.stolen_share_since(before));
        if let Some(warning) = measured.baseline.as_ref().and_then(|baseline| baseline.warning) {
            anstream::eprintln!("warning: {warning}");
        }
        let baseline = measured.baseline.as_ref().map(|baseline| baseline.commit.as_str());
        let deliberate = [accepted_in_advance, &Deliberate::in_commits(&project.root, baseline)].concat();
        let today = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let report = CheckReport::new(compared, &measured, &accepted);
        let report = report.with_removed(removed).accepting(&deliberate, &day(today));
        let text = match () {
            () if self.json => report.json(),
            () if self.markdown => report.markdown(),
            () if self.quiet => format!("{}\n", report.answer()),
            () if self.verbose => report.text() + &details(&measured.results),
            () => report.text(),
        };
        print(&text);
        report
    }

    /// The place that accepted results come from: the user's choice, or else the runner that measures, if it has any, or else the project's folder.
    fn effective_location(&self, location: HistoryLocation, runner: Option<&RunnerSession>) -> Result<HistoryLocation> {
        Ok(match runner {
            Some(runner) if !self.location.is_chosen() && runner.has_history()? => {
                HistoryLocation::Runner(runner.connection().clone())
            }
            _ => location,
        })
    }

    fn settings(&self, project: &Project) -> CheckSettings {
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
            commit: project.commit.clone(),
        }
    }

    fn plan(&self, checks: Vec<PlannedCheck>, confidence: f64) -> CheckPlan {
        CheckPlan {
            checks,
            re_measure: self.re_measure,
            rule: ComparisonRule { confidence, test: self.test },
            least_confidence: self.least_confidence,
        }
    }
}

/// From now on, an interruption ends the program with the status of a failure. The results of completed measurements are stored already, and the
/// processes of the current one end with this program.
fn handle_interruptions() {
    let handler = || {
        anstream::eprintln!("\ninterrupted. The results of any completed measurements can be accepted");
        process::exit(FAILED.into());
    };
    // Without a handler, an interruption ends the program with another status.
    if let Err(error) = ctrlc::set_handler(handler) {
        anstream::eprintln!("warning: interruptions cannot be handled: {error}");
    }
}
