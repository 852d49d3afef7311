//! Tests of counted calls.

use super::*;

#[test]
fn counted_batches_have_the_inputs_of_timed_batches() {
    let (mut peer, _) = opened(&["changes"], "fresh", axis());
    let timed = with_prefix("changes", &calls_of(&mut peer, 0, 2, 3, 0));
    let (mut peer, _) = opened(&["changes"], "fresh", axis());
    let reply = send(&mut peer, collect(json!({"count": 0}), 2, 3, 0));
    // The allocator of these tests counts nothing; `tests/tests/suites/counts.rs` tests the counts.
    assert_eq!(reply["counts"], json!(null));
    assert_eq!((&reply["elapsed"], &reply["held"]), (&json!([]), &json!(0.0)));
    let events = take_events();
    assert_eq!(with_prefix("changes", &events), timed);
    assert_eq!(with_prefix("hook", &events).len(), 6);
}
