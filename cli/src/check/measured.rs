//! Measures the functions of a check.

use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use anyhow::Result;
use benchbook_host::history::{Benchmark, BuildOrigin, CheckedPoint, CheckedResult, MachineClass};
use benchbook_host::response::{MeasuredPoint, Outcome, Response};
use benchbook_host::units::axis_value;
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
        let mut measured_check = MeasuredCheck { results: Vec::new(), failures: failures(&response) };
        for &metric in self.mode.metrics() {
            let (points, doubtful): (Vec<CheckedPoint>, Vec<CheckedPoint>) =
                points(&response, |point| metric.means(point)).into_iter().partition(is_comparable);
            let names = doubtful.iter().map(|point| axis_value(&point.x)).collect::<Vec<_>>().join(", ");
            if !doubtful.is_empty() {
                let function = request.functions.concat();
                measured_check.failures.push(format!(
                    "the {metric} of `{function}` is below the resolution, or fewer than two processes measured it: {names}"
                ));
            }
            if !points.is_empty() {
                measured_check.results.push(CheckedResult {
                    benchmark: benchmark(metric),
                    machine: machine.clone(),
                    build: origin.clone(),
                    measured,
                    points,
                });
            }
        }
        Ok(measured_check)
    }
}

/// Whether the means of its processes can be compared.
fn is_comparable(point: &CheckedPoint) -> bool {
    point.means.len() >= 2 && point.means.iter().sum::<f64>() > 0.0
}

/// The points that were measured, in the order of the axis.
fn points(response: &Response, means: impl Fn(&MeasuredPoint) -> Vec<f64>) -> Vec<CheckedPoint> {
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

/// The commit in a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Commit {
    /// Absent without git, or outside a repository.
    hash: Option<String>,
    /// Whether files differ from it.
    dirty: bool,
}

impl Commit {
    /// The commit that is checked out in a folder.
    pub(super) fn in_folder(folder: &Path) -> Self {
        let hash = git(folder, &["rev-parse", "HEAD"]);
        // New files include the accepted results themselves.
        let changed = git(folder, &["status", "--porcelain", "--untracked-files=no"]);
        Self { hash, dirty: changed.is_some_and(|files| !files.is_empty()) }
    }
}

/// What git prints in a folder, without the final line end; `None` if it fails.
pub(super) fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
