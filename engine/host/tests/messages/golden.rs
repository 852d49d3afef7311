//! The JSON of messages, requests and responses, which other programs read and write and caches store.
//!
//! `BENCHBOOK_BLESS=1 cargo test -p benchbook-host --test host` rewrites `golden/`. A difference there changes the contract.

use std::fmt::Debug;
use std::path::Path;

use benchbook_contract::catalog::Suite;
use benchbook_contract::number::MAX_INTEGER;
use benchbook_contract::parameter::{Argument, ChoiceOption, NumericDefault, Parameter, Range};
use benchbook_contract::protocol::{
    Collect, FailureStage, HostMessage, Interleave, LaneTarget, OpenReply, RequestFailure, SuiteMessage,
};
use benchbook_host::analyze::stability::Stability;
use benchbook_host::quality::{Priority, Qualities, Quality};
use benchbook_host::request::{Problem, Request};
use benchbook_host::response::{Failure, Point, Response, Warning};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Reads the lines of a golden file, and compares them with what is written for these values. Returns the text of the file.
#[track_caller]
fn assert_golden<T: Serialize + DeserializeOwned>(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    let golden = std::fs::read_to_string(&path).expect("the golden file is committed next to the test");
    let rewritten = |line| serde_json::to_string(&serde_json::from_str::<T>(line).expect(line)).expect("it serializes");
    let lines: Vec<String> = golden.lines().map(rewritten).collect();
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        std::fs::write(&path, lines.join("\n") + "\n").expect("the folder exists");
    }
    for (line, expected) in lines.iter().zip(golden.lines()) {
        assert_eq!(line, expected, "{file}");
    }
    golden
}

/// Asserts that a golden file has every variant of a type, whose names serde lists in its error about this value.
#[track_caller]
fn assert_has_all_variants<T: DeserializeOwned + Debug>(golden: &str, unknown: &Value, written: fn(&str) -> String) {
    let error = read::<T>(unknown).expect_err("there is no such variant").to_string();
    let (_, names) = error.split_once("expected one of ").expect(&error);
    let names: Vec<&str> = names.split('`').skip(1).step_by(2).collect();
    assert!(names.len() > 2, "{error}");
    for name in names {
        assert!(golden.contains(&written(name)), "add an example of {name} by hand");
    }
}

fn tagged(name: &str) -> String {
    format!(r#""type":"{name}""#)
}

#[test]
fn messages_of_both_peers_are_written_as_they_are_read() {
    let unknown = json!({"type": "unknown", "name": "", "description": ""});
    let host = assert_golden::<HostMessage>("host.ndjson");
    assert_has_all_variants::<HostMessage>(&host, &unknown, tagged);
    let target = |name: &str| format!(r#""{name}""#);
    assert_has_all_variants::<LaneTarget>(&host, &json!("unknown"), target);
    let suite = assert_golden::<SuiteMessage>("suite.ndjson");
    assert_has_all_variants::<SuiteMessage>(&suite, &unknown, tagged);
    assert_has_all_variants::<Parameter>(&suite, &unknown, tagged);
    let stage = |name: &str| format!(r#""stage":"{name}""#);
    assert_has_all_variants::<FailureStage>(&suite, &json!("unknown"), stage);
}

#[test]
fn requests_and_responses_are_written_as_they_are_read() {
    assert_golden::<Request>("requests.ndjson");
    assert_golden::<Problem>("problems.ndjson");
    let responses = assert_golden::<Response>("responses.ndjson");
    assert_has_all_variants::<Warning>(&responses, &json!({"type": "unknown"}), tagged);
    let kind = |name: &str| format!(r#""kind":"{name}""#);
    assert_has_all_variants::<Failure>(&responses, &json!({"kind": "unknown", "reason": ""}), kind);
}

/// The format of qualities in a runner's configuration and in a page's `notebook.json`.
#[test]
fn qualities() {
    assert_golden::<Quality>("qualities.ndjson");
    let mut quality = serde_json::to_value(Qualities::default().of(Priority::FIRST)).expect("it serializes");
    quality["timeout_ms"] = json!(500);
    assert_eq!(read::<Quality>(&quality).expect("it deserializes").timeout_ms(), 500.0);
    quality["timeout"] = json!(500);
    assert_rejected::<Quality>(&quality, "unknown field `timeout`");
    assert_rejected::<Qualities>(&json!([]), "invalid length 0");
    for priority in Priority::all() {
        let timeout = Qualities::default().of(priority).timeout_ms();
        assert_eq!(timeout, 10_000.0, "ten seconds, or five times the point's time");
    }
}

/// Invalid numbers are rejected while parsing, with their location.
#[test]
fn invalid_qualities_are_rejected() {
    let table = [
        ("points", json!(1), "points: expected 2 to 1025 at line 1"),
        ("points", json!(4_000_000_000_u32), "points: expected"),
        ("precision", json!(0), "precision: expected above 0"),
        ("point_ms", json!(-1), "point_ms: expected above 0"),
        ("warm_up", json!({"at_least": 5, "at_most": 4, "ms": 1}), "warm_up: at_least is above at_most"),
        ("warm_up", json!({"at_least": 5, "at_most": 5, "ms": 1e300}), "warm_up.ms: expected"),
        ("samples", json!({"at_least": 0, "at_most": 0}), "samples.at_most: expected 1"),
        ("processes", json!(0), "processes: expected 1"),
        ("timeout_ms", json!(-1), "timeout_ms: expected above 0"),
    ];
    for (name, value, expected) in table {
        let mut qualities = serde_json::to_value(Qualities::default()).expect("it serializes");
        qualities[2][name] = value;
        assert_rejected::<Qualities>(&qualities, expected);
    }
}

/// Qualities that were not parsed are validated too.
#[test]
fn constructed_qualities_are_validated() {
    let quality = Qualities::default().of(Priority::FIRST).clone();
    let wrong = Quality { points: 1, ..quality.clone() };
    let made = Qualities::try_from([quality.clone(), quality.clone(), wrong, quality]);
    assert_eq!(made, Err("priority 3: points: expected 2 to 1025".to_owned()));
}

fn read<T: DeserializeOwned>(value: &Value) -> serde_json::Result<T> {
    serde_json::from_str(&value.to_string())
}

#[track_caller]
fn assert_rejected<T: DeserializeOwned + Debug>(value: &Value, expected: &str) {
    let error = read::<T>(value).expect_err("it should be rejected").to_string();
    assert!(error.contains(expected), "{value}: {error}");
}

#[test]
fn integers_have_no_fraction_and_other_numbers_round_trip_exactly() {
    let third = 1.0 / 3.0;
    for (number, expected) in [
        (0.0, "0"),
        (-0.0, "0"),
        (1_000.0, "1000"),
        (-3.0, "-3"),
        (MAX_INTEGER, "9007199254740992"),
        (-MAX_INTEGER, "-9007199254740992"),
        (0.5, "0.5"),
        (1e300, "1e+300"),
        (1e-9, "1e-9"),
        (third, "0.3333333333333333"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1_063_521_505.825_452_3, "1063521505.8254523"),
        (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
    ] {
        let written = serde_json::to_string(&Argument::Number(number)).expect("it serializes");
        assert_eq!(written, expected);
        let read: Argument = serde_json::from_str(&written).expect("it deserializes");
        assert_eq!(read, Argument::Number(number));
        let range = serde_json::to_string(&Range { low: number, high: number }).expect("it serializes");
        assert_eq!(range, format!(r#"{{"low":{expected},"high":{expected}}}"#));
    }
}

#[test]
fn numbers_parse_with_and_without_a_fraction() {
    for text in ["1000", "1000.0", "1e3", "1.0e+3"] {
        assert_eq!(
            serde_json::from_str::<Argument>(text).expect("it deserializes"),
            Argument::Number(1_000.0),
            "{text}"
        );
    }
}

#[test]
fn optional_fields_have_defaults() {
    let opened = json!({"type": "opened", "slot": 1, "round": 1, "preparation": 0});
    let expected =
        OpenReply { slot: 1, round: 1, one_call_per_batch: false, elements: None, bytes: None, preparation: 0.0 };
    assert_eq!(read::<SuiteMessage>(&opened).expect("it deserializes"), SuiteMessage::Opened(expected));

    let collect = json!({"type": "collect", "slot": 1, "target": "reference", "calls": 1, "batches": 1});
    let expected = Collect { slot: 1, target: LaneTarget::Reference, calls: 1, batches: 1, input_set: 0 };
    assert_eq!(read::<HostMessage>(&collect).expect("it deserializes"), HostMessage::Collect(expected));

    let interleave = json!({"type": "interleave", "slot": 1, "lanes": [], "turns": []});
    let expected = Interleave { slot: 1, lanes: Vec::new(), turns: Vec::new(), input_set: 0 };
    assert_eq!(read::<HostMessage>(&interleave).expect("it deserializes"), HostMessage::Interleave(expected));

    let samples = json!({"type": "samples", "slot": 1, "target": {"function": 0}, "calls": 1, "elapsed": [1],
        "preparation": 0});
    let SuiteMessage::Samples(samples) = read(&samples).expect("it deserializes") else { panic!("unexpected message") };
    assert_eq!((samples.held, samples.counts, samples.hashes), (0.0, None, None));

    let failed = json!({"type": "failed", "stage": "function", "reason": "why"});
    let expected =
        RequestFailure { stage: FailureStage::Function, reason: "why".to_owned(), ..RequestFailure::default() };
    assert_eq!(read::<SuiteMessage>(&failed).expect("it deserializes"), SuiteMessage::Failed(expected));

    let option: ChoiceOption = read(&json!({"name": "Random"})).expect("it deserializes");
    assert_eq!(option.description, "");
}

/// A later version may add fields; this one ignores them.
#[test]
fn unknown_fields_are_ignored() {
    let describe = json!({"type": "describe", "protocol": 4, "later": {"more": true}});
    assert_eq!(read::<HostMessage>(&describe).expect("it deserializes"), HostMessage::describe(&[]));
    let closed = json!({"type": "closed", "slot": 3, "later": null});
    assert_eq!(read::<SuiteMessage>(&closed).expect("it deserializes"), SuiteMessage::Closed { slot: 3 });
    let catalog: Value =
        include_str!("../golden/suite.ndjson").lines().next().expect("a catalog").parse().expect("JSON");
    let suite = &catalog["suite"];
    let mut more = suite.clone();
    more["later"] = json!(1);
    more["functions"][0]["later"] = json!(1);
    more["generators"][0]["parameters"][0]["later"] = json!(1);
    assert_eq!(read::<Suite>(&more).expect("it deserializes"), read(suite).expect("it deserializes"));
}

#[test]
fn invalid_messages_are_rejected() {
    for (value, expected) in [
        (json!({}), "missing field `type`"),
        (json!({"type": "hello"}), "unknown variant `hello`"),
        (json!({"type": "describe"}), "missing field `protocol`"),
        (json!({"type": "close", "slot": -1}), "invalid value: integer `-1`, expected u32"),
        (json!({"type": "collect", "slot": 1, "target": "function", "calls": 1, "batches": 1}), "invalid type"),
        (json!({"type": "collect", "slot": 1, "target": {"nothing": 0}, "calls": 1, "batches": 1}), "unknown variant"),
        (json!({"type": "collect", "slot": 1, "target": "clock", "calls": 1.5, "batches": 1}), "expected u64"),
        (
            json!({"type": "interleave", "slot": 1, "lanes": [{"target": "clock"}], "turns": []}),
            "missing field `calls`",
        ),
        (json!({"type": "interleave", "slot": 1, "lanes": [], "turns": [-1]}), "expected usize"),
        (json!([]), "missing field `type`"),
        (json!("describe"), "invalid type: string \"describe\", expected an object with a field `type`"),
    ] {
        assert_rejected::<HostMessage>(&value, expected);
    }
    let samples = json!({"type": "samples", "slot": 1, "target": "clock", "calls": 1, "elapsed": [null],
        "preparation": 0});
    assert_rejected::<SuiteMessage>(&samples, "invalid type: null, expected f64");
}

#[test]
fn invalid_parameters_points_and_warnings_are_rejected() {
    let named = |kind: &str| json!({"name": "size", "description": "", "type": kind});
    for (value, expected) in [
        (named("vector"), "unknown variant `vector`, expected one of `integer`, `float`, `choice`, `text`"),
        (named("integer"), "missing field `of`"),
        (named("text"), "missing field `default`"),
        (json!({"type": "text", "default": ""}), "missing field `name`"),
    ] {
        assert_rejected::<Parameter>(&value, expected);
    }
    assert_rejected::<NumericDefault>(&json!("1"), "a default is a number or a range");
    let failure = json!({"kind": "trap", "reason": "why"});
    for value in [json!({"function": "f", "x": 1}), json!({"function": "f", "x": 1, "skipped": failure})] {
        assert_rejected::<Point>(&value, "measured");
    }
    assert_rejected::<Warning>(&json!({"type": "rain"}), "unknown variant `rain`");
}

#[test]
fn argument_is_a_number_a_text_a_range_or_a_list() {
    for (value, expected) in [
        (json!(5), Argument::Number(5.0)),
        (json!("5"), Argument::Text("5".to_owned())),
        (json!({"low": 1, "high": 2.5}), Argument::Range(Range { low: 1.0, high: 2.5 })),
        (json!([5, "5"]), Argument::Values(vec![5.0.into(), "5".into()])),
        (json!([]), Argument::Values(Vec::new())),
    ] {
        assert_eq!(read::<Argument>(&value).expect("it deserializes"), expected);
    }
    for (value, expected) in [
        (json!(null), "expected a number, a text, a range"),
        (json!(true), "expected a number, a text, a range"),
        (json!([[1]]), "expected only numbers or texts in a list"),
        (json!([null]), "expected a number, a text, a range"),
        (json!({"low": 1}), "missing field `high`"),
        (json!({"low": 1, "high": 2, "step": 1}), "unknown field `step`"),
    ] {
        assert_rejected::<Argument>(&value, expected);
    }
}

/// Responses of method 2 and earlier do not distinguish "not settled" from "unknown".
#[test]
fn settled_states_of_older_methods_are_readable() {
    for (json, expected) in [
        ("true", Stability::Settled),
        ("false", Stability::Unknown),
        ("\"settled\"", Stability::Settled),
        ("\"not_settled\"", Stability::NotSettled),
        ("\"unknown\"", Stability::Unknown),
    ] {
        assert_eq!(serde_json::from_str::<Stability>(json).unwrap(), expected, "{json}");
    }
    let error = serde_json::from_str::<Stability>("\"calm\"").unwrap_err().to_string();
    assert!(error.contains("expected one of `settled`, `not_settled`, `unknown`"), "{error}");
}
