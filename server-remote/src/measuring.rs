//! The measuring thread: job after job, on one core.
//!
//! One thread for as long as the runner lives: children die with the thread that started them.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use benchbook_host::child::{MeasurementEvent, MeasurementOrder, StopHandle, SuiteError};
use benchbook_host::response::{Point, Response};
use benchbook_host::sample::measurement::Progress;

use crate::answer::{Assembly, complete};
use crate::ask::Ask;
use crate::error::ApiError;
use crate::hub::Running;
use crate::runner::Runner;
use crate::store::{NewResult, StoreError};

/// Measures until the hub is closed. Blocks.
pub fn measure_all(runner: &Runner) {
    while let Some(running) = runner.hub.wait_for_job() {
        let ask = running.work().clone();
        let span = tracing::info_span!("measurement", functions = ?ask.question.functions, priority = ask.plan.request().priority.number());
        let _entered = span.enter();
        match measure(runner, &running, &ask) {
            Ok(assembly) => {
                runner.counted.count_done(&assembly.points);
                tracing::info!(points = assembly.points.len(), stored = assembly.started.stored, "done");
                running.done(assembly.done(&ask));
            }
            Err(Unmeasured::Unwanted) => {
                tracing::info!("stopped, since nobody waits for it");
                running.failed("It was stopped.".to_owned());
            }
            Err(Unmeasured::Failed(reason)) => {
                runner.counted.count_failed();
                tracing::error!("{reason}");
                running.failed(reason);
            }
        }
    }
}

/// Why a job has no answer.
enum Unmeasured {
    /// Nobody waits for it.
    Unwanted,
    /// What happened and what to do.
    Failed(String),
}

fn measure(runner: &Runner, running: &Running<Ask>, ask: &Ask) -> Result<Assembly, Unmeasured> {
    let reach = |error: StoreError| {
        tracing::error!("{error}");
        Unmeasured::Failed(ApiError::from(error).to_string())
    };
    let found = runner.store.find(&ask.question).map_err(reach)?;
    let mut assembly = Assembly::new(runner, ask, found);
    running.started(assembly.started.clone());
    assembly.points.iter().for_each(|point| running.point(point.clone()));
    let missing = assembly.missing(ask);
    if missing.is_empty() {
        return Ok(assembly);
    }
    let Measured { response, unmeasured } = order(runner, running, ask, &missing, assembly.started.stored);
    // What is done of a broken-off one need not be measured again, and nobody is told `done` before it is on disk.
    if !response.points.is_empty() {
        let points = response.points.clone();
        let number = runner.store.add(&new_result(runner, ask, response)).map_err(reach)?;
        runner.kept.outdate();
        assembly.add(number, points);
    }
    unmeasured.map_or(Ok(assembly), Err)
}

fn new_result(runner: &Runner, ask: &Ask, mut response: Response) -> NewResult {
    // Who asked is nobody's else: by this name all that a client asked can be taken back.
    response.request.client.clear();
    NewResult { response, machine: runner.identity.clone(), axis: ask.question.axis.clone(), seed: ask.question.seed }
}

/// What came of an order.
struct Measured {
    /// All of it, or the axis values that were done.
    response: Response,
    /// Why the rest was not.
    unmeasured: Option<Unmeasured>,
}

/// Has the axis values measured that are not stored.
fn order(runner: &Runner, running: &Running<Ask>, ask: &Ask, missing: &[f64], stored: usize) -> Measured {
    let stop = StopHandle::default();
    let unwanted = stop.clone();
    running.on_unwanted(move || unwanted.stop());
    let order =
        MeasurementOrder { plan: &ask.plan, quality: &ask.quality, only: Some(missing), machine: &runner.name, stop };
    let mut points: Vec<Point> = Vec::new();
    let tell = |told: MeasurementEvent<'_>| match told {
        MeasurementEvent::Progress(mut progress) => {
            progress.done += stored;
            progress.of += stored;
            running.progress(progress);
        }
        MeasurementEvent::Point(point) => {
            running.point(point.clone());
            points.push(point.clone());
        }
    };
    // The first answer may take long, and those who wait are to hear that it was begun.
    running.progress(Progress { done: stored, of: ask.points(), x: missing[0], outlook: None });
    let native = &runner.suites[ask.suite].native;
    let unmeasured = match native.measure(&order, tell) {
        Ok(response) => return Measured { response, unmeasured: None },
        Err(SuiteError::Stopped) => Unmeasured::Unwanted,
        Err(other) => {
            // Why tells of this machine's files.
            tracing::error!("{other}");
            Unmeasured::Failed(format!(
                "The suite {} cannot be started: this runner's log says why, and whoever runs it must mend that.",
                native.suite().name
            ))
        }
    };
    let points = complete(ask.question.functions.len(), points);
    Measured { response: native.response(&order, points), unmeasured: Some(unmeasured) }
}

/// Starts the measuring thread, which ends when the hub is closed.
///
/// # Errors
/// Where the system gives no thread.
pub fn start(runner: Arc<Runner>) -> std::io::Result<std::thread::JoinHandle<()>> {
    let measuring = move || {
        // A panic fails the job at work; those that wait get their turn all the same.
        while panic::catch_unwind(AssertUnwindSafe(|| measure_all(&runner))).is_err() {
            runner.counted.count_failed();
            tracing::error!("the measuring thread panicked, and goes on");
        }
    };
    std::thread::Builder::new().name("measuring".to_owned()).spawn(measuring)
}
