//! Reports one batch too few for every target except the clock.

use benchbook_contract::protocol::{LaneTarget, SuiteMessage};

fn main() {
    impostors::converse(|message| match impostors::proper(message) {
        SuiteMessage::Samples(mut samples) if samples.target != LaneTarget::Clock => {
            samples.elapsed.pop();
            vec![SuiteMessage::Samples(samples)]
        }
        other => vec![other],
    });
}
