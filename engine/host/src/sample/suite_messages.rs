//! The message that opens a workload, and checks of a suite's replies.

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

/// The reason for a failed point if a reply does not match its request.
pub(super) const UNEXPECTED: &str = "the suite sent a reply that does not match the request";

/// The reason for a failed point if a reply contains a time beyond 30 years, or if times are below 0 again and again.
pub(super) const INVALID_TIME: &str = "the suite reported an invalid time";

/// Whether the clock was set back during a batch: then its time is below 0, and meaningless.
pub(super) fn was_set_back(elapsed: f64) -> bool {
    elapsed.is_finite() && elapsed < 0.0
}

/// For each of `batches`, whether the suite lists it as interrupted; `None` if it lists a batch that does not exist.
pub(super) fn interruption_flags(interrupted: &[u32], batches: usize) -> Option<Vec<bool>> {
    let mut flags = vec![false; batches];
    for &batch in interrupted {
        *flags.get_mut(batch as usize)? = true;
    }
    Some(flags)
}
