//! Once something is opened, says without end what nobody asked for.

use benchbook_contract::protocol::{HostMessage, SuiteMessage};

fn main() {
    impostors::converse(|message| match message {
        HostMessage::Open(_) => loop {
            impostors::say(&SuiteMessage::Closed { slot: 0 });
        },
        other => vec![impostors::proper(other)],
    });
}
