//! Whatever a suite sends, its host does not panic, ends, and reports one outcome per point, which can be stored and
//! whose reason fits a screen.
//!
//! The measurement is driven without a process, line by line as the driver of child processes does. Cases are derived
//! from correct replies: damaged JSON, values and bytes, silence, repetition and death, all seeded. `cargo xtask soak
//! fuzz` runs many more of them.

use std::collections::{BTreeMap, VecDeque};
use std::panic::AssertUnwindSafe;

use benchbook_contract::catalog::Function;
use benchbook_contract::parameter::Range;
use benchbook_contract::protocol::HostMessage;
use benchbook_host::quality::Quality;
use benchbook_host::request::Plan;
use benchbook_host::response::{ClockCard, Outcome, Point};
use benchbook_host::sample::ending::Ending;
use benchbook_host::sample::measurement::{Measurement, MeasurementSettings};
use benchbook_tests::fuzz::{CaseRng, FEW, MANY, cases, seed};
use benchbook_tests::requests::{quick, request};
use proper::{proper, suite};
use serde_json::{Value, json};

/// More lines than any measurement of a few points needs.
const MAX_LINES: usize = 20_000;

/// The maximum length of a reason in characters: a screen.
const MAX_REASON_LENGTH: usize = 4_100;

/// The suite of the impostors, whose replies are correct.
#[path = "../../suites/impostors/src/proper.rs"]
mod proper;

/// Two functions declared as alternatives, so that the host also requests hashes of their outputs.
fn plan() -> Plan {
    let mut suite = suite();
    let function = Function { alternatives: Some("the same work".to_owned()), ..suite.functions[0].clone() };
    suite.functions = ["one", "two"].map(|path| Function { path: path.to_owned(), ..function.clone() }).to_vec();
    let range = Range { low: 0.0, high: 2.0 };
    let request = request(&suite, &["one", "two"], &suite.generators[0], range);
    Plan::new(&suite, request).unwrap()
}

/// A suite that sends faulty replies.
struct FaultySuite {
    rng: CaseRng,
    /// One in this many replies is faulty.
    one_in: usize,
    /// Queued lines; `None` if the suite has ended.
    lines: VecDeque<Option<String>>,
    /// The latest correct reply.
    last: Value,
}

impl FaultySuite {
    fn new(mut rng: CaseRng) -> Self {
        let one_in = rng.pick(&[2, 10, 50, 200]);
        Self { rng, one_in, lines: VecDeque::new(), last: json!({"type": "closed", "slot": 0}) }
    }

    fn handle(&mut self, message: HostMessage) {
        let correct = serde_json::to_value(proper(message)).unwrap();
        let before = std::mem::replace(&mut self.last, correct.clone());
        if !self.rng.one_in(self.one_in) {
            return self.reply(&correct);
        }
        match self.rng.below(12) {
            0 => {}
            1 => self.lines.push_back(None),
            2 => self.reply(&before),
            3 => (0..2).for_each(|_| self.reply(&correct)),
            4 => self.send_unrequested(&correct),
            5 => {
                let mut bytes = correct.to_string().into_bytes();
                self.rng.damage_bytes(&mut bytes);
                self.lines.push_back(Some(String::from_utf8_lossy(&bytes).into_owned()));
            }
            _ => {
                let mut damaged = correct;
                for _ in 0..=self.rng.below(2) {
                    self.rng.damage_value(&mut damaged);
                }
                self.reply(&damaged);
            }
        }
    }

    /// Sends an unrequested message for the current slot.
    fn send_unrequested(&mut self, correct: &Value) {
        let slot = &correct["slot"];
        let (stage, text) = (self.rng.pick(&["request", "generator", "function", "hook"]), self.rng.text());
        let message = match self.rng.below(4) {
            0 => json!({"type": "failed", "slot": slot, "stage": stage, "reason": text, "place": text}),
            1 => json!({"type": "failed", "stage": stage, "reason": text}),
            2 => json!({"type": "refused", "bytes": u64::MAX, "bound": 1}),
            _ => json!({"type": "closed", "slot": slot}),
        };
        self.reply(&message);
        if self.rng.one_in(2) {
            self.reply(correct);
        }
    }

    fn reply(&mut self, message: &Value) {
        self.lines.push_back(Some(message.to_string()));
    }
}

/// Drives a measurement to its end, as [`benchbook_host::child`] does with a process.
fn drive(mut measurement: Measurement, rng: CaseRng) -> Result<Vec<Point>, String> {
    let mut suite = FaultySuite::new(rng);
    for _ in 0..MAX_LINES {
        measurement.messages().into_iter().for_each(|message| suite.handle(message));
        if measurement.is_done() {
            return Ok(measurement.into_points());
        }
        let ending = match suite.lines.pop_front() {
            Some(Some(line)) => match serde_json::from_str(&line) {
                Ok(message) => {
                    measurement.handle_reply(message);
                    continue;
                }
                Err(error) => Ending::Died(format!("it sent an invalid message: {error}")),
            },
            Some(None) => Ending::Died("it ended (exit status: 3)".to_owned()),
            None => Ending::TimedOut(1_000),
        };
        suite.lines.clear();
        let stderr = if suite.rng.one_in(2) { suite.rng.text() } else { String::new() };
        measurement.handle_exit_with_stderr(&ending, &stderr);
    }
    Err(format!("no end within {MAX_LINES} lines"))
}

/// Checks the outcomes.
fn check(points: &[Point]) -> Result<(), String> {
    let mut seen = BTreeMap::<(String, String), u32>::new();
    for point in points {
        *seen.entry((point.function.clone(), point.x.to_string())).or_default() += 1;
        if let Outcome::Failed(failure) = &point.outcome
            && (failure.reason.is_empty() || failure.reason.chars().count() > MAX_REASON_LENGTH)
        {
            return Err(format!("a reason of {} bytes", failure.reason.len()));
        }
        let json = serde_json::to_string(point).map_err(|error| error.to_string())?;
        let read: Point = serde_json::from_str(&json).map_err(|error| format!("{error} in {json}"))?;
        if read != *point {
            return Err(format!("it cannot be stored: {point:?}\nreads as {read:?}"));
        }
    }
    let all = ["one", "two"]
        .into_iter()
        .flat_map(|function| (0..3).map(move |x: u32| ((function.to_owned(), x.to_string()), 1)));
    if seen == all.collect() { Ok(()) } else { Err(format!("the outcomes are of {seen:?}")) }
}

#[test]
fn every_point_has_an_outcome_for_any_replies() {
    run(FEW);
}

#[test]
#[ignore = "nightly: more cases"]
fn every_point_has_an_outcome_for_many_replies() {
    run(MANY);
}

fn run(usual: u64) {
    let plan = plan();
    let quality = Quality { point_ms: 0.5, ..quick(3) };
    let clock = ClockCard { resolution: 30.0, jitter: 0.0, cost: 20.0 };
    let mut failed = BTreeMap::<String, u64>::new();
    let mut measured = 0_u64;
    for number in 0..cases(usual) {
        let measurement = Measurement::new(MeasurementSettings::new(plan.clone(), quality.clone(), clock));
        let driven = || drive(measurement, CaseRng::new(seed(), number));
        match std::panic::catch_unwind(AssertUnwindSafe(driven)) {
            Ok(Ok(points)) => {
                check(&points).unwrap_or_else(|wrong| panic!("case {number}: {wrong}"));
                for point in &points {
                    match &point.outcome {
                        Outcome::Measured(_) => measured += 1,
                        Outcome::Failed(failure) => *failed.entry(format!("{:?}", failure.kind)).or_default() += 1,
                    }
                }
            }
            Ok(Err(wrong)) => panic!("case {number}: {wrong}"),
            Err(_) => panic!("case {number} panicked"),
        }
    }
    println!("{measured} measured, {failed:?}");
    assert!(measured > 0 && failed.len() >= 4, "{measured} measured, {failed:?}");
}
