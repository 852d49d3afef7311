//! What functions of real suites execute, counted in their counting modules.

use std::fs;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::Suite;
use benchbook_contract::parameter::{Parameter, Range};
use benchbook_contract::protocol::{Collect, Counts, HostMessage, LaneTarget, Open, SuiteMessage};
use benchbook_count::{Interpreter, Rounds};
use benchbook_host::request::Plan;
use benchbook_host::response::{WasmCounts, WasmInstructions};
use benchbook_instrument::{COUNTING_MODULE, CodeMap, ContextCounts, Options, counting_module};
use benchbook_profile::{Profile, ProfileMetric, callgrind, rows};
use benchbook_tests::requests;
use benchbook_tests::suites::{SuiteBuilds, demo, fixture};
use benchbook_tests::wasm::{WasmModule, WasmSuite};

/// A suite and its counting module.
struct Counted {
    suite: Suite,
    module: Interpreter,
}

impl Counted {
    fn new(builds: &SuiteBuilds) -> Self {
        let wasm = builds.wasm().unwrap();
        // Fixtures have none: theirs would say nothing more.
        let module = fs::read(builds.module.with_extension(COUNTING_MODULE));
        let module = module.unwrap_or_else(|_| counting_module(&wasm, &Options::default()).unwrap());
        Self { suite: WasmModule::new(&wasm).unwrap().describe().unwrap(), module: Interpreter::new(&module).unwrap() }
    }
}

impl Counted {
    /// The counts of a function at the lower end of the default axis of its first generator.
    fn count(&self, path: &str) -> WasmCounts {
        let function = self.suite.function(path).unwrap();
        let generator = self.suite.generator(&function.generators[0]).unwrap();
        let numeric = generator.default_axis().and_then(Parameter::numeric);
        let range = numeric.map_or(Range { low: 0.0, high: 1.0 }, requests::lower_end);
        let request = requests::request(&self.suite, &[path], generator, range);
        let plan = Plan::new(&self.suite, request).unwrap();
        self.module.count(&plan.open(1, vec![path.to_owned()], &plan.axis_values(2)[0]))
    }

    fn operators(&self, path: &str) -> WasmInstructions {
        match self.count(path) {
            WasmCounts::Counted(operators) => operators,
            other => panic!("{path}: {other:?}"),
        }
    }
}

/// The demo suite, its counting module, and the suite itself in another interpreter.
struct Profiled {
    suite: Suite,
    counting: Interpreter,
    map: CodeMap,
    own_counts: WasmSuite,
}

impl Profiled {
    fn demo() -> Self {
        // As compiled: what is shipped has no names.
        let wasm = fixture("demo").unwrap().wasm().unwrap();
        let counting = Interpreter::new(&counting_module(&wasm, &Options::default()).unwrap()).unwrap();
        let map = counting.map().clone();
        let module = WasmModule::new(&wasm).unwrap();
        let (suite, own_counts) = (module.describe().unwrap(), module.start().unwrap());
        Self { suite, counting, map, own_counts }
    }

    /// The workload of a function at the lower end of its default axis.
    fn open(&self, path: &str) -> Open {
        let function = self.suite.function(path).unwrap();
        let generator = self.suite.generator(&function.generators[0]).unwrap();
        let numeric = generator.default_axis().and_then(Parameter::numeric);
        let range = numeric.map_or(Range { low: 0.0, high: 1.0 }, requests::lower_end);
        let plan = Plan::new(&self.suite, requests::request(&self.suite, &[path], generator, range)).unwrap();
        plan.open(1, vec![path.to_owned()], &plan.axis_values(2)[0])
    }

    fn profile(&self, path: &str, counts: &ContextCounts) -> Profile {
        Profile::new(&self.map, path, "", &[(AxisValue::Absent, counts.clone())])
    }

    fn reply(&mut self, message: &HostMessage) -> SuiteMessage {
        let (replies, _) = self.own_counts.send(&serde_json::to_string(message).unwrap());
        serde_json::from_str(replies.last().unwrap()).unwrap()
    }

    /// What the suite itself says about the memory use of as many calls after the first `before`.
    fn memory(&mut self, open: &Open, before: u64, calls: u64) -> Counts {
        let slot = open.slot;
        let SuiteMessage::Opened(opened) = self.reply(&HostMessage::Open(open.clone())) else { panic!() };
        let before = if opened.one_call_per_batch { 0 } else { before * opened.round };
        let mut of = |calls| {
            let target = LaneTarget::Count(0);
            let collect = HostMessage::Collect(Collect { slot, target, calls, batches: 1, input_set: 0 });
            // The first one is a warm-up.
            let replies = [collect.clone(), collect].map(|collect| self.reply(&collect));
            let [_, SuiteMessage::Samples(samples)] = replies else { panic!() };
            samples.counts.unwrap()[0]
        };
        let first = if before == 0 { Counts::default() } else { of(before) };
        let all = of(before + calls);
        self.reply(&HostMessage::Close { slot });
        Counts { allocations: all.allocations - first.allocations, bytes: all.bytes - first.bytes, peak: all.peak }
    }
}

/// A function's own counts and those of what it calls add up to all that it executes, also if it allocates or sorts recursively; and so does memory to what the suite
/// itself counts.
#[test]
fn frames_add_up_to_the_counts_and_to_the_memory_use() {
    let mut profiled = Profiled::demo();
    let (mut compared, mut allocating) = (0, 0);
    let functions = profiled.suite.functions.clone();
    for function in functions.iter().filter(|function| !function.native) {
        let path = function.path.as_str();
        let open = profiled.open(path);
        let WasmCounts::Counted(counted) = profiled.counting.count(&open) else { continue };
        let counts = profiled.counting.count_contexts(&open, Rounds::Usual).unwrap();
        let profile = profiled.profile(path, &counts);
        let total = profile.total(0);
        assert_eq!((counts.calls, total.instructions), (counted.calls, counted.total()), "{path}");
        assert_eq!((total.loads, total.stores), (counted.load, counted.store), "{path}");
        let memory = profiled.memory(&open, 1, counts.calls);
        assert_eq!((total.allocations as u64, total.bytes as u64), (memory.allocations, memory.bytes), "{path}");
        assert!(total.peak.max(0) as u64 <= memory.peak, "{path}: {} is more than {}", total.peak, memory.peak);
        let names: Vec<&str> = profile.root.children.iter().map(|child| child.name.as_str()).collect();
        assert!(!names.iter().any(|name| name.contains("benchbook")), "{path}: {names:?}");
        allocating += usize::from(memory.allocations > 0);
        compared += 1;
    }
    assert!(compared > 50 && allocating > 15, "{compared}, {allocating}");
}

#[test]
fn two_profiles_are_the_same_byte_for_byte() {
    let profiled = Profiled::demo();
    let path = "memory::concat_format";
    let once = || {
        let profile =
            profiled.profile(path, &profiled.counting.count_contexts(&profiled.open(path), Rounds::Usual).unwrap());
        let rows = rows(&profile, ProfileMetric::Instructions, 0);
        [serde_json::to_string(&profile).unwrap(), serde_json::to_string(&rows).unwrap(), callgrind(&profile, 0)]
    };
    assert_eq!(once(), once());
}

/// Loops of 1, 2, 4 … 1 024 times as many equal steps.
#[test]
fn counts_are_proportional_to_the_work() {
    let ladder = Counted::new(&fixture("ladder").unwrap());
    let total = |name: &str| ladder.operators(&format!("rungs::{name}")).per_call();
    let rungs = ["one", "two", "four", "eight", "sixteen", "thirty_2", "thousand_24"].map(total);
    let of_one = (rungs[3] - rungs[2]) / 4.0;
    let times = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 1_024.0];
    assert!(of_one > 0.0);
    for (rung, times) in rungs.iter().zip(times) {
        // What is left is the call, and how the loop begins and ends.
        let rest = rung - times * of_one;
        assert!((-10.0..=80.0).contains(&rest), "{rest} of {rungs:?}");
    }
    let (of_100, again, of_101) = (total("percent_100"), total("percent_100_again"), total("percent_101"));
    assert_eq!(of_100, again);
    assert!((of_101 / of_100 - 1.01).abs() < 0.000_5, "{of_100} {of_101}");
}

#[test]
fn functions_that_do_nothing_execute_next_to_nothing() {
    let ladder = Counted::new(&fixture("ladder").unwrap());
    for function in ladder.suite.functions.iter().filter(|function| function.path.starts_with("nothing::")) {
        let per_call = ladder.operators(&function.path).per_call();
        assert!((-4.0..=8.0).contains(&per_call), "{}: {per_call}", function.path);
    }
}

#[test]
fn every_function_of_the_demo_suite_is_counted_or_has_a_reason() {
    let demo = Counted::new(&demo().unwrap());
    let (mut counted, mut varying, mut conditional) = (0, Vec::new(), Vec::new());
    for function in &demo.suite.functions {
        match demo.count(&function.path) {
            WasmCounts::Counted(operators) => {
                counted += 1;
                assert!(operators.per_call() > 0.0, "{}: {operators:?}", function.path);
                if operators.conditional != 0 {
                    conditional.push(function.path.as_str());
                }
                // A second instance counts the same.
                if counted % 8 == 0 {
                    assert_eq!(demo.operators(&function.path), operators);
                }
            }
            WasmCounts::Varying { .. } => varying.push(function.path.as_str()),
            WasmCounts::Uncountable(reason) | WasmCounts::Failed(reason) => {
                assert!(function.native, "{}: {reason}", function.path);
                assert!(reason.contains("only a runner can measure it"), "{reason}");
            }
        }
    }
    // Their keys are random, which wasm takes from addresses.
    let random = ["collections::hash_map_get", "hashing::distinct_by_hash_set", "searching::intersect_by_hash_set"];
    assert_eq!(varying, random);
    // Natively, hash maps compare groups of keys with vector instructions, the hash multiplies to 128 bits, and the others search with vectors.
    let vectorized = ["collections::fx_hash_map_get", "hashing::distinct_by_fx_hash_set", "hashing::fx_hash"];
    assert_eq!(conditional, [&vectorized[..], &["text::find_memmem", "text::is_utf8_simd"]].concat());
}

#[test]
fn benches_of_other_harnesses_are_counted_or_have_a_reason() {
    for (package, known, reasons) in [
        (
            "criterion_benches",
            // 500 numbers to sort, and 100 to compare.
            [("sort by value", 80_000.0..120_000.0), ("sum/100", 1_000.0..3_000.0)],
            ["the benchmark times itself", "there is data", "operation not supported on this platform"],
        ),
        (
            "divan_benches",
            [("inputs::by_value", 80_000.0..120_000.0), ("arguments::sum", 200.0..400.0)],
            ["has several threads: only a runner can measure it", "the data is missing", "returned without measuring"],
        ),
    ] {
        let benches = Counted::new(&fixture(package).unwrap());
        for (path, range) in known {
            let per_call = benches.operators(path).per_call();
            assert!(range.contains(&per_call), "{path}: {per_call}");
        }
        let paths = benches.suite.functions.iter().map(|function| function.path.as_str());
        let counts: Vec<WasmCounts> = paths.map(|path| benches.count(path)).collect();
        let counted = counts.iter().filter(|counts| matches!(counts, WasmCounts::Counted(_))).count();
        assert!(2 * counted > counts.len(), "{counted} of {}: {counts:?}", counts.len());
        for reason in reasons {
            let texts = counts.iter().filter_map(|counts| match counts {
                WasmCounts::Uncountable(text) | WasmCounts::Failed(text) => Some(text),
                WasmCounts::Counted(_) | WasmCounts::Varying { .. } => None,
            });
            assert!(texts.clone().any(|text| text.contains(reason)), "{reason}: {counts:?}");
        }
    }
}
