//! Suites that panic, trap, hang, exhaust memory and lie: each failure is a failed point with its reason, and the rest
//! goes on. On both faces: natively in child processes, and in wasm as the page does it.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use benchbook_contract::catalog::Suite;
use benchbook_contract::parameter::Range;
use benchbook_host::child::NativeSuite;
use benchbook_host::quality::Quality;
use benchbook_host::response::{Failure, FailureKind, Outcome, Point};
use benchbook_tests::requests::{measure, quick, request};
use benchbook_tests::suites::{fixture, impostor};
use benchbook_tests::wasm::WasmModule;

/// The fixtures' axis; with five points their values are 0, 5, 10, 15 and 20, and from 10 on they misbehave.
const SIZES: Range = Range { low: 0.0, high: 20.0 };

const WELL: &str = "functions::well";
const SIZES_GENERATOR: &str = "generators::sizes";

/// One of the two faces of a suite.
enum Face {
    Native(Box<NativeSuite>),
    Wasm(WasmModule),
}

impl Face {
    /// Both faces of the suite whose parts misbehave.
    fn both() -> [Self; 2] {
        let faces = fixture("misbehaving").unwrap();
        [
            Self::Native(Box::new(NativeSuite::open(&faces.program).unwrap())),
            Self::Wasm(WasmModule::new(&faces.wasm().unwrap()).unwrap()),
        ]
    }

    fn is_native(&self) -> bool {
        matches!(self, Self::Native(_))
    }

    fn measure(&self, functions: &[&str], generator: &str) -> Vec<Point> {
        self.measure_at(quick(5), functions, generator)
    }

    fn measure_at(&self, quality: Quality, functions: &[&str], generator: &str) -> Vec<Point> {
        let ask = |suite: &Suite| request(suite, functions, suite.generator(generator).unwrap(), SIZES);
        match self {
            Self::Native(suite) => {
                let mut seen = Vec::new();
                let request = ask(suite.suite());
                let response = measure(suite, request, quality, |point| seen.push(point.clone())).unwrap();
                assert_eq!(seen, response.points, "each point is shown as it is done");
                response.points
            }
            Self::Wasm(module) => module.measure(ask(&module.describe().unwrap()), quality).unwrap(),
        }
    }

    /// Asserts that the function is measured up to 5, and fails from 10 on for this reason; and that the next
    /// measurement is none the worse.
    fn assert_fails(&self, function: &str, generator: &str, kind: FailureKind, told: &[&str]) {
        let points = self.measure(&[function], generator);
        assert_eq!(values(&points), [0.0, 5.0, 10.0, 15.0, 20.0]);
        for point in &points {
            match point.x < 10.0 {
                true => assert!(point.measured().is_some(), "{point:?}"),
                false => assert_failed(point, kind, told),
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
    points.iter().map(|point| point.x).collect()
}

fn failure(point: &Point) -> &Failure {
    match &point.outcome {
        Outcome::Failed(failure) => failure,
        Outcome::Measured(_) => panic!("{} at {} was measured", point.function, point.x),
    }
}

fn assert_failed(point: &Point, kind: FailureKind, told: &[&str]) {
    let failure = failure(point);
    assert_eq!(failure.kind, kind, "{failure:?}");
    for told in told {
        assert!(failure.reason.contains(told), "{:?} does not tell {told:?}", failure.reason);
    }
}

#[test]
fn a_panic_is_told_with_its_place() {
    let told = ["panicked at tests/suites/misbehaving/src/functions.rs:", "is too much for me"];
    for face in Face::both() {
        face.assert_fails("functions::panics", SIZES_GENERATOR, FailureKind::Panic, &told);
    }
}

#[test]
fn a_trap_is_told_in_the_words_of_the_platform() {
    for face in Face::both() {
        let told = if face.is_native() { "SIGABRT" } else { "unreachable" };
        face.assert_fails("functions::traps", SIZES_GENERATOR, FailureKind::Trap, &[told]);
    }
}

#[test]
fn a_stack_overflow_is_told() {
    for face in Face::both() {
        let told: &[&str] = if face.is_native() { &["SIGABRT", "stack overflow"] } else { &["call stack exhausted"] };
        face.assert_fails("functions::recurs", SIZES_GENERATOR, FailureKind::Trap, told);
    }
}

#[test]
fn an_exit_is_told_with_its_code_and_the_last_words() {
    let [native, _] = Face::both();
    let told = ["exit status: 3", "I have had enough"];
    native.assert_fails("functions::exits", SIZES_GENERATOR, FailureKind::Trap, &told);
}

#[test]
fn exhausted_memory_is_told_with_the_bound() {
    let told = ["out of memory", "1048576 bytes more", "bound of 67108864 bytes"];
    for face in Face::both() {
        face.assert_fails("functions::exhausts", SIZES_GENERATOR, FailureKind::Memory, &told);
    }
}

#[test]
fn panics_of_generators_and_hooks_are_told_as_theirs() {
    for face in Face::both() {
        for (generator, told) in [
            ("panics_at_once", ["the generator panicked at ", "no workload of size"]),
            ("panics_later", ["the generator panicked at ", "no input of size"]),
            ("panics_after_a_call", ["a hook of the generator panicked at ", "no call of size"]),
        ] {
            let generator = format!("generators::{generator}");
            face.assert_fails("generators::takes", &generator, FailureKind::Generator, &told);
        }
    }
}

#[test]
fn a_panic_of_the_last_hook_harms_no_point() {
    for face in Face::both() {
        let points = face.measure(&["generators::takes"], "generators::panics_after_all");
        assert_eq!(values(&points), [0.0, 5.0, 10.0, 15.0, 20.0]);
        assert!(points.iter().all(|point| point.measured().is_some()), "{points:?}");
    }
}

#[test]
fn a_generator_that_prepares_no_call_is_told_at_once() {
    for face in Face::both() {
        let told = ["the generator prepared no calls"];
        face.assert_fails("generators::takes", "generators::prepares_nothing", FailureKind::Contract, &told);
    }
}

#[test]
fn what_never_ends_is_ended_and_larger_values_are_skipped() {
    for face in Face::both() {
        // In wasm it is exact; natively nothing that works well may be as late on a busy machine. Warming up the kernels is
        // one answer too.
        let timeout_ms = Some(if face.is_native() { 1_000.0 } else { 200.0 });
        let points = face.measure_at(Quality { timeout_ms, ..quick(5) }, &["functions::hangs", WELL], SIZES_GENERATOR);
        let of = |function: &str| points.iter().filter(move |point| point.function == function).collect::<Vec<_>>();
        assert!(of(WELL).iter().all(|point| point.measured().is_some()), "{points:?}");
        let [zero, five, ten, fifteen, twenty] = of("functions::hangs")[..] else { panic!("{points:?}") };
        assert!(zero.measured().is_some() && five.measured().is_some(), "{points:?}");
        assert_failed(ten, FailureKind::TimedOut, &["timed out", "larger values are skipped"]);
        assert_failed(fifteen, FailureKind::Skipped, &["timed out at 10"]);
        assert_failed(twenty, FailureKind::Skipped, &["timed out at 10"]);
        face.assert_all_measured(WELL);
    }
}

#[test]
fn of_functions_measured_together_those_at_fault_fail() {
    for face in Face::both() {
        let bad = ["functions::panics", "functions::traps", "functions::exhausts"];
        let points = face.measure(&[bad[0], WELL, bad[1], bad[2]], SIZES_GENERATOR);
        assert_eq!(points.len(), 20);
        for point in &points {
            match point.x < 10.0 || point.function == WELL {
                true => assert!(point.measured().is_some(), "{point:?}"),
                false => assert_ne!(failure(point).kind, FailureKind::Contract, "{point:?}"),
            }
        }
    }
}

#[test]
fn what_looks_bad_and_is_not_is_measured() {
    for face in Face::both() {
        for function in ["functions::nothing", "functions::copes", "functions::prints"] {
            face.assert_all_measured(function);
        }
        if face.is_native() {
            face.assert_all_measured("functions::catches");
        }
    }
}

#[test]
fn what_a_browser_lacks_is_told() {
    for (function, told) in
        [("functions::reads_the_clock", "time not implemented on this platform"), ("functions::spawns", "spawn thread")]
    {
        for face in Face::both() {
            if face.is_native() {
                face.assert_all_measured(function);
                continue;
            }
            for point in face.measure(&[function], SIZES_GENERATOR) {
                assert_failed(&point, FailureKind::Panic, &[told]);
            }
        }
    }
}

#[test]
fn the_figure_of_nothing_is_bounded() {
    let [_, wasm] = Face::both();
    for point in wasm.measure(&["functions::nothing"], SIZES_GENERATOR) {
        let mean = point.measured().unwrap().summary.mean;
        // A call and what holds its result are some instructions more than the empty loop.
        assert!(mean.abs() < 50.0, "{mean} instructions");
    }
}

#[test]
fn executables_that_are_no_suites_are_refused_in_words() {
    for (name, told) in [
        ("garbage", "in its answer"),
        ("flooding", "in its answer"),
        ("endless", "in its answer"),
        ("silent", "no answer within 10 s"),
        ("dying", "it ended (exit status: 3): the licence has run out"),
        ("mute", "it ended"),
        ("future", "it speaks protocol 4: build it with a matching benchbook"),
        ("stopped", "it has no clock"),
    ] {
        let program = impostor(name).unwrap();
        let error = NativeSuite::open(&program).unwrap_err().to_string();
        assert!(error.contains(&format!("{name} is no Benchbook suite of protocol 3: ")), "{error}");
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn files_that_are_no_executables_are_refused_in_words() {
    let faces = fixture("misbehaving").unwrap();
    for path in [faces.program.with_extension("missing"), faces.program.with_extension("d")] {
        let error = NativeSuite::open(&path).unwrap_err().to_string();
        assert!(error.contains("cannot be started"), "{error}");
    }
}

#[test]
fn suites_that_break_the_contract_while_measuring_fail_their_points() {
    for (name, kind, told) in [
        ("mistaken", FailureKind::Contract, "sent a reply that does not match the request"),
        ("backwards", FailureKind::Contract, "an invalid time"),
        ("roundless", FailureKind::Contract, "a round without calls"),
        ("repeating", FailureKind::Contract, "sent a reply that does not match the request"),
        ("babbling", FailureKind::TimedOut, "nothing finished within 0.5 s"),
        ("raving", FailureKind::Trap, "it answered what is no message"),
        ("raving", FailureKind::Trap, "it said last: I am not well"),
        ("gushing", FailureKind::Trap, "it answered what is no message"),
        ("closing", FailureKind::Trap, "it ended (signal: 9 (SIGKILL))"),
    ] {
        let suite = NativeSuite::open(&impostor(name).unwrap()).unwrap();
        let request = request(suite.suite(), &["function"], suite.suite().generator("sizes").unwrap(), SIZES);
        // The others answer, however late on a busy machine.
        let timeout_ms = (kind == FailureKind::TimedOut).then_some(500.0);
        let quality = Quality { timeout_ms, ..quick(3) };
        let points = measure(&suite, request, quality, |_| {}).unwrap().points;
        assert_eq!(values(&points), [0.0, 10.0, 20.0], "{name}");
        assert_failed(&points[0], kind, &[told]);
        assert!(points.iter().all(|point| point.measured().is_none()), "{name}: {points:?}");
    }
}
