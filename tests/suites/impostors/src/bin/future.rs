//! Reports a later version of the protocol.

use benchbook_contract::protocol::{PROTOCOL, SuiteMessage};

fn main() {
    let catalog = || SuiteMessage::Catalog { protocol: PROTOCOL + 1, suite: impostors::suite() };
    impostors::converse(|_| vec![catalog()]);
}
