//! The demo suite as shipped: both builds have the same catalog, every function can be measured and its documentation
//! poses a question, and alternatives agree.

use std::collections::{BTreeMap, BTreeSet};

use benchbook_contract::catalog::{Function, Generator, Suite};
use benchbook_contract::parameter::{Argument, Arguments, Kind, Numeric, Range};
use benchbook_contract::protocol::{Collect, HostMessage, LaneTarget, Open, SuiteMessage};
use benchbook_host::axis::Variation;
use benchbook_host::child::NativeSuite;
use benchbook_host::request::Request;
use benchbook_tests::native::NativeChild;
use benchbook_tests::requests::{arguments_at, quick, request};
use benchbook_tests::suites::demo;
use benchbook_tests::wasm::WasmModule;

use crate::target::{NO_AXIS, Target, axis_of, lower_end_of};

/// In the order of the catalog.
const TOPICS: [&str; 8] = ["collections", "hashing", "memory", "numbers", "searching", "sorting", "strings", "text"];

#[test]
fn both_builds_have_the_same_catalog() {
    let both = Target::both(&demo().unwrap());
    let [native, wasm] = both.each_ref().map(Target::suite);
    assert_eq!(native.functions, wasm.functions);
    assert_eq!(native.generators, wasm.generators);
    assert!(wasm.build.target_features.iter().any(|feature| feature == "simd128"), "{:?}", wasm.build);
    assert_eq!((wasm.build.opt_level.as_str(), native.build.opt_level.as_str()), ("3", "3"));
}

#[test]
fn documentation_of_each_function_poses_a_question() {
    let suite = catalog();
    assert!(suite.functions.len() >= 28, "{} functions", suite.functions.len());
    assert_eq!(suite.functions.iter().map(topic).collect::<BTreeSet<_>>(), BTreeSet::from(TOPICS));
    for function in &suite.functions {
        let (summary, question) = function.docs.split_once("\n\n").unwrap_or((&function.docs, ""));
        assert!(summary.ends_with('.') && !summary.contains('\n'), "{}: {summary}", function.path);
        assert!(question.contains('?'), "{}: {question}", function.path);
    }
}

/// Only functions with a common generator can be measured together.
#[test]
fn suggested_comparisons_share_a_generator() {
    let suite = catalog();
    for function in &suite.functions {
        let docs = function.docs.split_whitespace().collect::<Vec<_>>().join(" ");
        for rest in docs.split("ompare with `").skip(1) {
            let path = format!("{}::{}", topic(function), rest.split('`').next().unwrap());
            let other = suite.function(&path).unwrap_or_else(|| panic!("{}: no function {path}", function.path));
            let shared = function.generators.iter().any(|generator| other.generators.contains(generator));
            assert!(shared, "{} and {path}", function.path);
        }
    }
}

#[test]
fn alternatives_agree_natively() {
    let mut child = NativeChild::start(&demo().unwrap().program).unwrap();
    let exchange = |message: String| {
        child.send(&message).unwrap();
        child.receive().unwrap()
    };
    assert_alternatives_agree(exchange, |generator| axis_of(generator).map_or(NO_AXIS, Numeric::default_range));
}

#[test]
fn alternatives_agree_in_wasm() {
    let mut instance = WasmModule::new(&demo().unwrap().wasm().unwrap()).unwrap().start().unwrap();
    let exchange = |message: String| {
        let (mut replies, termination) = instance.send(&message);
        assert!(replies.len() == 1 && termination.is_none(), "{replies:?}, {termination:?} to {message}");
        replies.remove(0)
    };
    assert_alternatives_agree(exchange, lower_end_of);
}

/// Compares the outputs of all alternatives on equal inputs, at the upper end of a range and with each option of each
/// choice.
fn assert_alternatives_agree(mut exchange: impl FnMut(String) -> String, range: impl Fn(&Generator) -> Range) {
    let mut exchange = |message: HostMessage| -> SuiteMessage {
        serde_json::from_str(&exchange(serde_json::to_string(&message).unwrap())).unwrap()
    };
    let SuiteMessage::Catalog { suite, .. } = exchange(HostMessage::describe(&[])) else { panic!() };
    let mut slot = 0;
    for (work, alternatives) in alternatives(&suite) {
        assert!(alternatives.len() > 1, "`{work}` has a single alternative");
        for generator in &suite.generators {
            let functions: Vec<&str> = alternatives
                .iter()
                .filter(|function| function.generators.contains(&generator.path))
                .map(|function| function.path.as_str())
                .collect();
            if functions.is_empty() {
                continue;
            }
            let range = range(generator);
            for arguments in every_choice(generator, &request(&suite, &functions, generator, range).arguments) {
                slot += 1;
                let context = format!("`{work}`, {functions:?} of {} with {arguments:?}", generator.path);
                let open = Open {
                    slot,
                    functions: functions.iter().map(ToString::to_string).collect(),
                    generator: generator.path.clone(),
                    arguments: arguments_at(&arguments, range.high),
                    seed: 7,
                    priority: 1,
                };
                let opened = exchange(HostMessage::Open(open));
                assert!(matches!(opened, SuiteMessage::Opened(_)), "{opened:?} to {context}");
                let hashes: Vec<_> = (0..functions.len()).map(|index| check(&mut exchange, slot, index)).collect();
                assert!(hashes.iter().all(|others| *others == hashes[0]), "{hashes:?}: {context}");
                exchange(HostMessage::Close { slot });
            }
        }
    }
}

/// The hash of the outputs of calls with several inputs.
fn check(exchange: &mut impl FnMut(HostMessage) -> SuiteMessage, slot: u32, function: usize) -> String {
    let target = LaneTarget::Check(function);
    let collect = Collect { slot, target, calls: 20, batches: 1, input_set: 0 };
    match exchange(HostMessage::Collect(collect)) {
        SuiteMessage::Samples(samples) => {
            samples.hashes.and_then(|mut hashes| hashes.pop()).expect("a check has a hash")
        }
        other => panic!("{other:?}"),
    }
}

fn alternatives(suite: &Suite) -> BTreeMap<&str, Vec<&Function>> {
    let mut groups: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
    for function in &suite.functions {
        if let Some(work) = &function.alternatives {
            groups.entry(work).or_default().push(function);
        }
    }
    groups
}

/// The arguments, plus one variant for each other option of each choice.
fn every_choice(generator: &Generator, arguments: &Arguments) -> Vec<Arguments> {
    let mut all = vec![arguments.clone()];
    for parameter in &generator.parameters {
        if let Kind::Choice { options, default, .. } = &parameter.kind {
            for option in options.iter().filter(|option| option.name != *default) {
                let mut arguments = arguments.clone();
                arguments.insert(parameter.name.clone(), Argument::Text(option.name.clone()));
                all.push(arguments);
            }
        }
    }
    all
}

fn catalog() -> Suite {
    NativeSuite::open(&demo().unwrap().program).unwrap().suite().clone()
}

fn topic(function: &Function) -> &str {
    function.path.split("::").next().unwrap()
}

#[test]
fn every_function_can_be_measured_natively() {
    let target = Target::native(&demo().unwrap());
    for request in all_requests(target.suite()) {
        let has_axis = request.arguments.values().any(|argument| Variation::of(argument).is_some());
        let (least, functions) = (if has_axis { 2 } else { 1 }, request.functions.len());
        let points = target.measure(request, quick(2));
        assert!(points.len() >= least * functions, "{points:?}");
        assert!(points.iter().all(|point| point.measured().is_some()), "{points:?}");
    }
}

#[test]
fn every_function_but_native_ones_can_be_measured_in_wasm() {
    let target = Target::wasm(&demo().unwrap());
    target.assert_measured(all_requests(target.suite()), &quick(2));
}

/// Requests that cover each generator and all functions that take its inputs.
fn all_requests(suite: &Suite) -> Vec<Request> {
    let of = |generator: &Generator| {
        let takers = suite.functions.iter().filter(|function| function.generators.contains(&generator.path));
        let functions: Vec<_> = takers.map(|function| function.path.as_str()).collect();
        let range = lower_end_of(generator);
        functions.chunks(4).map(|functions| request(suite, functions, generator, range)).collect::<Vec<_>>()
    };
    suite.generators.iter().flat_map(of).collect()
}
