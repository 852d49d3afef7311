//! Lanes, whose batches are timed in turn.

use super::*;

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
