//! The demo suite as it is shipped: both faces list the same, every function asks a question and can be measured, and
//! alternatives agree.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::collections::{BTreeMap, BTreeSet};

use benchbook_contract::catalog::{Function, Generator, Suite};
use benchbook_contract::parameter::{Argument, Arguments, Kind, Range};
use benchbook_contract::protocol::{Collect, HostMessage, Open, PROTOCOL, SuiteMessage, Target};
use benchbook_host::child::NativeSuite;
use benchbook_host::fingerprint::catalog_hash;
use benchbook_host::request::Request;
use benchbook_host::response::{Outcome, Point};
use benchbook_tests::native::NativeChild;
use benchbook_tests::requests::{lower_end, measure, quick, request};
use benchbook_tests::suites::demo;
use benchbook_tests::wasm::WasmModule;

/// In the order of the list.
const TOPICS: [&str; 7] = ["collections", "hashing", "memory", "numbers", "searching", "sorting", "text"];

#[test]
fn both_faces_list_the_same() {
    let faces = demo().unwrap();
    let native = NativeSuite::open(&faces.program).unwrap();
    let wasm = WasmModule::new(&faces.wasm().unwrap()).unwrap().describe().unwrap();
    assert_eq!(native.suite().functions, wasm.functions);
    assert_eq!(native.suite().generators, wasm.generators);
    assert_eq!(catalog_hash(native.suite()), catalog_hash(&wasm));
    assert!(wasm.build.target_features.iter().any(|feature| feature == "simd128"), "{:?}", wasm.build);
    assert_eq!((wasm.build.opt_level.as_str(), native.suite().build.opt_level.as_str()), ("3", "3"));
}

#[test]
fn every_function_asks_a_question_of_its_topic() {
    let suite = catalog();
    assert!(suite.functions.len() >= 28, "{} functions", suite.functions.len());
    assert_eq!(suite.functions.iter().map(topic).collect::<BTreeSet<_>>(), BTreeSet::from(TOPICS));
    for function in &suite.functions {
        let (summary, question) = function.docs.split_once("\n\n").unwrap_or((&function.docs, ""));
        assert!(summary.ends_with('.') && !summary.contains('\n'), "{}: {summary}", function.path);
        assert!(question.contains('?'), "{}: {question}", function.path);
    }
}

/// Only functions of one generator are measured together.
#[test]
fn what_a_function_is_to_be_compared_with_takes_its_inputs() {
    let suite = catalog();
    for function in &suite.functions {
        let docs = function.docs.split_whitespace().collect::<Vec<_>>().join(" ");
        for rest in docs.split("ompare with `").skip(1) {
            let path = format!("{}::{}", topic(function), rest.split('`').next().unwrap());
            let other = suite.function(&path).unwrap_or_else(|| panic!("{}: there is no {path}", function.path));
            let shared = function.generators.iter().any(|generator| other.generators.contains(generator));
            assert!(shared, "{} and {path}", function.path);
        }
    }
}

#[test]
fn alternatives_agree_natively() {
    let mut child = NativeChild::start(&demo().unwrap().program).unwrap();
    let ask = |message: String| {
        child.tell(&message).unwrap();
        child.answer().unwrap()
    };
    assert_alternatives_agree(ask, |generator| generator.default_axis().unwrap().numeric().unwrap().default_range());
}

#[test]
fn alternatives_agree_in_wasm() {
    let mut instance = WasmModule::new(&demo().unwrap().wasm().unwrap()).unwrap().start().unwrap();
    let ask = |message: String| {
        let (mut answers, death) = instance.tell(&message);
        assert!(answers.len() == 1 && death.is_none(), "{answers:?}, {death:?} to {message}");
        answers.remove(0)
    };
    assert_alternatives_agree(ask, |generator| lower_end(generator.default_axis().unwrap().numeric().unwrap()));
}

/// Each group of alternatives on the same inputs, at the upper end of a range, with each choice that can be made.
fn assert_alternatives_agree(mut ask: impl FnMut(String) -> String, range: impl Fn(&Generator) -> Range) {
    let mut ask = |message: HostMessage| -> SuiteMessage {
        serde_json::from_str(&ask(serde_json::to_string(&message).unwrap())).unwrap()
    };
    let SuiteMessage::Catalog { suite, .. } = ask(HostMessage::Describe { protocol: PROTOCOL }) else { panic!() };
    let mut slot = 0;
    for (work, alternatives) in alternatives(&suite) {
        assert!(alternatives.len() > 1, "`{work}` has no alternatives");
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
                let place = format!("`{work}`, {functions:?} of {} with {arguments:?}", generator.path);
                let open = Open {
                    slot,
                    functions: functions.iter().map(ToString::to_string).collect(),
                    generator: generator.path.clone(),
                    arguments,
                    axis: range.high,
                    seed: 7,
                    priority: 1,
                };
                let opened = ask(HostMessage::Open(open));
                assert!(matches!(opened, SuiteMessage::Opened(_)), "{opened:?} to {place}");
                let hashes: Vec<_> = (0..functions.len()).map(|index| check(&mut ask, slot, index)).collect();
                assert!(hashes.iter().all(|others| *others == hashes[0]), "{hashes:?}: {place}");
                ask(HostMessage::Close { slot });
            }
        }
    }
}

/// The hash of what calls on several inputs put out.
fn check(ask: &mut impl FnMut(HostMessage) -> SuiteMessage, slot: u32, function: usize) -> String {
    let target = Target::Check(function);
    let collect = Collect { slot, target, calls: 20, batches: 1, inputs: 0, allocations: false };
    match ask(HostMessage::Collect(collect)) {
        SuiteMessage::Samples(samples) => samples.hashes.and_then(|mut hashes| hashes.pop()).expect("it has a hash"),
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

/// The arguments, and the same with each option of each choice.
fn every_choice(generator: &Generator, arguments: &Arguments) -> Vec<Arguments> {
    let mut all = vec![arguments.clone()];
    for parameter in &generator.parameters {
        if let Kind::Choice { options, default } = &parameter.kind {
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
fn every_function_is_measured_natively() {
    let suite = NativeSuite::open(&demo().unwrap().program).unwrap();
    for request in all_requests(suite.suite()) {
        let response = measure(&suite, request.clone(), quick(3), |_| {}).unwrap();
        assert!(response.points.len() >= 2 * request.functions.len(), "{request:?}");
        for point in &response.points {
            assert!(point.measured().is_some(), "{point:?}");
        }
    }
}

#[test]
fn every_function_is_measured_in_wasm_but_those_that_are_native() {
    let module = WasmModule::new(&demo().unwrap().wasm().unwrap()).unwrap();
    let suite = module.describe().unwrap();
    for request in all_requests(&suite) {
        for point in module.measure(request, quick(3)).unwrap() {
            match suite.function(&point.function).unwrap().native {
                false => assert!(point.measured().is_some(), "{point:?}"),
                true => assert_is_refused_as_native(&point),
            }
        }
    }
}

fn assert_is_refused_as_native(point: &Point) {
    let Outcome::Failed(failure) = &point.outcome else { panic!("{point:?}") };
    assert!(failure.reason.contains("is native: only a runner can measure it"), "{failure:?}");
}

/// A request for each generator, with the functions that take its workloads.
fn all_requests(suite: &Suite) -> Vec<Request> {
    let of = |generator: &Generator| {
        let takers = suite.functions.iter().filter(|function| function.generators.contains(&generator.path));
        let functions: Vec<_> = takers.map(|function| function.path.as_str()).collect();
        let axis = generator.default_axis().and_then(|axis| axis.numeric()).unwrap();
        functions.chunks(4).map(|functions| request(suite, functions, generator, lower_end(axis))).collect::<Vec<_>>()
    };
    suite.generators.iter().flat_map(of).collect()
}
