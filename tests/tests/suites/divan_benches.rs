//! Benches written for divan: their catalog, and their measurement on both targets.

use std::process::Command;

use benchbook_contract::catalog::Mode;
use benchbook_contract::parameter::{Argument, Kind, Numeric, Parameter};
use benchbook_host::response::{FailureKind, Point};
use benchbook_tests::requests::{quick, request};
use benchbook_tests::suites::fixture;

use crate::target::{NO_AXIS, Target, axis_of, failure};

/// Each function with its generator, and the parameters of the generator.
const CATALOG: [(&str, &str, &[&str]); 35] = [
    ("add", "benchmarks", &[]),
    ("arguments::collect", "arguments", &["size: 64, 1024, 16384"]),
    ("arguments::from_an_iterator", "arguments#2", &["number: 1, 10, 100"]),
    ("arguments::single", "arguments#3", &[]),
    ("arguments::sort", "arguments#4", &["order: Ascending | Descending"]),
    ("arguments::sum", "arguments", &["size: 64, 1024, 16384"]),
    ("arguments::uppercase", "arguments#5", &["text: short | a longer text"]),
    ("arguments::words", "arguments#6", &["text: a | b c"]),
    ("contended::boxed", "contended", &[]),
    ("contended::increment", "contended#2", &["threads: 1, 2"]),
    ("copy", "benchmarks", &[]),
    ("embedded", "benchmarks", &[]),
    ("generic functions::array", "generic functions", &["N: 1, 4, 8"]),
    ("generic functions::array_of_a_named_length", "generic functions#2", &["N: 1, 5, 10"]),
    ("generic functions::both<u64>", "generic functions#3", &["N: -1, 32767"]),
    ("generic functions::both<u8>", "generic functions#3", &["N: -1, 32767"]),
    ("generic functions::from_range<BTreeSet<i32>>", "generic functions#4", &["n: 0, 2, 256"]),
    ("generic functions::from_range<HashSet<i32>>", "generic functions#4", &["n: 0, 2, 256"]),
    ("generic functions::from_range<Vec<i32>>", "generic functions#4", &["n: 0, 2, 256"]),
    ("generic functions::from_str<&str>", "generic functions#5", &[]),
    ("generic functions::from_str<String>", "generic functions#5", &[]),
    ("generic functions::omitted::included", "generic functions::omitted", &[]),
    ("inputs::by_reference_on_this_thread", "inputs", &[]),
    ("inputs::by_value", "inputs", &[]),
    ("inputs::by_value_on_this_thread", "inputs", &[]),
    ("inputs::dropped_by_value", "inputs", &[]),
    ("lifetime", "benchmarks", &[]),
    ("odd::repeated", "odd", &["size: 1, 2"]),
    ("odd::repeated_2", "odd#2", &[]),
    ("odd::twice", "odd#3", &["text: (empty) | \\u{1b}[2J"]),
    ("odd::twice_2", "odd#2", &[]),
    ("of_another_abi", "benchmarks", &[]),
    ("outer", "benchmarks", &[]),
    ("panics", "benchmarks", &[]),
    ("without_a_routine", "benchmarks", &[]),
];

#[test]
fn both_targets_list_the_benchmarks() {
    let [_, target] = Target::both(&fixture("divan_benches").unwrap());
    let wasm = target.suite();
    for (function, (path, expected, parameters)) in wasm.functions.iter().zip(CATALOG) {
        let generator = wasm.generator(&function.generators[0]).unwrap();
        assert_eq!((function.path.as_str(), generator.path.as_str()), (path, expected));
        assert_eq!(generator.parameters.iter().map(text).collect::<Vec<_>>(), parameters, "{path}");
    }
    assert_eq!(wasm.functions.len(), CATALOG.len());
    assert_eq!((wasm.name.as_str(), wasm.version.as_str()), ("divan_benches", env!("CARGO_PKG_VERSION")));
    let add = wasm.function("add").unwrap();
    assert!(add.file.ends_with("src/main.rs") && add.line > 10, "{add:?}");
    assert_eq!((add.signature.as_str(), add.docs.as_str()), ("fn add() -> i32", "Adds two numbers."));
    assert!(add.source.contains("black_box(1) + black_box(42)"), "{add:?}");
    // A browser has a single thread.
    let threaded = ["contended::boxed", "contended::increment"];
    for function in &wasm.functions {
        assert_eq!(function.native, threaded.contains(&function.path.as_str()), "{function:?}");
    }
    assert_eq!(wasm.generator("contended#2").unwrap().mode, Mode::Contended);
}

#[test]
fn settings_without_effect_omitted_equal_and_failing_benchmarks_are_listed() {
    let program = fixture("divan_benches").unwrap().program;
    let listed = Command::new(&program).arg("--list").output().unwrap();
    let notes = String::from_utf8(listed.stderr).unwrap();
    for expected in [
        "note: without effect: max_time, min_time, sample_count, sample_size. Benchbook's priorities and precision replace them\n",
        "note: not measured: ",
        "`ignored_as_a_test` (ignored), `ignored_on_a_condition` (ignored)",
        "note: two benchmarks have the path `odd::twice`: ",
        "note: two values of `size` of the benchmark `odd::repeated` (",
        "note: `odd::from_a_file` is omitted, since it panicked at tests/suites/divan_benches/src/main.rs:",
        "download the corpus first: Os { code: 2, ",
    ] {
        assert_eq!(notes.matches(expected).count(), 1, "{expected}: {notes}");
    }
    // As under `cargo test`.
    let once = Command::new(&program).args(["--exact", "without_a_routine"]).output().unwrap();
    let text = String::from_utf8(once.stdout).unwrap();
    assert!(once.status.success() && text.contains("0 passed; 0 failed; 1 ignored"), "{text}");
    assert!(text.contains("... ignored, the benchmark `without_a_routine` returned without measuring\n"), "{text}");
}

/// The name and the values of a parameter.
fn text(parameter: &Parameter) -> String {
    let values = match &parameter.kind {
        Kind::Integer(numeric) | Kind::Float(numeric) => {
            numeric.values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        }
        Kind::Choice { options, .. } => {
            options.iter().map(|option| option.name.as_str()).collect::<Vec<_>>().join(" | ")
        }
        Kind::Text { .. } => "text".to_owned(),
    };
    format!("{}: {values}", parameter.name)
}

#[test]
fn benchmarks_are_measured_natively() {
    let target = Target::native(&fixture("divan_benches").unwrap());
    check_points(&target);
    for (path, count) in [("contended::increment", 2), ("contended::boxed", 1)] {
        let points = points(&target, &[path], &[]);
        assert!(points.len() == count && points.iter().all(|point| point.measured().is_some()), "{points:?}");
    }
}

#[test]
fn benchmarks_are_measured_in_wasm() {
    check_points(&Target::wasm(&fixture("divan_benches").unwrap()));
}

/// Measures functions over the default axis, with these arguments.
fn points(target: &Target, functions: &[&str], arguments: &[(&str, Argument)]) -> Vec<Point> {
    let suite = target.suite();
    let generator = suite.generator(&suite.function(functions[0]).unwrap().generators[0]).unwrap();
    let range = axis_of(generator).map_or(NO_AXIS, Numeric::default_range);
    let mut request = request(suite, functions, generator, range);
    request.arguments.extend(arguments.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    target.measure(request, quick(3))
}

fn check_points(target: &Target) {
    let of = |functions: &[&str], arguments: &[(&str, Argument)]| points(target, functions, arguments);
    // Two functions in turn, at the arguments of both.
    let sums = of(&["arguments::sum", "arguments::collect"], &[]);
    assert_eq!(sums.len(), 6, "{sums:?}");
    for point in &sums {
        let size = point.x.number().unwrap() as u64;
        let work = &point.measured().unwrap().work;
        assert_eq!(
            (work.elements, work.bytes),
            (Some(size), Some(size * if target.is_native() { 8 } else { 4 })),
            "{point:?}"
        );
    }
    // Types in turn, at the arguments of all. The option of the benchmark, no items, replaces that of the group.
    let sets = ["Vec<i32>", "BTreeSet<i32>", "HashSet<i32>"].map(|of| format!("generic functions::from_range<{of}>"));
    let sets = of(&[&sets[0], &sets[1], &sets[2]], &[]);
    assert!(sets.len() == 9 && sets.iter().all(|point| point.measured().unwrap().work.elements.is_none()), "{sets:?}");
    // The option of the group.
    assert_eq!(of(&["generic functions::from_str<String>"], &[])[0].measured().unwrap().work.elements, Some(3));
    let by_value = of(&["inputs::by_value"], &[]);
    let measured = by_value[0].measured().unwrap();
    assert_eq!((measured.work.elements, measured.work.bytes), (Some(500), Some(4_000)));
    // `AllocProfiler` counts: the sort is in place, and the vector exists before.
    assert_eq!(measured.memory.unwrap().counts.allocations, 0);
    let uppercase = |text: &str| of(&["arguments::uppercase"], &[("text", Argument::Text(text.to_owned()))]);
    for text in ["short", "a longer text"] {
        let memory = uppercase(text)[0].measured().unwrap().memory.unwrap();
        assert_eq!(memory.counts.bytes, memory.calls * text.len() as u64, "{text}");
    }
    for (path, _, parameters) in CATALOG {
        if target.suite().function(path).unwrap().native || ["panics", "without_a_routine"].contains(&path) {
            continue;
        }
        let points = of(&[path], &[]);
        // A curve over the numbers, or a bar for each other value.
        let values = parameters.first().map_or(1, |parameter| parameter.split([',', '|']).count());
        assert_eq!(points.len(), values, "{path}");
        for point in points {
            assert!(point.measured().is_some(), "{path}: {point:?}");
        }
    }
    for (path, kind, reason) in [
        ("panics", FailureKind::Panic, "the data is missing"),
        (
            "without_a_routine",
            FailureKind::Skipped,
            "skipped: the benchmark `without_a_routine` returned without measuring",
        ),
    ] {
        let points = of(&[path], &[]);
        let failure = failure(&points[0]);
        assert!(failure.kind == kind && failure.reason.contains(reason), "{points:?}");
    }
}
