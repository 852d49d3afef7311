//! A correct suite: a catalog with one function, and a clock.

use benchbook_contract::catalog::{Build, Function, Generator, Mode, Suite};
use benchbook_contract::parameter::{Kind, Numeric, NumericDefault, Parameter, Range, Scale};
use benchbook_contract::protocol::{
    Collect, HostMessage, Interleave, InterleaveReply, LaneTarget, OpenReply, PROTOCOL, Samples, SuiteMessage,
};

/// The reply of a correct suite. Each batch takes a microsecond per call.
pub(crate) fn proper(message: HostMessage) -> SuiteMessage {
    match message {
        HostMessage::Describe { .. } => SuiteMessage::Catalog { protocol: PROTOCOL, suite: suite() },
        HostMessage::Open(open) => SuiteMessage::Opened(OpenReply {
            slot: open.slot,
            round: 1,
            one_call_per_batch: false,
            elements: None,
            bytes: None,
            preparation: 0.0,
        }),
        HostMessage::Collect(order) => SuiteMessage::Samples(samples(&order)),
        HostMessage::Interleave(order) => SuiteMessage::Interleaved(interleaved(&order)),
        HostMessage::Close { slot } => SuiteMessage::Closed { slot },
    }
}

/// The requested samples.
fn samples(order: &Collect) -> Samples {
    let calls = if order.target == LaneTarget::Clock { u64::from(order.batches) } else { order.calls };
    Samples {
        slot: order.slot,
        target: order.target,
        calls,
        elapsed: vec![order.calls as f64 * 1_000.0; order.batches as usize],
        interrupted: Vec::new(),
        preparation: 0.0,
        held: 0.0,
        entry: 0.0,
        counts: None,
        hashes: None,
    }
}

fn interleaved(order: &Interleave) -> InterleaveReply {
    let elapsed = order.turns.iter().map(|lane| order.lanes[*lane].calls as f64 * 1_000.0).collect();
    let held = vec![0.0; order.lanes.len()];
    InterleaveReply { slot: order.slot, elapsed, interrupted: Vec::new(), preparation: 0.0, held, inputs: Vec::new() }
}

/// A suite with one function, `function`, one generator, `sizes`, and one parameter, `size`.
pub(crate) fn suite() -> Suite {
    let size = Numeric {
        of: "u32".to_owned(),
        min: 0.0,
        max: 20.0,
        step: Some(1.0),
        values: Vec::new(),
        default: NumericDefault::Range(Range { low: 0.0, high: 20.0 }),
        unit: None,
        scale: Scale::Linear,
        axis: true,
    };
    Suite {
        name: "impostor".to_owned(),
        version: "0.1.0".to_owned(),
        build: Build {
            rustc: String::new(),
            target: String::new(),
            opt_level: "3".to_owned(),
            debug_assertions: false,
            target_features: Vec::new(),
        },
        functions: vec![Function {
            path: "function".to_owned(),
            signature: "fn function(size: u32)".to_owned(),
            docs: String::new(),
            source: String::new(),
            file: "lib.rs".to_owned(),
            line: 1,
            generators: vec!["sizes".to_owned()],
            native: false,
            alternatives: None,
        }],
        notes: Vec::new(),
        generators: vec![Generator {
            path: "sizes".to_owned(),
            name: "Sizes".to_owned(),
            docs: String::new(),
            mode: Mode::Fresh,
            parameters: vec![Parameter {
                name: "size".to_owned(),
                description: "How badly.".to_owned(),
                kind: Kind::Integer(size),
            }],
            native: false,
            source_hash: String::new(),
        }],
    }
}
