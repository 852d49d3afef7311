//! Plays the conversations of `docs/suite-contract.md` to the native and the wasm builds of their suites.

use std::collections::BTreeSet;
use std::fs;

use benchbook_contract::protocol::{HostMessage, SuiteMessage};
use benchbook_tests::native::NativeChild;
use benchbook_tests::suites::{SuiteBuilds, demo, fixture};
use benchbook_tests::wasm::{Termination, WasmModule, WasmSuite};
use serde_json::Value;

const CONTRACT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/suite-contract.md");

/// Matches any text; in a list, any further items.
const ANY: &str = "…";

/// Members whose numbers are only examples.
const MEASURED: [&str; 4] = ["elapsed", "preparation", "held", "line"];

#[test]
fn native_suites_reply_as_documented() {
    for (suite, exchanges) in conversations() {
        let program = builds(&suite).program;
        let mut child = NativeChild::start(&program).unwrap();
        for exchange in exchanges {
            for message in &exchange.messages {
                child.send(&message.to_string()).unwrap();
            }
            let replies: Vec<String> = exchange.replies.iter().map(|_| child.receive().unwrap()).collect();
            exchange.assert_replies(&replies);
            if exchange.ends {
                let (rest, status) = child.finish().unwrap();
                assert!(rest.is_empty() && !status.success(), "{status}: {rest:?}");
                let panicked = exchange.replies.iter().any(|reply| reply["type"] == "failed");
                assert_eq!(status.code() == Some(101), panicked, "{status}");
                child = NativeChild::start(&program).unwrap();
            }
        }
        let (rest, status) = child.finish().unwrap();
        assert!(rest.is_empty() && status.success(), "{status}: {rest:?}");
    }
}

#[test]
fn wasm_suites_reply_as_documented() {
    for (suite, exchanges) in conversations() {
        let module = WasmModule::new(&builds(&suite).wasm().unwrap()).unwrap();
        let mut instance = module.start().unwrap();
        for exchange in exchanges {
            let (replies, termination) = send_all(&mut instance, &exchange.messages);
            exchange.assert_replies(&replies);
            assert_eq!(
                matches!(termination, Some(Termination::Trapped(_))),
                exchange.ends,
                "{termination:?} after {replies:?}"
            );
            if exchange.ends {
                instance = module.start().unwrap();
            }
        }
    }
}

/// The types of `protocol.rs` parse every example, and each kind of message has one.
#[test]
fn the_document_shows_every_message() {
    let (mut sent, mut received, mut targets) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (_, exchanges) in conversations() {
        for exchange in exchanges {
            for message in exchange.messages.into_iter().filter(|message| message["type"] != "dance") {
                sent.insert(message["type"].to_string());
                targets.extend(message.get("target").map(|target| match target {
                    Value::Object(target) => target.keys().cloned().collect(),
                    other => other.to_string(),
                }));
                serde_json::from_value::<HostMessage>(message).unwrap();
            }
            for reply in exchange.replies {
                received.insert(reply["type"].to_string());
                serde_json::from_value::<SuiteMessage>(without_others(reply)).unwrap();
            }
        }
    }
    let list = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join(" ").replace('"', "");
    assert_eq!(list(sent), "close collect describe interleave open");
    assert_eq!(list(received), "catalog closed failed interleaved opened refused samples");
    assert_eq!(list(targets), "clock reference tier check count empty function");
}

fn builds(suite: &str) -> SuiteBuilds {
    if suite == "demo" { demo().unwrap() } else { fixture(suite).unwrap() }
}

fn send_all(instance: &mut WasmSuite, messages: &[Value]) -> (Vec<String>, Option<Termination>) {
    let mut replies = Vec::new();
    for message in messages {
        let (more, termination) = instance.send(&message.to_string());
        replies.extend(more);
        if termination.is_some() {
            return (replies, termination);
        }
    }
    (replies, None)
}

/// Consecutive messages of a host, and the suite's replies to all of them.
#[derive(Default)]
struct Exchange {
    messages: Vec<Value>,
    replies: Vec<Value>,
    /// Whether the suite ends after the replies.
    ends: bool,
}

impl Exchange {
    fn assert_replies(&self, replies: &[String]) {
        assert_eq!(replies.len(), self.replies.len(), "{replies:#?} to {:?}", self.messages);
        for (reply, expected) in replies.iter().zip(&self.replies) {
            assert!(!reply.contains('\n'), "one line: {reply}");
            let reply: Value = serde_json::from_str(reply).unwrap();
            if let Err(difference) = compare(expected, &reply, "") {
                panic!("{difference}\nin the reply to {:?}:\n{reply:#}", self.messages);
            }
        }
    }
}

/// The conversations of the document, each with the name of its suite.
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
        let (_, exchanges) = conversations.last_mut().expect("there is a conversation");
        if words[0] == "host" {
            if exchanges.last().is_none_or(|exchange| !exchange.replies.is_empty()) {
                exchanges.push(Exchange::default());
            }
            exchanges.last_mut().expect("there is an exchange").messages.push(message);
        } else {
            assert_eq!(words[0], "suite", "a block belongs to a host or a suite");
            let exchange = exchanges.last_mut().expect("the host sends the first message");
            exchange.replies.push(message);
            exchange.ends = words.last() == Some(&"ends");
        }
    }
    assert!(!conversations.is_empty());
    conversations
}

/// The fenced JSON blocks: the words after `json`, and the contents.
fn blocks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("\n```json ").skip(1).map(|rest| {
        let (words, rest) = rest.split_once('\n').expect("a fence ends with a line break");
        (words, rest.split_once("\n```").expect("the block is closed").0)
    })
}

/// Compares a reply with the documented one. The error contains the path of the difference.
fn compare(expected: &Value, reply: &Value, path: &str) -> Result<(), String> {
    let differs = || Err(format!("{path}: expected {expected}, found {reply}"));
    match (expected, reply) {
        (Value::Object(expected), Value::Object(found)) => {
            let members: BTreeSet<_> = expected.keys().chain(found.keys()).collect();
            for name in members {
                let path = format!("{path}.{name}");
                match (expected.get(name), found.get(name)) {
                    // On a busy machine, the thread may be interrupted at any time.
                    (None, Some(_)) if name == "interrupted" => {}
                    (Some(_), Some(Value::Number(_))) if is_measured(name, found) => {}
                    (Some(Value::Array(one)), Some(Value::Array(other))) if is_measured(name, found) => {
                        if one.len() != other.len() || !other.iter().all(Value::is_number) {
                            return Err(format!("{path}: expected {} numbers, found {other:?}", one.len()));
                        }
                    }
                    (Some(expected), Some(found)) => compare(expected, found, &path)?,
                    (expected, found) => return Err(format!("{path}: expected {expected:?}, found {found:?}")),
                }
            }
            Ok(())
        }
        (Value::Array(expected), Value::Array(found)) => compare_lists(expected, found, path),
        (Value::String(pattern), Value::String(text)) if matches(pattern, text) => Ok(()),
        (Value::Number(one), Value::Number(other)) if one.as_f64() == other.as_f64() => Ok(()),
        _ if expected == reply => Ok(()),
        _ => differs(),
    }
}

fn is_measured(member: &str, message: &serde_json::Map<String, Value>) -> bool {
    let is_clock = message.get("target").is_some_and(|target| target == "clock");
    MEASURED.contains(&member) || (is_clock && member == "calls")
}

fn compare_lists(expected: &[Value], found: &[Value], path: &str) -> Result<(), String> {
    let named: Vec<&Value> = expected.iter().filter(|item| *item != ANY).collect();
    // A single such item matches any further items; several match one text each.
    if expected.len() - named.len() != 1 {
        if expected.len() != found.len() {
            return Err(format!("{path}: expected {} items, found {}", expected.len(), found.len()));
        }
        return expected
            .iter()
            .zip(found)
            .enumerate()
            .try_for_each(|(index, (expected, found))| compare(expected, found, &format!("{path}[{index}]")));
    }
    for item in named {
        // Finds the counterpart by its path or name, so that the error can name the difference.
        let key = if item.get("path").is_some() { "path" } else { "name" };
        let meant = found.iter().find(|candidate| candidate.get(key) == item.get(key));
        let meant = meant.ok_or_else(|| format!("{path}: missing {}", item[key]))?;
        compare(item, meant, &format!("{path}[{}]", item[key]))?;
    }
    Ok(())
}

/// Whether the text matches the pattern, in which [`ANY`] matches any text.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, pattern)) = pattern.split_once(ANY) else { return pattern == text };
    let Some(text) = text.strip_prefix(start) else { return false };
    text.char_indices().map(|(index, _)| index).chain([text.len()]).any(|index| matches(pattern, &text[index..]))
}

/// Removes the items that match any further items.
fn without_others(message: Value) -> Value {
    match message {
        Value::Array(items) => {
            let named = items.into_iter().filter(|item| item != ANY);
            Value::Array(named.map(without_others).collect())
        }
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| (name, without_others(value))).collect())
        }
        other => other,
    }
}
