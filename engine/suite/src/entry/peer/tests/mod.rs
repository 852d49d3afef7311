//! A suite in conversation, whose functions and hooks tell what happens to them.

mod inputs;
mod lanes;
mod refused;

use std::cell::RefCell;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Peer, Scratch};
use crate::declare::{Declared, FunctionEntry};
use crate::identity::Identity;
use benchbook_macros::{Choice, generator, measured};
use rand::RngExt;

use crate::{Calls, Fresh, Service, Shared};

thread_local! {
    /// What happened on this thread: each test has its own.
    static HAPPENED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn tell(what: impl Into<String>) {
    HAPPENED.with_borrow_mut(|happened| happened.push(what.into()));
}

/// What happened since this was asked last.
fn happened() -> Vec<String> {
    HAPPENED.take()
}

/// A result that tells when it is dropped.
struct Dropped {
    of: u64,
}

impl Drop for Dropped {
    fn drop(&mut self) {
        tell(format!("drop {}", self.of));
    }
}

/// An input that tells when it is cloned.
#[derive(Debug)]
struct Cloned(u64);

impl Clone for Cloned {
    fn clone(&self) -> Self {
        tell(format!("clone {}", self.0));
        Self(self.0)
    }
}

/// How the test's generators count.
#[derive(Clone, Copy, Choice)]
enum Count {
    /// From 1 on.
    Up,
    /// As the random numbers come.
    Random,
}

/// Counts its inputs, and changes them.
#[measured(generators(fresh, one_by_one))]
fn changes(input: &mut u64) -> Dropped {
    tell(format!("changes {input}"));
    *input += 100;
    Dropped { of: *input }
}

/// The same again.
#[measured(generators(fresh), alternatives = "same")]
fn changes_too(input: &mut u64) -> u64 {
    tell(format!("changes {input}"));
    *input += 100;
    *input
}

/// Does the same otherwise.
#[measured(generators(fresh), alternatives = "same")]
fn changes_likewise(input: &mut u64) -> u64 {
    *input += 50;
    *input += 50;
    *input
}

/// Leaves another input behind, and returns the same.
#[measured(generators(fresh))]
fn leaves_another(input: &mut u64) -> u64 {
    *input += 101;
    *input - 1
}

/// Has no hash.
#[measured(generators(fresh, shared, calls))]
fn float(input: &u64) -> f64 {
    *input as f64
}

/// Borrows its input.
#[measured(generators(fresh, shared, shared_with_hook, calls))]
fn borrows(input: &u64) -> u64 {
    tell(format!("borrows {input}"));
    *input
}

/// Consumes its input.
#[measured(generators(cloned))]
fn consumes(mut input: Cloned) -> u64 {
    tell(format!("consumes {}", input.0));
    input.0 += 100;
    input.0
}

/// Has no calls.
#[measured(generators(none))]
fn never(input: &u64) -> u64 {
    *input
}

/// A fresh number for each call.
#[generator(name = "Fresh")]
fn fresh(
    service: &Service,
    /// Where to begin.
    #[parameter(min = 0, max = 1_000, step = 10, default = 0..=100, unit = "steps")]
    first: u32,
    /// How to go on.
    #[parameter(default = "Up")]
    count: Count,
) -> Fresh<u64> {
    let Service { priority, seed, axis, scratch } = service;
    tell(format!("prepare {first}, priority {priority}, seed {seed}, axis {axis}, {scratch:?}"));
    let mut next = u64::from(first);
    Fresh::new(move |rng| {
        next += 1;
        let input = match count {
            Count::Up => next,
            Count::Random => rng.random(),
        };
        tell(format!("make {input}"));
        input
    })
    .after_call(|input| tell(format!("hook {input}")))
    .after_all(|| tell("end"))
}

/// Shared random numbers.
#[generator(name = "Shared")]
fn shared(
    _service: &Service,
    /// Unused.
    #[parameter(min = 0, max = 9, default = 0..=9)]
    _x: u32,
) -> Shared<u64> {
    Shared::new(move |rng| {
        let input = rng.random_range(0..1_000_000_000);
        tell(format!("make {input}"));
        input
    })
    .after_all(|| tell("end"))
}

/// Shared inputs with a hook.
#[generator(name = "Shared with a hook")]
fn shared_with_hook(
    _service: &Service,
    /// Unused.
    #[parameter(min = 0, max = 9, default = 0..=9)]
    _x: u32,
) -> Shared<u64> {
    Shared::new(|_| 7).after_call(|input| tell(format!("hook {input}")))
}

/// Fresh inputs, timed one by one because the generator says so.
#[generator(name = "One by one")]
fn one_by_one(
    _service: &Service,
    /// Unused.
    #[parameter(min = 0, max = 9, default = 0..=9)]
    _x: u32,
) -> Fresh<u64> {
    Fresh::new(|_| 7).one_call_a_batch()
}

/// Prepared calls.
#[generator(name = "Calls")]
fn calls(
    _service: &Service,
    /// Calls a round.
    #[parameter(min = 0, max = 9, default = 0..=9)]
    round: u64,
) -> Calls<u64> {
    Calls::new(move |_| (0..round).collect()).after_call(|input| tell(format!("hook {input}")))
}

/// Inputs that report their clones.
#[generator(name = "Cloned")]
fn cloned(
    _service: &Service,
    /// Unused.
    #[parameter(min = 0, max = 9, default = 0..=9)]
    _x: u32,
) -> Shared<Cloned> {
    let mut next = 0;
    Shared::new(move |_| {
        next += 1;
        Cloned(next)
    })
}

/// Rounds without calls.
#[generator(name = "None")]
fn none(
    _service: &Service,
    /// Unused.
    #[parameter(min = 0, max = 9, default = 0..=9)]
    _x: u32,
) -> Calls<u64> {
    Calls::new(|_| Vec::new()).after_all(|| tell("end"))
}

const IDENTITY: Identity = Identity { name: "told", version: "1.2.3", crate_name: module_path!() };

/// Gives out folders that are not there.
struct Told;

impl Scratch for Told {
    fn make(&mut self, slot: u32) -> Option<PathBuf> {
        tell(format!("folder {slot}"));
        Some(PathBuf::from(format!("scratch/{slot}")))
    }
    fn remove(&mut self, slot: u32) {
        tell(format!("remove {slot}"));
    }
}

fn peer() -> Peer {
    Peer::new(IDENTITY, Box::new(Told))
}

fn ask(peer: &mut Peer, message: Value) -> Value {
    serde_json::from_str(&peer.answer(&message.to_string())).expect("answers are JSON")
}

/// Opens functions as slot 1, and forgets what happened by it.
#[track_caller]
fn opened(functions: &[&str], generator: &str, arguments: Value) -> (Peer, Value) {
    let mut peer = peer();
    let answer = ask(&mut peer, open(1, functions, generator, arguments));
    assert_eq!(answer["type"], "opened", "{answer}");
    happened();
    (peer, answer)
}

fn open(slot: u32, functions: &[&str], generator: &str, arguments: Value) -> Value {
    json!({"type": "open", "slot": slot, "functions": functions, "generator": generator, "arguments": arguments,
        "axis": 5, "seed": 42, "priority": 3})
}

fn collect(target: Value, calls: u64, batches: u32, inputs: u32) -> Value {
    json!({"type": "collect", "slot": 1, "target": target, "calls": calls, "batches": batches, "inputs": inputs})
}

fn interleave(lanes: &[(Value, u64)], turns: &[usize], inputs: u32) -> Value {
    let lanes: Vec<Value> = lanes.iter().map(|(target, calls)| json!({"target": target, "calls": calls})).collect();
    json!({"type": "interleave", "slot": 1, "lanes": lanes, "turns": turns, "inputs": inputs})
}

/// Calls the slot's function, and what happened then.
#[track_caller]
fn calls_of(peer: &mut Peer, function: usize, calls: u64, batches: u32, inputs: u32) -> Vec<String> {
    let answer = ask(peer, collect(json!({"function": function}), calls, batches, inputs));
    assert_eq!(answer["type"], "samples", "{answer}");
    assert_eq!(answer["elapsed"].as_array().map(Vec::len), Some(batches as usize), "{answer}");
    happened()
}

/// Only what begins with `what`, without it.
fn only(what: &str, happened: &[String]) -> Vec<String> {
    happened.iter().filter_map(|line| line.strip_prefix(what)).map(|rest| rest.trim().to_owned()).collect()
}

#[track_caller]
fn assert_refused(answer: &Value, reason: &str) {
    assert_eq!(answer["type"], "failed", "{answer}");
    assert_eq!(answer["stage"], "request", "{answer}");
    assert_eq!(answer["reason"], reason);
}

fn axis() -> Value {
    json!({"first": {"low": 0, "high": 100}, "count": "Up"})
}

fn random() -> Value {
    json!({"first": {"low": 0, "high": 100}, "count": "Random"})
}

fn unused() -> Value {
    json!({"_x": {"low": 0, "high": 9}})
}

#[test]
fn it_describes_itself() {
    let catalog = ask(&mut peer(), json!({"type": "describe", "protocol": 3}));
    assert_eq!(catalog["type"], "catalog");
    assert_eq!(catalog["protocol"], 3);
    let suite = &catalog["suite"];
    assert_eq!((&suite["name"], &suite["version"]), (&json!("told"), &json!("1.2.3")));
    let function = |path: &str| {
        let functions = suite["functions"].as_array().expect("a list");
        functions.iter().find(|function| function["path"] == path).unwrap_or_else(|| panic!("{suite:#}")).clone()
    };
    let changes = function("changes_likewise");
    assert_eq!(changes["signature"], "fn changes_likewise(input: &mut u64) -> u64");
    assert_eq!(changes["docs"], "Does the same otherwise.");
    assert_eq!(changes["generators"], json!(["fresh"]));
    assert_eq!(changes["alternatives"], "same");
    assert_eq!(changes["file"], file!());
    assert_eq!(function("borrows")["generators"], json!(["fresh", "shared", "shared_with_hook", "calls"]));
    let generators = suite["generators"].as_array().expect("a list");
    let paths: Vec<_> = generators.iter().map(|generator| generator["path"].as_str().expect("a text")).collect();
    assert_eq!(paths, ["calls", "cloned", "fresh", "none", "one_by_one", "shared", "shared_with_hook"]);
    assert_eq!(
        generators[2],
        json!({"path": "fresh", "name": "Fresh", "docs": "A fresh number for each call.", "mode": "fresh", "parameters": [
            {"name": "first", "description": "Where to begin.", "type": "integer", "of": "u32", "min": 0, "max": 1000,
                "step": 10, "default": {"low": 0, "high": 100}, "unit": "steps", "scale": "linear", "axis": true},
            {"name": "count", "description": "How to go on.", "type": "choice", "default": "Up", "options": [
                {"name": "Up", "description": "From 1 on."},
                {"name": "Random", "description": "As the random numbers come."}]},
        ]})
    );
}

#[test]
fn a_generator_gets_the_axis_value_and_the_service() {
    let mut peer = peer();
    ask(&mut peer, open(9, &["changes"], "fresh", axis()));
    assert_eq!(
        happened(),
        ["folder 9", "prepare 5, priority 3, seed 42, axis 5, Some(\"scratch/9\")", "make 6"],
        "the first input shows how many make a round"
    );
}

#[test]
fn the_last_hook_runs_once_when_the_slot_is_closed() {
    let (mut peer, _) = opened(&["borrows"], "shared", unused());
    calls_of(&mut peer, 0, 1, 3, 0);
    assert_eq!(ask(&mut peer, json!({"type": "close", "slot": 1})), json!({"type": "closed", "slot": 1}));
    assert_eq!(happened(), ["end", "remove 1"]);
    assert_refused(&ask(&mut peer, json!({"type": "close", "slot": 1})), "slot 1 is not open");
    drop(peer);
    assert!(happened().is_empty());
}

#[test]
fn the_last_hooks_run_when_the_host_is_gone() {
    let (mut peer, _) = opened(&["borrows"], "shared", unused());
    ask(&mut peer, open(2, &["changes"], "fresh", axis()));
    happened();
    peer.forget_all();
    let mut ends = happened();
    ends.sort();
    assert_eq!(ends, ["end", "end", "remove 1", "remove 2"]);
}

#[test]
fn alternatives_have_equal_hashes() {
    let functions = ["changes_too", "changes_likewise", "leaves_another"];
    let (mut peer, _) = opened(&functions, "fresh", random());
    let mut hashes = |function: usize, number| {
        let answer = ask(&mut peer, collect(json!({"check": function}), 1, 4, number));
        let hashes = answer["hashes"].as_array().expect("a list").clone();
        assert!(hashes.iter().all(|hash| hash.as_str().is_some_and(|hash| hash.len() == 16)), "{answer}");
        assert_eq!((hashes.len(), &answer["elapsed"]), (4, &json!([])));
        hashes
    };
    let [first, same, other] = [0, 1, 2].map(|function| hashes(function, 0));
    assert_eq!(first, same);
    assert!(first.iter().zip(&other).all(|(one, other)| one != other), "what it leaves of its input counts");
    assert_ne!(hashes(0, 1), first, "other inputs give other hashes");
}

#[test]
fn what_cannot_be_hashed_has_no_hash() {
    let (mut peer, _) = opened(&["float"], "shared", unused());
    let answer = ask(&mut peer, collect(json!({"check": 0}), 1, 3, 0));
    assert_eq!((&answer["type"], &answer["hashes"]), (&json!("samples"), &json!([])));
}

#[test]
fn clock_and_kernels_need_no_slot() {
    let mut peer = peer();
    let clock = ask(&mut peer, collect(json!("clock"), 1, 3, 0));
    let steps = clock["elapsed"].as_array().expect("a list");
    assert!(steps.len() == 3 && steps.iter().all(|step| step.as_f64().is_some_and(|step| step > 0.0)), "{clock}");
    assert!(clock["calls"].as_u64().is_some_and(|readings| readings >= 3), "{clock}");
    for kernel in ["reference", "tier"] {
        let samples = ask(&mut peer, collect(json!(kernel), 10, 2, 0));
        assert_eq!((&samples["target"], &samples["calls"]), (&json!(kernel), &json!(10)));
        assert_eq!(samples["elapsed"].as_array().map(Vec::len), Some(2));
    }
}

#[test]
fn allocations_are_counted_where_asked_for() {
    let (mut peer, _) = opened(&["borrows"], "shared", unused());
    let mut order = collect(json!({"function": 0}), 1, 3, 0);
    assert!(ask(&mut peer, order.clone()).get("allocations").is_none());
    order["allocations"] = json!(true);
    assert_eq!(ask(&mut peer, order)["allocations"].as_array().map(Vec::len), Some(3));
}
