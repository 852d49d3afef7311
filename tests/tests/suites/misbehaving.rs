//! Suites that panic, trap, hang, exhaust memory or violate the contract: each failure is a failed point with its
//! reason, and the measurement continues. Tested natively in child processes, and in wasm as the page runs it.

use benchbook_contract::catalog::Suite;
use benchbook_contract::parameter::Range;
use benchbook_host::child::NativeSuite;
use benchbook_host::quality::Quality;
use benchbook_host::response::{Failure, FailureKind, Outcome, Point};
use benchbook_tests::requests::{measure, quick, request};
use benchbook_tests::suites::{fixture, impostor};
use benchbook_tests::wasm::WasmModule;

/// The range of the fixtures' axis. Five points have the values 0, 5, 10, 15 and 20; functions fail from 10 on.
const SIZES: Range = Range { low: 0.0, high: 20.0 };

const WELL: &str = "functions::well";
const SIZES_GENERATOR: &str = "generators::sizes";

/// A suite on one of its two targets.
enum Target {
    Native(Box<NativeSuite>),
    Wasm(WasmModule),
}

impl Target {
    /// The fixture `misbehaving` on both targets.
    fn both() -> [Self; 2] {
        let builds = fixture("misbehaving").unwrap();
        [
            Self::Native(Box::new(NativeSuite::open(&builds.program).unwrap())),
            Self::Wasm(WasmModule::new(&builds.wasm().unwrap()).unwrap()),
        ]
    }

    fn is_native(&self) -> bool {
        matches!(self, Self::Native(_))
    }

    fn measure(&self, functions: &[&str], generator: &str) -> Vec<Point> {
        self.measure_at(quick(5), functions, generator)
    }

    fn measure_at(&self, quality: Quality, functions: &[&str], generator: &str) -> Vec<Point> {
        let request_for = |suite: &Suite| request(suite, functions, suite.generator(generator).unwrap(), SIZES);
        match self {
            Self::Native(suite) => {
                let mut seen = Vec::new();
                let request = request_for(suite.suite());
                let response = measure(suite, request, quality, |point| seen.push(point.clone())).unwrap();
                assert_eq!(seen, response.points, "each point is reported as it completes");
                response.points
            }
            Self::Wasm(module) => module.measure(request_for(&module.describe().unwrap()), quality).unwrap(),
        }
    }

    /// Asserts that the function succeeds up to 5 and fails from 10 on for this reason, and that the next measurement
    /// is unaffected.
    fn assert_fails(&self, function: &str, generator: &str, kind: FailureKind, expected: &[&str]) {
        let points = self.measure(&[function], generator);
        assert_eq!(values(&points), [0.0, 5.0, 10.0, 15.0, 20.0]);
        for point in &points {
            match point.x.number() < Some(10.0) {
                true => assert!(point.measured().is_some(), "{point:?}"),
                false => assert_failed(point, kind, expected),
            }
        }
        self.assert_all_measured(WELL);
    }

    fn assert_all_measured(&self, function: &str) {
        let points = self.measure(&[function], SIZES_GENERATOR);
        assert_eq!(values(&points), [0.0, 5.0, 10.0, 15.0, 20.0]);
        for point in &points {
            assert!(point.measured().is_some(), "{point:?}");
        }
    }
}

fn values(points: &[Point]) -> Vec<f64> {
    points.iter().filter_map(|point| point.x.number()).collect()
}

fn failure(point: &Point) -> &Failure {
    match &point.outcome {
        Outcome::Failed(failure) => failure,
        Outcome::Measured(_) => panic!("{} at {} was measured", point.function, point.x),
    }
}

fn assert_failed(point: &Point, kind: FailureKind, expected: &[&str]) {
    let failure = failure(point);
    assert_eq!(failure.kind, kind, "{failure:?}");
    for expected in expected {
        assert!(failure.reason.contains(expected), "{:?} does not contain {expected:?}", failure.reason);
    }
}

#[test]
fn panics_include_their_location() {
    let expected = ["panicked at tests/suites/misbehaving/src/functions.rs:", "is too much for me"];
    for target in Target::both() {
        target.assert_fails("functions::panics", SIZES_GENERATOR, FailureKind::Panic, &expected);
    }
}

#[test]
fn traps_include_the_platforms_message() {
    for target in Target::both() {
        let expected = if target.is_native() { "SIGABRT" } else { "unreachable" };
        target.assert_fails("functions::traps", SIZES_GENERATOR, FailureKind::Trap, &[expected]);
    }
}

#[test]
fn stack_overflows_are_reported() {
    for target in Target::both() {
        let expected: &[&str] =
            if target.is_native() { &["SIGABRT", "stack overflow"] } else { &["call stack exhausted"] };
        target.assert_fails("functions::recurs", SIZES_GENERATOR, FailureKind::Trap, expected);
    }
}

#[test]
fn exits_include_the_status_and_the_stderr_output() {
    let [native, _] = Target::both();
    let expected = ["exit status: 3", "I have had enough"];
    native.assert_fails("functions::exits", SIZES_GENERATOR, FailureKind::Trap, &expected);
}

#[test]
fn out_of_memory_includes_the_bound() {
    let expected = ["out of memory", "1048576 bytes more", "bound of 67108864 bytes"];
    for target in Target::both() {
        target.assert_fails("functions::exhausts", SIZES_GENERATOR, FailureKind::Memory, &expected);
    }
}

#[test]
fn panics_of_generators_and_hooks_are_attributed_to_them() {
    for target in Target::both() {
        for (generator, expected) in [
            ("panics_at_once", ["the generator panicked at ", "no workload of size"]),
            ("panics_later", ["the generator panicked at ", "no input of size"]),
            ("panics_after_a_call", ["a hook of the generator panicked at ", "no call of size"]),
        ] {
            let generator = format!("generators::{generator}");
            target.assert_fails("generators::takes", &generator, FailureKind::Generator, &expected);
        }
    }
}

#[test]
fn a_panic_in_the_last_hook_fails_no_point() {
    for target in Target::both() {
        let points = target.measure(&["generators::takes"], "generators::panics_after_all");
        assert_eq!(values(&points), [0.0, 5.0, 10.0, 15.0, 20.0]);
        assert!(points.iter().all(|point| point.measured().is_some()), "{points:?}");
    }
}

#[test]
fn a_generator_that_prepares_no_calls_fails_at_once() {
    for target in Target::both() {
        let expected = ["the generator prepared no calls"];
        target.assert_fails("generators::takes", "generators::prepares_nothing", FailureKind::Contract, &expected);
    }
}

#[test]
fn endless_calls_time_out_and_larger_values_are_skipped() {
    for target in Target::both() {
        // Exact in wasm. Natively, the limit leaves a busy machine time for correct replies, including the warm-up of
        // the kernels.
        let timeout_ms = Some(if target.is_native() { 1_000.0 } else { 200.0 });
        let points =
            target.measure_at(Quality { timeout_ms, ..quick(5) }, &["functions::hangs", WELL], SIZES_GENERATOR);
        let of = |function: &str| points.iter().filter(move |point| point.function == function).collect::<Vec<_>>();
        assert!(of(WELL).iter().all(|point| point.measured().is_some()), "{points:?}");
        let [zero, five, ten, fifteen, twenty] = of("functions::hangs")[..] else { panic!("{points:?}") };
        assert!(zero.measured().is_some() && five.measured().is_some(), "{points:?}");
        assert_failed(ten, FailureKind::TimedOut, &["timed out", "larger values are skipped"]);
        assert_failed(fifteen, FailureKind::Skipped, &["timed out at 10"]);
        assert_failed(twenty, FailureKind::Skipped, &["timed out at 10"]);
        target.assert_all_measured(WELL);
    }
}

#[test]
fn only_failing_functions_of_a_group_fail() {
    for target in Target::both() {
        let bad = ["functions::panics", "functions::traps", "functions::exhausts"];
        let points = target.measure(&[bad[0], WELL, bad[1], bad[2]], SIZES_GENERATOR);
        assert_eq!(points.len(), 20);
        for point in &points {
            match point.x.number() < Some(10.0) || point.function == WELL {
                true => assert!(point.measured().is_some(), "{point:?}"),
                false => assert_ne!(failure(point).kind, FailureKind::Contract, "{point:?}"),
            }
        }
    }
}

#[test]
fn suspicious_but_valid_functions_succeed() {
    for target in Target::both() {
        for function in ["functions::nothing", "functions::copes", "functions::prints"] {
            target.assert_all_measured(function);
        }
        if target.is_native() {
            target.assert_all_measured("functions::catches");
        }
    }
}

#[test]
fn features_missing_in_browsers_are_reported() {
    for (function, expected) in
        [("functions::reads_the_clock", "time not implemented on this platform"), ("functions::spawns", "spawn thread")]
    {
        for target in Target::both() {
            if target.is_native() {
                target.assert_all_measured(function);
                continue;
            }
            for point in target.measure(&[function], SIZES_GENERATOR) {
                assert_failed(&point, FailureKind::Panic, &[expected]);
            }
        }
    }
}

#[test]
fn empty_functions_take_almost_no_time() {
    let [_, wasm] = Target::both();
    for point in wasm.measure(&["functions::nothing"], SIZES_GENERATOR) {
        let mean = point.measured().unwrap().summary.mean;
        // The call and its result take a few instructions more than the empty loop.
        assert!(mean.abs() < 50.0, "{mean} instructions");
    }
}

#[test]
fn a_suite_of_the_previous_version_is_measured() {
    let suite = NativeSuite::open(&impostor("previous").unwrap()).unwrap();
    let generator = suite.suite().generator("sizes").unwrap();
    for range in [Range { low: 0.0, high: 20.0 }, Range { low: 7.0, high: 7.0 }] {
        let request = request(suite.suite(), &["function"], generator, range);
        let response = measure(&suite, request, quick(5), |_| {}).unwrap();
        for point in response.points {
            assert!(point.measured().is_some(), "{point:?}");
        }
    }
}

#[test]
fn executables_that_are_not_suites_are_rejected_with_a_reason() {
    for (name, expected) in [
        ("garbage", "invalid response"),
        ("flooding", "invalid response"),
        ("endless", "invalid response"),
        ("silent", "no response within 10 s"),
        ("dying", "it ended (exit status: 3): the licence has run out"),
        ("mute", "it ended"),
        ("future", "it uses version 5 of the suite contract, but versions 3 to 4 are supported. Build it"),
        ("stopped", "it has no usable clock"),
    ] {
        let program = impostor(name).unwrap();
        let error = NativeSuite::open(&program).unwrap_err().to_string();
        assert!(error.contains(&format!("{name} is not a usable Benchbook suite: ")), "{error}");
        assert!(error.contains(expected), "{error}");
    }
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
        ("mistaken", FailureKind::Contract, "sent a reply that does not match the request"),
        ("backwards", FailureKind::Contract, "an invalid time"),
        ("roundless", FailureKind::Contract, "a round without calls"),
        ("repeating", FailureKind::Contract, "sent a reply that does not match the request"),
        ("babbling", FailureKind::TimedOut, "nothing finished within 0.5 s"),
        ("raving", FailureKind::Trap, "it sent an invalid message"),
        ("raving", FailureKind::Trap, "its last output: I am not well"),
        ("gushing", FailureKind::Trap, "it sent an invalid message"),
        ("closing", FailureKind::Trap, "it ended (signal: 9 (SIGKILL))"),
    ] {
        let suite = NativeSuite::open(&impostor(name).unwrap()).unwrap();
        let request = request(suite.suite(), &["function"], suite.suite().generator("sizes").unwrap(), SIZES);
        // The others reply eventually, even on a busy machine.
        let timeout_ms = (kind == FailureKind::TimedOut).then_some(500.0);
        let quality = Quality { timeout_ms, ..quick(3) };
        let points = measure(&suite, request, quality, |_| {}).unwrap().points;
        assert_eq!(values(&points), [0.0, 10.0, 20.0], "{name}");
        assert_failed(&points[0], kind, &[expected]);
        assert!(points.iter().all(|point| point.measured().is_none()), "{name}: {points:?}");
    }
}
