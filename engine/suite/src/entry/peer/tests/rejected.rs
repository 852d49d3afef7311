//! Tests of rejected requests.

use super::*;

#[test]
fn rejects_invalid_open_requests_and_opens_nothing() {
    let four = ["changes", "also_changes", "changes_in_two_steps", "changes_differently"];
    for (functions, generator, arguments, reason) in [
        (&["nothing"][..], "fresh", axis(), "there is no function `nothing`"),
        (&["changes"], "shared", json!({}), "`changes` takes no workload of `shared`"),
        (&["changes", "consumes"], "fresh", axis(), "`consumes` takes no workload of `fresh`"),
        (&["changes"], "nothing", axis(), "`changes` takes no workload of `nothing`"),
        (&[], "fresh", axis(), "expected 1 to 4 functions, not 0"),
        (&[&four[..], &["float"]].concat(), "fresh", axis(), "expected 1 to 4 functions, not 5"),
        (&["changes"], "fresh", json!({"count": "Up"}), "arguments.first: expected a number"),
        (&["changes"], "fresh", json!({"first": "5", "count": "Up"}), "arguments.first: expected a number"),
        (&["changes"], "fresh", json!({"first": 5, "count": 5}), "arguments.count: expected a text"),
        (&["changes"], "fresh", json!({"first": 5, "count": "Down"}), "arguments.count: there is no option `Down`"),
        (&["never"], "none", json!({}), "the generator prepared no calls: `Calls` needs at least one"),
    ] {
        let mut peer = peer();
        let reply = send(&mut peer, open(1, functions, generator, arguments));
        assert_rejected(&reply, reason);
        assert_eq!(reply["slot"], 1);
        let events = take_events();
        assert_eq!(with_prefix("folder", &events), with_prefix("remove", &events), "{reason}");
        assert_rejected(&send(&mut peer, json!({"type": "close", "slot": 1})), "slot 1 is not open");
    }
}

#[test]
fn rejects_invalid_collect_orders() {
    let (mut peer, _) = opened(&["borrows"], "shared", json!({}));
    assert_rejected(&send(&mut peer, open(1, &["borrows"], "shared", json!({}))), "slot 1 is already open");
    let bounds = "expected at least 1 call and 1 to 100000 batches";
    for (target, calls, batches, reason) in [
        (json!({"function": 1}), 1, 1, "function 1 is out of range: the slot has 1"),
        (json!({"empty": 9}), 1, 1, "function 9 is out of range: the slot has 1"),
        (json!({"check": 9}), 1, 1, "function 9 is out of range: the slot has 1"),
        (json!({"count": 9}), 1, 1, "function 9 is out of range: the slot has 1"),
        (json!({"count": 0}), 0, 1, "0 calls are not whole rounds of 1"),
        (json!({"function": 0}), 1, 0, bounds),
        (json!({"function": 0}), 1, 100_001, bounds),
        (json!({"check": 0}), 1, 0, bounds),
        (json!("reference"), 0, 1, bounds),
        (json!("tier"), 0, 1, bounds),
        (json!("clock"), 1, 0, bounds),
    ] {
        assert_rejected(&send(&mut peer, collect(target, calls, batches, 0)), reason);
    }
    let mut order = collect(json!({"function": 0}), 1, 1, 0);
    order["slot"] = json!(2);
    assert_rejected(&send(&mut peer, order), "slot 2 is not open");
}

#[test]
fn rejects_malformed_messages_and_continues() {
    let (mut peer, _) = opened(&["borrows"], "shared", json!({}));
    for line in ["", "{", "[]", "hello", r#"{"type":"hello"}"#, "{\"type\":\"close\",\"slot\":\u{0}}"] {
        let reply: Value = serde_json::from_str(&peer.reply(line)).expect("replies are JSON");
        assert_eq!((&reply["type"], &reply["stage"]), (&json!("failed"), &json!("request")), "{line}");
        let reason = reply["reason"].as_str().expect("a text");
        assert!(reason.starts_with("not a message of protocol 4: "), "{reason}");
    }
    calls_of(&mut peer, 0, 1, 1, 0);
}

/// Entries without attributes.
static ENTRIES: [FunctionEntry; 3] = [
    entry(concat!(module_path!(), "::same"), 1),
    entry("elsewhere::same", 2),
    entry(concat!(module_path!(), "::same"), 3),
];

const fn entry(path: &'static str, line: u32) -> FunctionEntry {
    let (signature, docs, file) = ("", "", "suite.rs");
    FunctionEntry { path, signature, docs, source: "", file, line, native: false, alternatives: None, bindings: &[] }
}

fn rejection_of(entries: &'static [FunctionEntry]) -> Value {
    let declarations = Declarations::new(IDENTITY, entries, None);
    send(&mut Peer { declarations, ..peer() }, json!({"type": "describe", "protocol": 3}))
}

#[test]
fn rejects_describe_if_functions_are_missing_or_ambiguous() {
    assert_eq!(rejection_of(&ENTRIES[..2])["type"], "catalog", "paths in other crates start with the crate");
    assert_rejected(
        &rejection_of(&ENTRIES),
        "two functions have the path `rejected::same`: suite.rs:1 and suite.rs:3. Rename one, or move it into another module",
    );
    let empty = rejection_of(&[]);
    let reason = empty["reason"].as_str().expect("a text");
    assert!(reason.contains("#[measured]") && reason.contains("lto = \"thin\""), "{reason}");
}
