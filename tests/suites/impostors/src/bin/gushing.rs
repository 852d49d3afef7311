//! Responds to `open` with one endless line.

use std::io::{Write, stdout};

use benchbook_contract::protocol::HostMessage;

fn main() {
    impostors::converse(|message| match message {
        HostMessage::Open(_) => {
            while stdout().write_all(&[b'x'; 1 << 16]).is_ok() {}
            Vec::new()
        }
        other => vec![impostors::proper(other)],
    });
}
