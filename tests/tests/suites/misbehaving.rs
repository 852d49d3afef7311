//! Suites that panic, trap, hang, exhaust memory or violate the contract: each failure is a failed point with its
//! reason, and the measurement continues. Tested natively in child processes, and in wasm as the page runs it.

use benchbook_contract::parameter::Range;
use benchbook_host::child::NativeSuite;
use benchbook_host::quality::Quality;
use benchbook_host::response::FailureKind::{Contract, Generator, Memory, Panic, Skipped, TimedOut, Trap};
use benchbook_host::response::{FailureKind, Point};
use benchbook_tests::requests::{self, quick, request};
use benchbook_tests::suites::{self, fixture, impostor};

use crate::target::{Target, failure};

/// The range of the fixtures' axis. Three points have the values 0, 10 and 20; functions fail from 10 on.
const SIZES: Range = Range { low: 0.0, high: 20.0 };
const VALUES: [f64; 3] = [0.0, 10.0, 20.0];

const WELL: &str = "functions::well";
const SIZES_GENERATOR: &str = "generators::sizes";

/// The fixture on both targets.
fn both() -> [Target; 2] {
    Target::both(&fixture("misbehaving").unwrap())
}

fn measure(target: &Target, functions: &[&str], generator: &str) -> Vec<Point> {
    measure_at(target, quick(3), functions, generator)
}

fn measure_at(target: &Target, quality: Quality, functions: &[&str], generator: &str) -> Vec<Point> {
    let suite = target.suite();
    target.measure(request(suite, functions, suite.generator(generator).unwrap(), SIZES), quality)
}

fn assert_all_measured(target: &Target, function: &str, generator: &str) {
    let points = measure(target, &[function], generator);
    assert_eq!(values(&points), VALUES);
    assert!(points.iter().all(|point| point.measured().is_some()), "{points:?}");
}

fn values(points: &[Point]) -> Vec<f64> {
    points.iter().filter_map(|point| point.x.number()).collect()
}

fn assert_failed(point: &Point, kind: FailureKind, expected: &[&str]) {
    let failure = failure(point);
    assert_eq!(failure.kind, kind, "{failure:?}");
    for expected in expected {
        assert!(failure.reason.contains(expected), "{:?} does not contain {expected:?}", failure.reason);
    }
}

/// A function and its generator.
type Measured = (&'static str, &'static str);

/// Functions and generators that succeed at 0 and fail from 10 on, and the reasons natively and in wasm.
#[test]
fn failures_have_a_kind_and_a_reason() {
    let panic = ["panicked at tests/suites/misbehaving/src/functions.rs:", "is too much for me"];
    let memory = ["out of memory", "1048576 bytes more", "bound of 67108864 bytes"];
    let takes = |generator| ("generators::takes", generator);
    let (at_once, later) = (takes("generators::panics_at_once"), takes("generators::panics_later"));
    let after_a_call = takes("generators::panics_after_a_call");
    let of = |function| (function, SIZES_GENERATOR);
    let table: [(Measured, FailureKind, [&[&str]; 2]); 8] = [
        (of("functions::panics"), Panic, [&panic, &panic]),
        (of("functions::traps"), Trap, [&["SIGABRT"], &["unreachable"]]),
        (of("functions::recurs"), Trap, [&["SIGABRT", "stack overflow"], &["call stack exhausted"]]),
        (of("functions::exhausts"), Memory, [&memory, &memory]),
        (at_once, Generator, [&["the generator panicked at ", "no workload of size"]; 2]),
        (later, Generator, [&["the generator panicked at ", "no input of size"]; 2]),
        (after_a_call, Generator, [&["a hook of the generator panicked at ", "no call of size"]; 2]),
        (takes("generators::prepares_nothing"), Contract, [&["the generator prepared no calls"]; 2]),
    ];
    for target in both() {
        for ((function, generator), kind, [native, wasm]) in table {
            let points = measure(&target, &[function], generator);
            assert_eq!(values(&points), VALUES);
            assert!(points[0].measured().is_some(), "{:?}", points[0]);
            for point in &points[1..] {
                assert_failed(point, kind, if target.is_native() { native } else { wasm });
            }
        }
        if target.is_native() {
            for point in &measure(&target, &["functions::exits"], SIZES_GENERATOR)[1..] {
                assert_failed(point, Trap, &["exit status: 3", "I have had enough"]);
            }
        }
        assert_all_measured(&target, WELL, SIZES_GENERATOR);
    }
}

#[test]
fn suspicious_but_valid_functions_succeed() {
    for target in both() {
        for function in ["functions::nothing", "functions::copes", "functions::prints"] {
            assert_all_measured(&target, function, SIZES_GENERATOR);
        }
        // A panic in the last hook fails no point.
        assert_all_measured(&target, "generators::takes", "generators::panics_after_all");
        if target.is_native() {
            assert_all_measured(&target, "functions::catches", SIZES_GENERATOR);
        }
        // Browsers have neither.
        for (function, expected) in [
            ("functions::reads_the_clock", "time not implemented on this platform"),
            ("functions::spawns", "spawn thread"),
        ] {
            if target.is_native() {
                assert_all_measured(&target, function, SIZES_GENERATOR);
                continue;
            }
            for point in measure(&target, &[function], SIZES_GENERATOR) {
                assert_failed(&point, Panic, &[expected]);
            }
        }
    }
}

#[test]
fn endless_calls_time_out_and_larger_values_are_skipped() {
    for target in both() {
        // Exact in wasm. Natively, the limit leaves a busy machine time for correct replies, including the warm-up of
        // the kernels.
        let timeout_ms = Some(if target.is_native() { 2_000.0 } else { 200.0 });
        let points =
            measure_at(&target, Quality { timeout_ms, ..quick(3) }, &["functions::hangs", WELL], SIZES_GENERATOR);
        let of = |function: &str| points.iter().filter(move |point| point.function == function).collect::<Vec<_>>();
        assert!(of(WELL).iter().all(|point| point.measured().is_some()), "{points:?}");
        let [zero, ten, twenty] = of("functions::hangs")[..] else { panic!("{points:?}") };
        assert!(zero.measured().is_some(), "{points:?}");
        assert_failed(ten, TimedOut, &["timed out", "larger values are skipped"]);
        assert_failed(twenty, Skipped, &["timed out at 10"]);
        assert_all_measured(&target, WELL, SIZES_GENERATOR);
    }
}

#[test]
fn only_failing_functions_of_a_group_fail() {
    for target in both() {
        let bad = ["functions::panics", "functions::traps", "functions::exhausts"];
        let points = measure(&target, &[bad[0], WELL, bad[1], bad[2]], SIZES_GENERATOR);
        assert_eq!(points.len(), 4 * VALUES.len());
        for point in &points {
            match point.x.number() < Some(10.0) || point.function == WELL {
                true => assert!(point.measured().is_some(), "{point:?}"),
                false => assert_ne!(failure(point).kind, Contract, "{point:?}"),
            }
        }
    }
}

#[test]
fn a_suite_that_aborts_is_listed_again_without_the_parts_that_failed() {
    let suite = NativeSuite::open(&impostor("aborting").unwrap()).unwrap();
    assert_eq!(suite.suite().notes, ["corpus: no such file", "licence: no such file"]);
    assert_eq!(suite.suite().functions.len(), 1);
}

#[test]
fn executables_that_are_not_suites_are_rejected_with_a_reason() {
    for (name, expected) in [
        ("garbage", "invalid response"),
        ("flooding", "invalid response"),
        ("endless", "invalid response"),
        ("dying", "it ended (exit status: 3): the licence has run out"),
        ("mute", "it ended"),
        ("previous", "it uses version 3 of the suite contract instead of 4. Build it"),
        ("future", "it uses version 5 of the suite contract instead of 4. Build it"),
        ("stopped", "it has no usable clock"),
    ] {
        assert_rejected(name, expected);
    }
}

#[test]
#[ignore = "nightly: waits for a time limit of ten seconds"]
fn an_executable_that_never_replies_is_rejected() {
    assert_rejected("silent", "no response within 10 s");
}

fn assert_rejected(impostor: &str, expected: &str) {
    let error = NativeSuite::open(&suites::impostor(impostor).unwrap()).unwrap_err().to_string();
    assert!(error.contains(&format!("{impostor} is not a usable Benchbook suite: ")), "{error}");
    assert!(error.contains(expected), "{error}");
}

#[test]
fn files_that_are_not_executables_are_rejected_with_a_reason() {
    let builds = fixture("misbehaving").unwrap();
    for path in [builds.program.with_extension("missing"), builds.program.with_extension("d")] {
        let error = NativeSuite::open(&path).unwrap_err().to_string();
        assert!(error.contains("cannot start"), "{error}");
    }
}

#[test]
fn contract_violations_during_a_measurement_fail_the_points() {
    for (name, kind, expected) in [
        ("mistaken", Contract, "sent a reply that does not match the request"),
        ("backwards", Contract, "an invalid time"),
        ("roundless", Contract, "a round without calls"),
        ("repeating", Contract, "sent a reply that does not match the request"),
        ("babbling", TimedOut, "nothing finished within 0.5 s"),
        ("raving", Trap, "it sent an invalid message"),
        ("raving", Trap, "its last output: I am not well"),
        ("gushing", Trap, "it sent an invalid message"),
        ("closing", Trap, "it ended (signal: 9 (SIGKILL))"),
    ] {
        let suite = NativeSuite::open(&impostor(name).unwrap()).unwrap();
        let request = request(suite.suite(), &["function"], suite.suite().generator("sizes").unwrap(), SIZES);
        // The others reply eventually, even on a busy machine.
        let timeout_ms = (kind == TimedOut).then_some(500.0);
        let quality = Quality { timeout_ms, ..quick(3) };
        let points = requests::measure(&suite, request, quality, |_| {}).unwrap().points;
        assert_eq!(values(&points), VALUES, "{name}");
        assert_failed(&points[0], kind, &[expected]);
        assert!(points.iter().all(|point| point.measured().is_none()), "{name}: {points:?}");
    }
}
