//! Tests of the declared throughput.

use super::*;

/// Takes one of two calls.
#[measured(generators(declared))]
fn adds(input: &u64) -> u64 {
    *input + 1
}

/// Two calls per round, which process as many elements as the axis value.
#[generator(name = "Declared")]
fn declared(
    _service: &Service,
    /// Elements per call.
    #[parameter(min = 0, max = 9, default = 0..=9)]
    count: u64,
) -> Calls<u64> {
    Calls::new(|_| vec![1, 2]).elements(count).bytes(8 * count).after_all(|| log("end"))
}

fn open_declared(count: u64) -> Value {
    open(1, &["throughput::adds"], "throughput::declared", json!({"count": count}))
}

#[test]
fn reports_the_declared_throughput_per_call() {
    let reply = send(&mut peer(), open_declared(5));
    assert_eq!((&reply["round"], &reply["elements"], &reply["bytes"]), (&json!(2), &json!(5), &json!(40)));
}

#[test]
fn reports_no_throughput_without_a_declaration() {
    let (_, reply) = opened(&["borrows"], "shared", json!({}));
    assert!(reply.get("elements").is_none() && reply.get("bytes").is_none(), "{reply}");
}

#[test]
fn rejects_a_throughput_of_zero() {
    let reply = send(&mut peer(), open_declared(0));
    assert_rejected(
        &reply,
        "the generator declares 0 elements per call: expected 1 to 2^53. Remove `.elements(…)` if calls have none",
    );
    assert_eq!(take_events(), ["folder 1", "end", "remove 1"]);
}
