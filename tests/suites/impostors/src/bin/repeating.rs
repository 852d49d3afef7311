//! Sends each reply twice, except the catalog and the clock's samples.

use benchbook_contract::protocol::{LaneTarget, SuiteMessage};

fn main() {
    impostors::converse(|message| {
        let reply = impostors::proper(message);
        let once = match &reply {
            SuiteMessage::Catalog { .. } => true,
            SuiteMessage::Samples(samples) => samples.target == LaneTarget::Clock,
            _ => false,
        };
        if once { vec![reply] } else { vec![reply.clone(), reply] }
    });
}
