//! `cargo benchbook check` and `accept`: measures functions, and compares them with accepted results.

mod accept;
mod compared;
mod groups;
mod history;
mod history_location;
mod last_check;
mod measured;
mod planned;
mod report;
mod run;
mod runner_results;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use benchbook_host::history::AcceptedResult;
use benchbook_server::history::ReadHistory;

pub(crate) use self::accept::{AcceptOptions, accept};
use self::compared::ComparedRun;
use self::groups::{CheckGroups, CheckMode};
pub(crate) use self::history::{HistoryOptions, history};
use self::history_location::LocationOptions;
pub(crate) use self::history_location::history_folder;
use self::planned::{CheckSettings, PlannedCheck};
use self::report::CheckReport;
use self::run::CheckRun;
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
is wrong. With --strict, undecided comparisons exit with 1, too.")]
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
    /// The probability that a run reports no change if nothing has changed: 90% to 99.9%
    #[arg(long, value_name = "PERCENT", value_parser = confidence, default_value = "99%")]
    confidence: f64,
    /// Stop measuring a point when the 95 % interval of its mean is within ± this percentage [default: 2%]
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
    #[command(flatten)]
    location: LocationOptions,
    /// Fail also if it is undecided whether a function has become slower
    #[arg(long)]
    strict: bool,
    /// Print the report as JSON
    #[arg(long, group = "format")]
    json: bool,
    /// Print the report as Markdown, for a pull request
    #[arg(long, group = "format")]
    markdown: bool,
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
        let location = self.location.location(&project).map_err(CheckError::Usage)?;
        let suites = project.open().map_err(CheckError::Failed)?;
        let checks = planned::checks(&suites, &self.names, &groups, &self.settings()).map_err(CheckError::Usage)?;
        // Before the measurements: a runner may be unreachable.
        let history = location.read().map_err(CheckError::Failed)?;
        let report = self.check(&project, &checks, &history);
        let text = match () {
            () if self.json => report.json(),
            () if self.markdown => report.markdown(),
            () => report.text(),
        };
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
            minimum_effect: self.minimum_effect,
        }
    }

    fn check(&self, project: &Project, checks: &[PlannedCheck<'_>], history: &ReadHistory) -> CheckReport {
        for problem in &history.problems {
            anstream::eprintln!("warning: {problem}");
        }
        let accepted: Vec<&AcceptedResult> = history.results().collect();
        let mut run = CheckRun::of(project, checks);
        let mut compared = ComparedRun::of(&run.results, &accepted, self.confidence);
        if compared.has_slower() {
            anstream::eprintln!("Measuring again, to confirm that functions have become slower.");
            let first = run.results.clone();
            run.measure_again(project, &compared.slower());
            compared.confirm(&ComparedRun::of(&run.results, &accepted, self.confidence));
            run.results = first;
        }
        CheckReport::new(compared, &run.results, run.failures, self.confidence)
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
    // 99.9 / 100 is greater than 0.999.
    let is_valid = (0.9..0.999 + f64::EPSILON).contains(&ratio);
    is_valid.then_some(ratio).context("expected 90% to 99.9%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_checked() {
        assert_eq!(["90%", "99%"].map(|text| confidence(text).ok()), [Some(0.9), Some(0.99)]);
        assert!(confidence("99.9%").is_ok());
        assert!(["89%", "99.95%", "99"].iter().all(|text| confidence(text).is_err()));
    }
}
