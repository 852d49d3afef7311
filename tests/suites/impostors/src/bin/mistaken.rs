//! Reports one batch too few for every target except the clock.

use benchbook_contract::protocol::{SuiteMessage, Target};

fn main() {
    impostors::converse(|message| match impostors::proper(message) {
        SuiteMessage::Samples(mut samples) if samples.target != Target::Clock => {
            samples.elapsed.pop();
            vec![SuiteMessage::Samples(samples)]
        }
        other => vec![other],
    });
}
