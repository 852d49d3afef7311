//! Sends each reply twice, except the catalog and the clock's samples.

use benchbook_contract::protocol::{SuiteMessage, Target};

fn main() {
    impostors::converse(|message| {
        let answer = impostors::proper(message);
        let once = match &answer {
            SuiteMessage::Catalog { .. } => true,
            SuiteMessage::Samples(samples) => samples.target == Target::Clock,
            _ => false,
        };
        if once { vec![answer] } else { vec![answer.clone(), answer] }
    });
}
