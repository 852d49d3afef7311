//! Tests of counted calls.

use super::*;

#[test]
fn counts_each_batch_with_the_inputs_of_timed_batches() {
    let (mut peer, _) = opened(&["changes"], "fresh", axis());
    let timed = with_prefix("changes", &calls_of(&mut peer, 0, 2, 3, 0));
    let (mut peer, _) = opened(&["changes"], "fresh", axis());
    let reply = send(&mut peer, collect(json!({"count": 0}), 2, 3, 0));
    // The tests' own allocator counts nothing; `tests/tests/suites/counts.rs` tests the counts.
    let nothing = json!({"allocations": 0, "bytes": 0, "peak": 0});
    assert_eq!(reply["counts"], json!([nothing, nothing, nothing]));
    assert_eq!((&reply["elapsed"], &reply["held"]), (&json!([]), &json!(0.0)));
    let events = take_events();
    assert_eq!(with_prefix("changes", &events), timed);
    assert_eq!(with_prefix("hook", &events).len(), 6);
}
