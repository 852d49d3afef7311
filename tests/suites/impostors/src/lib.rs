//! Shared code of executables that imitate a suite: a catalog with one function, and a clock.

use std::io::{self, BufRead, Write};

use benchbook_contract::catalog::{Build, Function, Generator, Mode, Suite};
use benchbook_contract::parameter::{Argument, Kind, Numeric, NumericDefault, Parameter, Range, Scale};
use benchbook_contract::protocol::{
    Collect, HostMessage, Interleave, InterleaveReply, LaneTarget, Open, OpenReply, PROTOCOL, Samples, SuiteMessage,
};

/// Sends the replies of `respond` to each message, until standard input ends.
pub fn converse(mut respond: impl FnMut(HostMessage) -> Vec<SuiteMessage>) {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(message) = serde_json::from_str(&line) else { return };
        for message in respond(message) {
            say(&message);
        }
    }
}

/// Sends a message, or exits if the host is gone.
pub fn say(message: &SuiteMessage) {
    let line = serde_json::to_string(message).expect("messages have a JSON form");
    if writeln!(io::stdout(), "{line}").is_err() {
        std::process::exit(1);
    }
}

/// The reply of a correct suite. Each batch takes a microsecond per call.
pub fn proper(message: HostMessage) -> SuiteMessage {
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

/// The value of the parameter `size`.
pub fn size(open: &Open) -> f64 {
    match open.arguments.get("size") {
        Some(Argument::Number(value)) => *value,
        _ => 0.0,
    }
}

/// The requested samples.
pub fn samples(order: &Collect) -> Samples {
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
pub fn suite() -> Suite {
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
