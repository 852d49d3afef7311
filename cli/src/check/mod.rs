//! `cargo benchbook check` and `accept`: measures functions, and compares them with accepted results.

mod accept;
mod compared;
mod folder;
mod groups;
mod last_check;
mod measured;
mod planned;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};

pub(crate) use self::accept::{AcceptOptions, accept};
use self::compared::{ComparedRun, ResultToCompare};
use self::folder::HistoryFolder;
use self::groups::{CheckGroups, CheckMode};
use self::last_check::LastCheck;
use self::measured::Commit;
use self::planned::{CheckSettings, PlannedCheck};
use self::report::CheckReport;
use crate::arguments::{self, SetArgument};
use crate::project::{Project, SuiteOptions};

/// A function has become slower.
const REGRESSION: u8 = 1;

/// A measurement failed.
const FAILED: u8 = 3;

/// The command line is wrong: `EX_USAGE` of sysexits.h.
pub(crate) const USAGE: u8 = 64;

/// Measure functions, compare them with accepted results, and fail if one has become slower
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook check                     every function, with its default workload
  cargo benchbook check quick               the functions of the group [groups.quick] in benchbook.toml
  cargo benchbook check sort --set size=1k  the functions whose path contains \"sort\"
  cargo benchbook accept --note \"new hash\"  accept the results of the last check

Exit status: 0 if no function has become slower, 1 if one has, 3 if a measurement failed, 64 if the command line or benchbook.toml
is wrong. With --strict, an undecided comparison counts as slower.")]
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
    /// The probability that none of the changes of a run is a false alarm: 90% to 99.9%
    #[arg(long, value_name = "PERCENT", value_parser = confidence, default_value = "99%")]
    confidence: f64,
    /// Stop measuring a point when the 95 % interval of its mean is within ± this percentage [default: 2%]
    #[arg(long, value_name = "PERCENT", value_parser = arguments::precision)]
    precision: Option<f64>,
    /// The least change that counts [default: 1%]
    #[arg(long, value_name = "PERCENT", value_parser = arguments::precision)]
    least_effect: Option<f64>,
    /// The number of processes that measure each function: the independent samples
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(2..=100), default_value_t = 10)]
    samples: u32,
    /// Measure each point for at most this time, all processes together
    #[arg(long, value_name = "TIME", value_parser = arguments::time, default_value = "3s")]
    time_out: Duration,
    /// The folder of accepted results [default: benchbook/history in cargo's output folder]
    #[arg(long, value_name = "DIR")]
    history: Option<PathBuf>,
    /// Fail also if it is undecided whether a function has become slower
    #[arg(long)]
    strict: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
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
    let (error, status) = match options.run() {
        Ok(report) => return ExitCode::from(options.status(&report)),
        Err(CheckError::Usage(error)) => (error, USAGE),
        Err(CheckError::Failed(error)) => (error, FAILED),
    };
    anstream::eprintln!("error: {error:#}");
    ExitCode::from(status)
}

impl CheckOptions {
    fn run(&self) -> Result<CheckReport, CheckError> {
        let project = self.suites.project().map_err(CheckError::Usage)?;
        let groups = CheckGroups::of(&project).map_err(CheckError::Usage)?;
        let suites = project.open().map_err(CheckError::Failed)?;
        let checks = planned::checks(&suites, &self.names, &groups, &self.settings()).map_err(CheckError::Usage)?;
        let report = self.check(&project, &checks).map_err(CheckError::Failed)?;
        let text = if self.json { report.json() } else { report.text() };
        anstream::print!("{text}");
        Ok(report)
    }

    fn settings(&self) -> CheckSettings {
        CheckSettings {
            set: self.set.clone(),
            samples: self.samples,
            time_out: self.time_out,
            precision: self.precision,
            mode: self.mode,
            least_effect: self.least_effect,
        }
    }

    fn check(&self, project: &Project, checks: &[PlannedCheck<'_>]) -> Result<CheckReport> {
        let history = HistoryFolder::of(project, self.history.as_deref()).read();
        for problem in &history.problems {
            anstream::eprintln!("warning: {problem}");
        }
        let commit = Commit::current();
        let mut last = LastCheck::default();
        let (mut results, mut failures) = (Vec::new(), Vec::new());
        // The number of the check of each result.
        let mut origins = Vec::new();
        for (number, check) in checks.iter().enumerate() {
            let measured = check.measure(number, &commit)?;
            failures.extend(measured.failures);
            for result in measured.results {
                last.results.push(result.clone());
                results.push(ResultToCompare { result, least_effect: check.least_effect });
                origins.push(number);
            }
            // If the check is interrupted, the completed measurements remain.
            last.write(project)?;
        }
        let mut run = ComparedRun::of(&results, &history.results, self.confidence);
        let slower = run.slower();
        if !slower.is_empty() {
            anstream::eprintln!("Measuring again, to confirm that functions have become slower.");
            let mut again = results.clone();
            let mut numbers: Vec<usize> = slower.iter().map(|&index| origins[index]).collect();
            numbers.dedup();
            for number in numbers {
                let of_check = (0..results.len()).filter(|&index| origins[index] == number);
                let measured = checks[number].measure(checks.len() + number, &commit)?;
                for (index, result) in of_check.zip(measured.results) {
                    again[index].result = result;
                }
            }
            run.confirm(&ComparedRun::of(&again, &history.results, self.confidence));
        }
        Ok(CheckReport::new(run, &results, failures, self.confidence))
    }

    fn status(&self, report: &CheckReport) -> u8 {
        match () {
            () if report.has_regression() || (self.strict && report.is_undecided()) => REGRESSION,
            () if report.has_failed() => FAILED,
            () => 0,
        }
    }
}

/// A confidence such as `99%`. Returns the ratio.
fn confidence(text: &str) -> Result<f64> {
    let ratio = arguments::precision(text).map_err(anyhow::Error::msg)?;
    let is_valid = (0.9..=0.999).contains(&ratio);
    is_valid.then_some(ratio).context("expected 90% to 99.9%")
}
