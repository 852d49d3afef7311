//! The measurement thread: runs one job after the other, on one core.
//!
//! The runner has a single measurement thread for its whole lifetime, since child processes are killed when the thread
//! that started them ends.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use benchbook_host::child::{MeasurementEvent, MeasurementTask, StopHandle, SuiteError};
use benchbook_host::response::{Point, Response};
use benchbook_host::sample::measurement::Progress;

use crate::assembly::{Assembly, retain_complete};
use crate::hub::RunningJob;
use crate::planned_request::PlannedRequest;
use crate::runner::Runner;
use crate::store::NewResult;

/// Starts the measurement thread. It ends when the hub is closed.
///
/// # Errors
/// If the system cannot start a thread.
pub fn start(runner: Arc<Runner>) -> std::io::Result<std::thread::JoinHandle<()>> {
    let measure = move || {
        // A panic fails the running job; the waiting jobs still run.
        while panic::catch_unwind(AssertUnwindSafe(|| run_jobs(&runner))).is_err() {
            runner.metrics.count_failure();
            tracing::error!("the measurement thread panicked; continuing with the next job");
        }
    };
    std::thread::Builder::new().name("measuring".to_owned()).spawn(measure)
}

/// Runs jobs until the hub is closed. Blocks.
fn run_jobs(runner: &Runner) {
    while let Some(job) = runner.hub.wait_for_job() {
        let request = job.work().clone();
        let priority = request.plan.request().priority.number();
        let span = tracing::info_span!("measurement", functions = ?request.query.functions, priority);
        let _entered = span.enter();
        match measure(runner, &job, &request) {
            Ok(assembly) => {
                runner.metrics.count_measurement(&assembly.points);
                tracing::info!(points = assembly.points.len(), stored = assembly.started.stored, "done");
                job.succeed(assembly.done(&request));
            }
            Err(MeasureError::Unwanted) => {
                runner.metrics.count_stop();
                tracing::info!("stopped: no client is waiting for it, or the runner is shutting down");
                job.fail("The measurement was stopped.".to_owned());
            }
            Err(MeasureError::Failed(reason)) => {
                runner.metrics.count_failure();
                tracing::error!("{reason}");
                job.fail(reason);
            }
        }
    }
}

/// Why a job has no result.
enum MeasureError {
    /// No client is waiting for it, or the runner is shutting down.
    Unwanted,
    /// The problem and the remedy.
    Failed(String),
}

impl MeasureError {
    /// Logs `error`, and returns a reason for clients that does not contain it, since it may reveal paths of this
    /// machine.
    fn internal(problem: &str, error: &dyn std::fmt::Display) -> Self {
        tracing::error!("{error}");
        Self::Failed(format!("{problem} Contact the runner's administrator; the runner's log has the cause."))
    }
}

fn measure(
    runner: &Runner,
    job: &RunningJob<PlannedRequest>,
    request: &PlannedRequest,
) -> Result<Assembly, MeasureError> {
    let found = if request.is_fresh() { Ok(Vec::new()) } else { runner.store.find(&request.query) };
    let found = found.map_err(|error| MeasureError::internal("Cannot read the stored results.", &error))?;
    let mut assembly = Assembly::new(&runner.setup, request, found);
    job.report_start(assembly.started.clone());
    assembly.points.iter().for_each(|point| job.report_point(point.clone()));
    let missing = assembly.missing(request);
    if missing.is_empty() {
        return Ok(assembly);
    }
    let MeasureOutcome { response, error } = measure_missing(runner, job, request, &missing, assembly.started.stored);
    // Stores the complete points of a stopped measurement too. `done` is sent only after the result is on disk.
    if !response.points.is_empty() {
        let points = response.points.clone();
        let id = runner.store.add(&new_result(runner, request, response));
        let id = id.map_err(|error| MeasureError::internal("Cannot store the result.", &error))?;
        assembly.add(id, points);
    }
    error.map_or(Ok(assembly), Err)
}

fn new_result(runner: &Runner, request: &PlannedRequest, mut response: Response) -> NewResult {
    // The client's id must remain secret: with it, any other client could cancel the client's requests.
    response.request.client.clear();
    response.request.fresh = false;
    NewResult {
        response,
        machine: runner.setup.identity.clone(),
        axis: request.query.axis.clone(),
        seed: request.query.seed,
    }
}

/// The outcome of measuring the missing axis values.
struct MeasureOutcome {
    /// Contains the points of all of them, or of those that were completed before the error.
    response: Response,
    error: Option<MeasureError>,
}

/// Measures the axis values that are not stored.
fn measure_missing(
    runner: &Runner,
    job: &RunningJob<PlannedRequest>,
    request: &PlannedRequest,
    missing: &[f64],
    stored: usize,
) -> MeasureOutcome {
    let stop = StopHandle::default();
    let stop_handle = stop.clone();
    job.on_unwanted(move || stop_handle.stop());
    let machine = &runner.setup.name;
    let task = MeasurementTask { plan: &request.plan, quality: &request.quality, only: Some(missing), machine, stop };
    let mut points: Vec<Point> = Vec::new();
    let report = |event: MeasurementEvent<'_>| match event {
        MeasurementEvent::Progress(mut progress) => {
            progress.done += stored;
            progress.total += stored;
            job.report_progress(progress);
        }
        MeasurementEvent::Point(point) => {
            job.report_point(point.clone());
            points.push(point.clone());
        }
    };
    // The suite's first message may take long; until then, this shows that the measurement has started.
    job.report_progress(Progress { done: stored, total: request.points(), x: missing[0], forecast: None });
    let native = &runner.setup.suites[request.suite].native;
    let error = match native.measure(&task, report) {
        Ok(response) => return MeasureOutcome { response, error: None },
        Err(SuiteError::Stopped) => MeasureError::Unwanted,
        Err(error) => {
            MeasureError::internal(&format!("Cannot measure with the suite {}.", native.suite().name), &error)
        }
    };
    let points = retain_complete(request.query.functions.len(), points);
    MeasureOutcome { response: native.response(&task, points), error: Some(error) }
}
