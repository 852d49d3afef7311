//! A correct suite of the previous version of the contract. It rejects messages of a later one.

use benchbook_contract::parameter::{Argument, Range};
use benchbook_contract::protocol::{FailureStage, HostMessage, OLDEST_PROTOCOL, RequestFailure, SuiteMessage};

fn main() {
    impostors::converse(|message| match &message {
        HostMessage::Describe { .. } => {
            vec![SuiteMessage::Catalog { protocol: OLDEST_PROTOCOL, suite: impostors::suite() }]
        }
        HostMessage::Open(open) if !is_of_version_3(open.arguments.get("size"), open.axis) => {
            let reason = "expected a range as the argument of the axis, and its value".to_owned();
            let failure =
                RequestFailure { slot: Some(open.slot), stage: FailureStage::Request, reason, location: None };
            vec![SuiteMessage::Failed(failure)]
        }
        _ => vec![impostors::proper(message)],
    });
}

fn is_of_version_3(size: Option<&Argument>, axis: Option<f64>) -> bool {
    matches!((size, axis), (Some(Argument::Range(Range { low, high })), Some(axis)) if (*low..=*high).contains(&axis))
}
