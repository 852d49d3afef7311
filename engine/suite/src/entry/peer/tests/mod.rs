//! Tests of a suite whose functions, hooks and generators log events.

mod counts;
mod inputs;
mod lanes;
mod owned;
mod rejected;
mod throughput;

use std::cell::RefCell;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Peer, Scratch};
use crate::declare::{Declarations, FunctionEntry};
use crate::identity::Identity;
use benchbook_macros::{Choice, generator, measured};
use rand::RngExt;

use crate::{Calls, Fresh, Service, Shared};

thread_local! {
    /// The events of this thread; each test has its own.
    static EVENTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn log(event: impl Into<String>) {
    EVENTS.with_borrow_mut(|events| events.push(event.into()));
}

/// Returns the events since the previous call.
fn take_events() -> Vec<String> {
    EVENTS.take()
}

/// A result that logs its drop.
struct Dropped {
    of: u64,
}

impl Drop for Dropped {
    fn drop(&mut self) {
        log(format!("drop {}", self.of));
    }
}

/// An input that logs its clones.
#[derive(Debug)]
struct Cloned(u64);

impl Clone for Cloned {
    fn clone(&self) -> Self {
        log(format!("clone {}", self.0));
        Self(self.0)
    }
}

/// The order of the inputs.
#[derive(Clone, Copy, Choice)]
enum Count {
    /// Ascending numbers.
    Up,
    /// Random numbers.
    Random,
}

/// Modifies its input and logs it.
#[measured(generators(fresh, one_by_one))]
fn changes(input: &mut u64) -> Dropped {
    log(format!("changes {input}"));
    *input += 100;
    Dropped { of: *input }
}

/// Modifies its input like `changes`.
#[measured(generators(fresh), alternatives = "same")]
fn also_changes(input: &mut u64) -> u64 {
    log(format!("changes {input}"));
    *input += 100;
    *input
}

/// Does the same work in two steps.
#[measured(generators(fresh), alternatives = "same")]
fn changes_in_two_steps(input: &mut u64) -> u64 {
    *input += 50;
    *input += 50;
    *input
}

/// Modifies its input differently, but returns the same.
#[measured(generators(fresh))]
fn changes_differently(input: &mut u64) -> u64 {
    *input += 101;
    *input - 1
}

/// Returns a type without `Hash`.
#[measured(generators(fresh, shared, calls))]
fn float(input: &u64) -> f64 {
    *input as f64
}

/// Borrows its input.
#[measured(generators(fresh, shared, shared_with_hook, calls))]
fn borrows(input: &u64) -> u64 {
    log(format!("borrows {input}"));
    *input
}

/// Consumes its input.
#[measured(generators(cloned))]
fn consumes(mut input: Cloned) -> u64 {
    log(format!("consumes {}", input.0));
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
    /// The number before the first.
    #[parameter(min = 0, max = 1_000, step = 10, default = 0..=100, unit = "steps")]
    first: u32,
    /// The order of the numbers.
    #[parameter(default = "Up")]
    count: Count,
) -> Fresh<u64> {
    let Service { priority, seed, scratch } = service;
    log(format!("prepare {first}, priority {priority}, seed {seed}, {scratch:?}"));
    let mut next = u64::from(first);
    Fresh::new(move |rng| {
        next += 1;
        let input = match count {
            Count::Up => next,
            Count::Random => rng.random(),
        };
        log(format!("make {input}"));
        input
    })
    .after_call(|input| log(format!("hook {input}")))
    .after_all(|| log("end"))
}

/// Shared random numbers.
#[generator(name = "Shared")]
fn shared(_service: &Service) -> Shared<u64> {
    Shared::new(move |rng| {
        let input = rng.random_range(0..1_000_000_000);
        log(format!("make {input}"));
        input
    })
    .after_all(|| log("end"))
}

/// Shared inputs with a hook.
#[generator(name = "Shared with a hook")]
fn shared_with_hook(_service: &Service) -> Shared<u64> {
    Shared::new(|_| 7).after_call(|input| log(format!("hook {input}")))
}

/// Fresh inputs for single calls.
#[generator(name = "One by one")]
fn one_by_one(_service: &Service) -> Fresh<u64> {
    Fresh::new(|_| 7).one_call_per_batch()
}

/// Prepared calls.
#[generator(name = "Calls")]
fn calls(
    _service: &Service,
    /// Calls per round.
    #[parameter(min = 0, max = 9, default = 0..=9)]
    round: u64,
) -> Calls<u64> {
    Calls::new(move |_| (0..round).collect()).after_call(|input| log(format!("hook {input}")))
}

/// Inputs that report their clones.
#[generator(name = "Cloned")]
fn cloned(_service: &Service) -> Shared<Cloned> {
    let mut next = 0;
    Shared::new(move |_| {
        next += 1;
        Cloned(next)
    })
}

/// Rounds without calls.
#[generator(name = "None")]
fn none(_service: &Service) -> Calls<u64> {
    Calls::new(|_| Vec::new()).after_all(|| log("end"))
}

/// Takes no input.
#[measured]
fn without_input() -> u64 {
    log("without input");
    7
}

const IDENTITY: Identity = Identity { name: "logged", version: "1.2.3", crate_name: module_path!() };

/// Logs the scratch folders instead of creating them.
struct LoggedScratch;

impl Scratch for LoggedScratch {
    fn create(&mut self, slot: u32) -> Option<PathBuf> {
        log(format!("folder {slot}"));
        Some(PathBuf::from(format!("scratch/{slot}")))
    }
    fn remove(&mut self, slot: u32) {
        log(format!("remove {slot}"));
    }
}

fn peer() -> Peer {
    Peer::new(IDENTITY, Box::new(LoggedScratch))
}

fn send(peer: &mut Peer, message: Value) -> Value {
    serde_json::from_str(&peer.reply(&message.to_string())).expect("replies are JSON")
}

/// Opens functions in slot 1 and discards the events.
#[track_caller]
fn opened(functions: &[&str], generator: &str, arguments: Value) -> (Peer, Value) {
    let mut peer = peer();
    let reply = send(&mut peer, open(1, functions, generator, arguments));
    assert_eq!(reply["type"], "opened", "{reply}");
    take_events();
    (peer, reply)
}

fn open(slot: u32, functions: &[&str], generator: &str, arguments: Value) -> Value {
    json!({"type": "open", "slot": slot, "functions": functions, "generator": generator, "arguments": arguments,
        "seed": 42, "priority": 3})
}

fn collect(target: Value, calls: u64, batches: u32, inputs: u32) -> Value {
    json!({"type": "collect", "slot": 1, "target": target, "calls": calls, "batches": batches, "inputs": inputs})
}

fn interleave(lanes: &[(Value, u64)], turns: &[usize], inputs: u32) -> Value {
    let lanes: Vec<Value> = lanes.iter().map(|(target, calls)| json!({"target": target, "calls": calls})).collect();
    json!({"type": "interleave", "slot": 1, "lanes": lanes, "turns": turns, "inputs": inputs})
}

/// Collects batches of a function and returns the events.
#[track_caller]
fn calls_of(peer: &mut Peer, function: usize, calls: u64, batches: u32, inputs: u32) -> Vec<String> {
    let reply = send(peer, collect(json!({"function": function}), calls, batches, inputs));
    assert_eq!(reply["type"], "samples", "{reply}");
    assert_eq!(reply["elapsed"].as_array().map(Vec::len), Some(batches as usize), "{reply}");
    take_events()
}

/// Returns the events that start with `prefix`, without it.
fn with_prefix(prefix: &str, events: &[String]) -> Vec<String> {
    events.iter().filter_map(|line| line.strip_prefix(prefix)).map(|rest| rest.trim().to_owned()).collect()
}

#[track_caller]
fn assert_rejected(reply: &Value, reason: &str) {
    assert_eq!(reply["type"], "failed", "{reply}");
    assert_eq!(reply["stage"], "request", "{reply}");
    assert_eq!(reply["reason"], reason);
}

fn axis() -> Value {
    json!({"first": 5, "count": "Up"})
}

fn random() -> Value {
    json!({"first": 5, "count": "Random"})
}

#[test]
fn replies_with_the_catalog() {
    let catalog = send(&mut peer(), json!({"type": "describe", "protocol": 4}));
    assert_eq!(catalog["type"], "catalog");
    assert_eq!(catalog["protocol"], 4);
    let suite = &catalog["suite"];
    assert_eq!((&suite["name"], &suite["version"]), (&json!("logged"), &json!("1.2.3")));
    let function = |path: &str| {
        let functions = suite["functions"].as_array().expect("a list");
        functions.iter().find(|function| function["path"] == path).unwrap_or_else(|| panic!("{suite:#}")).clone()
    };
    let changes = function("changes_in_two_steps");
    assert_eq!(changes["signature"], "fn changes_in_two_steps(input: &mut u64) -> u64");
    assert_eq!(changes["docs"], "Does the same work in two steps.");
    assert_eq!(changes["generators"], json!(["fresh"]));
    assert_eq!(changes["alternatives"], "same");
    assert_eq!(changes["file"], file!());
    assert_eq!(function("borrows")["generators"], json!(["fresh", "shared", "shared_with_hook", "calls"]));
    let path_of = |generator: &Value| generator["path"].as_str().expect("a text").to_owned();
    // Other tests of this crate have generators too.
    let is_own = |generator: &&Value| !path_of(generator).starts_with("benchbook_suite::");
    let generators: Vec<&Value> = suite["generators"].as_array().expect("a list").iter().filter(is_own).collect();
    let paths: Vec<_> = generators.iter().map(|generator| path_of(generator)).collect();
    let expected = ["benchbook::no_input", "calls", "cloned", "fresh", "none", "one_by_one"];
    let of_files = ["owned::pairs", "owned::single", "owned::tasks"];
    let others = ["shared", "shared_with_hook", "throughput::declared"];
    assert_eq!(paths, [&expected[..], &of_files, &others].concat());
    let source_hash = generators[3]["source_hash"].as_str().expect("a text");
    assert!(source_hash.len() == 16 && source_hash.chars().all(|digit| digit.is_ascii_hexdigit()), "{source_hash}");
    assert_eq!(
        *generators[3],
        json!({"path": "fresh", "source_hash": source_hash, "name": "Fresh", "docs": "A fresh number for each call.", "mode": "fresh", "parameters": [
            {"name": "first", "description": "The number before the first.", "type": "integer", "of": "u32", "min": 0, "max": 1000,
                "step": 10, "default": {"low": 0, "high": 100}, "unit": "steps", "scale": "linear", "axis": true},
            {"name": "count", "description": "The order of the numbers.", "type": "choice", "default": "Up", "options": [
                {"name": "Up", "description": "Ascending numbers."},
                {"name": "Random", "description": "Random numbers."}]},
        ]})
    );
}

#[test]
fn a_function_without_parameters_is_called_without_input() {
    let (mut peer, reply) = opened(&["without_input"], "benchbook::no_input", json!({}));
    assert_eq!((&reply["round"], &reply["one_call_a_batch"]), (&json!(1), &json!(false)));
    assert_eq!(calls_of(&mut peer, 0, 3, 1, 0), ["without input"; 3]);
}

#[test]
fn passes_arguments_and_service_to_the_generator() {
    let mut peer = peer();
    send(&mut peer, open(9, &["changes"], "fresh", axis()));
    assert_eq!(
        take_events(),
        ["folder 9", "prepare 5, priority 3, seed 42, Some(\"scratch/9\")", "make 6"],
        "the first input determines the size of a round"
    );
}

#[test]
fn runs_after_all_once_when_a_slot_is_closed() {
    let (mut peer, _) = opened(&["borrows"], "shared", json!({}));
    calls_of(&mut peer, 0, 1, 3, 0);
    assert_eq!(send(&mut peer, json!({"type": "close", "slot": 1})), json!({"type": "closed", "slot": 1}));
    assert_eq!(take_events(), ["end", "remove 1"]);
    assert_rejected(&send(&mut peer, json!({"type": "close", "slot": 1})), "slot 1 is not open");
    drop(peer);
    assert!(take_events().is_empty());
}

#[test]
fn runs_after_all_of_every_slot_when_the_host_is_gone() {
    let (mut peer, _) = opened(&["borrows"], "shared", json!({}));
    send(&mut peer, open(2, &["changes"], "fresh", axis()));
    take_events();
    peer.close_all();
    let mut ends = take_events();
    ends.sort();
    assert_eq!(ends, ["end", "end", "remove 1", "remove 2"]);
}

#[test]
fn equal_results_have_equal_hashes() {
    let functions = ["also_changes", "changes_in_two_steps", "changes_differently"];
    let (mut peer, _) = opened(&functions, "fresh", random());
    let mut hashes = |function: usize, number| {
        let reply = send(&mut peer, collect(json!({"check": function}), 1, 4, number));
        let hashes = reply["hashes"].as_array().expect("a list").clone();
        assert!(hashes.iter().all(|hash| hash.as_str().is_some_and(|hash| hash.len() == 16)), "{reply}");
        assert_eq!((hashes.len(), &reply["elapsed"]), (4, &json!([])));
        hashes
    };
    let [first, same, other] = [0, 1, 2].map(|function| hashes(function, 0));
    assert_eq!(first, same);
    assert!(first.iter().zip(&other).all(|(one, other)| one != other), "the modified input is hashed too");
    assert_ne!(hashes(0, 1), first, "other inputs have other hashes");
}

#[test]
fn reports_no_hashes_for_types_without_hash() {
    let (mut peer, _) = opened(&["float"], "shared", json!({}));
    let reply = send(&mut peer, collect(json!({"check": 0}), 1, 3, 0));
    assert_eq!((&reply["type"], &reply["hashes"]), (&json!("samples"), &json!([])));
}

#[test]
fn times_clock_and_kernels_without_a_slot() {
    let mut peer = peer();
    let clock = send(&mut peer, collect(json!("clock"), 1, 3, 0));
    let steps = clock["elapsed"].as_array().expect("a list");
    assert!(steps.len() == 3 && steps.iter().all(|step| step.as_f64().is_some_and(|step| step > 0.0)), "{clock}");
    assert!(clock["calls"].as_u64().is_some_and(|readings| readings >= 3), "{clock}");
    for kernel in ["reference", "tier"] {
        let samples = send(&mut peer, collect(json!(kernel), 10, 2, 0));
        assert_eq!((&samples["target"], &samples["calls"]), (&json!(kernel), &json!(10)));
        assert_eq!(samples["elapsed"].as_array().map(Vec::len), Some(2));
    }
}
