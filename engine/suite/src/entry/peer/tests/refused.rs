//! What a suite refuses, and how.

use super::*;

#[test]
fn what_cannot_be_opened_is_refused_and_leaves_nothing_open() {
    let four = ["changes", "changes_too", "changes_likewise", "leaves_another"];
    for (functions, generator, arguments, reason) in [
        (&["nothing"][..], "fresh", axis(), "there is no function `nothing`"),
        (&["changes"], "shared", unused(), "`changes` takes no workload of `shared`"),
        (&["changes", "consumes"], "fresh", axis(), "`consumes` takes no workload of `fresh`"),
        (&["changes"], "nothing", axis(), "`changes` takes no workload of `nothing`"),
        (&[], "fresh", axis(), "expected 1 to 4 functions, not 0"),
        (&[&four[..], &["float"]].concat(), "fresh", axis(), "expected 1 to 4 functions, not 5"),
        (&["changes"], "fresh", json!({"count": "Up"}), "arguments.first: expected a number"),
        (&["changes"], "fresh", json!({"first": "5", "count": "Up"}), "arguments.first: expected a number"),
        (&["changes"], "fresh", json!({"first": 5, "count": 5}), "arguments.count: expected a text"),
        (&["changes"], "fresh", json!({"first": 5, "count": "Down"}), "arguments.count: there is no option `Down`"),
        (&["never"], "none", unused(), "the generator prepared no call: `Calls` needs at least one"),
    ] {
        let mut peer = peer();
        let answer = ask(&mut peer, open(1, functions, generator, arguments));
        assert_refused(&answer, reason);
        assert_eq!(answer["slot"], 1);
        let told = happened();
        assert_eq!(only("folder", &told), only("remove", &told), "{reason}");
        assert_refused(&ask(&mut peer, json!({"type": "close", "slot": 1})), "slot 1 is not open");
    }
}

#[test]
fn what_cannot_be_collected_is_refused() {
    let (mut peer, _) = opened(&["borrows"], "shared", unused());
    assert_refused(&ask(&mut peer, open(1, &["borrows"], "shared", unused())), "slot 1 is open already");
    let bounds = "expected 1 call or more and 1 to 100000 batches";
    for (target, calls, batches, reason) in [
        (json!({"function": 1}), 1, 1, "the slot has 1 functions, counted from 0"),
        (json!({"empty": 9}), 1, 1, "the slot has 1 functions, counted from 0"),
        (json!({"check": 9}), 1, 1, "the slot has 1 functions, counted from 0"),
        (json!({"function": 0}), 1, 0, bounds),
        (json!({"function": 0}), 1, 100_001, bounds),
        (json!({"check": 0}), 1, 0, bounds),
        (json!("reference"), 0, 1, bounds),
        (json!("tier"), 0, 1, bounds),
        (json!("clock"), 1, 0, bounds),
    ] {
        assert_refused(&ask(&mut peer, collect(target, calls, batches, 0)), reason);
    }
    let mut order = collect(json!({"function": 0}), 1, 1, 0);
    order["slot"] = json!(2);
    assert_refused(&ask(&mut peer, order), "slot 2 is not open");
}

#[test]
fn what_is_no_message_is_refused_and_nothing_is_harmed() {
    let (mut peer, _) = opened(&["borrows"], "shared", unused());
    for line in ["", "{", "[]", "hello", r#"{"type":"hello"}"#, "{\"type\":\"close\",\"slot\":\u{0}}"] {
        let answer: Value = serde_json::from_str(&peer.answer(line)).expect("answers are JSON");
        assert_eq!((&answer["type"], &answer["stage"]), (&json!("failed"), &json!("request")), "{line}");
        let reason = answer["reason"].as_str().expect("a text");
        assert!(reason.starts_with("not a message of protocol 3: "), "{reason}");
    }
    calls_of(&mut peer, 0, 1, 1, 0);
}

/// Entries that no attribute made.
static ENTRIES: [FunctionEntry; 3] = [
    entry(concat!(module_path!(), "::same"), 1),
    entry("elsewhere::same", 2),
    entry(concat!(module_path!(), "::same"), 3),
];

const fn entry(path: &'static str, line: u32) -> FunctionEntry {
    let (signature, docs, file) = ("", "", "suite.rs");
    FunctionEntry { path, signature, docs, file, line, native: false, alternatives: None, bindings: &[] }
}

fn refusal_of(entries: &'static [FunctionEntry]) -> Value {
    let declared = Declared::of(IDENTITY, entries);
    ask(&mut Peer { declared, ..peer() }, json!({"type": "describe", "protocol": 3}))
}

#[test]
fn a_suite_without_functions_or_with_two_of_one_path_refuses_to_describe_itself() {
    assert_eq!(refusal_of(&ENTRIES[..2])["type"], "catalog", "functions of other crates have their crate's name");
    assert_refused(
        &refusal_of(&ENTRIES),
        "two functions have the path `refused::same`: suite.rs:1 and suite.rs:3; rename one or move it into a module",
    );
    let empty = refusal_of(&[]);
    let reason = empty["reason"].as_str().expect("a text");
    assert!(reason.contains("#[measured]") && reason.contains("lto = \"thin\""), "{reason}");
}
