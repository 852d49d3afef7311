//! Tests of interleaved lanes.

use super::*;

#[test]
fn times_lanes_in_the_order_of_their_turns() {
    let (mut peer, _) = opened(&["borrows", "float"], "calls", json!({"round": 5}));
    let lanes = [
        (json!({"function": 0}), 5),
        (json!({"empty": 1}), 10),
        (json!("reference"), 3),
        (json!({"function": 0}), 10),
        (json!("tier"), 2),
    ];
    let reply = send(&mut peer, interleave(&lanes, &[3, 2, 0, 4, 1, 0], 0));
    assert_eq!((&reply["type"], &reply["slot"]), (&json!("interleaved"), &json!(1)), "{reply}");
    let numbers = |member: &str| reply[member].as_array().expect("a list").iter().filter_map(Value::as_f64).count();
    assert_eq!((numbers("elapsed"), numbers("held")), (6, 5), "one per turn, one per lane");
    assert!(reply["preparation"].is_number(), "{reply}");
    let seen = take_events();
    let words: Vec<_> = seen.iter().map(|line| line.split(' ').next().expect("a word")).collect();
    let batch = |calls| ["borrows", "hook"].into_iter().flat_map(move |word| std::iter::repeat_n(word, calls));
    assert!(words.into_iter().eq(batch(10).chain(batch(5)).chain(batch(5))), "{seen:?}");
}

#[test]
fn lanes_get_the_same_inputs_as_without_interleaving() {
    for (functions, generator, arguments) in
        [(["changes", "also_changes"], "fresh", random()), (["borrows", "borrows"], "shared", json!({}))]
    {
        let what = functions[0];
        let (mut peer, _) = opened(&functions, generator, arguments);
        let alone = with_prefix(what, &calls_of(&mut peer, 0, 3, 2, 4));
        let other = with_prefix(what, &calls_of(&mut peer, 0, 3, 1, 5));
        assert_ne!(alone[..3], other[..], "another input set has other inputs");
        let lanes = [(json!({"function": 0}), 3), (json!({"function": 1}), 3), (json!({"empty": 0}), 3)];
        let reply = send(&mut peer, interleave(&lanes, &[1, 2, 0, 0, 2, 1], 4));
        assert_eq!(reply["type"], "interleaved", "{reply}");
        let seen = with_prefix(what, &take_events());
        let (first, second) = alone.split_at(3);
        assert_eq!(seen, [first, first, second, second].concat());
    }
}

#[test]
fn borrowing_lanes_share_inputs() {
    let (mut peer, _) = opened(&["borrows", "float"], "shared", json!({}));
    let lanes = [(json!({"function": 0}), 3), (json!({"function": 1}), 3), (json!({"empty": 0}), 3)];
    send(&mut peer, interleave(&lanes, &[0, 1, 2, 0, 1, 2], 0));
    assert_eq!(with_prefix("make", &take_events()).len(), 16);
}

#[test]
fn rejects_invalid_interleave_orders() {
    let (mut peer, _) = opened(&["borrows"], "calls", json!({"round": 5}));
    let function = |calls| (json!({"function": 0}), calls);
    let no_lane = "a lane is a function, an empty loop or a kernel";
    for (lanes, turns, reason) in [
        (vec![], vec![0], "expected 1 to 16 lanes, not 0"),
        (vec![function(5); 17], vec![0], "expected 1 to 16 lanes, not 17"),
        (vec![function(5)], vec![], "expected 1 to 100000 turns, not 0"),
        (vec![function(5)], vec![0; 100_001], "expected 1 to 100000 turns, not 100001"),
        (vec![function(5); 2], vec![0, 1, 2], "lane 2 is out of range: there are 2 lanes"),
        (vec![function(5), (json!({"empty": 1}), 5)], vec![0], "function 1 is out of range: the slot has 1"),
        (vec![function(0)], vec![0], "0 calls are not whole rounds of 5"),
        (vec![(json!({"empty": 0}), 7)], vec![0], "7 calls are not whole rounds of 5"),
        (vec![(json!("reference"), 0)], vec![0], "expected at least 1 call"),
        (vec![(json!("tier"), 0)], vec![0], "expected at least 1 call"),
        (vec![(json!("clock"), 1)], vec![0], no_lane),
        (vec![(json!({"check": 0}), 5)], vec![0], no_lane),
        (vec![(json!({"count": 0}), 5)], vec![0], no_lane),
    ] {
        let reply = send(&mut peer, interleave(&lanes, &turns, 0));
        assert_rejected(&reply, reason);
        assert_eq!(reply["slot"], 1);
    }
    assert!(take_events().is_empty(), "no call, no input");
    let mut order = interleave(&[(json!("reference"), 1)], &[0], 0);
    order["slot"] = json!(2);
    assert_rejected(&send(&mut peer, order), "slot 2 is not open");

    let (mut peer, _) = opened(&["changes"], "one_by_one", json!({}));
    let lanes = [(json!("reference"), 3), (json!({"function": 0}), 2)];
    assert_rejected(
        &send(&mut peer, interleave(&lanes, &[0], 0)),
        "calls affect each other: expected 1 call per batch",
    );
}
