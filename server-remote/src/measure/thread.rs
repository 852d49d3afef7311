//! The measurement thread: runs one job after the other, on one core.
//!
//! The runner has a single measurement thread for its whole lifetime, since child processes are killed when the thread
//! that started them ends.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::{Duration, Instant};

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::child::{MeasurementEvent, MeasurementTask, StopHandle, SuiteError};
use benchbook_host::repeatability::{MachineHistory, PastMeasurements};
use benchbook_host::response::{Point, Response};
use benchbook_host::sample::measurement::Progress;

use crate::hub::{RunningJob, Task};
use crate::measure::assembly::{Assembly, retain_complete};
use crate::measure::counting::Counting;
use crate::measure::planned_request::PlannedRequest;
use crate::measure::runner::Runner;
use crate::measure::work::{BegunMeasurement, MeasurementWork};
use crate::store::{NewResult, now_ms};

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
    while let Some(task) = runner.hub.next_task() {
        match task {
            Task::Job(job) => {
                let _turn = runner.core.measure();
                run_turn(runner, job);
            }
            Task::Abandoned(work) => store_rest(runner, work),
        }
    }
}

/// Runs a turn of a job.
fn run_turn(runner: &Runner, mut job: RunningJob<MeasurementWork>) {
    let request = job.work().request.clone();
    let priority = request.plan.request().priority.number();
    let span = tracing::info_span!("measurement", functions = ?request.query.functions, priority);
    let _entered = span.enter();
    runner.metrics.count_turn();
    loop {
        match measure(runner, &mut job, &request) {
            Ok(TurnOutcome::Paused { remaining_ms }) => match job.pause(remaining_ms) {
                Ok(()) => return tracing::debug!("paused"),
                // Its last client has just left, so the next attempt stops at once.
                Err(unwanted) => job = unwanted,
            },
            Ok(TurnOutcome::Complete(assembly)) => {
                runner.metrics.count_measurement(&assembly.points);
                tracing::info!(points = assembly.points.len(), stored = assembly.started.stored, "done");
                return job.succeed(assembly.done(&request));
            }
            Err(MeasureError::Unwanted) => {
                runner.metrics.count_stop();
                tracing::info!("stopped: no client is waiting for it, or the runner is shutting down");
                return job.fail("The measurement was stopped.".to_owned());
            }
            Err(MeasureError::Failed(reason)) => {
                runner.metrics.count_failure();
                tracing::error!("{reason}");
                return job.fail(reason);
            }
        }
    }
}

/// Stores the complete points of a paused measurement that no client waits for any more.
fn store_rest(runner: &Runner, work: MeasurementWork) {
    let MeasurementWork { request, begun: Some(begun) } = work else { return };
    tracing::info!(functions = ?request.query.functions, "stopped while it was paused: no client is waiting for it");
    if let Err(MeasureError::Failed(reason)) = store_points(runner, &request, begun) {
        tracing::error!("{reason}");
    }
}

/// What a turn leads to.
enum TurnOutcome {
    /// All points are reported and stored.
    Complete(Box<Assembly>),
    /// The job needs further turns.
    Paused { remaining_ms: u64 },
}

/// Why a job has no result.
enum MeasureError {
    /// No client is waiting for it, or the runner is shutting down.
    Unwanted,
    /// The problem and how to fix it.
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
    job: &mut RunningJob<MeasurementWork>,
    request: &PlannedRequest,
) -> Result<TurnOutcome, MeasureError> {
    let begun = match job.work_mut().begun.take() {
        Some(begun) => begun,
        None => {
            let assembly = find_stored(runner, job, request)?;
            let missing = assembly.missing(request);
            if missing.is_empty() {
                return Ok(TurnOutcome::Complete(Box::new(assembly)));
            }
            begin(runner, request, assembly, missing)
        }
    };
    let (begun, outcome) = measure_turn(runner, job, request, begun);
    match outcome {
        Ok(true) => store_points(runner, request, begun).map(|assembly| TurnOutcome::Complete(Box::new(assembly))),
        Ok(false) => {
            let share = begun.series.remaining_share();
            let points = begun.missing.len() as f64 / request.query.xs.len() as f64;
            let measuring_ms = (share * points * runner.costs.expected_ms(request) as f64).ceil() as u64;
            let remaining_ms = begun.counting.as_ref().map_or(measuring_ms, Counting::remaining_ms);
            job.work_mut().begun = Some(begun);
            Ok(TurnOutcome::Paused { remaining_ms })
        }
        // Stores the complete points of a stopped measurement too.
        Err(error) => store_points(runner, request, begun).and(Err(error)),
    }
}

/// Finds and reports the stored points.
fn find_stored(
    runner: &Runner,
    job: &RunningJob<MeasurementWork>,
    request: &PlannedRequest,
) -> Result<Assembly, MeasureError> {
    let found = if request.is_fresh() { Ok(Vec::new()) } else { runner.store.find(&request.query) };
    let found = found.map_err(|error| MeasureError::internal("Cannot read the stored results.", &error))?;
    let assembly = Assembly::new(&runner.setup, request, found);
    job.report_start(assembly.started.clone());
    assembly.points.iter().for_each(|point| job.report_point(point.clone()));
    Ok(assembly)
}

/// Prepares a measurement of the axis values that are not stored.
fn begin(runner: &Runner, request: &PlannedRequest, assembly: Assembly, missing: Vec<AxisValue>) -> BegunMeasurement {
    let native = &request.suite.native;
    let history = runner.store.history(&runner.setup.identity).unwrap_or_else(|error| {
        tracing::warn!("cannot read the history of this machine, so results say nothing about another day: {error}");
        MachineHistory::default()
    });
    let past = Arc::new(history).at(&native.card().fingerprint, now_ms() as f64 / 1e3);
    let series = native.begin(&task(runner, request, &missing, &past, StopHandle::default()));
    BegunMeasurement { assembly, missing, series, elapsed: Duration::ZERO, past, counting: None }
}

fn task<'a>(
    runner: &'a Runner,
    request: &'a PlannedRequest,
    missing: &'a [AxisValue],
    past: &PastMeasurements,
    stop: StopHandle,
) -> MeasurementTask<'a> {
    let machine = &runner.setup.name;
    let builds = request.builds.iter().map(|build| (build.build_id(), build.native.program())).collect();
    let task = MeasurementTask::new(&request.plan, &request.quality, machine);
    MeasurementTask { only: Some(missing), builds, past: past.clone(), stop, ..task }
}

/// Stores the complete points that were measured, unless their quality is the client's own, and adds them to the stored ones. `done` is sent
/// only after the result is on disk.
fn store_points(runner: &Runner, request: &PlannedRequest, begun: BegunMeasurement) -> Result<Assembly, MeasureError> {
    let BegunMeasurement { mut assembly, missing, series, past, counting, .. } = begun;
    let is_complete = series.is_done();
    let points = counting.map_or_else(|| series.points().to_vec(), Counting::into_points);
    // In a measurement that was stopped, points at an axis value may be missing.
    let points = if is_complete { points } else { retain_complete(request.query.functions.len(), points) };
    record(runner, request, &past, &points);
    if request.has_own_quality {
        assembly.points.extend(points);
    } else if !points.is_empty() {
        let native = &request.suite.native;
        let response = native.response(&task(runner, request, &missing, &past, StopHandle::default()), points.clone());
        let id = runner.store.add(&new_result(runner, request, response));
        let id = id.map_err(|error| MeasureError::internal("Cannot store the result.", &error))?;
        assembly.add(id, points);
    }
    Ok(assembly)
}

/// Records the measured points in the history of this machine. Without it, results say less about another day, and are as good as before.
fn record(runner: &Runner, request: &PlannedRequest, past: &PastMeasurements, points: &[Point]) {
    let machine = &runner.setup.identity;
    let recorded = runner.store.history(machine).and_then(|mut history| {
        history.record(past, request.plan.request(), points);
        runner.store.keep_history(machine, &history)
    });
    if let Err(error) = recorded {
        tracing::warn!("cannot store the history of this machine: {error}");
    }
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

/// Measures, and then counts, until the end of the turn. Returns whether all points are measured, and counted if they are to be.
fn measure_turn(
    runner: &Runner,
    job: &RunningJob<MeasurementWork>,
    request: &PlannedRequest,
    mut begun: BegunMeasurement,
) -> (BegunMeasurement, Result<bool, MeasureError>) {
    let turn = Duration::from_millis(runner.costs.turn_ms(request));
    let stop = StopHandle::default();
    let stop_handle = stop.clone();
    job.on_unwanted(move || stop_handle.stop());
    let should_pause = || job.should_pause(turn) || runner.core.is_awaited();
    let outcome = measure_and_count(runner, job, request, &mut begun, &stop, should_pause);
    (begun, outcome)
}

/// Measures all points, and then counts them if they are to be counted, until `should_pause` returns true. Returns whether both are complete.
fn measure_and_count(
    runner: &Runner,
    job: &RunningJob<MeasurementWork>,
    request: &PlannedRequest,
    begun: &mut BegunMeasurement,
    stop: &StopHandle,
    should_pause: impl Fn() -> bool,
) -> Result<bool, MeasureError> {
    if begun.counting.is_none() {
        let is_measured = measure_points(runner, job, request, begun, stop, &should_pause)?;
        if !is_measured || !request.query.wasm_instructions {
            return Ok(is_measured);
        }
    }
    let points = || begun.series.points().to_vec();
    let counting = begun.counting.get_or_insert_with(|| Counting::new(request, points()));
    let is_complete = counting.run_turn(job, request, stop, should_pause);
    if stop.is_stopped() { Err(MeasureError::Unwanted) } else { Ok(is_complete) }
}

/// Measures until all points are measured, or `should_pause` returns true after an axis value. Returns whether all are measured.
fn measure_points(
    runner: &Runner,
    job: &RunningJob<MeasurementWork>,
    request: &PlannedRequest,
    begun: &mut BegunMeasurement,
    stop: &StopHandle,
    should_pause: impl FnMut() -> bool,
) -> Result<bool, MeasureError> {
    let start = Instant::now();
    let BegunMeasurement { missing, series, assembly, past, .. } = begun;
    let stored = assembly.started.stored;
    let report = |event: MeasurementEvent<'_>| match event {
        MeasurementEvent::Progress(mut progress) => {
            progress.done += stored;
            progress.total += stored;
            job.report_progress(progress);
        }
        MeasurementEvent::Point(point) => job.report_point(point.clone()),
    };
    // The suite's first message may take long; until then, this shows that the measurement has started.
    let done = stored + series.points().len();
    job.report_progress(Progress { done, total: request.points(), x: missing[0].clone(), forecast: None });
    let native = &request.suite.native;
    let task = task(runner, request, missing, past, stop.clone());
    let outcome = native.resume(&task, series, should_pause, report).map_err(|error| match error {
        SuiteError::Stopped => MeasureError::Unwanted,
        error => MeasureError::internal(&format!("Cannot measure with the suite {}.", native.suite().name), &error),
    });
    begun.elapsed += start.elapsed();
    if matches!(outcome, Ok(true)) {
        runner.costs.record(request, begun.missing.len() * request.query.functions.len(), ms(begun.elapsed));
    }
    outcome
}

fn ms(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}
