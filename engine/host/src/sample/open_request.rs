//! The message that opens a point's workload.

use crate::request::Plan;
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::protocol::{HostMessage, Open};

/// Opens the workload of `functions` at an axis value.
pub(super) fn open_request(plan: &Plan, slot: u32, functions: Vec<String>, x: &AxisValue) -> HostMessage {
    let request = plan.request();
    HostMessage::Open(Open {
        slot,
        functions,
        generator: request.generator.clone(),
        arguments: plan.arguments_at(x),
        seed: plan.seed(),
        priority: request.priority.number(),
    })
}
