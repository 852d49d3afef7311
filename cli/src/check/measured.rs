//! Measures the functions of a check.

use std::process::Command;
use std::time::SystemTime;

use anyhow::Result;
use benchbook_host::history::{Benchmark, BuildOrigin, CheckedPoint, CheckedResult, MachineClass};
use benchbook_host::response::{Outcome, Response};
use benchbook_notebook::id::Id;
use benchbook_server::machine::current_card;
use benchbook_terminal::measurement::host_name;

use super::planned::PlannedCheck;

/// The results of a check, one for each metric, and the points that failed.
#[derive(Debug)]
pub(super) struct MeasuredCheck {
    pub(super) results: Vec<CheckedResult>,
    /// A sentence for each.
    pub(super) failures: Vec<String>,
}

impl PlannedCheck<'_> {
    /// Measures.
    ///
    /// # Errors
    /// If the suite can no longer be started.
    pub(super) fn measure(&self, number: usize, commit: &Commit) -> Result<MeasuredCheck> {
        let name = host_name();
        let (response, _) = self.measurement.run_with(&self.quality, &name, Id::from_random(number as u64))?;
        let request = self.measurement.plan.request();
        let build = &self.measurement.suite.card().build;
        let benchmark = |metric| Benchmark {
            suite: request.suite.clone(),
            function: request.functions.concat(),
            generator: request.generator.clone(),
            arguments: request.arguments.clone(),
            inputs: self.measurement.generator.source_hash.clone(),
            metric,
        };
        let origin = BuildOrigin {
            fingerprint: self.measurement.suite.card().fingerprint.clone(),
            commit: commit.hash.clone(),
            dirty: commit.dirty,
            compiler: build.compiler().to_owned(),
        };
        let machine = MachineClass::of(&current_card(&name, None), &build.target, false);
        let measured = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let metrics = self.mode.metrics().iter();
        let results = metrics.map(|&metric| CheckedResult {
            benchmark: benchmark(metric),
            machine: machine.clone(),
            build: origin.clone(),
            measured,
            points: points(&response, |point| metric.means(point)),
        });
        Ok(MeasuredCheck { results: results.collect(), failures: failures(&response) })
    }
}

/// The points that were measured, in the order of the axis.
fn points(
    response: &Response,
    means: impl Fn(&benchbook_host::response::MeasuredPoint) -> Vec<f64>,
) -> Vec<CheckedPoint> {
    let measured = response.points.iter().filter_map(|point| Some((&point.x, means(point.measured()?))));
    let mut points: Vec<CheckedPoint> = measured.map(|(x, means)| CheckedPoint { x: x.clone(), means }).collect();
    points.sort_by(|one, other| one.x.total_cmp(&other.x));
    points
}

fn failures(response: &Response) -> Vec<String> {
    let failed = response.points.iter().filter_map(|point| match &point.outcome {
        Outcome::Failed(failure) => Some(format!("`{}` failed: {}", point.function, failure.reason)),
        Outcome::Measured(_) => None,
    });
    failed.collect()
}

/// The commit in the current folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Commit {
    /// Absent without git, or outside a repository.
    hash: Option<String>,
    /// Whether files differ from it.
    dirty: bool,
}

impl Commit {
    /// The commit that is checked out in the current folder.
    pub(super) fn current() -> Self {
        let hash = git(&["rev-parse", "HEAD"]);
        let dirty = git(&["status", "--porcelain"]).is_some_and(|files| !files.is_empty());
        Self { hash, dirty }
    }
}

/// What git prints, without the final line end; `None` if it fails.
pub(super) fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
