//! Reports a later version of the protocol.

use benchbook::protocol::{PROTOCOL, SuiteMessage};

fn main() {
    let catalog = || SuiteMessage::Catalog { protocol: PROTOCOL + 1, suite: impostors::suite(), unguarded: None };
    impostors::converse(|_| vec![catalog()]);
}
