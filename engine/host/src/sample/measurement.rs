//! A measurement: all functions of a plan at all its axis values, one point after the other.
//!
//! A pure state machine between a suite and whoever pending: messages to send come out, answers and the suite's end go
//! in. A page drives it through a worker, a runner through a child process.

use std::collections::VecDeque;

use crate::quality::Quality;
use crate::request::Plan;
use crate::response::{Failure, FailureKind, Outcome, Outputs, Point, Warning};
use crate::sample::agenda::Agenda;
use crate::sample::clock_card::ClockCard;
use crate::sample::collection::{Collection, Figures, PrecisionForecast};
use crate::sample::current_point::{Blame, CurrentPoint, FunctionState, PointStage};
use crate::sample::ending::{Ending, failure};
use crate::sample::figures::figures;
use crate::sample::preparation::{Preparation, PreparedFunction};
use crate::sample::reply::is_time;
use crate::sample::sentinel::Sentinel;
use benchbook_contract::parameter::number;
use benchbook_contract::protocol::{self, Failed, HostMessage, Interleaved, Open, Opened, Samples, SuiteMessage};
use benchbook_contract::rng::seeded;

/// The part of a point's time that a call may take whose outputs are checked at every axis value: those of slower ones
/// are checked at the first alone.
const TENTH: f64 = 0.1;

/// Rounds whose outputs are checked at most: functions may differ on some inputs alone.
const MOST_ROUNDS_CHECKED: u64 = 16;

/// How far a measurement is.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Progress {
    /// Points done, failed ones included; where each is measured in several processes, so many points' worth of work.
    pub done: usize,
    /// All points.
    pub of: usize,
    /// The axis value at work.
    #[serde(serialize_with = "number")]
    pub x: f64,
    /// How far the point at work is from the precision pending for; absent before there is an interval.
    pub outlook: Option<PrecisionForecast>,
}

/// A plan that is being measured.
#[derive(Clone, Debug)]
pub struct Measurement {
    plan: Plan,
    quality: Quality,
    clock: ClockCard,
    agenda: Agenda,
    current: Option<CurrentPoint>,
    /// A slot whose point is finished.
    closing: Option<u32>,
    /// The slot of the next opening; each is used once, so that late answers cannot be mistaken.
    next_slot: u32,
    /// Whether the suite is in a browser.
    in_browser: bool,
    /// The allocator refused a request since the last answer: bytes and bound.
    refused: Option<(u64, u64)>,
    /// What the suite said of its failure, before it ended.
    failed: Option<Failed>,
    /// The last slot that the suite closed.
    closed: u32,
    /// The slot that the suite was told to close, and has not.
    unconfirmed: Option<u32>,
    /// Watches the machine.
    sentinel: Sentinel,
}

impl Measurement {
    /// A measurement that has not begun; the clock is the suite's.
    pub fn new(plan: Plan, quality: Quality, clock: ClockCard) -> Self {
        Self {
            agenda: Agenda::new(&plan, quality.points),
            in_browser: false,
            plan,
            quality,
            clock,
            current: None,
            closing: None,
            next_slot: 1,
            refused: None,
            failed: None,
            closed: 0,
            unconfirmed: None,
            sentinel: Sentinel::new(clock),
        }
    }

    /// Goes on with what is known of the machine from earlier measurements of the suite on it.
    pub fn with_sentinel(mut self, sentinel: Sentinel) -> Self {
        self.sentinel = sentinel;
        self
    }

    /// What is known of the machine by now.
    pub fn sentinel(&self) -> &Sentinel {
        &self.sentinel
    }

    /// Numbers slots from `slot` on: for a suite that other measurements used before.
    pub fn with_first_slot(mut self, slot: u32) -> Self {
        self.next_slot = slot;
        self
    }

    /// Fails what only a native runner can measure, without asking the suite.
    pub fn in_browser(mut self) -> Self {
        self.in_browser = true;
        self.agenda.without_native(&self.plan);
        self
    }

    /// Does not try again what timed out, or was skipped for that reason, in an earlier measurement of the same arguments:
    /// a call that never ends would cost its time-out at each priority.
    pub fn after(mut self, points: &[Point]) -> Self {
        self.agenda.skip_hopeless(points);
        self
    }

    /// Measures at these of the plan's axis values alone: before it has begun.
    pub fn only(mut self, values: &[f64]) -> Self {
        self.agenda.keep_only(values);
        self
    }

    /// The first slot number that this measurement has not used.
    pub fn next_slot(&self) -> u32 {
        self.next_slot
    }

    /// The points so far, in the order measured.
    pub fn points(&self) -> &[Point] {
        self.agenda.points()
    }

    /// All points, when there is nothing left to do.
    pub fn into_points(self) -> Vec<Point> {
        self.agenda.into_points()
    }

    /// Whether every point has its outcome, and the suite has closed the last slot: what ends it there is nobody's else.
    pub fn is_done(&self) -> bool {
        self.agenda.is_done() && self.closing.is_none() && self.unconfirmed.is_none()
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress {
            done: self.points().len(),
            of: self.agenda.of(),
            x: self.current.as_ref().map_or(self.plan.range().low, |current| current.x),
            outlook: self.current.as_ref().and_then(CurrentPoint::outlook),
        }
    }

    /// How long the suite may take for one answer, in milliseconds.
    pub fn timeout_ms(&self) -> f64 {
        self.quality.timeout_ms()
    }

    /// The messages to send now. Call it at the start and after each answer or ending.
    pub fn messages(&mut self) -> Vec<HostMessage> {
        if self.failed.is_some() {
            // The suite is about to end; what it is told now is lost.
            return Vec::new();
        }
        let mut messages = Vec::new();
        if let Some(slot) = self.closing.take() {
            self.unconfirmed = Some(slot);
            messages.push(HostMessage::Close { slot });
        }
        if self.current.is_none()
            && let Some(open) = self.open_next()
        {
            messages.extend(self.sentinel.warm_up().into_iter().map(HostMessage::Collect));
            messages.push(open);
        }
        while let Some(message) = self.current.as_mut().and_then(CurrentPoint::next_order) {
            messages.push(message);
        }
        messages
    }

    /// Takes an answer, and says whether it brought the measurement on: an answer that was not waited for does not, and
    /// the time-out goes on.
    pub fn answer(&mut self, message: SuiteMessage) -> bool {
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

    /// Takes the end of the suite: the functions at fault fail at this point, the rest is tried again.
    pub fn ended(&mut self, ending: &Ending) {
        self.ended_saying(ending, "");
    }

    /// The same for a suite with a standard error: the last line of it, empty where there was none.
    pub fn ended_saying(&mut self, ending: &Ending, last_words: &str) {
        let failure = failure(ending, last_words, self.failed.as_ref(), self.refused);
        let (failed, unconfirmed) = (self.failed.take(), self.unconfirmed.take());
        self.closing = None;
        self.refused = None;
        self.sentinel = self.sentinel.clone().of_new_process();
        let Some(current) = self.current.take() else { return };
        // Answers come in order. Where an earlier slot was to be closed and is not, it ended in what was left to do for
        // that one, its last hook for instance. Each slot is closed once, so this cannot go on for ever.
        let says_this_slot = failed.is_some_and(|failed| failed.slot == Some(current.slot));
        let of_another_slot = unconfirmed.is_some() && !says_this_slot;
        let at_fault = match current.blame() {
            _ if of_another_slot => Vec::new(),
            Blame::Each(functions) => functions,
            Blame::OneOf => {
                self.agenda.separate(current.x);
                Vec::new()
            }
        };
        for function in at_fault.into_iter().map(|index| current.functions[index].function) {
            self.agenda.fail(function, current.x, failure.clone());
        }
        self.agenda.wait_for_rest(current.x);
    }

    /// Begins the point at work anew: for when what was taken of it is not to be trusted, since the page was hidden for
    /// instance. Answers on their way are those of a slot that is no more.
    pub fn begin_point_again(&mut self) {
        if let Some(current) = self.current.take() {
            self.agenda.again(current.x);
            self.closing = Some(current.slot);
        }
    }

    /// Begins the next axis value.
    fn open_next(&mut self) -> Option<HostMessage> {
        let (x, functions) = self.agenda.next()?;
        Some(self.open(x, functions))
    }

    fn open(&mut self, x: f64, functions: Vec<usize>) -> HostMessage {
        let slot = self.next_slot;
        self.next_slot += 1;
        let request = self.plan.request();
        let open = Open {
            slot,
            functions: functions.iter().map(|&function| request.functions[function].clone()).collect(),
            generator: request.generator.clone(),
            arguments: request.arguments.clone(),
            axis: x,
            seed: self.plan.seed(),
            priority: request.priority.number(),
        };
        let track =
            |function| FunctionState { function, checked: self.plan.shared_work(function).is_some(), hash: None };
        let functions = functions.into_iter().map(track).collect();
        self.current = Some(CurrentPoint { x, slot, functions, stage: PointStage::Opening, one_call_a_batch: false });
        HostMessage::Open(open)
    }

    fn opened(&mut self, opened: &Opened) -> bool {
        self.refused = None;
        let approach = Preparation::new(self.quality.clone(), self.clock, opened);
        let Some(current) = self.current_of(opened.slot).filter(|current| current.is_opening()) else { return false };
        let preparations = vec![approach; current.functions.len()];
        current.stage = PointStage::Preparing { preparations, pending: VecDeque::new(), turn: 0, round: opened.round };
        current.one_call_a_batch = opened.one_call_a_batch;
        self.unconfirmed = None;
        if opened.round == 0 || !is_time(opened.preparation) {
            self.give_up("the suite opened a round without calls, or reported an invalid time");
        }
        true
    }

    fn samples(&mut self, samples: &Samples) -> bool {
        self.refused = None;
        if self.sentinel.learn(samples) {
            return true;
        }
        let taken = self.current_of(samples.slot).map(|current| current.take(samples));
        self.taken(taken)
    }

    fn interleaved(&mut self, interleaved: &Interleaved) -> bool {
        self.refused = None;
        let taken = self.current_of(interleaved.slot).map(|current| current.take_interleaved(interleaved));
        self.taken(taken)
    }

    /// Goes on after an answer, or gives the point up where it was none to what was pending; absent where nobody waited.
    fn taken(&mut self, taken: Option<Result<bool, String>>) -> bool {
        match taken {
            None | Some(Ok(false)) => false,
            Some(Ok(true)) => {
                self.advance();
                true
            }
            Some(Err(reason)) => {
                self.give_up(&reason);
                true
            }
        }
    }

    /// Begins the next stage of the point at work where the one before is done.
    fn advance(&mut self) {
        let Some(mut current) = self.current.take() else { return };
        current.stage = match current.stage {
            PointStage::Preparing { preparations, pending, turn, round } => {
                match preparations.iter().map(Preparation::ready).collect::<Option<Vec<PreparedFunction>>>() {
                    Some(ready) => {
                        let calls = calls_to_check(&ready, round);
                        let waiting = self.to_check(&current.functions, current.x, &ready, calls);
                        PointStage::Checking { ready, calls, waiting, pending: None }
                    }
                    None => PointStage::Preparing { preparations, pending, turn, round },
                }
            }
            stage => stage,
        };
        current.stage = match current.stage {
            PointStage::Checking { ready, waiting, pending: None, .. } if waiting.is_empty() => {
                let random = seeded([self.plan.seed(), current.x.to_bits(), 0]);
                let (quality, sentinel) = (self.quality.clone(), self.sentinel.clone());
                let collection = Collection::new(current.slot, quality, self.clock, ready, sentinel, random);
                PointStage::Collecting(Box::new(collection))
            }
            stage => stage,
        };
        match current.stage {
            PointStage::Collecting(collection) if collection.is_done() => {
                self.finish(*collection, current.functions, current.x, current.one_call_a_batch);
                self.closing = Some(current.slot);
                self.agenda.wait_for_rest(current.x);
            }
            stage => self.current = Some(CurrentPoint { stage, ..current }),
        }
    }

    /// The functions whose outputs are to be pending for.
    fn to_check(&self, functions: &[FunctionState], x: f64, ready: &[PreparedFunction], calls: u64) -> VecDeque<usize> {
        let is_first = self.agenda.is_first(x);
        let is_quick = |ready: &PreparedFunction| {
            ready.batch_cost / ready.calls as f64 * calls as f64 <= TENTH * self.quality.point_nanos()
        };
        let is_asked =
            |(track, ready): (&FunctionState, &PreparedFunction)| track.checked && (is_first || is_quick(ready));
        (0..functions.len()).filter(|&index| is_asked((&functions[index], &ready[index]))).collect()
    }

    /// Adds the points of a collection that is done.
    fn finish(&mut self, collection: Collection, functions: Vec<FunctionState>, x: f64, one_call_a_batch: bool) {
        let remarks = if self.agenda.is_alone(x) { &[Warning::Alone][..] } else { &[] };
        let (sentinel, collected) = collection.finish(one_call_a_batch, remarks);
        self.sentinel = sentinel;
        for (track, Figures { run, mut circumstances }) in functions.into_iter().zip(collected) {
            // Only browsers have slow code.
            circumstances.remarks.retain(|remark| self.in_browser || !matches!(remark, Warning::SlowCode { .. }));
            let work = self.plan.shared_work(track.function).map(ToOwned::to_owned);
            circumstances.outputs = work.zip(track.hash).map(|(work, hash)| Outputs { work, hash });
            match figures(vec![run], circumstances) {
                Some(measured) => self.agenda.add(track.function, x, Outcome::Measured(Box::new(measured))),
                None => self.agenda.fail(track.function, x, contract("it gave no sample")),
            }
        }
    }

    fn failed(&mut self, failed: Failed) -> bool {
        if failed.stage != protocol::Stage::Request {
            // A panic, of whatever slot: the suite is about to end.
            return self.failed.replace(failed).is_none();
        }
        if self.unconfirmed.is_some() && failed.slot == self.unconfirmed {
            // It could not be closed, and there is nothing more to be done about that.
            self.unconfirmed = None;
            return true;
        }
        // A failure without a slot is that of a message which the suite could not read.
        let is_of_this_point =
            self.current.as_ref().is_some_and(|current| failed.slot.is_none_or(|slot| slot == current.slot));
        if is_of_this_point {
            self.give_up(&failed.reason);
        }
        is_of_this_point
    }

    fn closed(&mut self, slot: u32) -> bool {
        self.refused = None;
        let is_news = self.closed < slot && slot < self.next_slot;
        self.closed = self.closed.max(slot);
        self.unconfirmed.take_if(|unconfirmed| *unconfirmed == slot);
        is_news
    }

    /// All functions of the point at work fail; the suite is as it was.
    fn give_up(&mut self, reason: &str) {
        let Some(current) = self.current.take() else { return };
        for track in &current.functions {
            self.agenda.fail(track.function, current.x, contract(reason));
        }
        // What could not be opened need not be closed.
        self.closing = (!current.is_opening()).then_some(current.slot);
        // Others may be left that were to be measured one by one.
        self.agenda.wait_for_rest(current.x);
    }

    fn current_of(&mut self, slot: u32) -> Option<&mut CurrentPoint> {
        self.current.as_mut().filter(|current| current.slot == slot)
    }
}

fn contract(reason: &str) -> Failure {
    Failure { kind: FailureKind::Contract, reason: format!("the suite could not do it: {reason}") }
}

/// For how many calls outputs are checked, of every function alike: no more than a batch of any of them has, since that
/// is known to take little time and memory.
fn calls_to_check(ready: &[PreparedFunction], round: u64) -> u64 {
    let fewest = ready.iter().map(|ready| ready.calls / round).min().unwrap_or(1);
    round * fewest.clamp(1, MOST_ROUNDS_CHECKED)
}
