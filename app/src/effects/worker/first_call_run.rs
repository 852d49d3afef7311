//! The first calls at a point: a fresh worker for each repetition, which compiles the suite and makes one call.

use benchbook_contract::protocol::HostMessage;
use benchbook_host::response::{Outcome, Point};
use benchbook_host::sample::ending::Ending;
use benchbook_host::sample::first_call_series::FirstCallSeries;
use gloo::timers::callback::Timeout;

use super::{SuiteWorker, WorkerEvent};

/// The shortest time between two reports of the calls so far, in milliseconds.
const REPORT_MS: f64 = 500.0;

/// The first calls at a point that is otherwise complete.
pub(super) struct FirstCallRun {
    point: Point,
    series: FirstCallSeries,
    /// The worker of the current repetition; `None` between two of them, and while paused.
    worker: Option<SuiteWorker>,
    /// The time limit of the worker's next response.
    timeout: Option<Timeout>,
    /// When the worker started, and when the point was last reported, in milliseconds of the browser's clock.
    started_at: f64,
    reported_at: f64,
}

/// The next step after an event of the worker.
pub(super) enum FirstCallStep {
    /// The worker continues.
    Continue,
    /// The next repetition needs a new worker. Contains the point with the calls so far, if it is to be reported.
    NextWorker(Option<Point>),
    /// The first calls are complete. Contains the point with all of them.
    Done(Point),
}

impl FirstCallRun {
    /// The first calls of `point`, before the first worker.
    pub(super) fn new(point: Point, series: FirstCallSeries) -> Self {
        let reported_at = js_sys::Date::now();
        Self { point, series, worker: None, timeout: None, started_at: 0.0, reported_at }
    }

    /// The time limit of a worker's response, in milliseconds.
    pub(super) fn timeout_ms(&self) -> f64 {
        self.series.timeout_ms()
    }

    /// Begins a repetition in a worker that is compiling the suite.
    pub(super) fn start(&mut self, worker: SuiteWorker, timeout: Timeout) {
        // The previous worker may have begun the repetition.
        self.series.abandon_process();
        (self.worker, self.timeout, self.started_at) = (Some(worker), Some(timeout), js_sys::Date::now());
    }

    /// Abandons the current repetition.
    pub(super) fn pause(&mut self) {
        (self.worker, self.timeout) = (None, None);
        self.series.abandon_process();
    }

    /// Handles an event of the worker. If the worker continues, the time limit starts again with `start`.
    pub(super) fn handle(&mut self, event: WorkerEvent, start: impl FnOnce(f64) -> Timeout) -> FirstCallStep {
        match event {
            WorkerEvent::Compiled(nanos) => {
                self.series.add_compilation(nanos);
                let message = self.series.begin();
                self.send(&message, start);
            }
            WorkerEvent::Message(message) => {
                if let Some(message) = self.series.handle_reply(*message) {
                    self.send(&message, start);
                }
            }
            WorkerEvent::Counters(_) | WorkerEvent::Contexts(_) | WorkerEvent::Calls(..) => {}
            WorkerEvent::Ended(reason) | WorkerEvent::Unusable(reason) => {
                self.series.handle_exit(&Ending::Died(reason), "");
            }
        }
        self.next_step()
    }

    /// Handles the end of the time limit.
    pub(super) fn handle_timeout(&mut self, ms: u32) -> FirstCallStep {
        self.series.handle_exit(&Ending::TimedOut(ms), "");
        self.next_step()
    }

    fn send(&mut self, message: &HostMessage, start: impl FnOnce(f64) -> Timeout) {
        if let Some(worker) = &self.worker {
            worker.send(message);
        }
        self.timeout = Some(start(self.series.timeout_ms()));
    }

    fn next_step(&mut self) -> FirstCallStep {
        if !self.series.is_between_processes() {
            return FirstCallStep::Continue;
        }
        let now = js_sys::Date::now();
        // The system may set its clock back.
        self.series.add_elapsed((now - self.started_at).max(0.0));
        (self.worker, self.timeout) = (None, None);
        if self.series.is_done() {
            return FirstCallStep::Done(self.point_so_far());
        }
        let is_due = now - self.reported_at >= REPORT_MS;
        if is_due {
            self.reported_at = now;
        }
        FirstCallStep::NextWorker(is_due.then(|| self.point_so_far()))
    }

    /// The point with the calls so far.
    fn point_so_far(&self) -> Point {
        let mut point = self.point.clone();
        if let Outcome::Measured(measured) = &mut point.outcome {
            measured.first_calls = Some(self.series.clone().into_first_calls());
        }
        point
    }
}
