//! Speaks a later version of the protocol.

use benchbook::protocol::{PROTOCOL, SuiteMessage};

fn main() {
    impostors::converse(|_| vec![SuiteMessage::Catalog { protocol: PROTOCOL + 1, suite: impostors::suite() }]);
}
