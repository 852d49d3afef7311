//! Which inputs functions get, and when they are made and dropped.

use super::*;

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
