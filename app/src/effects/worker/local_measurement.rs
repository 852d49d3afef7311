//! A measurement in this browser: its workers, its time limit and its events.

use std::collections::VecDeque;

use benchbook_contract::protocol::HostMessage;
use benchbook_host::response::Point;
use benchbook_host::sample::first_call_series::FirstCallSeries;
use benchbook_host::sample::measurement::{Measurement, Progress};
use benchbook_host::sample::series::MeasurementSeries;
use gloo::timers::callback::Timeout;
use yew::Callback;

use super::first_call_run::FirstCallRun;

/// The shortest time between two progress events without a new point, in milliseconds: a suite responds far more often
/// than a user can read.
const PROGRESS_MS: f64 = 100.0;

/// An event of a measurement.
#[derive(Clone, Debug)]
pub(crate) enum HostEvent {
    /// The measurement progressed.
    Progressed(Progress),
    /// The tab is hidden: the measurement is paused until [`LocalHost::resume`](super::local::LocalHost::resume).
    Paused,
    /// The tab is shown again: the measurement can be resumed.
    Shown,
    /// Points were completed.
    Measured(Vec<Point>),
    /// All points were completed and reported. Contains the failed points.
    Finished(Vec<Point>),
    /// The measurement cannot continue. Contains a sentence with the reason.
    Failed(String),
}

/// A measurement in progress.
pub(crate) struct LocalMeasurement {
    pub(super) series: Box<MeasurementSeries>,
    pub(crate) on_event: Callback<HostEvent>,
    /// The time of the last progress event, in milliseconds of the browser's clock.
    reported_at: f64,
    /// The time limit of the suite's next reply; `None` while paused or compiling.
    timeout: Option<Timeout>,
    is_paused: bool,
    /// The number of the module's variant that is being compiled for the next worker.
    compiling: Option<u32>,
    /// The complete points whose first calls follow.
    waiting: VecDeque<(Point, FirstCallSeries)>,
    /// The first calls in progress. The worker of the series waits meanwhile.
    pub(super) first_calls: Option<Box<FirstCallRun>>,
}

/// What a measurement needs after an event.
pub(crate) struct NextStep {
    /// The messages for the worker.
    pub(crate) messages: Vec<HostMessage>,
    /// The events to report after the messages were sent.
    pub(crate) events: Vec<HostEvent>,
    pub(crate) worker: NextWorker,
}

/// The worker after an event.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NextWorker {
    /// The measurement continues in the same worker.
    Same,
    /// The measurement continues in a new worker.
    New,
    /// First calls follow, in workers of their own.
    ForFirstCalls,
    /// The measurement is done.
    None,
}

impl LocalMeasurement {
    /// Creates a measurement that waits for [`LocalMeasurement::run`].
    pub(super) fn new(series: MeasurementSeries, on_event: Callback<HostEvent>) -> Self {
        let series = Box::new(series);
        Self {
            series,
            on_event,
            reported_at: 0.0,
            timeout: None,
            is_paused: false,
            compiling: None,
            waiting: VecDeque::new(),
            first_calls: None,
        }
    }

    /// Ends the pause. Unless a module is being compiled or first calls follow, also starts the time limit with `start`, which
    /// receives its length in milliseconds. Returns whether the measurement runs.
    pub(crate) fn run(&mut self, start: impl FnOnce(f64) -> Timeout) -> bool {
        self.is_paused = false;
        let runs = self.compiling.is_none() && self.first_calls.is_none();
        if runs {
            self.timeout = Some(start(self.series.measurement().timeout_ms()));
        }
        runs
    }

    /// Begins the first calls of the next point that waits for them. Returns `false` if there is none.
    pub(crate) fn begin_first_calls(&mut self) -> bool {
        self.first_calls = self.waiting.pop_front().map(|(point, series)| Box::new(FirstCallRun::new(point, series)));
        self.timeout = self.timeout.take().filter(|_| self.first_calls.is_none());
        self.first_calls.is_some()
    }

    /// Pauses, and discards the samples of the current point and the suite's late messages.
    pub(crate) fn pause(&mut self) {
        (self.timeout, self.is_paused) = (None, true);
        if let Some(first_calls) = &mut self.first_calls {
            first_calls.pause();
        }
        self.series.measurement_mut().restart_point();
    }

    /// Waits for a variant of the module.
    pub(crate) fn wait_for_variant(&mut self, variant: u32) {
        (self.timeout, self.compiling) = (None, Some(variant));
    }

    /// Notes that a variant of the module was compiled. Returns whether the measurement was waiting for it.
    pub(crate) fn end_wait(&mut self, variant: u32) -> bool {
        self.compiling.take_if(|compiling| *compiling == variant).is_some()
    }

    /// Whether the measurement is paused: from when its tab is hidden until it resumes.
    pub(crate) fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Applies a reply to the measurement. If `apply` returns `true` and the measurement runs, the time limit starts again.
    pub(crate) fn apply(&mut self, apply: impl FnOnce(&mut Measurement) -> bool, start: impl FnOnce(f64) -> Timeout) {
        if apply(self.series.measurement_mut()) && self.timeout.is_some() {
            self.timeout = Some(start(self.series.measurement().timeout_ms()));
        }
    }

    /// Returns the next step, or `None` while the measurement waits. Without a new point, progress is reported only if the
    /// suite responded or ended.
    pub(crate) fn next_step(&mut self, has_response: bool) -> Option<NextStep> {
        let is_done = self.series.measurement().is_done();
        if self.timeout.is_none() && !is_done || self.compiling.is_some() || self.first_calls.is_some() {
            return None;
        }
        let mut events = self.new_events(has_response);
        if !self.waiting.is_empty() {
            return Some(NextStep { messages: Vec::new(), events, worker: NextWorker::ForFirstCalls });
        }
        let messages = self.series.measurement_mut().messages();
        let worker = if !self.series.measurement().is_done() {
            NextWorker::Same
        } else if self.series.begin_next() {
            NextWorker::New
        } else {
            events.push(HostEvent::Finished(self.failed_points()));
            NextWorker::None
        };
        Some(NextStep { messages, events, worker })
    }

    fn failed_points(&self) -> Vec<Point> {
        self.series.points().iter().filter(|point| point.measured().is_none()).cloned().collect()
    }

    /// The events since the last call.
    fn new_events(&mut self, has_response: bool) -> Vec<HostEvent> {
        let (points, now) = (self.series.new_points(), js_sys::Date::now());
        let mut events = Vec::new();
        if !points.is_empty() || (has_response && now - self.reported_at >= PROGRESS_MS) {
            self.reported_at = now;
            events.push(HostEvent::Progressed(self.series.progress()));
        }
        for point in &points {
            self.waiting.extend(self.series.first_calls(point).map(|series| (point.clone(), series)));
        }
        if !points.is_empty() {
            events.push(HostEvent::Measured(points));
        }
        events
    }
}
