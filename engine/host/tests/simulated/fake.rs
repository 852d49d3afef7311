//! A simulated suite: it responds with the times of a model, read from a simulated clock with discrete steps.
//!
//! Only the suite's own work advances the clock, so a simulated minute takes milliseconds, and every run yields equal
//! results.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use benchbook_contract::catalog::Suite;
use benchbook_contract::parameter::{Argument, Range};
use benchbook_contract::protocol::{
    Collect, Counts, FailureStage, HostMessage, Interleave, InterleaveReply, Lane, LaneTarget, MAX_BATCH_BYTES,
    MAX_LANES, Open, OpenReply, RequestFailure, Samples, SuiteMessage,
};
use benchbook_host::quality::{Priority, Qualities, Quality};
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::{ClockCard, CounterAbsence, Point};
use benchbook_host::sample::collection::PrecisionForecast;
use benchbook_host::sample::ending::Ending;
use benchbook_host::sample::event_sampler::EventReading;
use benchbook_host::sample::measurement::{Measurement, MeasurementSettings};
use benchbook_host::sample::series::MeasurementSeries;
use serde_json::json;

/// The overhead of the empty loop in nanoseconds per call.
pub const EMPTY: f64 = 0.4;

/// The time per call of the reference kernel in nanoseconds.
pub const REFERENCE: f64 = 2_000.0;

/// The time per call of the tier kernel in nanoseconds.
pub const TIER: f64 = 0.69 * REFERENCE;

/// The time to read the clock in nanoseconds.
const READING: f64 = 20.0;

/// The number of inputs in a set.
pub const SET_INPUTS: u64 = 16;

/// A limit on messages that no measurement reaches.
const MAX_REPLIES: usize = 100_000;

/// The behaviour of a function.
#[derive(Clone, Debug)]
pub struct Model {
    /// Nanoseconds per call.
    pub per_call: f64,
    /// Nanoseconds per call and unit of the axis value.
    pub per_x: f64,
    /// The maximum deviation of a batch, relative to its time.
    pub noise: f64,
    /// A further random factor of each batch.
    pub spread: Spread,
    /// The standard deviation of a factor that each function has in each process.
    pub processes: f64,
    /// The maximum deviation due to inputs, relative to the time of a batch, that differs between functions.
    pub own_inputs: f64,
    /// The number of initial batches of a process in slow code, and the factor by which a call is slower there.
    pub tier: (u64, f64),
    /// The share by which each batch in a process makes the later ones slower.
    pub growth: f64,
    /// The nanoseconds that the first call of a process takes in addition, and the bytes that it keeps.
    pub first_call: (f64, f64),
    /// Nanoseconds to prepare a call.
    pub preparation: f64,
    /// The nanoseconds that a batch of the function, and one of the empty loop, take in addition on average, because the
    /// preparation has left the processor cold: a skewed random time.
    pub cold_start: (f64, f64),
    /// The nanoseconds that the first call of a batch takes in addition.
    pub batch_start: f64,
    /// Bytes that a call's arguments occupy.
    pub held: f64,
    /// The maximum deviation due to inputs, relative to the time of a batch.
    pub inputs: f64,
    /// The branch predictor: the number of batches after which it forgets the inputs or has learned them again, and the
    /// factor by which calls are slower on inputs that it does not know.
    pub predictor: Option<(u64, f64)>,
    /// The standard deviation of the logarithm of the time of a single input; each function has times of its own.
    pub single_inputs: f64,
    /// The nanoseconds of a process during which a call is slower, and the factor: a compiler that optimises late.
    pub late_code: (f64, f64),
    /// A pause after so many calls of a process, and its nanoseconds.
    pub pause: Option<(u64, f64)>,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            per_call: 100.0,
            per_x: 0.0,
            noise: 0.01,
            spread: Spread::None,
            processes: 0.0,
            own_inputs: 0.0,
            tier: (0, 1.0),
            growth: 0.0,
            first_call: (0.0, 0.0),
            preparation: 5.0,
            cold_start: (0.0, 0.0),
            batch_start: 0.0,
            held: 0.0,
            inputs: 0.0,
            predictor: None,
            single_inputs: 0.0,
            late_code: (0.0, 1.0),
            pause: None,
        }
    }
}

/// The distribution of a random factor with the mean 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spread {
    /// Always 1.
    None,
    /// Lognormal with this standard deviation of the logarithm.
    Lognormal(f64),
    /// Gamma with this shape; one batch in a hundred takes ten times as long.
    HeavyTail(u32),
    /// 1 plus an autoregressive process of order 1: its correlation from batch to batch, and its standard deviation.
    Autoregressive(f64, f64),
    /// 1 plus an autoregressive process in continuous time (L. S. Ornstein and G. E. Uhlenbeck, 1930): the nanoseconds after which the
    /// correlation has fallen to 1/e, and its standard deviation.
    Wandering(f64, f64),
    /// Two modes: the share of batches in the slow one, and how much longer these take, relative to the others.
    TwoModes(f64, f64),
    /// 1 plus this share of an exponential deviate with the mean 0.
    Exponential(f64),
}

/// A fault to inject.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The function panics: the suite reports that and exits.
    Panic,
    /// The suite exits without a message.
    Trap,
    /// The allocator rejects a request, and the suite exits.
    OutOfMemory,
    /// The allocator rejects a request, and the function copes.
    Refused,
    /// The suite stops responding.
    Hang,
    /// The generator panics when the workload is opened.
    GeneratorPanic,
    /// The suite reports that it cannot open the workload.
    GeneratorRefuses,
    /// The function decides not to be measured.
    Skip,
    /// The last hook panics when the workload is closed.
    HookPanic,
    /// The last hook makes the suite exit without a message.
    HookTrap,
    /// The last hook never ends.
    HookHang,
    /// The suite panics and names a slot that never existed.
    PanicElsewhere,
    /// A reply of an earlier slot arrives first.
    LateReply,
    /// A reply lacks one batch.
    BatchMissing,
    /// A time is negative.
    NegativeTime,
    /// A time is NaN. JSON cannot represent it: it would be `null` and fail to parse.
    NoTime,
    /// A reply has another number of calls.
    OtherCalls,
    /// A reply has another target.
    OtherTarget,
    /// The suite exits without a message, but only when functions are interleaved.
    TrapLater,
    /// A reply lacks one batch, but only if the function is measured alone.
    BatchMissingAlone,
}

fn is_kernel(target: LaneTarget) -> bool {
    matches!(target, LaneTarget::Reference | LaneTarget::Tier)
}

/// The index of the function that a target calls, or whose empty loop it is.
fn function_of(target: LaneTarget) -> Option<usize> {
    match target {
        LaneTarget::Function(index)
        | LaneTarget::Empty(index)
        | LaneTarget::Check(index)
        | LaneTarget::Count(index) => Some(index),
        LaneTarget::Reference | LaneTarget::Tier | LaneTarget::Clock => None,
    }
}

/// A reply of the suite, or its end.
enum Reply {
    Message(Box<SuiteMessage>),
    End(Ending),
}

/// The hardware counters of a simulated host.
pub struct FakeCounters {
    /// Whether there are any.
    pub available: Result<(), CounterAbsence>,
    /// Counts the events of a request. The second argument is its number, from 0.
    pub read: fn(&Collect, u32) -> Option<Result<EventReading, CounterAbsence>>,
    pub requests: u32,
}

#[derive(Default)]
pub struct Fake {
    pub models: Vec<Model>,
    pub round: u64,
    pub one_call_per_batch: bool,
    /// Nanoseconds between two steps of the clock.
    pub resolution: f64,
    /// The maximum delay of a step, relative to the resolution.
    pub jitter: f64,
    /// The faults, each with its axis value and the function's path.
    pub faults: Vec<(f64, &'static str, Fault)>,
    /// Paths of functions that are declared native.
    pub native: Vec<&'static str>,
    /// Whether the functions are declared to do the same work.
    pub are_alternatives: bool,
    /// Whether to record the forecasts, which takes time.
    pub records_forecasts: bool,
    /// The forecasts of the current point, one per reply.
    pub forecasts: Vec<PrecisionForecast>,
    /// Whether the browser runs its baseline code.
    pub is_slow_code: bool,
    /// The numbers of replies after which the current point restarts.
    pub restart_after: Vec<usize>,
    /// The factor by which everything is slower at a time in nanoseconds, if it changes.
    pub weather: Option<fn(f64) -> f64>,
    /// All requests, with the nanoseconds that they took, preparation included.
    pub log: Vec<(HostMessage, f64)>,
    now: f64,
    /// The probability that a batch is interrupted, and the added nanoseconds.
    pub stalls: (f64, f64),
    /// Whatever runs on this core from time to time: the period and the duration in nanoseconds.
    pub ticks: Option<(f64, f64)>,
    /// The memory use of each call; absent if the suite does not count it.
    pub counts: Option<Counts>,
    /// The host's hardware counters; absent in a browser.
    pub counters: Option<FakeCounters>,
    /// Whether the suite reports the interrupted batches.
    pub reports_interruptions: bool,
    /// Whether each batch since the last reply was interrupted.
    interrupted_batches: Vec<bool>,
    /// The seed of the noise.
    pub random: u64,
    /// The seed of the inputs.
    pub inputs_seed: u64,
    /// The seed of the order of batches and axis values: see [`MeasurementSettings::seed`].
    pub order_seed: Option<u64>,
    /// The current axis value.
    x: f64,
    /// The effect of the current inputs, 0 to 1.
    input: f64,
    slots: BTreeMap<u32, Open>,
    /// The number of the batch during which the clock is set back, counted over all processes.
    pub set_back: Option<u64>,
    batches: u64,
    /// The number of batches of each function in this process, and of its calls.
    entries: BTreeMap<String, u64>,
    calls: BTreeMap<String, u64>,
    /// When the process started.
    started: f64,
    /// The current deviation of the autoregressive noise, and when it was drawn.
    deviation: f64,
    drawn_at: f64,
    /// The number of the current process.
    process: u64,
    /// The number of the current inputs, and the functions that have had them.
    input_set: u32,
    had_inputs: BTreeSet<String>,
    pending: VecDeque<HostMessage>,
    replies: VecDeque<Reply>,
}

impl Fake {
    pub fn new(models: Vec<Model>) -> Self {
        let start = Self { now: 1e6, random: 1, inputs_seed: 1, input: 0.5, ..Self::default() };
        Self { models, round: 1, resolution: 30.0, ..start }
    }

    /// The functions' paths, by model.
    pub fn paths(count: usize) -> Vec<String> {
        (0..count).map(|index| format!("f{index}")).collect()
    }

    /// A plan of all functions over a range.
    pub fn plan(&self, range: Range) -> Plan {
        self.plan_at(Priority::FIRST, range)
    }

    /// A plan for all functions at a priority.
    pub fn plan_at(&self, priority: Priority, range: Range) -> Plan {
        let paths = Self::paths(self.models.len());
        let functions: Vec<_> = paths
            .iter()
            .map(|path| {
                let native = self.native.contains(&path.as_str());
                let work = self.are_alternatives.then_some("the same work");
                json!({"path": path, "signature": "", "docs": "", "file": "", "line": 1, "generators": ["g"],
                    "native": native, "alternatives": work})
            })
            .collect();
        let suite: Suite = serde_json::from_value(json!({
            "name": "fake", "version": "0.1.0", "functions": functions,
            "build": {"rustc": "", "target": "", "opt_level": "3", "debug_assertions": false, "target_features": []},
            "generators": [{"path": "g", "name": "G", "docs": "", "mode": "fresh", "parameters": [
                {"name": "x", "description": "", "type": "integer", "of": "u32", "min": 0, "max": 1_000_000, "step": 1,
                    "default": 0, "scale": "linear", "axis": true}]}],
        }))
        .expect("the fake's catalog is valid");
        let request: Request = serde_json::from_value(json!({"suite": "fake", "functions": paths, "generator": "g",
            "arguments": {"x": range}, "priority": priority, "client": ""}))
        .expect("it is a request");
        Plan::new(&suite, request).expect("the request is valid")
    }

    /// The card of the fake's clock, as a host determines it.
    pub fn clock(&mut self) -> ClockCard {
        let samples = self.clock_steps(&ClockCard::request());
        ClockCard::from_steps(&samples).expect("the clock has steps")
    }

    /// The measurement of the functions, in ascending order unless there is a seed of the order.
    pub fn settings(&mut self, quality: Quality, range: Range) -> MeasurementSettings {
        let counters = self.counters.as_ref().map(|counters| counters.available.clone());
        let seed = self.order_seed;
        MeasurementSettings { counters, seed, ..MeasurementSettings::new(self.plan(range), quality, self.clock()) }
    }

    /// Measures the functions.
    pub fn measure(&mut self, priority: u8, range: Range) -> Vec<Point> {
        let settings = self.settings(quality(priority), range);
        self.measure_with(settings)
    }

    /// Measures with these settings in one process.
    pub fn measure_with(&mut self, settings: MeasurementSettings) -> Vec<Point> {
        let mut measurement = Measurement::new(settings);
        self.drive(&mut measurement);
        measurement.into_points()
    }

    /// Measures the functions in several processes, as a runner does.
    pub fn measure_in_processes(&mut self, priority: u8, range: Range) -> Vec<Point> {
        self.measure_at(quality(priority), range)
    }

    /// Measures the functions in as many processes as the quality demands.
    pub fn measure_at(&mut self, quality: Quality, range: Range) -> Vec<Point> {
        let mut series = MeasurementSeries::new(self.settings(quality, range));
        loop {
            self.start_process();
            self.drive(series.measurement_mut());
            if !series.begin_next() {
                return series.into_points();
            }
        }
    }

    /// Passes the counts of the message that was sent last, if the measurement needs them.
    fn read_counters(&mut self, measurement: &mut Measurement) {
        if measurement.is_counting_events()
            && let (Some(HostMessage::Collect(order)), Some(counters)) = (self.pending.back(), &mut self.counters)
        {
            if let Some(reading) = (counters.read)(order, counters.requests) {
                measurement.handle_reading(reading);
            }
            counters.requests += 1;
        }
    }

    /// Starts a new process of the suite.
    pub fn start_process(&mut self) {
        self.slots.clear();
        self.forget_calls();
        self.deviation = self.normal();
        self.process += 1;
    }

    /// What a function does may depend on the calls before it, and on the age of its process.
    fn forget_calls(&mut self) {
        self.entries.clear();
        self.calls.clear();
        self.started = self.now;
    }

    /// Starts the simulation at another time, since what happens periodically may be at any point of its period.
    pub fn start_at(&mut self, nanos: f64) {
        self.now += nanos;
    }

    /// The simulated time in nanoseconds.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Acts as the driver: replies in order, and starts a new process after an end.
    pub fn drive(&mut self, measurement: &mut Measurement) {
        for replies in 0..MAX_REPLIES {
            if self.restart_after.contains(&replies) {
                measurement.restart_point();
            }
            self.pending.extend(measurement.messages());
            self.read_counters(measurement);
            if measurement.is_done() {
                let rest: Vec<_> = self.pending.drain(..).map(|message| (message, 0.0)).collect();
                self.log.extend(rest);
                return;
            }
            match self.next_reply() {
                Reply::Message(message) => {
                    measurement.handle_reply(*message);
                    if self.records_forecasts {
                        self.forecasts.extend(measurement.progress().forecast);
                    }
                }
                Reply::End(ending) => {
                    self.pending.clear();
                    self.replies.clear();
                    self.slots.clear();
                    self.forget_calls();
                    measurement.handle_exit(&ending);
                }
            }
        }
        panic!("the measurement did not end within {MAX_REPLIES} replies");
    }

    /// The orders to collect batches of functions, with the nanoseconds that they took.
    pub fn orders(&self) -> impl Iterator<Item = (&Collect, f64)> {
        self.log.iter().filter_map(|(message, took)| match message {
            HostMessage::Collect(order) if !is_kernel(order.target) => Some((order, *took)),
            _ => None,
        })
    }

    /// The orders to interleave batches, with the nanoseconds that they took.
    pub fn blocks(&self) -> impl Iterator<Item = (&Interleave, f64)> {
        self.log.iter().filter_map(|(message, took)| match message {
            HostMessage::Interleave(order) => Some((order, *took)),
            _ => None,
        })
    }

    fn next_reply(&mut self) -> Reply {
        if let Some(reply) = self.replies.pop_front() {
            return reply;
        }
        // An idle suite times out.
        let Some(message) = self.pending.pop_front() else { return Reply::End(Ending::TimedOut(10_000)) };
        let before = self.now;
        match &message {
            HostMessage::Describe { .. } => panic!("a measurement does not request the catalog"),
            HostMessage::Open(open) => self.open(open.clone()),
            HostMessage::Collect(order) => self.collect(order),
            HostMessage::Interleave(order) => self.interleave(order),
            HostMessage::Close { slot } => self.close(*slot),
        }
        self.log.push((message, self.now - before));
        self.replies.pop_front().expect("every message has a reply")
    }

    fn open(&mut self, open: Open) {
        let slot = open.slot;
        self.x = axis_of(&open);
        for path in open.functions.clone() {
            match self.fault(axis_of(&open), &path) {
                Some(Fault::GeneratorPanic) => return self.panic(Some(slot), FailureStage::Generator),
                Some(Fault::GeneratorRefuses) => return self.fail(Some(slot), FailureStage::Request),
                Some(Fault::Skip) => {
                    let reason = "no device".to_owned();
                    let failed =
                        RequestFailure { slot: Some(slot), reason, skipped: true, ..RequestFailure::default() };
                    return self.reply(SuiteMessage::Failed(failed));
                }
                _ => {}
            }
        }
        assert!(self.slots.insert(slot, open).is_none(), "slot {slot} is used twice");
        let before = self.now;
        self.advance(1_000.0);
        let (round, one_call_per_batch) = (self.round, self.one_call_per_batch);
        let preparation = self.now - before;
        let (elements, bytes) = (None, None);
        self.reply(SuiteMessage::Opened(OpenReply { slot, round, one_call_per_batch, elements, bytes, preparation }));
    }

    fn close(&mut self, slot: u32) {
        let open = self.slots.remove(&slot).expect("only an open slot is closed");
        let faults: Vec<Fault> = open.functions.iter().filter_map(|path| self.fault(axis_of(&open), path)).collect();
        if faults.contains(&Fault::HookPanic) {
            return self.panic(Some(slot), FailureStage::Hook);
        }
        if faults.contains(&Fault::HookTrap) {
            return self.end("unreachable executed");
        }
        if faults.contains(&Fault::HookHang) {
            return self.replies.push_back(Reply::End(Ending::TimedOut(10_000)));
        }
        self.reply(SuiteMessage::Closed { slot });
    }

    fn collect(&mut self, order: &Collect) {
        if is_kernel(order.target) {
            let samples = self.samples(order, "");
            return self.reply(SuiteMessage::Samples(samples));
        }
        let open = self.slots.get(&order.slot).expect("the slot is open").clone();
        let index = function_of(order.target).expect("a measurement collects batches of functions and kernels");
        let path = open.functions[index].clone();
        let is_call = matches!(order.target, LaneTarget::Function(_));
        let fault = self.fault(axis_of(&open), &path).filter(|_| is_call);
        self.check_order(order.calls, order.batches as usize, &path);
        let mut samples = self.samples(order, &path);
        match fault {
            Some(Fault::Panic) => return self.panic(Some(order.slot), FailureStage::Function),
            Some(Fault::PanicElsewhere) => return self.panic(Some(order.slot + 1_000), FailureStage::Function),
            Some(Fault::Trap) => return self.end("unreachable executed"),
            Some(Fault::OutOfMemory) => {
                self.reply(SuiteMessage::Refused { bytes: 1 << 40, bound: 1 << 30 });
                return self.end("unreachable executed");
            }
            Some(Fault::Refused) => self.reply(SuiteMessage::Refused { bytes: 1 << 40, bound: 1 << 30 }),
            Some(Fault::Hang) => {
                self.now += 10e9;
                return self.replies.push_back(Reply::End(Ending::TimedOut(10_000)));
            }
            Some(Fault::LateReply) => {
                let late = Samples { slot: order.slot.wrapping_sub(1), elapsed: Vec::new(), ..samples.clone() };
                self.reply(SuiteMessage::Samples(late));
                self.reply(SuiteMessage::Closed { slot: order.slot.wrapping_sub(1) });
                self.fail(Some(order.slot.wrapping_sub(1)), FailureStage::Request);
            }
            Some(Fault::BatchMissing) => {
                samples.elapsed.pop();
            }
            Some(Fault::NegativeTime) => samples.elapsed[0] = -1.0,
            Some(Fault::NoTime) => samples.elapsed[0] = f64::NAN,
            Some(Fault::OtherCalls) => samples.calls += 1,
            Some(Fault::OtherTarget) => samples.target = LaneTarget::Reference,
            _ => {}
        }
        self.reply(SuiteMessage::Samples(samples));
    }

    fn interleave(&mut self, order: &Interleave) {
        let open = self.slots.get(&order.slot).expect("the slot is open").clone();
        assert!((1..=MAX_LANES).contains(&order.lanes.len()) && !order.turns.is_empty(), "{order:?}");
        self.make_inputs(order.input_set);
        let before = self.now;
        let (mut held, mut inputs) = (Vec::new(), Vec::new());
        for (lane, &Lane { target, calls }) in order.lanes.iter().enumerate() {
            let Some(index) = function_of(target) else {
                held.push(0.0);
                inputs.push(0);
                continue;
            };
            assert!(matches!(target, LaneTarget::Function(_) | LaneTarget::Empty(_)), "{target:?} has no lane");
            let batches = order.turns.iter().filter(|turn| **turn == lane).count();
            let path = &open.functions[index];
            self.check_order(calls, batches, path);
            held.push(self.model(path).held);
            inputs.push((batches as u64 * calls).min(SET_INPUTS));
            if matches!(target, LaneTarget::Function(_)) && self.fault(axis_of(&open), path) == Some(Fault::TrapLater) {
                return self.end("unreachable executed");
            }
        }
        let mut next_call = vec![0; order.lanes.len()];
        let mut batch = |fake: &mut Self, turn: &usize| {
            let Lane { target, calls } = order.lanes[*turn];
            let path = function_of(target).map_or("", |index| &open.functions[index]);
            let first = next_call[*turn];
            next_call[*turn] += calls;
            fake.batch(first..first + calls, path, target)
        };
        let mut elapsed: Vec<f64> = order.turns.iter().map(|turn| batch(self, turn)).collect();
        let preparation = self.now - before - elapsed.iter().sum::<f64>();
        if let [alone] = &open.functions[..]
            && self.fault(axis_of(&open), alone) == Some(Fault::BatchMissingAlone)
        {
            elapsed.pop();
        }
        let (slot, interrupted) = (order.slot, self.interrupted());
        let reply = InterleaveReply { slot, elapsed, interrupted, preparation, held, inputs };
        self.reply(SuiteMessage::Interleaved(reply));
    }

    /// Checks the requirements of the contract, and the limit on bytes that prevents cache effects.
    fn check_order(&self, calls: u64, batches: usize, path: &str) {
        let model = self.model(path);
        let least = if self.one_call_per_batch { 1 } else { self.round };
        let order = format!("{batches} batches of {calls} calls of {path}");
        assert!(batches >= 1, "{order}");
        assert!(calls >= 1 && calls % least == 0, "not whole rounds of {least}: {order}");
        assert!(!self.one_call_per_batch || calls == 1, "{order}");
        let held = calls as f64 * model.held;
        // The bytes per call are unknown before the first reply.
        assert!(held <= MAX_BATCH_BYTES as f64 || calls == least, "{held} bytes in a batch: {order}");
    }

    /// Other inputs take other times, the same for all functions.
    fn make_inputs(&mut self, number: u32) {
        if number != self.input_set {
            self.had_inputs.clear();
        }
        self.input_set = number;
        self.input = fraction(mix(mix(self.inputs_seed) ^ u64::from(number)));
    }

    fn samples(&mut self, order: &Collect, path: &str) -> Samples {
        self.make_inputs(order.input_set);
        let before = self.now;
        let (target, model) = (order.target, (!path.is_empty()).then(|| self.model(path).clone()));
        let is_first = matches!(target, LaneTarget::Function(_)) && !self.entries.contains_key(path);
        let calls = |batch| u64::from(batch) * order.calls..u64::from(batch + 1) * order.calls;
        let batches = (0..order.batches).map(|batch| self.batch(calls(batch), path, target));
        let mut elapsed: Vec<f64> = batches.collect();
        let preparation = self.now - before - elapsed.iter().sum::<f64>();
        let held = model
            .map_or(0.0, |model| model.held + if is_first { model.first_call.1 / order.calls as f64 } else { 0.0 });
        if matches!(target, LaneTarget::Check(_) | LaneTarget::Count(_)) {
            elapsed.clear();
        }
        let hashes = matches!(target, LaneTarget::Check(_)).then(|| vec!["0f".to_owned()]);
        let counts = self.counts.filter(|_| matches!(target, LaneTarget::Count(_))).map(|one| {
            let of_batch =
                Counts { allocations: order.calls * one.allocations, bytes: order.calls * one.bytes, peak: one.peak };
            vec![of_batch; order.batches as usize]
        });
        let interrupted = self.interrupted();
        Samples { interrupted, preparation, held, counts, hashes, ..Samples::of(order, elapsed) }
    }

    /// The interrupted batches since the last reply, if the suite reports them.
    fn interrupted(&mut self) -> Vec<u32> {
        let stopped = (0..).zip(self.interrupted_batches.drain(..)).filter(|(_, is_stopped)| *is_stopped);
        let indices: Vec<u32> = stopped.map(|(index, _)| index).collect();
        if self.reports_interruptions { indices } else { Vec::new() }
    }

    /// The nanoseconds of a batch, as measured by the clock. `which`: the numbers of its calls since the message began.
    fn batch(&mut self, which: std::ops::Range<u64>, path: &str, target: LaneTarget) -> f64 {
        let calls = (which.end - which.start) as f64;
        let took = match target {
            LaneTarget::Reference => calls * REFERENCE,
            LaneTarget::Tier => calls * TIER * if self.is_slow_code { 3.7 } else { 1.0 },
            _ => {
                let model = self.model(path).clone();
                self.advance(calls * model.preparation + 50.0);
                let is_first = matches!(target, LaneTarget::Function(_)) && !self.entries.contains_key(path);
                let first = if is_first { model.first_call.0 } else { 0.0 };
                let is_empty = matches!(target, LaneTarget::Empty(_));
                let work = if is_empty { 0.0 } else { self.per_call(path, &model) * self.mean_of_inputs(path, &which) };
                let cold = if is_empty { model.cold_start.1 } else { model.cold_start.0 };
                let cold = if cold > 0.0 { cold * self.spread(Spread::HeavyTail(2)) } else { 0.0 };
                let pauses = if is_empty { 0.0 } else { self.pauses(path, &model, which.end - which.start) };
                let start = if is_empty { 0.0 } else { model.batch_start };
                calls * (EMPTY + work) + first + cold + start + pauses
            }
        };
        let (often, stall) = self.stalls;
        let stall = if often > 0.0 && self.random_fraction() < often { stall } else { 0.0 };
        self.interrupted_batches.push(stall > 0.0);
        let took = took * self.weather.map_or(1.0, |weather| weather(self.now)) + stall;
        self.batches += 1;
        if self.set_back == Some(self.batches) {
            return -1e9;
        }
        let start = self.read();
        self.now += took;
        if let Some((period, duration)) = self.ticks {
            let ticks = (self.now / period).floor() - (start / period).floor();
            self.now += ticks * duration;
        }
        self.read() - start
    }

    /// The factor of calls on these inputs, which repeat.
    fn mean_of_inputs(&self, path: &str, calls: &std::ops::Range<u64>) -> f64 {
        let sd = self.model(path).single_inputs;
        if sd == 0.0 {
            return 1.0;
        }
        let factor = |input: u64| {
            let number = mix(u64::from(self.input_set) << 8 | input);
            let (radius, angle) = (1.0 - self.effect(path, number), self.effect(path, !number));
            let normal = (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos();
            (sd * normal - sd * sd / 2.0).exp()
        };
        let factors: Vec<f64> = (0..SET_INPUTS).map(factor).collect();
        let count = calls.end - calls.start;
        let rest = (calls.start..calls.end).take((count % SET_INPUTS) as usize);
        let rest: f64 = rest.map(|call| factors[(call % SET_INPUTS) as usize]).sum();
        ((count / SET_INPUTS) as f64 * factors.iter().sum::<f64>() + rest) / count as f64
    }

    /// The nanoseconds of the pauses during the next calls of a function.
    fn pauses(&mut self, path: &str, model: &Model, calls: u64) -> f64 {
        let Some((every, nanos)) = model.pause else { return 0.0 };
        let so_far = self.calls.entry(path.to_owned()).or_default();
        let before = *so_far / every;
        *so_far += calls;
        (*so_far / every - before) as f64 * nanos
    }

    fn per_call(&mut self, path: &str, model: &Model) -> f64 {
        let entries = match self.entries.get_mut(path) {
            Some(entries) => entries,
            None => self.entries.entry(path.to_owned()).or_default(),
        };
        *entries += 1;
        let mut slow = if *entries <= model.tier.0 { model.tier.1 } else { 1.0 };
        if self.now - self.started < model.late_code.0 {
            slow *= model.late_code.1;
        }
        slow *= 1.0 + model.growth * *entries as f64;
        if let Some((batches, factor)) = model.predictor {
            let has_forgotten = *entries / batches % 2 == 1;
            if self.had_inputs.insert(path.to_owned()) || has_forgotten {
                slow *= factor;
            }
        }
        let noise = 1.0 + model.noise * (2.0 * self.random_fraction() - 1.0);
        let input = 1.0 + model.inputs * (2.0 * self.input - 1.0);
        let spread = self.spread(model.spread);
        let own_input = 1.0 + model.own_inputs * (2.0 * self.effect(path, u64::from(self.input_set)) - 1.0);
        let process = self.process_effect(path);
        (model.per_call + model.per_x * self.x) * slow * noise * input * own_input * spread * process
    }

    fn clock_steps(&mut self, order: &Collect) -> Samples {
        let mut readings = 0;
        let mut next = |fake: &mut Self| {
            let before = fake.read();
            loop {
                readings += 1;
                let now = fake.read();
                if now > before {
                    return now;
                }
                // Readings of a coarse clock that all show the same step.
                let same = ((before + fake.resolution - fake.now) / READING - 1.0).floor().max(0.0);
                readings += same as u64;
                fake.now += same * READING;
            }
        };
        let elapsed = (0..order.batches)
            .map(|_| {
                let start = next(self);
                next(self) - start
            })
            .collect();
        Samples { calls: readings, ..Samples::of(order, elapsed) }
    }

    /// Reads the clock in nanoseconds: the last step that has occurred.
    fn read(&mut self) -> f64 {
        self.now += READING;
        let step = (self.now / self.resolution).floor();
        // The delay of a step is equal for every reading.
        let late = self.jitter * fraction(mix(step as u64)) * self.resolution;
        let came = self.now >= step * self.resolution + late;
        if came { step * self.resolution } else { (step - 1.0) * self.resolution }
    }

    /// Advances the clock by `nanos` nanoseconds, plus up to a fifth.
    fn advance(&mut self, nanos: f64) {
        self.now += nanos * (1.0 + 0.2 * self.random_fraction());
    }

    /// A random number from 0 to 1.
    fn random_fraction(&mut self) -> f64 {
        self.random += 1;
        fraction(mix(self.random))
    }

    /// The factor that a function has in the current process: uniform with a mean of 1.
    pub fn process_effect(&self, path: &str) -> f64 {
        let deviation = 12_f64.sqrt() * (self.effect(path, !self.process) - 0.5);
        1.0 + self.model(path).processes * deviation
    }

    /// The effect of something on one function, 0 to 1.
    fn effect(&self, path: &str, number: u64) -> f64 {
        let function = u64::from(path.bytes().last().unwrap_or_default());
        fraction(mix(mix(mix(self.inputs_seed) ^ number) ^ function))
    }

    /// Draws a factor.
    fn spread(&mut self, spread: Spread) -> f64 {
        match spread {
            Spread::None => 1.0,
            Spread::Lognormal(sd) => (sd * self.normal() - sd * sd / 2.0).exp(),
            Spread::HeavyTail(shape) => {
                let gamma: f64 = (0..shape).map(|_| -self.positive_fraction().ln()).sum::<f64>() / f64::from(shape);
                let is_slow = self.random_fraction() < 0.01;
                gamma * if is_slow { 10.0 } else { 1.0 } / 1.09
            }
            Spread::TwoModes(share, longer) => {
                let is_slow = self.random_fraction() < share;
                (1.0 + if is_slow { longer } else { 0.0 }) / (1.0 + share * longer)
            }
            Spread::Exponential(share) => 1.0 + share * (-self.positive_fraction().ln() - 1.0),
            Spread::Wandering(nanos, sd) => {
                let correlation = (-(self.now - self.drawn_at) / nanos).exp();
                self.drawn_at = self.now;
                self.spread(Spread::Autoregressive(correlation, sd))
            }
            Spread::Autoregressive(correlation, sd) => {
                self.deviation =
                    correlation * self.deviation + (1.0 - correlation * correlation).sqrt() * self.normal();
                1.0 + sd * self.deviation
            }
        }
    }

    /// A normal deviate with mean 0 and standard deviation 1, by G. E. P. Box and M. E. Muller (1958).
    fn normal(&mut self) -> f64 {
        (-2.0 * self.positive_fraction().ln()).sqrt() * (std::f64::consts::TAU * self.random_fraction()).cos()
    }

    /// A random number above 0, at most 1.
    fn positive_fraction(&mut self) -> f64 {
        1.0 - self.random_fraction()
    }

    fn model(&self, path: &str) -> &Model {
        let index: usize = path[1..].parse().expect("paths are f0, f1, …");
        &self.models[index]
    }

    fn fault(&self, x: f64, path: &str) -> Option<Fault> {
        self.faults.iter().find(|(at, of, _)| *at == x && *of == path).map(|(_, _, fault)| *fault)
    }

    fn reply(&mut self, message: SuiteMessage) {
        self.replies.push_back(Reply::Message(Box::new(message)));
    }

    fn fail(&mut self, slot: Option<u32>, stage: FailureStage) {
        let (reason, location) = ("injected fault".to_owned(), Some("suite.rs:1:1".to_owned()));
        self.reply(SuiteMessage::Failed(RequestFailure { slot, stage, reason, location, ..RequestFailure::default() }));
    }

    fn panic(&mut self, slot: Option<u32>, stage: FailureStage) {
        self.fail(slot, stage);
        self.end("exit code 101");
    }

    fn end(&mut self, how: &str) {
        self.replies.push_back(Reply::End(Ending::Died(how.to_owned())));
    }
}

/// The quality of a priority, 1 to 4.
pub fn quality(priority: u8) -> Quality {
    Qualities::default().of(Priority::try_from(priority).expect("1 to 4")).clone()
}

/// The finaliser of SplitMix64.
fn mix(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn fraction(random: u64) -> f64 {
    (random >> 11) as f64 / (1_u64 << 53) as f64
}

/// The value of the parameter `x`; 0 if it is a text.
pub fn axis_of(open: &Open) -> f64 {
    match open.arguments.get("x") {
        Some(Argument::Number(value)) => *value,
        _ => 0.0,
    }
}
