//! The message that opens a point's workload.

use crate::request::Plan;
use crate::sample::version_3;
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::protocol::{HostMessage, Open};

/// Opens the workload of `functions` at an axis value, for a suite of this version of the contract.
pub(super) fn open_request(
    plan: &Plan,
    protocol: u32,
    slot: u32,
    functions: Vec<String>,
    x: &AxisValue,
) -> HostMessage {
    let request = plan.request();
    let open = Open {
        slot,
        functions,
        generator: request.generator.clone(),
        arguments: plan.arguments_at(x),
        axis: None,
        seed: plan.seed(),
        priority: request.priority.number(),
    };
    HostMessage::Open(if protocol == 3 { version_3::open(open, plan.axis_name()) } else { open })
}
