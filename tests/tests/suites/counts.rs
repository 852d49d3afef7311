//! Suites count the memory use of each call exactly, and equally on both targets.

use benchbook_contract::parameter::Argument;
use benchbook_contract::protocol::{Collect, Counts, HostMessage, LaneTarget, Open, SuiteMessage};
use benchbook_tests::native::NativeChild;
use benchbook_tests::suites::fixture;
use benchbook_tests::wasm::WasmModule;

/// Functions of the fixture `allocating`, and the allocations, bytes and peak bytes of a call with ten values of 8 bytes.
const EXPECTED: [(&str, u64, u64, u64); 11] = [
    ("nothing", 0, 0, 0),
    ("reserve", 1, 80, 80),
    ("zeros", 1, 80, 80),
    ("put_in_box", 1, 8, 8),
    // Capacities of 4, 8 and 16.
    ("push", 3, 128, 128),
    ("shrink", 2, 800, 800),
    ("in_turn", 3, 240, 80),
    ("at_once", 3, 240, 240),
    ("consume", 0, 0, 0),
    ("consume_then_reserve", 1, 40, 0),
    ("grow", 1, 80, 80),
];

const BATCHES: u32 = 5;

#[test]
fn counts_are_exact_natively() {
    let mut child = NativeChild::start(&fixture("allocating").unwrap().program).unwrap();
    assert_counts(|message| {
        child.send(&message).unwrap();
        child.receive().unwrap()
    });
}

#[test]
fn counts_are_exact_in_wasm() {
    let wasm = fixture("allocating").unwrap().wasm().unwrap();
    let mut instance = WasmModule::new(&wasm).unwrap().start().unwrap();
    assert_counts(|message| {
        let (mut replies, termination) = instance.send(&message);
        assert!(replies.len() == 1 && termination.is_none(), "{replies:?}, {termination:?} to {message}");
        replies.remove(0)
    });
}

/// Counts batches of one call and of several calls.
fn assert_counts(mut exchange: impl FnMut(String) -> String) {
    let mut exchange = |message: HostMessage| -> SuiteMessage {
        serde_json::from_str(&exchange(serde_json::to_string(&message).unwrap())).unwrap()
    };
    for (slot, (function, allocations, bytes, peak)) in (0..).zip(EXPECTED) {
        let open = Open {
            slot,
            functions: vec![format!("functions::{function}")],
            generator: "functions::values".to_owned(),
            arguments: [("size".to_owned(), Argument::Number(10.0))].into(),
            seed: 7,
            priority: 1,
        };
        let opened = exchange(HostMessage::Open(open));
        assert!(matches!(opened, SuiteMessage::Opened(_)), "{opened:?}");
        for calls in [1, 7] {
            // Timed batches change no counts.
            for target in [LaneTarget::Count(0), LaneTarget::Function(0), LaneTarget::Count(0)] {
                let collect = Collect { slot, target, calls, batches: BATCHES, input_set: 0 };
                let SuiteMessage::Samples(samples) = exchange(HostMessage::Collect(collect)) else {
                    panic!("no samples of {function}")
                };
                let expected = Counts { allocations: calls * allocations, bytes: calls * bytes, peak };
                let expected = (target == LaneTarget::Count(0)).then(|| vec![expected; BATCHES as usize]);
                assert_eq!(samples.counts, expected, "{function}, {calls} calls");
            }
        }
    }
}
