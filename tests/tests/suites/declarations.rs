//! Every form of declaration, on both targets: instances of generic functions, functions of other crates, lists of generators,
//! inputs without `Clone`, a single shared input, calls from several threads, and `async`.

use benchbook_contract::catalog::{Generator, Suite};
use benchbook_contract::parameter::Range;
use benchbook_host::child::NativeSuite;
use benchbook_host::quality::Quality;
use benchbook_host::request::Request;
use benchbook_host::response::Warning;
use benchbook_tests::requests::{measure, quick, request};
use benchbook_tests::suites::fixture;

use crate::target::{Target, lower_end_of};

/// The functions, each with its generators.
const FUNCTIONS: [(&str, &[&str]); 12] = [
    ("count_remainders<2>", &["inputs::random", "inputs::ascending"]),
    ("count_remainders<4>", &["inputs::random", "inputs::ascending"]),
    ("is_sorted", &["inputs::random", "inputs::ascending", "single"]),
    ("meet", &["meetings"]),
    ("partition_point", &["with_limit"]),
    ("run", &["task"]),
    ("run_later", &["task"]),
    ("sort<(u8, u16)>", &["keys<(u8, u16)>"]),
    ("sort<String>", &["keys<String>"]),
    ("sort<u32>", &["keys<u32>"]),
    ("sum<1>", &["inputs::random", "inputs::ascending"]),
    ("sum<8>", &["inputs::random", "inputs::ascending"]),
];

/// The functions that a browser cannot measure.
const NATIVE: [&str; 2] = ["meet", "run_later"];

#[test]
fn both_targets_list_the_same_functions() {
    let [_, target] = Target::both(&fixture("declarations").unwrap());
    let wasm = target.suite();
    let functions: Vec<(&str, Vec<&str>)> = wasm
        .functions
        .iter()
        .map(|function| (function.path.as_str(), function.generators.iter().map(String::as_str).collect()))
        .collect();
    assert_eq!(functions, FUNCTIONS.map(|(path, generators)| (path, generators.to_vec())));
    let only_native: Vec<_> = wasm.functions.iter().filter(|function| function.native).collect();
    let only_native: Vec<_> = only_native.iter().map(|function| function.path.as_str()).collect();
    assert_eq!(only_native, NATIVE);
    let partition_point = wasm.function("partition_point").unwrap();
    assert_eq!(partition_point.signature, "fn partition_point(numbers: Vec<u64>, limit: u64) -> usize");
    assert_eq!(partition_point.source, "", "the function of another crate has its source there");
    assert_eq!(wasm.function("meet").unwrap().source, "fn meet(barrier: &Barrier) {\n    barrier.wait();\n}");
    let ascending = wasm.generator("inputs::ascending").unwrap();
    let numeric = ascending.parameters[0].numeric().unwrap();
    assert_eq!((numeric.min, numeric.max, &numeric.values[..]), (10.0, 100.0, &[10.0, 20.0, 100.0][..]));
    let source = include_str!("../../suites/declarations/src/main.rs");
    for name in ["is_sorted", "partition_point"] {
        let start = format!("    fn {name}(");
        let is_named = |line: &str| line.starts_with(&start);
        let expected = source.lines().position(is_named).unwrap();
        let line = wasm.function(name).unwrap().line;
        assert_eq!(line as usize, expected + 1, "each entry of `measure!` has its own line: {name}");
    }
}

#[test]
fn all_functions_but_native_ones_in_wasm_can_be_measured() {
    for target in Target::both(&fixture("declarations").unwrap()) {
        target.assert_measured(requests(target.suite()), &quick(2));
    }
}

/// Ratios of functions that were declared as alternatives, but whose outputs have no hash, come with a note.
#[test]
fn outputs_without_a_hash_are_reported_if_alternatives_are_compared() {
    let suite = NativeSuite::open(&fixture("declarations").unwrap().program).unwrap();
    let generator = suite.suite().generator("inputs::random").unwrap();
    for (functions, is_reported) in [
        (&["count_remainders<2>", "count_remainders<4>"][..], true),
        (&["count_remainders<2>"], false),
        (&["sum<1>", "sum<8>"], false),
    ] {
        for processes in [1, 2] {
            let request = request(suite.suite(), functions, generator, Range { low: 10.0, high: 20.0 });
            let response = measure(&suite, request, Quality { processes, ..quick(2) }, |_| {}).unwrap();
            for point in &response.points {
                let measured = point.measured().unwrap();
                let has_note = measured.warnings.contains(&Warning::OutputsNotCompared);
                assert_eq!(has_note, is_reported, "{functions:?}, {processes} processes: {:?}", measured.warnings);
            }
        }
    }
}

/// A request for each function and each of its generators.
fn requests(suite: &Suite) -> Vec<Request> {
    let of = |path: &str, generator: &Generator| request(suite, &[path], generator, lower_end_of(generator));
    let functions = suite.functions.iter();
    let pairs = functions.flat_map(|function| function.generators.iter().map(move |generator| (function, generator)));
    pairs.map(|(function, generator)| of(&function.path, suite.generator(generator).unwrap())).collect()
}
