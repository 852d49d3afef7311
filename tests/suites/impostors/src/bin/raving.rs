//! Responds to `open` with incomplete JSON.

use benchbook_contract::protocol::HostMessage;

fn main() {
    impostors::converse(|message| match message {
        HostMessage::Open(_) => {
            eprintln!("I am not well");
            println!("{{\"type\":\"opened\",");
            Vec::new()
        }
        other => vec![impostors::proper(other)],
    });
}
