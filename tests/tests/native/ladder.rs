//! The suite `ladder` has the documented properties, natively and in wasm. In the interpreter a nanosecond is an
//! instruction, so its times are exact.

use benchbook_contract::catalog::{Function, Suite};
use benchbook_contract::protocol::{Collect, HostMessage, Interleave, Lane, LaneTarget, Open, SuiteMessage};
use benchbook_host::child::NativeSuite;
use benchbook_host::fingerprint::catalog_hash;
use benchbook_host::request::Request;
use benchbook_tests::native::NativeChild;
use benchbook_tests::requests::{arguments_at, request};
use benchbook_tests::suites::{fixture, native};
use benchbook_tests::wasm::WasmModule;

/// In the order of their steps; each takes twice as many as the one before it.
const RUNGS: [&str; 11] = [
    "one",
    "two",
    "four",
    "eight",
    "sixteen",
    "thirty_2",
    "sixty_4",
    "hundred_28",
    "two_hundred_56",
    "five_hundred_12",
    "thousand_24",
];

/// A short walk, for which even the highest rung is fast.
const SHORT: f64 = 100.0;

#[test]
fn both_builds_have_the_same_catalog() {
    let builds = fixture("ladder").unwrap();
    let native = NativeSuite::open(&builds.program).unwrap();
    let wasm = WasmModule::new(&builds.wasm().unwrap()).unwrap().describe().unwrap();
    assert_eq!(native.suite().functions, wasm.functions);
    assert_eq!(catalog_hash(native.suite()), catalog_hash(&wasm));
    for rung in RUNGS {
        assert!(wasm.function(&format!("rungs::{rung}")).is_some(), "{rung}");
    }
}

#[test]
fn every_function_runs_on_both_targets() {
    for mut suite in both_targets() {
        let catalog = suite.catalog.clone();
        for generator in &catalog.generators {
            let takes = |function: &&Function| function.generators.contains(&generator.path);
            let takers: Vec<&str> = catalog.functions.iter().filter(takes).map(|taker| taker.path.as_str()).collect();
            for functions in takers.chunks(4) {
                suite.open(functions, SHORT);
                let targets =
                    (0..functions.len()).flat_map(|index| [LaneTarget::Function(index), LaneTarget::Empty(index)]);
                let elapsed = suite.interleave(&targets.collect::<Vec<_>>(), 1, 1);
                assert!(elapsed.iter().all(|elapsed| *elapsed >= 0.0), "{functions:?}: {elapsed:?}");
            }
        }
    }
}

#[test]
fn kernels_run_on_both_targets() {
    for mut suite in both_targets() {
        suite.open(&["rungs::one"], SHORT);
        let elapsed = suite.interleave(&[LaneTarget::Reference, LaneTarget::Tier], 10, 2);
        assert!(elapsed.len() == 4 && elapsed.iter().all(|elapsed| *elapsed > 0.0), "{elapsed:?}");
    }
}

#[test]
fn each_rung_takes_twice_the_instructions_of_the_previous_one() {
    let mut suite = in_wasm();
    for (rung, pair) in RUNGS.windows(2).enumerate() {
        // About as long for each pair, and at least a hundred steps of the clock.
        let ratio = suite.ratio([pair[1], pair[0]], 1_000.0, (128 >> rung).max(1));
        assert!((ratio - 2.0).abs() < 0.02, "{pair:?}: {ratio}");
    }
    let ratio = suite.ratio(["percent_101", "percent_100"], 4_000.0, 100);
    assert!((ratio - 1.01).abs() < 0.003, "{ratio}");
}

#[test]
fn empty_functions_take_the_instructions_of_the_empty_loop() {
    let mut suite = in_wasm();
    let functions = suite.catalog.functions.clone();
    for function in functions.iter().filter(|function| function.path.starts_with("nothing::")) {
        suite.open(&[&function.path], 0.0);
        let elapsed = suite.interleave(&[LaneTarget::Function(0), LaneTarget::Empty(0)], 10_000, 1);
        let per_call = (elapsed[0] - elapsed[1]) / 10_000.0;
        // Moving an owned argument takes more instructions than copying its bits; in a browser both take the same time.
        let most = if function.path == "nothing::empty_owned" { 5.0 } else { 1.0 };
        assert!((-1.0..=most).contains(&per_call), "{}: {per_call} of {elapsed:?}", function.path);
    }
}

#[test]
fn uneven_walks_vary_by_a_factor_of_four() {
    let mut suite = in_wasm();
    suite.open(&["rungs::varies"], 4_000.0);
    let elapsed = suite.interleave(&[LaneTarget::Function(0)], 1, 16);
    let (least, most) = (elapsed.iter().copied().fold(f64::MAX, f64::min), elapsed.iter().copied().fold(0.0, f64::max));
    assert!(most > 2.0 * least && most <= 4.1 * least, "{elapsed:?}");
}

#[test]
fn outputs_agree_for_one_pair_and_differ_for_the_other() {
    for mut suite in both_targets() {
        for (pair, agrees) in [(["agree_a", "agree_b"], true), (["differ_a", "differ_b"], false)] {
            let paths = pair.map(|name| format!("alternatives::{name}"));
            let paths = paths.each_ref().map(String::as_str);
            let works = paths.map(|path| suite.catalog.function(path).unwrap().alternatives.clone());
            assert!(works[0].is_some() && works[0] == works[1], "{works:?}");
            suite.open(&paths, SHORT);
            let [one, other] = [0, 1].map(|index| suite.hashes(index));
            let equal = one.iter().zip(&other).filter(|(one, other)| one == other).count();
            assert!(if agrees { equal == 16 } else { (1..16).contains(&equal) }, "{pair:?}: {one:?}, {other:?}");
        }
    }
}

/// A running suite on either target.
struct RunningSuite {
    catalog: Suite,
    /// Sends a message and returns its reply.
    exchange: Box<dyn FnMut(&str) -> String>,
    slot: u32,
}

fn both_targets() -> [RunningSuite; 2] {
    [natively(), in_wasm()]
}

fn natively() -> RunningSuite {
    let program = native("ladder").unwrap();
    let catalog = NativeSuite::open(&program).unwrap().suite().clone();
    let mut child = NativeChild::start(&program).unwrap();
    let exchange = move |message: &str| {
        child.send(message).unwrap();
        child.receive().unwrap()
    };
    RunningSuite { catalog, exchange: Box::new(exchange), slot: 0 }
}

fn in_wasm() -> RunningSuite {
    let module = WasmModule::new(&fixture("ladder").unwrap().wasm().unwrap()).unwrap();
    let catalog = module.describe().unwrap();
    let mut instance = module.start().unwrap();
    let exchange = move |message: &str| {
        let (mut replies, termination) = instance.send(message);
        assert!(replies.len() == 1 && termination.is_none(), "{replies:?}, {termination:?} to {message}");
        replies.remove(0)
    };
    RunningSuite { catalog, exchange: Box::new(exchange), slot: 0 }
}

impl RunningSuite {
    fn exchange(&mut self, message: &HostMessage) -> SuiteMessage {
        serde_json::from_str(&(self.exchange)(&serde_json::to_string(message).unwrap())).unwrap()
    }

    /// Opens functions in a new slot at an axis value.
    fn open(&mut self, functions: &[&str], axis: f64) {
        self.slot += 1;
        let generator = &self.catalog.function(functions[0]).unwrap().generators[0];
        let generator = self.catalog.generators.iter().find(|other| other.path == *generator).unwrap();
        let numeric = generator.default_axis().unwrap().numeric().unwrap();
        let Request { functions, generator, arguments, .. } =
            request(&self.catalog, functions, generator, numeric.default_range());
        let arguments = arguments_at(&arguments, axis);
        let open = Open { slot: self.slot, functions, generator, arguments, seed: 7, priority: 1 };
        let opened = self.exchange(&HostMessage::Open(open));
        assert!(matches!(opened, SuiteMessage::Opened(_)), "{opened:?}");
    }

    /// The times of `turns` batches of each target, taken in turn.
    fn interleave(&mut self, targets: &[LaneTarget], calls: u64, turns: usize) -> Vec<f64> {
        let lanes = targets.iter().map(|target| Lane { target: *target, calls }).collect();
        let turns = (0..targets.len()).cycle().take(turns * targets.len()).collect();
        let order = Interleave { slot: self.slot, lanes, turns, input_set: 0 };
        match self.exchange(&HostMessage::Interleave(order)) {
            SuiteMessage::Interleaved(interleaved) => interleaved.elapsed,
            other => panic!("{other:?}"),
        }
    }

    /// The ratio of the first function's time to the second's, in batches of `calls` calls.
    fn ratio(&mut self, functions: [&str; 2], axis: f64, calls: u64) -> f64 {
        self.open(&functions.map(|name| format!("rungs::{name}")).each_ref().map(String::as_str), axis);
        let elapsed = self.interleave(&[LaneTarget::Function(0), LaneTarget::Function(1)], calls, 1);
        elapsed[0] / elapsed[1]
    }

    /// The hashes of a function's outputs for each of the kept inputs.
    fn hashes(&mut self, function: usize) -> Vec<String> {
        let target = LaneTarget::Check(function);
        let order = Collect { slot: self.slot, target, calls: 1, batches: 16, input_set: 0 };
        match self.exchange(&HostMessage::Collect(order)) {
            SuiteMessage::Samples(samples) => samples.hashes.unwrap(),
            other => panic!("{other:?}"),
        }
    }
}
