//! Every message, parameter and warning survives a round trip through JSON.

use std::fmt::Debug;
use std::iter::successors;

use serde::Serialize;
use serde::de::DeserializeOwned;

use benchbook_contract::catalog::{Build, Suite};
use benchbook_contract::parameter::{Argument, ChoiceOption, Kind, Numeric, NumericDefault, Parameter, Range, Scale};
use benchbook_contract::protocol::{
    Collect, Counts, FailureStage, HostMessage, Interleave, InterleaveReply, Lane, LaneTarget, Open, OpenReply,
    RequestFailure, Samples, SuiteMessage,
};
use benchbook_host::response::{TwoLevelTimes, Warning};

/// Serializes and deserializes each value, starting with `following(None)`. The match in `following` lists every
/// variant once, so a new variant does not compile until it is added.
fn assert_round_trip<T>(following: fn(Option<&T>) -> Option<T>)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    for value in successors(following(None), |value| following(Some(value))) {
        let text = serde_json::to_string(&value).expect("it serializes");
        let read = serde_json::from_str::<T>(&text).expect(&text);
        assert_eq!(read, value, "{text}");
    }
}

#[test]
fn every_message_to_a_suite_round_trips() {
    assert_round_trip(|before| match before {
        None => Some(HostMessage::Describe { protocol: 4 }),
        Some(HostMessage::Describe { .. }) => Some(HostMessage::Open(Open {
            slot: 3,
            functions: vec!["sort".to_owned()],
            generator: "keys".to_owned(),
            arguments: [("size".to_owned(), Argument::Number(1.0))].into(),
            axis: None,
            seed: 7,
            priority: 1,
        })),
        Some(HostMessage::Open(_)) => Some(HostMessage::Collect(Collect {
            slot: 3,
            target: LaneTarget::Function(0),
            calls: 64,
            batches: 10,
            input_set: 1,
        })),
        Some(HostMessage::Collect(_)) => Some(HostMessage::Interleave(Interleave {
            slot: 3,
            lanes: vec![Lane { target: LaneTarget::Empty(0), calls: 64 }],
            turns: vec![0, 0],
            input_set: 1,
        })),
        Some(HostMessage::Interleave(_)) => Some(HostMessage::Close { slot: 3 }),
        Some(HostMessage::Close { .. }) => None,
    });
}

#[test]
fn every_message_from_a_suite_round_trips() {
    fn suite() -> Suite {
        let build = Build {
            rustc: "rustc 1.95.0".to_owned(),
            target: "wasm32-unknown-unknown".to_owned(),
            opt_level: "3".to_owned(),
            debug_assertions: false,
            target_features: Vec::new(),
        };
        Suite {
            name: "demo".to_owned(),
            version: "0.1.0".to_owned(),
            build,
            functions: Vec::new(),
            generators: Vec::new(),
            notes: vec!["without effect: sample_size".to_owned()],
        }
    }
    assert_round_trip(|before| match before {
        None => Some(SuiteMessage::Catalog { protocol: 4, suite: suite() }),
        Some(SuiteMessage::Catalog { .. }) => Some(SuiteMessage::Opened(OpenReply {
            slot: 3,
            round: 1,
            one_call_per_batch: true,
            elements: Some(100),
            bytes: Some(800),
            preparation: 1.5,
        })),
        Some(SuiteMessage::Opened(_)) => Some(SuiteMessage::Samples(Samples {
            slot: 3,
            target: LaneTarget::Clock,
            calls: 1,
            elapsed: vec![1.0, 2.5],
            interrupted: Vec::new(),
            preparation: 0.5,
            held: 8.0,
            entry: 0.0,
            counts: Some(vec![Counts { allocations: 2, bytes: 96, peak: 64 }]),
            hashes: Some(vec!["0f".to_owned()]),
        })),
        Some(SuiteMessage::Samples(_)) => Some(SuiteMessage::Interleaved(InterleaveReply {
            slot: 3,
            elapsed: vec![1.0, 2.5],
            interrupted: Vec::new(),
            preparation: 0.5,
            held: vec![8.0],
            inputs: vec![4],
        })),
        Some(SuiteMessage::Interleaved(_)) => Some(SuiteMessage::Closed { slot: 3 }),
        Some(SuiteMessage::Closed { .. }) => Some(SuiteMessage::Failed(RequestFailure {
            slot: Some(3),
            stage: FailureStage::Function,
            reason: "it panicked".to_owned(),
            location: Some("src/main.rs:1:1".to_owned()),
        })),
        Some(SuiteMessage::Failed(_)) => Some(SuiteMessage::Refused { bytes: 9, bound: 8 }),
        Some(SuiteMessage::Refused { .. }) => None,
    });
}

#[test]
fn every_kind_of_parameter_round_trips() {
    fn parameter(kind: Kind) -> Option<Parameter> {
        Some(Parameter { name: "size".to_owned(), description: "Number of keys.".to_owned(), kind })
    }
    fn numeric(of: &str) -> Numeric {
        Numeric {
            of: of.to_owned(),
            min: 1.0,
            max: 1_000.0,
            step: Some(1.0),
            values: Vec::new(),
            default: NumericDefault::Range(Range { low: 10.0, high: 100.0 }),
            unit: Some("keys".to_owned()),
            scale: Scale::Log,
            axis: true,
        }
    }
    assert_round_trip(|before: Option<&Parameter>| match before.map(|parameter| &parameter.kind) {
        None => parameter(Kind::Integer(numeric("u32"))),
        Some(Kind::Integer(_)) => parameter(Kind::Float(numeric("f64"))),
        Some(Kind::Float(_)) => parameter(Kind::Choice {
            options: vec![ChoiceOption { name: "A".to_owned(), description: "The first.".to_owned() }],
            default: "A".to_owned(),
            varied: true,
        }),
        Some(Kind::Choice { .. }) => parameter(Kind::Text { default: "needle".to_owned() }),
        Some(Kind::Text { .. }) => None,
    });
}

#[test]
fn every_warning_round_trips() {
    assert_round_trip(|before| match before {
        None => {
            Some(Warning::Imprecise { reached: Some(0.5), target: 0.01, needs_ms: Some(2e3), needs_processes: None })
        }
        Some(Warning::Imprecise { .. }) => Some(Warning::Unsettled),
        Some(Warning::Unsettled) => Some(Warning::Changed { before: 2.0, after: 1.0, gradual: true }),
        Some(Warning::Changed { .. }) => Some(Warning::Skewed),
        Some(Warning::Skewed) => Some(Warning::TwoLevels(TwoLevelTimes {
            low: 1.0,
            high: 2.5,
            high_share: 0.25,
            repeats: None,
            new_inputs: None,
        })),
        Some(Warning::TwoLevels(_)) => Some(Warning::Correlated),
        Some(Warning::Correlated) => Some(Warning::SlowCode { tier: 1.5 }),
        Some(Warning::SlowCode { .. }) => Some(Warning::SlowMachine { by: 0.25 }),
        Some(Warning::SlowMachine { .. }) => Some(Warning::Alone),
        Some(Warning::Alone) => Some(Warning::Interrupted { samples: 3, ms: 12.5 }),
        Some(Warning::Interrupted { .. }) => Some(Warning::ShortBatches { batch: 10.0, resolution: 5_000.0 }),
        Some(Warning::ShortBatches { .. }) => Some(Warning::Batched { calls: 64 }),
        Some(Warning::Batched { .. }) => Some(Warning::ExtremeOutliers { samples: 2, of: 30 }),
        Some(Warning::ExtremeOutliers { .. }) => Some(Warning::BelowResolution { under: 0.25 }),
        Some(Warning::BelowResolution { .. }) => Some(Warning::OneCallPerBatch),
        Some(Warning::OneCallPerBatch) => Some(Warning::OutputsNotCompared),
        Some(Warning::OutputsNotCompared) => None,
    });
}
