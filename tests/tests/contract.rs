//! `docs/suite-contract.md` is true: its conversations are played to both faces of the suites that they are with.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::collections::BTreeSet;
use std::fs;

use benchbook_contract::protocol::{HostMessage, SuiteMessage};
use benchbook_tests::native::NativeChild;
use benchbook_tests::suites::{Faces, demo, fixture};
use benchbook_tests::wasm::{Death, WasmModule, WasmSuite};
use serde_json::Value;

const CONTRACT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/suite-contract.md");

/// Stands for any text, and in a list for any others.
const ANY: &str = "…";

/// Members whose numbers are examples.
const MEASURED: [&str; 4] = ["elapsed", "preparation", "held", "line"];

#[test]
fn native_suites_answer_as_the_contract_says() {
    for (suite, exchanges) in conversations() {
        let program = faces(&suite).program;
        let mut child = NativeChild::start(&program).unwrap();
        for exchange in exchanges {
            for message in &exchange.told {
                child.tell(&message.to_string()).unwrap();
            }
            let answers: Vec<String> = exchange.answers.iter().map(|_| child.answer().unwrap()).collect();
            exchange.assert_answered_by(&answers);
            if exchange.ends {
                let (rest, status) = child.finish().unwrap();
                assert!(rest.is_empty() && !status.success(), "{status}: {rest:?}");
                let panicked = exchange.answers.iter().any(|answer| answer["type"] == "failed");
                assert_eq!(status.code() == Some(101), panicked, "{status}");
                child = NativeChild::start(&program).unwrap();
            }
        }
        let (rest, status) = child.finish().unwrap();
        assert!(rest.is_empty() && status.success(), "{status}: {rest:?}");
    }
}

#[test]
fn wasm_suites_answer_as_the_contract_says() {
    for (suite, exchanges) in conversations() {
        let module = WasmModule::new(&faces(&suite).wasm().unwrap()).unwrap();
        let mut instance = module.start().unwrap();
        for exchange in exchanges {
            let (answers, death) = tell_all(&mut instance, &exchange.told);
            exchange.assert_answered_by(&answers);
            assert_eq!(matches!(death, Some(Death::Trapped(_))), exchange.ends, "{death:?} after {answers:?}");
            if exchange.ends {
                instance = module.start().unwrap();
            }
        }
    }
}

/// What a member may be is what the types of `protocol.rs` read, and each kind of message has its example.
#[test]
fn the_contract_shows_every_message() {
    let (mut told, mut answered, mut targets) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (_, exchanges) in conversations() {
        for exchange in exchanges {
            for message in exchange.told.into_iter().filter(|message| message["type"] != "dance") {
                told.insert(message["type"].to_string());
                targets.extend(message.get("target").map(|target| match target {
                    Value::Object(target) => target.keys().cloned().collect(),
                    other => other.to_string(),
                }));
                serde_json::from_value::<HostMessage>(message).unwrap();
            }
            for answer in exchange.answers {
                answered.insert(answer["type"].to_string());
                serde_json::from_value::<SuiteMessage>(without_others(answer)).unwrap();
            }
        }
    }
    let list = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join(" ").replace('"', "");
    assert_eq!(list(told), "close collect describe interleave open");
    assert_eq!(list(answered), "catalog closed failed interleaved opened refused samples");
    assert_eq!(list(targets), "clock reference tier check empty function");
}

fn faces(suite: &str) -> Faces {
    if suite == "demo" { demo().unwrap() } else { fixture(suite).unwrap() }
}

fn tell_all(instance: &mut WasmSuite, messages: &[Value]) -> (Vec<String>, Option<Death>) {
    let mut answers = Vec::new();
    for message in messages {
        let (more, death) = instance.tell(&message.to_string());
        answers.extend(more);
        if death.is_some() {
            return (answers, death);
        }
    }
    (answers, None)
}

/// Messages that a host sends one after the other, and what the suite answers to all of them.
#[derive(Default)]
struct Exchange {
    told: Vec<Value>,
    answers: Vec<Value>,
    /// Whether the suite ends then.
    ends: bool,
}

impl Exchange {
    fn assert_answered_by(&self, answers: &[String]) {
        assert_eq!(answers.len(), self.answers.len(), "{answers:#?} to {:?}", self.told);
        for (answer, expected) in answers.iter().zip(&self.answers) {
            assert!(!answer.contains('\n'), "one line: {answer}");
            let answer: Value = serde_json::from_str(answer).unwrap();
            if let Err(difference) = compare(expected, &answer, "") {
                panic!("{difference}\nin the answer to {:?}:\n{answer:#}", self.told);
            }
        }
    }
}

/// The conversations of the document, with the suite that each is with.
fn conversations() -> Vec<(String, Vec<Exchange>)> {
    let text = fs::read_to_string(CONTRACT).unwrap();
    let mut conversations: Vec<(String, Vec<Exchange>)> = Vec::new();
    for (words, json) in blocks(&text) {
        let message: Value = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error} in {json}"));
        let words: Vec<&str> = words.split_whitespace().collect();
        let suite = words.iter().position(|word| *word == "of").map_or("demo", |of| words[of + 1]);
        if conversations.last().is_none_or(|(with, _)| with != suite) {
            conversations.push((suite.to_owned(), Vec::new()));
        }
        let (_, exchanges) = conversations.last_mut().expect("one was pushed if there was none");
        if words[0] == "host" {
            if exchanges.last().is_none_or(|exchange| !exchange.answers.is_empty()) {
                exchanges.push(Exchange::default());
            }
            exchanges.last_mut().expect("one was pushed").told.push(message);
        } else {
            assert_eq!(words[0], "suite", "a block is of a host or of a suite");
            let exchange = exchanges.last_mut().expect("a host speaks first");
            exchange.answers.push(message);
            exchange.ends = words.last() == Some(&"ends");
        }
    }
    assert!(!conversations.is_empty());
    conversations
}

/// The fenced blocks of JSON: the words after `json`, and what stands in the block.
fn blocks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("\n```json ").skip(1).map(|rest| {
        let (words, rest) = rest.split_once('\n').expect("a fence ends its line");
        (words, rest.split_once("\n```").expect("a block ends").0)
    })
}

/// Whether the answer is what the document says; what differs, with its place.
fn compare(expected: &Value, answer: &Value, place: &str) -> Result<(), String> {
    let differs = || Err(format!("{place}: expected {expected}, found {answer}"));
    match (expected, answer) {
        (Value::Object(expected), Value::Object(found)) => {
            let members: BTreeSet<_> = expected.keys().chain(found.keys()).collect();
            for name in members {
                let place = format!("{place}.{name}");
                match (expected.get(name), found.get(name)) {
                    // On a busy machine something may have the processor at any time.
                    (None, Some(_)) if name == "interrupted" => {}
                    (Some(_), Some(Value::Number(_))) if is_measured(name, found) => {}
                    (Some(Value::Array(one)), Some(Value::Array(other))) if is_measured(name, found) => {
                        if one.len() != other.len() || !other.iter().all(Value::is_number) {
                            return Err(format!("{place}: expected {} numbers, found {other:?}", one.len()));
                        }
                    }
                    (Some(expected), Some(found)) => compare(expected, found, &place)?,
                    (expected, found) => return Err(format!("{place}: expected {expected:?}, found {found:?}")),
                }
            }
            Ok(())
        }
        (Value::Array(expected), Value::Array(found)) => compare_lists(expected, found, place),
        (Value::String(pattern), Value::String(text)) if matches(pattern, text) => Ok(()),
        (Value::Number(one), Value::Number(other)) if one.as_f64() == other.as_f64() => Ok(()),
        _ if expected == answer => Ok(()),
        _ => differs(),
    }
}

fn is_measured(member: &str, message: &serde_json::Map<String, Value>) -> bool {
    let is_clock = message.get("target").is_some_and(|target| target == "clock");
    MEASURED.contains(&member) || (is_clock && member == "calls")
}

fn compare_lists(expected: &[Value], found: &[Value], place: &str) -> Result<(), String> {
    let named: Vec<&Value> = expected.iter().filter(|item| *item != ANY).collect();
    // One such item stands for others; several stand for a text each.
    if expected.len() - named.len() != 1 {
        if expected.len() != found.len() {
            return Err(format!("{place}: expected {} items, found {}", expected.len(), found.len()));
        }
        return expected
            .iter()
            .zip(found)
            .enumerate()
            .try_for_each(|(index, (expected, found))| compare(expected, found, &format!("{place}[{index}]")));
    }
    for item in named {
        // The one that is meant is found by its path or name, so that a difference can be told.
        let key = if item.get("path").is_some() { "path" } else { "name" };
        let meant = found.iter().find(|candidate| candidate.get(key) == item.get(key));
        let meant = meant.ok_or_else(|| format!("{place}: there is no {}", item[key]))?;
        compare(item, meant, &format!("{place}[{}]", item[key]))?;
    }
    Ok(())
}

/// Whether the text is the pattern, with anything where [`ANY`] stands.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, pattern)) = pattern.split_once(ANY) else { return pattern == text };
    let Some(text) = text.strip_prefix(start) else { return false };
    text.char_indices().map(|(index, _)| index).chain([text.len()]).any(|index| matches(pattern, &text[index..]))
}

/// The message without what stands for others.
fn without_others(message: Value) -> Value {
    match message {
        Value::Array(items) => {
            let kept = items.into_iter().filter(|item| item != ANY);
            Value::Array(kept.map(without_others).collect())
        }
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| (name, without_others(value))).collect())
        }
        other => other,
    }
}
