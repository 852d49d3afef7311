//! A measurement: all functions of a plan at all of its axis values, in ascending or in random order.
//!
//! A pure state machine: it returns messages to send, and handles the suite's replies and its termination. A page
//! drives it with a worker, a runner with a child process.

mod replies;
mod stages;

use crate::quality::{Priority, Quality};
use crate::repeatability::PastMeasurements;
use crate::request::Plan;
use crate::response::{ClockCard, CounterAbsence, DeclaredWork, Failure, FailureKind, MachineKind, Point};
use crate::sample::agenda::Agenda;
use crate::sample::collection::PrecisionForecast;
use crate::sample::current_point::{Attribution, CurrentPoint, FunctionState, PointStage};
use crate::sample::ending::{Ending, failure};
use crate::sample::event_sampler::EventReading;
use crate::sample::sentinel::Sentinel;
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::protocol::{HostMessage, RequestFailure, SuiteMessage};
use benchbook_contract::rng::seeded;

/// The progress of a measurement.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Progress {
    /// The number of finished points, including failed ones. With several processes per point, the equivalent number.
    pub done: usize,
    /// The number of all points.
    #[serde(rename = "of")]
    pub total: usize,
    /// The current axis value; absent if the request has no axis.
    #[serde(default, skip_serializing_if = "AxisValue::is_absent")]
    pub x: AxisValue,
    /// The forecast for the current point; absent until there are enough samples.
    #[serde(rename = "outlook")]
    pub forecast: Option<PrecisionForecast>,
}

/// What is measured, and how.
#[derive(Clone, Debug)]
pub struct MeasurementSettings {
    /// The functions, the generator and its arguments.
    pub plan: Plan,
    /// The demanded precision, and the time limits. A [`MeasurementSeries`](super::series::MeasurementSeries) divides them among its
    /// processes.
    pub quality: Quality,
    /// The suite's clock.
    pub clock: ClockCard,
    /// Where the suite runs. In a browser, functions that only a native runner can measure fail without a request to the suite.
    pub kind: MachineKind,
    /// Whether the host counts events with hardware counters, or why it has none; absent where it never has. It counts whenever
    /// [`Measurement::is_counting_events`] is true.
    pub counters: Option<Result<(), CounterAbsence>>,
    /// Only these of the plan's axis values; absent: all.
    pub only: Option<Vec<AxisValue>>,
    /// Points of earlier measurements with the same arguments. What timed out is skipped: otherwise a call that never returns would cost a
    /// time-out at each priority.
    pub earlier: Vec<Point>,
    /// The seed of the order of batches and, after the first priority, of the axis values: another one for each repetition keeps effects of
    /// the order from repeating, and a drift of the machine from looking like a property of the curve. Absent: ascending axis values, and
    /// the plan's seed.
    pub seed: Option<u64>,
    /// The number of the first input set of each point. Another process that measures the same points has another one.
    pub first_input_set: u32,
    /// The number of the first slot: one that earlier measurements in the same process or worker have not used.
    pub first_slot: u32,
    /// The sentinel of an earlier measurement of the same suite on the same machine, or a new one.
    pub sentinel: Sentinel,
    /// The most milliseconds for which each function runs before it is sampled, in addition to the warm-up: a random part of them, so that what
    /// recurs in a process, or with time, is not at the same place in each process.
    pub shift_ms: f64,
    /// For how much longer the functions run at the last axis value, until they are timed once more: milliseconds for each function; 0 for not at all.
    pub later_ms: f64,
    /// The history of the machine, from which the points of a series say what another day would find.
    pub past: PastMeasurements,
}

impl MeasurementSettings {
    /// The first measurement of a native suite: all axis values, in ascending order, without counters.
    pub fn new(plan: Plan, quality: Quality, clock: ClockCard) -> Self {
        Self {
            plan,
            quality,
            clock,
            kind: MachineKind::Native,
            counters: None,
            only: None,
            earlier: Vec::new(),
            seed: None,
            first_input_set: 0,
            first_slot: 1,
            sentinel: Sentinel::new(clock),
            shift_ms: 0.0,
            later_ms: 0.0,
            past: PastMeasurements::default(),
        }
    }
}

/// The measurement of a plan.
#[derive(Clone, Debug)]
pub struct Measurement {
    plan: Plan,
    quality: Quality,
    clock: ClockCard,
    agenda: Agenda,
    current: Option<CurrentPoint>,
    /// A slot whose point is finished or abandoned, and whose `close` is not sent yet.
    closing: Option<u32>,
    /// The slot of the next workload. Each number is used once, so that late replies are recognised.
    next_slot: u32,
    /// The number of the first input set of each point.
    first_input_set: u32,
    /// The seed of the order of batches.
    order_seed: u64,
    /// Whether the suite runs in a browser.
    in_browser: bool,
    /// Whether the host has hardware counters; absent in a browser, which never has.
    counters: Option<Result<(), CounterAbsence>>,
    /// The allocation that the suite rejected since the last reply: its size and the bound, in bytes.
    refused: Option<(u64, u64)>,
    /// The suite's report of a panic. The suite is about to terminate.
    failed: Option<RequestFailure>,
    /// The last slot that the suite closed.
    closed: u32,
    /// A slot whose `close` has no reply yet.
    unconfirmed: Option<u32>,
    /// Detects changes of the machine's speed.
    sentinel: Sentinel,
    /// See [`MeasurementSettings::shift_ms`] and [`MeasurementSettings::later_ms`].
    shift_ms: f64,
    later_ms: f64,
}

impl Measurement {
    /// Creates a measurement before its first message.
    pub fn new(settings: MeasurementSettings) -> Self {
        let MeasurementSettings { plan, quality, clock, kind, counters, only, earlier, seed, .. } = settings;
        let mut agenda = Agenda::new(&plan, quality.points);
        if kind == MachineKind::Browser {
            agenda.fail_native_only(&plan);
        }
        agenda.skip_timed_out(&earlier);
        if let Some(values) = only {
            agenda.keep_only(&values);
        }
        if let Some(seed) = seed.filter(|_| plan.request().priority > Priority::FIRST) {
            agenda.shuffle(&mut seeded([seed, plan.seed(), u64::from(settings.first_input_set)]));
        }
        Self {
            agenda,
            first_input_set: settings.first_input_set,
            order_seed: seed.unwrap_or(plan.seed()),
            in_browser: kind == MachineKind::Browser,
            counters,
            plan,
            quality,
            clock,
            current: None,
            closing: None,
            next_slot: settings.first_slot,
            refused: None,
            failed: None,
            closed: 0,
            unconfirmed: None,
            sentinel: settings.sentinel,
            shift_ms: settings.shift_ms,
            later_ms: settings.later_ms,
        }
    }

    /// Returns the sentinel, for the next measurement.
    pub fn sentinel(&self) -> &Sentinel {
        &self.sentinel
    }

    /// Returns the first slot number that this measurement has not used.
    pub fn next_slot(&self) -> u32 {
        self.next_slot
    }

    /// Returns the finished points in the order of measurement.
    pub fn points(&self) -> &[Point] {
        self.agenda.points()
    }

    /// Returns all points of a finished measurement.
    pub fn into_points(self) -> Vec<Point> {
        self.agenda.into_points()
    }

    /// Whether every point has its outcome and the suite has closed the last slot. Until then, this measurement has to
    /// handle the suite's termination.
    pub fn is_done(&self) -> bool {
        self.agenda.is_done() && self.closing.is_none() && self.unconfirmed.is_none()
    }

    /// Returns the progress.
    pub fn progress(&self) -> Progress {
        Progress {
            done: self.points().len(),
            total: self.agenda.total(),
            x: match &self.current {
                Some(current) => current.x.clone(),
                None => self.plan.axis_values(1).swap_remove(0),
            },
            forecast: self.current.as_ref().and_then(CurrentPoint::forecast),
        }
    }

    /// Returns the maximum time for a reply, in milliseconds.
    pub fn timeout_ms(&self) -> f64 {
        self.quality.timeout_ms()
    }

    /// Returns the messages to send now. Call it at the start, after each reply, and after the suite has been
    /// restarted.
    pub fn messages(&mut self) -> Vec<HostMessage> {
        if self.failed.is_some() {
            // The suite is about to terminate, so messages would be lost.
            return Vec::new();
        }
        let mut messages = Vec::new();
        if let Some(slot) = self.closing.take() {
            self.unconfirmed = Some(slot);
            messages.push(HostMessage::Close { slot });
        }
        if let Some(open) = if self.current.is_none() { self.open_next() } else { None } {
            messages.extend(self.sentinel.warm_up().into_iter().map(HostMessage::Collect));
            messages.push(open);
        }
        while let Some(message) = self.current.as_mut().and_then(CurrentPoint::next_message) {
            messages.push(message);
        }
        messages
    }

    /// Whether the host must count the events from the message that [`Self::messages`] has just returned to its reply, and pass
    /// the counts to [`Self::handle_reading`] before it passes the reply to [`Self::handle_reply`].
    pub fn is_counting_events(&self) -> bool {
        self.current.as_ref().is_some_and(CurrentPoint::is_counting_events)
    }

    /// Handles what the host's counters have counted, or the reason why they count nothing.
    pub fn handle_reading(&mut self, reading: Result<EventReading, CounterAbsence>) {
        if let Some(current) = &mut self.current {
            current.handle_reading(reading);
        }
    }

    /// Handles a reply. Returns whether the measurement expected it; if not, the driver must not reset the time-out.
    pub fn handle_reply(&mut self, message: SuiteMessage) -> bool {
        match message {
            SuiteMessage::Opened(opened) => self.opened(&opened),
            SuiteMessage::Samples(samples) => self.samples(&samples),
            SuiteMessage::Interleaved(interleaved) => self.interleaved(&interleaved),
            SuiteMessage::Failed(failed) => self.failed(failed),
            SuiteMessage::Closed { slot } => self.closed(slot),
            SuiteMessage::Refused { bytes, bound } => {
                self.refused = Some((bytes, bound));
                false
            }
            SuiteMessage::Catalog { .. } => false,
        }
    }

    /// Handles the suite's termination. The responsible functions fail at the current axis value; the others are
    /// measured again.
    pub fn handle_exit(&mut self, ending: &Ending) {
        self.handle_exit_with_stderr(ending, "");
    }

    /// Handles the suite's termination, and adds the last line of its standard error to the failure. An empty line adds
    /// nothing.
    pub fn handle_exit_with_stderr(&mut self, ending: &Ending, stderr_tail: &str) {
        let failure = failure(ending, stderr_tail, self.failed.as_ref(), self.refused);
        let (failed, unconfirmed) = (self.failed.take(), self.unconfirmed.take());
        self.closing = None;
        self.refused = None;
        self.sentinel = self.sentinel.clone().of_new_process();
        let Some(current) = self.current.take() else { return };
        // Replies arrive in order. If the reply to an earlier slot's `close` is missing, the suite terminated while
        // closing that slot, for instance in the `after_all` hook. Each slot is closed once, so this cannot repeat
        // forever.
        let names_this_slot = failed.is_some_and(|failed| failed.slot == Some(current.slot));
        let is_of_another_slot = unconfirmed.is_some() && !names_this_slot;
        let responsible = match current.attribute_end() {
            _ if is_of_another_slot => Vec::new(),
            Attribution::Functions(functions) => functions,
            Attribution::Ambiguous => {
                self.agenda.separate(current.x.clone());
                Vec::new()
            }
        };
        for function in responsible.into_iter().map(|index| current.functions[index].function) {
            self.agenda.fail(function, current.x.clone(), failure.clone());
        }
        self.agenda.wait_for_rest(current.x);
    }

    /// Whether no point is in progress.
    pub fn is_between_points(&self) -> bool {
        self.current.is_none()
    }

    /// Prepares for a new process after the driver has ended the suite's between two points.
    pub fn handle_pause(&mut self) {
        self.handle_exit(&Ending::Died(String::new()));
    }

    /// Fails the points from index `first` on and the functions in progress, because the suite's process broke the rules
    /// while it measured them. The driver has ended the process.
    pub fn reject_points(&mut self, first: usize, reason: &str) {
        self.agenda.reject(first, &contract(reason));
        if let Some(current) = self.current.take() {
            for state in &current.functions {
                self.agenda.fail(state.function, current.x.clone(), contract(reason));
            }
            self.agenda.wait_for_rest(current.x);
        }
        self.handle_exit(&Ending::Died(reason.to_owned()));
    }

    /// Restarts the current point, for instance because the page was hidden and its samples are unreliable. Ignores
    /// later replies to the old slot.
    pub fn restart_point(&mut self) {
        if let Some(current) = self.current.take() {
            self.agenda.requeue(current.x);
            self.closing = Some(current.slot);
        }
    }

    /// Starts the next axis value.
    fn open_next(&mut self) -> Option<HostMessage> {
        let (x, functions) = self.agenda.next()?;
        Some(self.open(x, functions))
    }

    fn open(&mut self, x: AxisValue, functions: Vec<usize>) -> HostMessage {
        let slot = self.next_slot;
        self.next_slot += 1;
        let paths = functions.iter().map(|&function| self.plan.request().functions[function].clone()).collect();
        let message = HostMessage::Open(self.plan.open(slot, paths, &x));
        let state = |function| {
            let checked = self.plan.shared_work(function).is_some();
            FunctionState {
                function,
                checked,
                hash: None,
                rounds_to_count: 0,
                memory: None,
                event_sampler: None,
                events: None,
            }
        };
        self.current = Some(CurrentPoint {
            x,
            slot,
            functions: functions.into_iter().map(state).collect(),
            stage: PointStage::Opening,
            round: 1,
            one_call_per_batch: false,
            work: DeclaredWork::default(),
            set_back: 0,
        });
        message
    }

    /// Fails all functions of the current point because of an invalid reply or a rejected request. The suite continues.
    fn give_up(&mut self, reason: &str) {
        self.fail_point(&contract(reason));
    }

    /// Fails all functions of the current point. The suite continues.
    fn fail_point(&mut self, failure: &Failure) {
        let Some(current) = self.current.take() else { return };
        if failure.kind == FailureKind::Skipped && current.functions.len() > 1 {
            // One of them has skipped itself: the others are measured without it.
            self.agenda.separate(current.x.clone());
        } else {
            for state in &current.functions {
                self.agenda.fail(state.function, current.x.clone(), failure.clone());
            }
        }
        // A workload that was not opened does not have to be closed.
        self.closing = (!current.is_opening()).then_some(current.slot);
        // If functions are measured one by one, others may remain.
        self.agenda.wait_for_rest(current.x);
    }

    fn current_of(&mut self, slot: u32) -> Option<&mut CurrentPoint> {
        self.current.as_mut().filter(|current| current.slot == slot)
    }
}

fn contract(reason: &str) -> Failure {
    Failure { kind: FailureKind::Contract, reason: reason.to_owned() }
}
