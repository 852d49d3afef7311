//! A suite in conversation, whose functions and hooks tell what happens to them.

use std::cell::RefCell;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Peer, Scratch};
use crate::declare::{Declared, FunctionEntry};
use crate::entry::Identity;
use crate::prelude::*;

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

#[measured(generators(fresh, shared, shared_with_hook, calls))]
fn borrows(input: &u64) -> u64 {
    tell(format!("borrows {input}"));
    *input
}

#[measured(generators(cloned))]
fn consumes(mut input: Cloned) -> u64 {
    tell(format!("consumes {}", input.0));
    input.0 += 100;
    input.0
}

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

#[generator(name = "Calls")]
fn calls(
    _service: &Service,
    /// Calls a round.
    #[parameter(min = 0, max = 9, default = 0..=9)]
    round: u64,
) -> Calls<u64> {
    Calls::new(move |_| (0..round).collect()).after_call(|input| tell(format!("hook {input}")))
}

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
fn fresh_inputs_are_made_for_each_call_that_changes_them() {
    let (mut peer, answer) = opened(&["changes_too"], "fresh", axis());
    assert_eq!((&answer["round"], &answer["one_call_a_batch"]), (&json!(1), &json!(false)));
    assert_eq!(
        calls_of(&mut peer, 0, 2, 2, 0),
        [
            "make 7",
            "make 8",
            "changes 7",
            "changes 8",
            "hook 107",
            "hook 108",
            "make 9",
            "make 10",
            "changes 9",
            "changes 10",
            "hook 109",
            "hook 110",
        ]
    );
}

#[test]
fn results_are_dropped_after_the_batch_and_before_the_hooks() {
    let (mut peer, _) = opened(&["changes"], "fresh", axis());
    assert_eq!(
        calls_of(&mut peer, 0, 2, 1, 0),
        ["make 7", "make 8", "changes 7", "changes 8", "drop 107", "drop 108", "hook 107", "hook 108"]
    );
}

#[test]
fn functions_get_the_same_inputs_for_the_same_number() {
    let (mut peer, _) = opened(&["changes", "changes_too"], "fresh", random());
    let mut inputs = |function, number| only("changes", &calls_of(&mut peer, function, 3, 2, number));
    let first = inputs(0, 0);
    assert_eq!(first.len(), 6);
    assert!((1..6).all(|index| !first[..index].contains(&first[index])), "{first:?}");
    assert_eq!(inputs(1, 0), first);
    let second = inputs(0, 1);
    assert!(second.iter().all(|input| !first.contains(input)), "{second:?}");
    assert_eq!(inputs(1, 1), second);
    assert_eq!(inputs(0, 0), first, "a number makes the same inputs again");
}

#[test]
fn another_seed_makes_other_inputs() {
    let inputs = |seed: u64| {
        let mut message = open(1, &["changes"], "fresh", random());
        message["seed"] = json!(seed);
        let mut peer = peer();
        ask(&mut peer, message);
        happened();
        only("changes", &calls_of(&mut peer, 0, 4, 1, 0))
    };
    assert_eq!(inputs(1), inputs(1));
    assert_ne!(inputs(1), inputs(2));
}

#[test]
fn calls_that_borrow_cycle_over_a_few_inputs() {
    let (mut peer, _) = opened(&["borrows"], "shared", unused());
    let first = calls_of(&mut peer, 0, 40, 1, 0);
    let (made, seen) = (only("make", &first), only("borrows", &first));
    assert_eq!(made.len(), 16);
    assert!(seen.iter().eq(made.iter().cycle().take(40)), "{seen:?}");
    let again = calls_of(&mut peer, 0, 3, 2, 0);
    assert!(only("make", &again).is_empty(), "they are kept");
    assert_eq!(only("borrows", &again), &made[..6], "a batch goes on where the one before it ended");
    let others = calls_of(&mut peer, 0, 16, 1, 1);
    assert_eq!(only("make", &others).len(), 16, "another number makes others");
    assert!(only("borrows", &others).iter().all(|input| !made.contains(input)));
}

#[test]
fn what_is_passed_by_value_is_a_clone_made_before_the_batch() {
    let (mut peer, _) = opened(&["consumes"], "cloned", unused());
    let first = calls_of(&mut peer, 0, 3, 1, 0);
    assert_eq!(only("clone", &first), only("consumes", &first));
    let last_clone = first.iter().rposition(|line| line.starts_with("clone"));
    let first_call = first.iter().position(|line| line.starts_with("consumes"));
    assert!(last_clone < first_call, "{first:?}");
    assert_eq!(calls_of(&mut peer, 0, 3, 1, 0), first, "and leaves the input as it was");
}

#[test]
fn batches_are_whole_rounds_of_prepared_calls() {
    let (mut peer, answer) = opened(&["borrows"], "calls", json!({"round": {"low": 0, "high": 9}}));
    assert_eq!(answer["round"], 5);
    for (calls, reason) in [(0, "0 calls are not whole rounds of 5"), (7, "7 calls are not whole rounds of 5")] {
        assert_refused(&ask(&mut peer, collect(json!({"function": 0}), calls, 1, 0)), reason);
        assert_refused(&ask(&mut peer, collect(json!({"empty": 0}), calls, 1, 0)), reason);
    }
    let seen = calls_of(&mut peer, 0, 20, 1, 0);
    let round = |count: usize| (0..5).map(|call: u32| call.to_string()).cycle().take(count).collect::<Vec<_>>();
    assert_eq!(only("borrows", &seen), round(20));
    assert_eq!(only("hook", &seen), round(20), "once for each call, in order");
}

#[test]
fn a_hook_on_shared_inputs_times_calls_one_by_one() {
    let (mut peer, answer) = opened(&["borrows"], "shared_with_hook", unused());
    assert_eq!(answer["one_call_a_batch"], true);
    let reason = "calls disturb each other here: 1 call a batch";
    assert_refused(&ask(&mut peer, collect(json!({"function": 0}), 2, 1, 0)), reason);
    assert_eq!(calls_of(&mut peer, 0, 1, 2, 0), ["borrows 7", "hook 7", "borrows 7", "hook 7"]);
}

#[test]
fn a_generator_may_ask_for_single_calls() {
    let (mut peer, answer) = opened(&["changes"], "one_by_one", unused());
    assert_eq!(answer["one_call_a_batch"], true);
    let reason = "calls disturb each other here: 1 call a batch";
    assert_refused(&ask(&mut peer, collect(json!({"function": 0}), 2, 1, 0)), reason);
    assert_eq!(calls_of(&mut peer, 0, 1, 1, 0), ["changes 7", "drop 107"]);
}

#[test]
fn the_empty_loop_calls_nothing_and_runs_no_hook() {
    let (mut peer, _) = opened(&["changes"], "fresh", axis());
    let answer = ask(&mut peer, collect(json!({"empty": 0}), 3, 1, 0));
    assert_eq!(answer["elapsed"].as_array().map(Vec::len), Some(1), "{answer}");
    assert_eq!(happened(), ["make 7", "make 8", "make 9"]);
}

#[test]
fn batches_of_lanes_are_timed_in_the_order_of_their_turns() {
    let (mut peer, _) = opened(&["borrows", "float"], "calls", json!({"round": {"low": 0, "high": 9}}));
    let lanes = [
        (json!({"function": 0}), 5),
        (json!({"empty": 1}), 10),
        (json!("reference"), 3),
        (json!({"function": 0}), 10),
        (json!("tier"), 2),
    ];
    let answer = ask(&mut peer, interleave(&lanes, &[3, 2, 0, 4, 1, 0], 0));
    assert_eq!((&answer["type"], &answer["slot"]), (&json!("interleaved"), &json!(1)), "{answer}");
    let numbers = |member: &str| answer[member].as_array().expect("a list").iter().filter_map(Value::as_f64).count();
    assert_eq!((numbers("elapsed"), numbers("held")), (6, 5), "one for each turn, one for each lane");
    assert!(answer["preparation"].is_number(), "{answer}");
    let seen = happened();
    let told: Vec<_> = seen.iter().map(|line| line.split(' ').next().expect("a word")).collect();
    let batch = |calls| ["borrows", "hook"].into_iter().flat_map(move |word| std::iter::repeat_n(word, calls));
    assert!(told.into_iter().eq(batch(10).chain(batch(5)).chain(batch(5))), "{seen:?}");
}

#[test]
fn a_lane_gets_the_inputs_that_it_would_get_alone() {
    for (functions, generator, arguments) in
        [(["changes", "changes_too"], "fresh", random()), (["borrows", "borrows"], "shared", unused())]
    {
        let what = functions[0];
        let (mut peer, _) = opened(&functions, generator, arguments);
        let alone = only(what, &calls_of(&mut peer, 0, 3, 2, 4));
        let other = only(what, &calls_of(&mut peer, 0, 3, 1, 5));
        assert_ne!(alone[..3], other[..], "another number makes others");
        let lanes = [(json!({"function": 0}), 3), (json!({"function": 1}), 3), (json!({"empty": 0}), 3)];
        let answer = ask(&mut peer, interleave(&lanes, &[1, 2, 0, 0, 2, 1], 4));
        assert_eq!(answer["type"], "interleaved", "{answer}");
        let seen = only(what, &happened());
        let (first, second) = alone.split_at(3);
        assert_eq!(seen, [first, first, second, second].concat());
    }
}

#[test]
fn lanes_that_borrow_share_the_inputs_that_are_kept() {
    let (mut peer, _) = opened(&["borrows", "float"], "shared", unused());
    let lanes = [(json!({"function": 0}), 3), (json!({"function": 1}), 3), (json!({"empty": 0}), 3)];
    ask(&mut peer, interleave(&lanes, &[0, 1, 2, 0, 1, 2], 0));
    assert_eq!(only("make", &happened()).len(), 16);
}

#[test]
fn what_cannot_be_interleaved_is_refused() {
    let (mut peer, _) = opened(&["borrows"], "calls", json!({"round": {"low": 0, "high": 9}}));
    let function = |calls| (json!({"function": 0}), calls);
    let no_lane = "a lane is a function, an empty loop or a kernel";
    for (lanes, turns, reason) in [
        (vec![], vec![0], "expected 1 to 16 lanes, not 0"),
        (vec![function(5); 17], vec![0], "expected 1 to 16 lanes, not 17"),
        (vec![function(5)], vec![], "expected 1 to 100000 turns, not 0"),
        (vec![function(5)], vec![0; 100_001], "expected 1 to 100000 turns, not 100001"),
        (vec![function(5); 2], vec![0, 1, 2], "there is no lane 2 of 2, counted from 0"),
        (vec![function(5), (json!({"empty": 1}), 5)], vec![0], "the slot has 1 functions, counted from 0"),
        (vec![function(0)], vec![0], "0 calls are not whole rounds of 5"),
        (vec![(json!({"empty": 0}), 7)], vec![0], "7 calls are not whole rounds of 5"),
        (vec![(json!("reference"), 0)], vec![0], "expected 1 call or more"),
        (vec![(json!("tier"), 0)], vec![0], "expected 1 call or more"),
        (vec![(json!("clock"), 1)], vec![0], no_lane),
        (vec![(json!({"check": 0}), 5)], vec![0], no_lane),
    ] {
        let answer = ask(&mut peer, interleave(&lanes, &turns, 0));
        assert_refused(&answer, reason);
        assert_eq!(answer["slot"], 1);
    }
    assert!(happened().is_empty(), "nothing was called or made");
    let mut order = interleave(&[(json!("reference"), 1)], &[0], 0);
    order["slot"] = json!(2);
    assert_refused(&ask(&mut peer, order), "slot 2 is not open");

    let (mut peer, _) = opened(&["changes"], "one_by_one", unused());
    let lanes = [(json!("reference"), 3), (json!({"function": 0}), 2)];
    assert_refused(&ask(&mut peer, interleave(&lanes, &[0], 0)), "calls disturb each other here: 1 call a batch");
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

#[test]
fn what_cannot_be_opened_is_refused_and_leaves_nothing_open() {
    let four = ["changes", "changes_too", "changes_likewise", "leaves_another"];
    for (functions, generator, arguments, reason) in [
        (&["nothing"][..], "fresh", axis(), "there is no function `nothing`"),
        (&["changes"], "shared", unused(), "`changes` takes no workload of `shared`"),
        (&["changes", "consumes"], "fresh", axis(), "`consumes` takes no workload of `fresh`"),
        (&["changes"], "nothing", axis(), "`changes` takes no workload of `nothing`"),
        (&[], "fresh", axis(), "expected 1 to 4 functions, not 0"),
        (&[&four[..], &["float"]].concat(), "fresh", axis(), "expected 1 to 4 functions, not 5"),
        (&["changes"], "fresh", json!({"count": "Up"}), "arguments.first: expected a number"),
        (&["changes"], "fresh", json!({"first": "5", "count": "Up"}), "arguments.first: expected a number"),
        (&["changes"], "fresh", json!({"first": 5, "count": 5}), "arguments.count: expected a text"),
        (&["changes"], "fresh", json!({"first": 5, "count": "Down"}), "arguments.count: there is no option `Down`"),
        (&["never"], "none", unused(), "the generator prepared no call: `Calls` needs at least one"),
    ] {
        let mut peer = peer();
        let answer = ask(&mut peer, open(1, functions, generator, arguments));
        assert_refused(&answer, reason);
        assert_eq!(answer["slot"], 1);
        let told = happened();
        assert_eq!(only("folder", &told), only("remove", &told), "{reason}");
        assert_refused(&ask(&mut peer, json!({"type": "close", "slot": 1})), "slot 1 is not open");
    }
}

#[test]
fn what_cannot_be_collected_is_refused() {
    let (mut peer, _) = opened(&["borrows"], "shared", unused());
    assert_refused(&ask(&mut peer, open(1, &["borrows"], "shared", unused())), "slot 1 is open already");
    let bounds = "expected 1 call or more and 1 to 100000 batches";
    for (target, calls, batches, reason) in [
        (json!({"function": 1}), 1, 1, "the slot has 1 functions, counted from 0"),
        (json!({"empty": 9}), 1, 1, "the slot has 1 functions, counted from 0"),
        (json!({"check": 9}), 1, 1, "the slot has 1 functions, counted from 0"),
        (json!({"function": 0}), 1, 0, bounds),
        (json!({"function": 0}), 1, 100_001, bounds),
        (json!({"check": 0}), 1, 0, bounds),
        (json!("reference"), 0, 1, bounds),
        (json!("tier"), 0, 1, bounds),
        (json!("clock"), 1, 0, bounds),
    ] {
        assert_refused(&ask(&mut peer, collect(target, calls, batches, 0)), reason);
    }
    let mut order = collect(json!({"function": 0}), 1, 1, 0);
    order["slot"] = json!(2);
    assert_refused(&ask(&mut peer, order), "slot 2 is not open");
}

#[test]
fn what_is_no_message_is_refused_and_nothing_is_harmed() {
    let (mut peer, _) = opened(&["borrows"], "shared", unused());
    for line in ["", "{", "[]", "hello", r#"{"type":"hello"}"#, "{\"type\":\"close\",\"slot\":\u{0}}"] {
        let answer: Value = serde_json::from_str(&peer.answer(line)).expect("answers are JSON");
        assert_eq!((&answer["type"], &answer["stage"]), (&json!("failed"), &json!("request")), "{line}");
        let reason = answer["reason"].as_str().expect("a text");
        assert!(reason.starts_with("not a message of protocol 3: "), "{reason}");
    }
    calls_of(&mut peer, 0, 1, 1, 0);
}

/// Entries that no attribute made.
static ENTRIES: [FunctionEntry; 3] = [
    entry(concat!(module_path!(), "::same"), 1),
    entry("elsewhere::same", 2),
    entry(concat!(module_path!(), "::same"), 3),
];

const fn entry(path: &'static str, line: u32) -> FunctionEntry {
    let (signature, docs, file) = ("", "", "suite.rs");
    FunctionEntry { path, signature, docs, file, line, native: false, alternatives: None, bindings: &[] }
}

fn refusal_of(entries: &'static [FunctionEntry]) -> Value {
    let declared = Declared::of(IDENTITY, entries);
    ask(&mut Peer { declared, ..peer() }, json!({"type": "describe", "protocol": 3}))
}

#[test]
fn a_suite_without_functions_or_with_two_of_one_path_refuses_to_describe_itself() {
    assert_eq!(refusal_of(&ENTRIES[..2])["type"], "catalog", "functions of other crates have their crate's name");
    assert_refused(
        &refusal_of(&ENTRIES),
        "two functions have the path `same`: suite.rs:1 and suite.rs:3; rename one or move it into a module",
    );
    let empty = refusal_of(&[]);
    let reason = empty["reason"].as_str().expect("a text");
    assert!(reason.contains("#[measured]") && reason.contains("lto = \"thin\""), "{reason}");
}
