//! Tests of the inputs: their values, creation and drop.

use super::*;

#[test]
fn creates_an_input_for_each_call_that_modifies_it() {
    let (mut peer, reply) = opened(&["also_changes"], "fresh", axis());
    assert_eq!((&reply["round"], &reply["one_call_a_batch"]), (&json!(1), &json!(false)));
    let events = calls_of(&mut peer, 0, 2, 2, 0).join(", ");
    let (first, second) = events.split_at(events.find("make 9").expect("a second batch"));
    assert_eq!(first, "make 7, make 8, changes 7, changes 8, hook 107, hook 108, ");
    assert_eq!(second, "make 9, make 10, changes 9, changes 10, hook 109, hook 110");
}

#[test]
fn drops_results_after_the_batch_and_before_the_hooks() {
    let (mut peer, _) = opened(&["changes"], "fresh", axis());
    assert_eq!(
        calls_of(&mut peer, 0, 2, 1, 0),
        ["make 7", "make 8", "changes 7", "changes 8", "drop 107", "drop 108", "hook 107", "hook 108"]
    );
}

#[test]
fn creates_the_same_inputs_for_the_same_input_set() {
    let (mut peer, _) = opened(&["changes", "also_changes"], "fresh", random());
    let mut inputs = |function, number| with_prefix("changes", &calls_of(&mut peer, function, 3, 2, number));
    let first = inputs(0, 0);
    assert_eq!(first.len(), 6);
    assert!((1..6).all(|index| !first[..index].contains(&first[index])), "{first:?}");
    assert_eq!(inputs(1, 0), first);
    let second = inputs(0, 1);
    assert!(second.iter().all(|input| !first.contains(input)), "{second:?}");
    assert_eq!(inputs(1, 1), second);
    assert_eq!(inputs(0, 0), first, "creates an input set again");
}

#[test]
fn creates_other_inputs_for_another_seed() {
    let inputs = |seed: u64| {
        let mut message = open(1, &["changes"], "fresh", random());
        message["seed"] = json!(seed);
        let mut peer = peer();
        send(&mut peer, message);
        take_events();
        with_prefix("changes", &calls_of(&mut peer, 0, 4, 1, 0))
    };
    assert_eq!(inputs(1), inputs(1));
    assert_ne!(inputs(1), inputs(2));
}

#[test]
fn cycles_over_shared_inputs_when_calls_borrow() {
    let (mut peer, _) = opened(&["borrows"], "shared", json!({}));
    let first = calls_of(&mut peer, 0, 40, 1, 0);
    let (made, seen) = (with_prefix("make", &first), with_prefix("borrows", &first));
    assert_eq!(made.len(), 16);
    assert!(seen.iter().eq(made.iter().cycle().take(40)), "{seen:?}");
    let again = calls_of(&mut peer, 0, 3, 2, 0);
    assert!(with_prefix("make", &again).is_empty(), "shared inputs are kept");
    assert_eq!(with_prefix("borrows", &again), &made[..6], "a batch continues where the previous one ended");
    let others = calls_of(&mut peer, 0, 16, 1, 1);
    assert_eq!(with_prefix("make", &others).len(), 16, "another input set has other inputs");
    assert!(with_prefix("borrows", &others).iter().all(|input| !made.contains(input)));
}

#[test]
fn clones_arguments_passed_by_value_before_the_batch() {
    let (mut peer, _) = opened(&["consumes"], "cloned", json!({}));
    let first = calls_of(&mut peer, 0, 3, 1, 0);
    assert_eq!(with_prefix("clone", &first), with_prefix("consumes", &first));
    let last_clone = first.iter().rposition(|line| line.starts_with("clone"));
    let first_call = first.iter().position(|line| line.starts_with("consumes"));
    assert!(last_clone < first_call, "{first:?}");
    assert_eq!(calls_of(&mut peer, 0, 3, 1, 0), first, "the input is unchanged");
}

#[test]
fn times_whole_rounds_of_prepared_calls() {
    let (mut peer, reply) = opened(&["borrows"], "calls", json!({"round": 5}));
    assert_eq!(reply["round"], 5);
    for (calls, reason) in [(0, "0 calls are not whole rounds of 5"), (7, "7 calls are not whole rounds of 5")] {
        assert_rejected(&send(&mut peer, collect(json!({"function": 0}), calls, 1, 0)), reason);
        assert_rejected(&send(&mut peer, collect(json!({"empty": 0}), calls, 1, 0)), reason);
    }
    let seen = calls_of(&mut peer, 0, 20, 1, 0);
    let round = |count: usize| (0..5).map(|call: u32| call.to_string()).cycle().take(count).collect::<Vec<_>>();
    assert_eq!(with_prefix("borrows", &seen), round(20));
    assert_eq!(with_prefix("hook", &seen), round(20), "once per call, in order");
    // A single call is allowed, since it may be the first one of a process.
    assert_eq!(with_prefix("borrows", &calls_of(&mut peer, 0, 1, 1, 0)), round(1));
}

#[test]
fn requires_single_calls_for_a_hook_on_shared_inputs_or_if_the_generator_declares_it() {
    for (function, generator, events) in
        [("borrows", "shared_with_hook", ["borrows 7", "hook 7"]), ("changes", "one_by_one", ["changes 7", "drop 107"])]
    {
        let (mut peer, reply) = opened(&[function], generator, json!({}));
        assert_eq!(reply["one_call_a_batch"], true, "{generator}");
        let reason = "calls affect each other: expected 1 call per batch";
        assert_rejected(&send(&mut peer, collect(json!({"function": 0}), 2, 1, 0)), reason);
        assert_eq!(calls_of(&mut peer, 0, 1, 2, 0), events.repeat(2));
    }
}

#[test]
fn empty_loop_calls_no_function_and_no_hook() {
    let (mut peer, _) = opened(&["changes"], "fresh", axis());
    let reply = send(&mut peer, collect(json!({"empty": 0}), 3, 1, 0));
    assert_eq!(reply["elapsed"].as_array().map(Vec::len), Some(1), "{reply}");
    assert_eq!(take_events(), ["make 7", "make 8", "make 9"]);
}
