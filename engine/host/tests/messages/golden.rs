//! The JSON of messages, requests and responses, which other programs read and write and caches store.
//!
//! `BENCHBOOK_BLESS=1 cargo test -p benchbook-host --test messages` rewrites `golden/`. A difference there changes the
//! contract.

use std::fmt::Debug;
use std::path::Path;

use benchbook_contract::catalog::{Build, Function, Generator, Mode, Suite};
use benchbook_contract::number::MAX_INTEGER;
use benchbook_contract::parameter::{
    Argument, Arguments, ChoiceOption, Kind, Numeric, NumericDefault, Parameter, Range, Scale,
};
use benchbook_contract::protocol::{
    Collect, Counts, FailureStage, HostMessage, Interleave, InterleaveReply, Lane, LaneTarget, Open, OpenReply,
    RequestFailure, Samples, SuiteMessage,
};
use benchbook_host::analyze::compare::{RatioStatistic, WithheldReason};
use benchbook_host::analyze::crossover::Crossover;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::analyze::statistics::Summary;
use benchbook_host::comparison::{Comparison, RatioAt};
use benchbook_host::quality::{BatchBounds, BatchCounts, Priority, Qualities, Quality};
use benchbook_host::request::{Problem, Request};
use benchbook_host::response::{
    CounterAbsence, DeclaredWork, EventCounts, EventEstimate, EventsPerCall, Failure, FailureKind, METHOD, Machine,
    MachineKind, MeasuredPoint, MemoryUse, NewInputs, Outcome, Outputs, Overhead, Point, Response, Run, Sample,
    SuiteCard, TwoLevelTimes, Warning,
};
use benchbook_host::sample::clock_card::ClockCard;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Compares `values`, one per line, with the golden file, and deserializes them again.
#[track_caller]
fn assert_golden<T: Serialize + DeserializeOwned + PartialEq + Debug>(file: &str, values: &[T]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    let lines: Vec<String> = values.iter().map(|value| serde_json::to_string(value).expect("it serializes")).collect();
    let written = lines.join("\n") + "\n";
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        std::fs::write(&path, &written).expect("the folder exists");
    }
    let golden = std::fs::read_to_string(&path).expect("the golden file is committed next to the test");
    for (line, expected) in lines.iter().zip(golden.lines()) {
        assert_eq!(line, expected, "{file}");
    }
    assert_eq!(written, golden, "{file}");
    let read: Vec<T> = golden.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert_eq!(read, values, "{file}");
}

fn arguments() -> Arguments {
    [
        ("size".to_owned(), Argument::Range(Range { low: 1_000.0, high: 100_000.0 })),
        ("share".to_owned(), Argument::Number(0.25)),
        ("count".to_owned(), Argument::Number(-3.0)),
        ("spread".to_owned(), Argument::Text("Sorted".to_owned())),
    ]
    .into()
}

fn build() -> Build {
    Build {
        rustc: "rustc 1.95.0 (59807616e 2026-04-14)".to_owned(),
        target: "wasm32-unknown-unknown".to_owned(),
        opt_level: "3".to_owned(),
        debug_assertions: false,
        target_features: vec!["simd128".to_owned()],
    }
}

fn numeric(of: &str, default: NumericDefault) -> Numeric {
    let of = of.to_owned();
    Numeric {
        of,
        min: 100.0,
        max: 1e6,
        step: Some(100.0),
        values: Vec::new(),
        default,
        unit: None,
        scale: Scale::Linear,
        axis: true,
    }
}

fn suite() -> Suite {
    let function = Function {
        path: "sorting::sort_unstable".to_owned(),
        signature: "fn sort_unstable(keys: &mut Vec<u64>)".to_owned(),
        docs: "Sorts the keys.\n\nWith \"quotes\", `ticks` and ünicode.".to_owned(),
        source: "fn sort_unstable(keys: &mut Vec<u64>) {\n    keys.sort_unstable();\n}".to_owned(),
        file: "suites/demo/src/sorting.rs".to_owned(),
        line: 12,
        generators: vec!["sorting::keys".to_owned()],
        native: false,
        alternatives: None,
    };
    let other = Function {
        path: "sorting::sort_on_disk".to_owned(),
        source: String::new(),
        native: true,
        alternatives: Some("sort".to_owned()),
        ..function.clone()
    };
    let range = NumericDefault::Range(Range { low: 1_000.0, high: 1e5 });
    let options = [("Random", "Each key is as likely as any other."), ("Sorted", "")];
    let option =
        |(name, description): (&str, &str)| ChoiceOption { name: name.to_owned(), description: description.to_owned() };
    let kinds = [
        Kind::Integer(Numeric { unit: Some("keys".to_owned()), scale: Scale::Log, ..numeric("u32", range) }),
        Kind::Integer(Numeric {
            min: -MAX_INTEGER,
            max: MAX_INTEGER,
            step: Some(1.0),
            ..numeric("i64", NumericDefault::Value(0.0))
        }),
        Kind::Float(Numeric {
            min: 0.0,
            max: 0.5,
            step: None,
            axis: false,
            ..numeric("f64", NumericDefault::Value(0.1))
        }),
        Kind::Choice { options: options.map(option).into(), default: "Random".to_owned(), varied: false },
        Kind::Text { default: "needle".to_owned() },
    ];
    let parameter = |(index, kind)| Parameter {
        name: format!("parameter_{index}"),
        description: "What it is about.".to_owned(),
        kind,
    };
    let generator = |path: &str, mode, native, parameters| Generator {
        path: path.to_owned(),
        name: "Keys".to_owned(),
        docs: String::new(),
        mode,
        parameters,
        native,
        source_hash: String::new(),
    };
    Suite {
        name: "demo".to_owned(),
        version: "0.1.0".to_owned(),
        build: build(),
        functions: vec![function, other],
        notes: vec!["without effect: sample_size".to_owned()],
        generators: vec![
            generator("sorting::keys", Mode::Fresh, false, kinds.into_iter().enumerate().map(parameter).collect()),
            generator("a", Mode::Shared, true, Vec::new()),
            generator("b", Mode::Calls, false, Vec::new()),
        ],
    }
}

#[test]
fn host_messages() {
    let collect = |target| {
        let (slot, calls, batches, inputs) = (7, 256, 20, 3);
        HostMessage::Collect(Collect { slot, target, calls, batches, input_set: inputs })
    };
    assert_golden(
        "host.ndjson",
        &[
            HostMessage::Describe { protocol: 4 },
            HostMessage::Open(Open {
                slot: 7,
                functions: vec!["sorting::sort_unstable".to_owned(), "sorting::sort_stable".to_owned()],
                generator: "sorting::keys".to_owned(),
                arguments: [
                    ("size".to_owned(), Argument::Number(1_000.0)),
                    ("spread".to_owned(), Argument::Text("Sorted".to_owned())),
                ]
                .into(),
                axis: None,
                seed: 9_007_199_254_740_991,
                priority: 4,
            }),
            collect(LaneTarget::Function(0)),
            collect(LaneTarget::Empty(3)),
            collect(LaneTarget::Reference),
            collect(LaneTarget::Tier),
            collect(LaneTarget::Clock),
            collect(LaneTarget::Check(1)),
            collect(LaneTarget::Count(1)),
            HostMessage::Interleave(Interleave {
                slot: 7,
                lanes: [
                    (LaneTarget::Function(0), 256),
                    (LaneTarget::Empty(0), 256),
                    (LaneTarget::Reference, 10),
                    (LaneTarget::Tier, 10),
                ]
                .map(|(target, calls)| Lane { target, calls })
                .into(),
                turns: vec![2, 0, 1, 3, 0],
                input_set: 3,
            }),
            HostMessage::Close { slot: 7 },
        ],
    );
}

#[test]
fn suite_messages() {
    let samples = Samples {
        slot: 7,
        target: LaneTarget::Function(0),
        calls: 256,
        elapsed: vec![1_234_567.0, 1_000_000.5, 0.0],
        interrupted: Vec::new(),
        preparation: 55_000.25,
        held: 8_000.0,
        entry: 0.0,
        counts: None,
        hashes: None,
    };
    let opened =
        OpenReply { slot: 7, round: 256, one_call_per_batch: true, elements: None, bytes: None, preparation: 1_500.0 };
    let counts = vec![Counts { allocations: 3, bytes: 2_400, peak: 800 }, Counts::default()];
    let failed = |slot, stage, location: Option<&str>| {
        let (reason, location) = ("index out of bounds".to_owned(), location.map(str::to_owned));
        SuiteMessage::Failed(RequestFailure { slot, stage, reason, location })
    };
    assert_golden(
        "suite.ndjson",
        &[
            SuiteMessage::Catalog { protocol: 4, suite: suite() },
            SuiteMessage::Opened(opened.clone()),
            SuiteMessage::Opened(OpenReply { elements: Some(1_000), bytes: Some(1 << 53), ..opened }),
            SuiteMessage::Samples(samples.clone()),
            SuiteMessage::Samples(Samples { target: LaneTarget::Count(0), counts: Some(counts), ..samples.clone() }),
            SuiteMessage::Samples(Samples { calls: 1, entry: 12_500.5, ..samples.clone() }),
            SuiteMessage::Samples(Samples { hashes: Some(vec!["00ff00ff00ff00ff".to_owned()]), ..samples }),
            SuiteMessage::Interleaved(InterleaveReply {
                slot: 7,
                elapsed: vec![10_250.5, 1_234_567.0, 0.0, 1_000_000.0],
                interrupted: vec![1, 3],
                preparation: 55_000.25,
                held: vec![8_000.0, 8_000.0, 0.0],
                inputs: vec![16, 16, 0],
            }),
            SuiteMessage::Closed { slot: 7 },
            failed(None, FailureStage::Request, None),
            failed(Some(7), FailureStage::Generator, Some("src/main.rs:1:2")),
            failed(Some(7), FailureStage::Function, None),
            failed(Some(7), FailureStage::Hook, None),
            SuiteMessage::Refused { bytes: 1 << 40, bound: 1 << 30 },
        ],
    );
}

fn request(seed: Option<u64>) -> Request {
    Request {
        suite: "demo".to_owned(),
        functions: vec!["sorting::sort_unstable".to_owned()],
        generator: "sorting::keys".to_owned(),
        arguments: arguments(),
        priority: Priority::FIRST,
        client: "a tab".to_owned(),
        seed,
        precision: seed.map(|_| 0.005),
        point_ms: seed.map(|_| 4_000.0),
        fresh: false,
        first_calls: false,
    }
}

#[test]
fn requests() {
    assert_golden("requests.ndjson", &[request(None), request(Some(42))]);
    let problem =
        Problem { location: "arguments.size.low".to_owned(), message: "low must be less than high".to_owned() };
    assert_golden("problems.ndjson", &[problem]);
}

#[test]
fn responses() {
    let summary = Summary {
        n: 20,
        blocks: 4,
        runs: 1,
        calls: 5_120,
        mean: 1_234.5,
        uninterrupted_mean: Some(1_233.5),
        sd: 12.25,
        min: 1_200.0,
        max: 1_300.0,
        median: Some(1_230.0),
        q1: Some(1_220.0),
        q3: Some(1_240.0),
        mean_interval: Some(Interval { low: 1_228.5, high: 1_240.5 }),
        median_interval: Some(Interval { low: 1_225.0, high: 1_235.0 }),
        relative_half_width: Some(0.005),
        is_correlated: true,
        interval_doubtful: false,
        mild_outliers: 1,
        extreme_outliers: 0,
        stability: Stability::Settled,
    };
    let withheld = Summary {
        n: 1,
        mean: -0.5,
        uninterrupted_mean: None,
        is_correlated: false,
        stability: Stability::Unknown,
        sd: 0.0,
        median: None,
        q1: None,
        q3: None,
        mean_interval: None,
        median_interval: None,
        relative_half_width: None,
        ..summary.clone()
    };
    let estimate =
        |mean: f64| EventEstimate { mean, sd: 0.5, interval: Interval { low: mean - 0.25, high: mean + 0.25 } };
    let counted = EventCounts::Counted(EventsPerCall {
        calls: 768,
        differences: 12,
        instructions: estimate(4_096.5),
        cycles: Some(estimate(2_048.0)),
        branch_misses: Some(estimate(0.0)),
        cache_misses: None,
    });
    let denied = EventCounts::Absent(CounterAbsence::Denied { paranoid: Some(3) });
    let measured = |summary: Summary, warnings| {
        let events = if summary.n == 1 { denied.clone() } else { counted.clone() };
        Outcome::Measured(Box::new(MeasuredPoint {
            summary,
            runs: vec![Run {
                calls: 256,
                overhead: Overhead { per_call: 0.375, half_width: 0.125, interference: 0.5 },
                stability: Stability::NotSettled,
                reference: Some(2_050.5),
                samples: vec![
                    Sample { elapsed: 5e6, warm_up: true, interrupted: false, inferred: false },
                    Sample { elapsed: 316_032.5, warm_up: false, interrupted: false, inferred: false },
                    Sample { elapsed: 9_316_032.5, warm_up: false, interrupted: true, inferred: true },
                ],
                blocks: vec![2],
                inputs: Some(32),
                new_inputs: Some(NewInputs { calls: 16, elapsed: vec![20_250.5] }),
            }],
            outputs: Some(Outputs { work: "sort u64 keys".to_owned(), hash: "00ff".to_owned() }),
            work: DeclaredWork { elements: Some(1_000), bytes: None },
            memory: Some(MemoryUse { calls: 16, counts: Counts { allocations: 32, bytes: 1_024, peak: 48 } }),
            events: Some(events),
            first_calls: None,
            warnings,
        }))
    };
    let warnings = vec![
        Warning::Imprecise { reached: Some(0.25), target: 0.2, needs_ms: Some(1_500.0), needs_processes: None },
        Warning::Imprecise { reached: None, target: 0.2, needs_ms: None, needs_processes: None },
        Warning::Unsettled,
        Warning::Changed { before: 2_000.0, after: 1_000.0, gradual: false },
        Warning::Skewed,
        Warning::TwoLevels(TwoLevelTimes {
            low: 1_000.0,
            high: 1_500.0,
            high_share: 0.25,
            repeats: None,
            new_inputs: None,
        }),
        Warning::TwoLevels(TwoLevelTimes {
            low: 1_000.0,
            high: 1_500.0,
            high_share: 0.25,
            repeats: Some(320.5),
            new_inputs: Some(Interval { low: 1_400.0, high: 1_450.0 }),
        }),
        Warning::Correlated,
        Warning::SlowCode { tier: 1.5 },
        Warning::SlowMachine { by: 0.25 },
        Warning::Alone,
        Warning::Interrupted { samples: 1, ms: 9.0 },
        Warning::ShortBatches { batch: 50_000.0, resolution: 100_000.0 },
        Warning::Batched { calls: 256 },
        Warning::ExtremeOutliers { samples: 2, of: 20 },
        Warning::BelowResolution { under: 0.25 },
        Warning::OneCallPerBatch,
        Warning::OutputsNotCompared,
    ];
    let kinds = [
        FailureKind::Panic,
        FailureKind::Generator,
        FailureKind::Trap,
        FailureKind::Memory,
        FailureKind::TimedOut,
        FailureKind::Skipped,
        FailureKind::NativeOnly,
        FailureKind::Contract,
    ];
    let failed = kinds.map(|kind| Outcome::Failed(Failure { kind, reason: "what happened".to_owned() }));
    let outcomes = [measured(summary, Vec::new()), measured(withheld, warnings)].into_iter().chain(failed);
    let point = |(index, outcome)| Point { function: "f".to_owned(), x: (0.5 * index as f64).into(), outcome };
    let response = |kind, points| Response {
        request: request(None),
        priority: Priority::LAST,
        suite: SuiteCard {
            name: "demo".to_owned(),
            version: "0.1.0".to_owned(),
            build: build(),
            catalog_hash: "ab".repeat(32),
            fingerprint: "cd".repeat(32),
        },
        machine: Machine {
            kind,
            name: "Chromium 140".to_owned(),
            id: None,
            processor: None,
            clock: ClockCard { resolution: 5_000.0, jitter: 0.0, cost: 30.5 },
        },
        method: METHOD,
        quality: Qualities::default().of(Priority::LAST).clone(),
        points,
        comparisons: vec![Comparison {
            baseline: "f".to_owned(),
            other: "g".to_owned(),
            ratios: vec![
                RatioAt {
                    x: 1.0.into(),
                    ratio: Some(1.5),
                    interval: Some(Interval { low: 1.25, high: 1.75 }),
                    equivalence: Some(Interval { low: 1.375, high: 1.625 }),
                    of: Some(RatioStatistic::Medians),
                    withheld: None,
                },
                RatioAt {
                    x: "Sorted".into(),
                    ratio: None,
                    interval: None,
                    equivalence: None,
                    of: None,
                    withheld: Some(WithheldReason::OutputsDiffer),
                },
            ],
            crossovers: vec![Crossover {
                x: 1.5,
                interval: Interval { low: 1.25, high: 1.75 },
                other_wins_above: true,
            }],
        }],
    };
    assert_golden(
        "responses.ndjson",
        &[
            response(MachineKind::Browser, outcomes.enumerate().map(point).collect()),
            response(MachineKind::Native, Vec::new()),
        ],
    );
}

/// The format of qualities in a runner's configuration and in a page's `notebook.json`.
#[test]
fn qualities() {
    let quality = Quality {
        points: 5,
        precision: 0.2,
        point_ms: 40.0,
        warm_up: BatchBounds { at_least: 5, at_most: 500, ms: 15.0 },
        samples: BatchCounts { at_least: 5, at_most: 500 },
        processes: 1,
        timeout_ms: None,
    };
    assert_golden("qualities.ndjson", &[quality.clone(), Quality { timeout_ms: Some(2_500.0), ..quality }]);
    let mut quality = serde_json::to_value(Qualities::default().of(Priority::FIRST)).expect("it serializes");
    quality["timeout_ms"] = json!(500);
    assert_eq!(read::<Quality>(&quality).expect("it deserializes").timeout_ms(), 500.0);
    quality["timeout"] = json!(500);
    assert_rejected::<Quality>(&quality, "unknown field `timeout`");
    assert_rejected::<Qualities>(&json!([]), "invalid length 0");
    for priority in Priority::all() {
        let timeout = Qualities::default().of(priority).timeout_ms();
        assert_eq!(timeout, 10_000.0, "ten seconds, or five times the point's time");
    }
}

/// Invalid numbers are rejected while parsing, with their location.
#[test]
fn invalid_qualities_are_rejected() {
    let table = [
        ("points", json!(1), "points: expected 2 to 1025 at line 1"),
        ("points", json!(4_000_000_000_u32), "points: expected"),
        ("precision", json!(0), "precision: expected above 0"),
        ("point_ms", json!(-1), "point_ms: expected above 0"),
        ("warm_up", json!({"at_least": 5, "at_most": 4, "ms": 1}), "warm_up: at_least is above at_most"),
        ("warm_up", json!({"at_least": 5, "at_most": 5, "ms": 1e300}), "warm_up.ms: expected"),
        ("samples", json!({"at_least": 0, "at_most": 0}), "samples.at_most: expected 1"),
        ("processes", json!(0), "processes: expected 1"),
        ("timeout_ms", json!(-1), "timeout_ms: expected above 0"),
    ];
    for (name, value, expected) in table {
        let mut qualities = serde_json::to_value(Qualities::default()).expect("it serializes");
        qualities[2][name] = value;
        assert_rejected::<Qualities>(&qualities, expected);
    }
}

/// Qualities that were not parsed are validated too.
#[test]
fn constructed_qualities_are_validated() {
    let quality = Qualities::default().of(Priority::FIRST).clone();
    let wrong = Quality { points: 1, ..quality.clone() };
    let made = Qualities::try_from([quality.clone(), quality.clone(), wrong, quality]);
    assert_eq!(made, Err("priority 3: points: expected 2 to 1025".to_owned()));
}

fn read<T: DeserializeOwned>(value: &Value) -> serde_json::Result<T> {
    serde_json::from_str(&value.to_string())
}

#[track_caller]
fn assert_rejected<T: DeserializeOwned + Debug>(value: &Value, expected: &str) {
    let error = read::<T>(value).expect_err("it should be rejected").to_string();
    assert!(error.contains(expected), "{value}: {error}");
}

#[test]
fn integers_have_no_fraction_and_other_numbers_round_trip_exactly() {
    let third = 1.0 / 3.0;
    for (number, expected) in [
        (0.0, "0"),
        (-0.0, "0"),
        (1_000.0, "1000"),
        (-3.0, "-3"),
        (MAX_INTEGER, "9007199254740992"),
        (-MAX_INTEGER, "-9007199254740992"),
        (0.5, "0.5"),
        (1e300, "1e+300"),
        (1e-9, "1e-9"),
        (third, "0.3333333333333333"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1_063_521_505.825_452_3, "1063521505.8254523"),
        (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
    ] {
        let written = serde_json::to_string(&Argument::Number(number)).expect("it serializes");
        assert_eq!(written, expected);
        let read: Argument = serde_json::from_str(&written).expect("it deserializes");
        assert_eq!(read, Argument::Number(number));
        let range = serde_json::to_string(&Range { low: number, high: number }).expect("it serializes");
        assert_eq!(range, format!(r#"{{"low":{expected},"high":{expected}}}"#));
    }
}

#[test]
fn numbers_parse_with_and_without_a_fraction() {
    for text in ["1000", "1000.0", "1e3", "1.0e+3"] {
        assert_eq!(
            serde_json::from_str::<Argument>(text).expect("it deserializes"),
            Argument::Number(1_000.0),
            "{text}"
        );
    }
}

#[test]
fn optional_fields_have_defaults() {
    let opened = json!({"type": "opened", "slot": 1, "round": 1, "preparation": 0});
    let expected =
        OpenReply { slot: 1, round: 1, one_call_per_batch: false, elements: None, bytes: None, preparation: 0.0 };
    assert_eq!(read::<SuiteMessage>(&opened).expect("it deserializes"), SuiteMessage::Opened(expected));

    let collect = json!({"type": "collect", "slot": 1, "target": "reference", "calls": 1, "batches": 1});
    let expected = Collect { slot: 1, target: LaneTarget::Reference, calls: 1, batches: 1, input_set: 0 };
    assert_eq!(read::<HostMessage>(&collect).expect("it deserializes"), HostMessage::Collect(expected));

    let interleave = json!({"type": "interleave", "slot": 1, "lanes": [], "turns": []});
    let expected = Interleave { slot: 1, lanes: Vec::new(), turns: Vec::new(), input_set: 0 };
    assert_eq!(read::<HostMessage>(&interleave).expect("it deserializes"), HostMessage::Interleave(expected));

    let samples = json!({"type": "samples", "slot": 1, "target": {"function": 0}, "calls": 1, "elapsed": [1],
        "preparation": 0});
    let SuiteMessage::Samples(samples) = read(&samples).expect("it deserializes") else { panic!("unexpected message") };
    assert_eq!((samples.held, samples.counts, samples.hashes), (0.0, None, None));

    let failed = json!({"type": "failed", "stage": "function", "reason": "why"});
    let expected =
        RequestFailure { slot: None, stage: FailureStage::Function, reason: "why".to_owned(), location: None };
    assert_eq!(read::<SuiteMessage>(&failed).expect("it deserializes"), SuiteMessage::Failed(expected));

    let option: ChoiceOption = read(&json!({"name": "Random"})).expect("it deserializes");
    assert_eq!(option.description, "");
}

/// A later version may add fields; this one ignores them.
#[test]
fn unknown_fields_are_ignored() {
    let describe = json!({"type": "describe", "protocol": 4, "later": {"more": true}});
    assert_eq!(read::<HostMessage>(&describe).expect("it deserializes"), HostMessage::Describe { protocol: 4 });
    let closed = json!({"type": "closed", "slot": 3, "later": null});
    assert_eq!(read::<SuiteMessage>(&closed).expect("it deserializes"), SuiteMessage::Closed { slot: 3 });
    let mut more = serde_json::to_value(suite()).expect("it serializes");
    more["later"] = json!(1);
    more["functions"][0]["later"] = json!(1);
    more["generators"][0]["parameters"][0]["later"] = json!(1);
    assert_eq!(read::<Suite>(&more).expect("it deserializes"), suite());
}

#[test]
fn invalid_messages_are_rejected() {
    for (value, expected) in [
        (json!({}), "missing field `type`"),
        (json!({"type": "hello"}), "unknown variant `hello`"),
        (json!({"type": "describe"}), "missing field `protocol`"),
        (json!({"type": "close", "slot": -1}), "invalid value: integer `-1`, expected u32"),
        (json!({"type": "collect", "slot": 1, "target": "function", "calls": 1, "batches": 1}), "invalid type"),
        (json!({"type": "collect", "slot": 1, "target": {"nothing": 0}, "calls": 1, "batches": 1}), "unknown variant"),
        (json!({"type": "collect", "slot": 1, "target": "clock", "calls": 1.5, "batches": 1}), "expected u64"),
        (
            json!({"type": "interleave", "slot": 1, "lanes": [{"target": "clock"}], "turns": []}),
            "missing field `calls`",
        ),
        (json!({"type": "interleave", "slot": 1, "lanes": [], "turns": [-1]}), "expected usize"),
        (json!([]), "missing field `type`"),
        (json!("describe"), "invalid type: string \"describe\", expected an object with a field `type`"),
    ] {
        assert_rejected::<HostMessage>(&value, expected);
    }
    let samples = json!({"type": "samples", "slot": 1, "target": "clock", "calls": 1, "elapsed": [null],
        "preparation": 0});
    assert_rejected::<SuiteMessage>(&samples, "invalid type: null, expected f64");
}

#[test]
fn invalid_parameters_points_and_warnings_are_rejected() {
    let named = |kind: &str| json!({"name": "size", "description": "", "type": kind});
    for (value, expected) in [
        (named("vector"), "unknown variant `vector`, expected one of `integer`, `float`, `choice`, `text`"),
        (named("integer"), "missing field `of`"),
        (named("text"), "missing field `default`"),
        (json!({"type": "text", "default": ""}), "missing field `name`"),
    ] {
        assert_rejected::<Parameter>(&value, expected);
    }
    assert_rejected::<NumericDefault>(&json!("1"), "a default is a number or a range");
    let failure = json!({"kind": "trap", "reason": "why"});
    for value in [json!({"function": "f", "x": 1}), json!({"function": "f", "x": 1, "skipped": failure})] {
        assert_rejected::<Point>(&value, "measured");
    }
    assert_rejected::<Warning>(&json!({"type": "rain"}), "unknown variant `rain`");
}

#[test]
fn argument_is_a_number_a_text_a_range_or_a_list() {
    for (value, expected) in [
        (json!(5), Argument::Number(5.0)),
        (json!("5"), Argument::Text("5".to_owned())),
        (json!({"low": 1, "high": 2.5}), Argument::Range(Range { low: 1.0, high: 2.5 })),
        (json!([5, "5"]), Argument::Values(vec![5.0.into(), "5".into()])),
        (json!([]), Argument::Values(Vec::new())),
    ] {
        assert_eq!(read::<Argument>(&value).expect("it deserializes"), expected);
    }
    for (value, expected) in [
        (json!(null), "expected a number, a text, a range"),
        (json!(true), "expected a number, a text, a range"),
        (json!([[1]]), "expected only numbers or texts in a list"),
        (json!([null]), "expected a number, a text, a range"),
        (json!({"low": 1}), "missing field `high`"),
        (json!({"low": 1, "high": 2, "step": 1}), "unknown field `step`"),
    ] {
        assert_rejected::<Argument>(&value, expected);
    }
}

/// Responses of method 2 and earlier do not distinguish "not settled" from "unknown".
#[test]
fn settled_states_of_older_methods_are_readable() {
    for (json, expected) in [
        ("true", Stability::Settled),
        ("false", Stability::Unknown),
        ("\"settled\"", Stability::Settled),
        ("\"not_settled\"", Stability::NotSettled),
        ("\"unknown\"", Stability::Unknown),
    ] {
        assert_eq!(serde_json::from_str::<Stability>(json).unwrap(), expected, "{json}");
    }
    let error = serde_json::from_str::<Stability>("\"calm\"").unwrap_err().to_string();
    assert!(error.contains("expected one of `settled`, `not_settled`, `unknown`"), "{error}");
}
