//! A correct suite: a catalog with one function, and a clock. A fuzz test damages its replies.

use benchbook_contract::catalog::Suite;
use benchbook_contract::protocol::{
    Collect, HostMessage, Interleave, InterleaveReply, LaneTarget, OpenReply, PROTOCOL, Samples, SuiteMessage,
};
use serde_json::json;

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
            preparation: 10.0,
        }),
        HostMessage::Collect(order) => SuiteMessage::Samples(samples(&order)),
        HostMessage::Interleave(order) => SuiteMessage::Interleaved(interleaved(&order)),
        HostMessage::Close { slot } => SuiteMessage::Closed { slot },
    }
}

/// The requested samples; of a check, the hash of the outputs.
fn samples(order: &Collect) -> Samples {
    let is_check = matches!(order.target, LaneTarget::Check(_));
    let elapsed = if is_check { Vec::new() } else { vec![order.calls as f64 * 1_000.0; order.batches as usize] };
    Samples {
        calls: if order.target == LaneTarget::Clock { u64::from(order.batches) } else { order.calls },
        preparation: 5.0,
        held: 8.0,
        hashes: is_check.then(|| vec!["0f".to_owned()]),
        ..Samples::of(order, elapsed)
    }
}

fn interleaved(order: &Interleave) -> InterleaveReply {
    let elapsed = order.turns.iter().map(|lane| order.lanes[*lane].calls as f64 * 1_000.0).collect();
    let held = vec![8.0; order.lanes.len()];
    InterleaveReply { slot: order.slot, elapsed, interrupted: Vec::new(), preparation: 5.0, held, inputs: Vec::new() }
}

/// A suite with one function, `function`, one generator, `sizes`, and one parameter, `size`.
pub(crate) fn suite() -> Suite {
    serde_json::from_value(json!({
        "name": "impostor", "version": "0.1.0",
        "build": {"rustc": "", "target": "", "opt_level": "3", "debug_assertions": false, "target_features": []},
        "functions": [{"path": "function", "signature": "fn function(size: u32)", "docs": "", "file": "lib.rs", "line": 1,
            "generators": ["sizes"]}],
        "generators": [{"path": "sizes", "name": "Sizes", "docs": "", "mode": "fresh", "parameters": [
            {"name": "size", "description": "How badly.", "type": "integer", "of": "u32", "min": 0, "max": 20, "step": 1,
                "default": {"low": 0, "high": 20}, "scale": "linear", "axis": true}]}],
    }))
    .expect("it is a suite")
}
