//! The first calls of a function at a point: each repetition prepares the input in a fresh process (or worker of a browser),
//! and times a single call.
//!
//! A pure state machine: it requests processes, returns messages to send, and handles the suite's replies and its
//! termination. Its driver starts and ends the processes, and reports how long each took.

use crate::analyze::stopping::{is_check_due, is_enough};
use crate::quality::Quality;
use crate::request::Plan;
use crate::response::{ClockCard, Failure, FailureKind, FirstCalls, Sample, StartUpTimes};
use crate::sample::ending::{Ending, failure, shortened};
use crate::sample::suite_messages::{INVALID_TIME, UNEXPECTED};
use crate::units::is_time;
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::protocol::{
    Collect, FailureStage, HostMessage, LaneTarget, RequestFailure, Samples, SuiteMessage,
};

/// The slot of each process.
const SLOT: u32 = 1;

/// The minimum number of counted repetitions, unless they take twice the time limit: fewer hardly show a distribution.
const MIN_COUNTED: usize = 5;

/// The maximum number of counted repetitions: enough for ±2% if the times vary by a tenth, and a bound on the processes
/// that a request can start.
const MAX_COUNTED: usize = 100;

/// With fewer counted repetitions than required, the repetitions end after so many time limits.
const MAX_LIMITS: f64 = 2.0;

/// The first calls of a function at a point.
#[derive(Clone, Debug)]
pub struct FirstCallSeries {
    plan: Plan,
    function: String,
    x: AxisValue,
    clock: ClockCard,
    /// The target for the relative half-width.
    target: f64,
    /// The time limit of all repetitions in milliseconds, and the time that they have taken.
    limit_ms: f64,
    spent_ms: f64,
    timeout_ms: f64,
    stage: FirstCallStage,
    calls: Vec<Sample>,
    /// The compilations; empty natively.
    compilations: Vec<Sample>,
    /// The allocation that the suite rejected since the last reply: its size and the bound, in bytes.
    refused: Option<(u64, u64)>,
    /// The suite's report of a panic. The suite is about to terminate.
    panic: Option<RequestFailure>,
    failure: Option<Failure>,
}

/// The stage of the current repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstCallStage {
    /// There is no process, or it is not needed any longer.
    Between,
    /// The workload is being opened.
    Opening,
    /// The loop without the call is being timed, so that the call does not pay for the first use of the clock.
    TimingEmptyLoop,
    /// The call is being timed.
    TimingCall,
    /// The workload is being closed.
    Closing,
}

impl FirstCallSeries {
    /// Creates the state before the first repetition. `quality`: that of the steady state, whose precision and time also limit the
    /// first calls.
    pub fn new(plan: Plan, quality: &Quality, clock: ClockCard, function: &str, x: &AxisValue) -> Self {
        Self {
            plan,
            function: function.to_owned(),
            x: x.clone(),
            clock,
            target: quality.precision,
            limit_ms: quality.point_ms,
            spent_ms: 0.0,
            timeout_ms: quality.timeout_ms(),
            stage: FirstCallStage::Between,
            calls: Vec::new(),
            compilations: Vec::new(),
            refused: None,
            panic: None,
            failure: None,
        }
    }

    /// Whether no further process is needed.
    pub fn is_done(&self) -> bool {
        self.stage == FirstCallStage::Between && (self.failure.is_some() || self.is_enough())
    }

    /// Whether the current process is not needed any longer.
    pub fn is_between_processes(&self) -> bool {
        self.stage == FirstCallStage::Between
    }

    /// The maximum time for a reply, in milliseconds.
    pub fn timeout_ms(&self) -> f64 {
        self.timeout_ms
    }

    /// Begins a repetition in a fresh process. Returns the first message for it.
    pub fn begin(&mut self) -> HostMessage {
        self.stage = FirstCallStage::Opening;
        HostMessage::Open(self.plan.open(SLOT, vec![self.function.clone()], &self.x))
    }

    /// Adds the time in which a browser compiled and instantiated the suite for the current repetition, in nanoseconds.
    pub fn add_compilation(&mut self, nanos: f64) {
        if is_time(nanos) {
            self.compilations.push(sample(nanos, self.compilations.is_empty()));
        }
    }

    /// Handles a reply. Returns the next message to send.
    pub fn handle_reply(&mut self, message: SuiteMessage) -> Option<HostMessage> {
        match message {
            SuiteMessage::Refused { bytes, bound } => {
                self.refused = Some((bytes, bound));
                return None;
            }
            SuiteMessage::Failed(failed) if failed.stage != FailureStage::Request => {
                self.panic = Some(failed);
                return None;
            }
            _ => self.refused = None,
        }
        match (self.stage, message) {
            (_, SuiteMessage::Failed(failed)) => {
                self.reject(&format!("the suite rejected the request: {}", failed.reason));
                None
            }
            (FirstCallStage::Opening, SuiteMessage::Opened(_)) => {
                self.stage = FirstCallStage::TimingEmptyLoop;
                Some(self.collect(LaneTarget::Empty(0)))
            }
            (FirstCallStage::TimingEmptyLoop, SuiteMessage::Samples(samples))
                if samples.target == LaneTarget::Empty(0) =>
            {
                self.stage = FirstCallStage::TimingCall;
                Some(self.collect(LaneTarget::Function(0)))
            }
            (FirstCallStage::TimingCall, SuiteMessage::Samples(samples)) => self.add_call(&samples),
            (FirstCallStage::Closing, SuiteMessage::Closed { .. }) => {
                self.stage = FirstCallStage::Between;
                None
            }
            _ => {
                self.reject(UNEXPECTED);
                None
            }
        }
    }

    /// Handles the suite's termination before the end of a repetition. Ends the repetitions, with the calls so far. An empty
    /// `stderr_tail` adds nothing to the reason.
    pub fn handle_exit(&mut self, ending: &Ending, stderr_tail: &str) {
        let mut failure = failure(ending, stderr_tail, self.panic.take().as_ref(), self.refused.take());
        failure.reason = shortened(failure.reason);
        self.end_with(failure);
    }

    /// Ends the repetitions because the suite violated the contract.
    fn reject(&mut self, reason: &str) {
        self.end_with(Failure { kind: FailureKind::Contract, reason: shortened(reason.to_owned()) });
    }

    /// Discards the last call, and ends the repetitions because its process violated the limits of its host.
    pub fn reject_last(&mut self, reason: &str) {
        self.calls.pop();
        self.reject(reason);
    }

    /// Whether a failure ended the repetitions.
    pub fn is_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Abandons the current repetition, for instance because the page was hidden.
    pub fn abandon_process(&mut self) {
        self.stage = FirstCallStage::Between;
        self.compilations.truncate(self.calls.len());
        (self.panic, self.refused) = (None, None);
    }

    /// Adds the time of a repetition from the start of its process to its end, in milliseconds.
    pub fn add_elapsed(&mut self, ms: f64) {
        self.spent_ms += ms;
    }

    /// The figures of the calls so far.
    pub fn into_first_calls(mut self) -> FirstCalls {
        // After a failure, the last compilation may have no call.
        self.compilations.truncate(self.calls.len());
        FirstCalls {
            call: StartUpTimes::new(self.calls, self.clock.resolution),
            compilation: StartUpTimes::new(self.compilations, self.clock.resolution),
            failure: self.failure,
        }
    }

    /// Each repetition has other inputs, as each block of the steady state does.
    fn collect(&self, target: LaneTarget) -> HostMessage {
        let input_set = self.calls.len() as u32;
        HostMessage::Collect(Collect { slot: SLOT, target, calls: 1, batches: 1, input_set })
    }

    fn add_call(&mut self, samples: &Samples) -> Option<HostMessage> {
        let is_reply = samples.target == LaneTarget::Function(0) && samples.calls == 1;
        let [elapsed] = samples.elapsed[..] else {
            self.reject(UNEXPECTED);
            return None;
        };
        let time = elapsed + samples.entry;
        if !is_reply || !is_time(elapsed) || !is_time(samples.entry) || !is_time(time) {
            self.reject(if is_reply { INVALID_TIME } else { UNEXPECTED });
            return None;
        }
        // The first process reads the executable from disk, and fills caches of the system or of the browser.
        let mut call = sample(time, self.calls.is_empty());
        call.interrupted = !samples.interrupted.is_empty();
        self.calls.push(call);
        self.stage = FirstCallStage::Closing;
        Some(HostMessage::Close { slot: SLOT })
    }

    fn end_with(&mut self, failure: Failure) {
        self.stage = FirstCallStage::Between;
        self.failure = Some(failure);
    }

    /// Whether the calls are precise enough, or the time or their number has reached its limit.
    fn is_enough(&self) -> bool {
        let counted = self.calls.len().saturating_sub(1);
        let is_time_over = self.spent_ms >= self.limit_ms
            && (counted >= MIN_COUNTED || (counted > 0 && self.spent_ms >= MAX_LIMITS * self.limit_ms));
        counted >= MAX_COUNTED || is_time_over || self.is_precise(counted as u32)
    }

    /// Whether the mean of the calls has reached the target precision.
    fn is_precise(&self, counted: u32) -> bool {
        let times = || StartUpTimes::new(self.calls.clone(), self.clock.resolution);
        is_check_due(counted)
            && is_enough(times().and_then(|times| times.summary.relative_half_width), self.target, counted)
    }
}

fn sample(elapsed: f64, is_discarded: bool) -> Sample {
    Sample { elapsed, warm_up: is_discarded, interrupted: false, inferred: false }
}
