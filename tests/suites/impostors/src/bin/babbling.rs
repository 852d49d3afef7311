//! Responds to `open` with an endless sequence of unrequested messages.

use benchbook_contract::protocol::{HostMessage, SuiteMessage};

fn main() {
    impostors::converse(|message| match message {
        HostMessage::Open(_) => loop {
            impostors::say(&SuiteMessage::Closed { slot: 0 });
        },
        other => vec![impostors::proper(other)],
    });
}
