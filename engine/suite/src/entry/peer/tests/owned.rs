//! Tests of inputs that calls consume, and of a single shared input.

use super::*;
use crate::Owned;

/// An input without `Clone` that logs its drop.
#[derive(Hash)]
struct Task(u64);

impl Drop for Task {
    fn drop(&mut self) {
        log(format!("drop {}", self.0));
    }
}

/// Consumes its input.
#[measured(generators(tasks))]
fn runs(task: Task) -> u64 {
    log(format!("runs {}", task.0));
    task.0
}

/// Returns its input.
#[measured(generators(tasks))]
fn returns(task: Task) -> Task {
    log(format!("returns {}", task.0));
    task
}

/// Consumes one input of two.
#[measured(generators(pairs))]
fn runs_one(task: Task, number: u64) -> Task {
    log(format!("runs {} {number}", task.0));
    task
}

/// Tasks.
#[generator(name = "Tasks")]
fn tasks(_service: &Service) -> Owned<Task> {
    let mut next = 0;
    Owned::new(move |_| {
        next += 1;
        log(format!("make {next}"));
        Task(next)
    })
    .elements(1)
}

/// Tasks and numbers, for single calls.
#[generator(name = "Pairs")]
fn pairs(_service: &Service) -> Owned<(Task, u64)> {
    Owned::new(|rng| (Task(7), rng.random())).one_call_per_batch()
}

/// Borrows the input.
#[measured(generators(single))]
fn borrows_single(input: &u64) -> u64 {
    log(format!("borrows {input}"));
    *input
}

/// One random number.
#[generator(name = "Single")]
fn single(_service: &Service) -> Shared<u64> {
    Shared::new(|rng| {
        let input = rng.random();
        log(format!("make {input}"));
        input
    })
    .one()
}

fn tasks_of(function: &str) -> Peer {
    let (peer, reply) = opened(&[&format!("owned::{function}")], "owned::tasks", json!({}));
    assert_eq!(
        (&reply["round"], &reply["one_call_a_batch"], &reply["elements"]),
        (&json!(1), &json!(false), &json!(1))
    );
    peer
}

#[test]
fn each_call_consumes_an_input_of_its_own() {
    let mut peer = tasks_of("runs");
    assert_eq!(
        calls_of(&mut peer, 0, 2, 2, 0),
        [
            "make 2", "make 3", "runs 2", "drop 2", "runs 3", "drop 3", "make 4", "make 5", "runs 4", "drop 4",
            "runs 5", "drop 5"
        ]
    );
}

#[test]
fn results_that_contain_the_input_are_dropped_after_the_batch() {
    let mut peer = tasks_of("returns");
    assert_eq!(calls_of(&mut peer, 0, 2, 1, 0), ["make 2", "make 3", "returns 2", "returns 3", "drop 2", "drop 3"]);
}

#[test]
fn the_empty_loop_consumes_no_input() {
    let mut peer = tasks_of("runs");
    let reply = send(&mut peer, collect(json!({"empty": 0}), 2, 1, 0));
    assert_eq!(reply["elapsed"].as_array().map(Vec::len), Some(1), "{reply}");
    assert_eq!(take_events(), ["make 2", "make 3", "drop 2", "drop 3"]);
}

#[test]
fn results_of_consumed_inputs_have_hashes() {
    let mut peer = tasks_of("runs");
    let mut hashes = || send(&mut peer, collect(json!({"check": 0}), 1, 3, 0))["hashes"].as_array().cloned();
    let first = hashes().expect("a list");
    assert_eq!(first.len(), 3);
    assert!(first[0] != first[1] && first[1] != first[2], "{first:?}");
}

#[test]
fn several_parameters_consume_the_elements_of_a_tuple() {
    let (mut peer, reply) = opened(&["owned::runs_one"], "owned::pairs", json!({}));
    assert_eq!(reply["one_call_a_batch"], true);
    let events = calls_of(&mut peer, 0, 1, 2, 0);
    assert_eq!(events.len(), 4, "{events:?}");
    assert!(events[0].starts_with("runs 7 ") && events[1] == "drop 7", "{events:?}");
    let again = calls_of(&mut peer, 0, 1, 2, 0);
    assert_eq!(events, again, "the same random numbers for the same input set");
}

#[test]
fn a_single_input_is_shared_by_all_calls_and_input_sets() {
    let mut peer = peer();
    send(&mut peer, open(1, &["owned::borrows_single"], "owned::single", json!({})));
    // It may take long, so that it is created only once: while the workload is opened.
    let made = with_prefix("make", &take_events());
    assert_eq!(made.len(), 1, "{made:?}");
    let first = calls_of(&mut peer, 0, 3, 2, 0);
    assert_eq!(first.len(), 6, "{first:?}");
    assert_eq!(with_prefix("borrows", &first), vec![made[0].clone(); 6]);
    assert_eq!(calls_of(&mut peer, 0, 2, 1, 7), vec![format!("borrows {}", made[0]); 2], "another input set");
}
