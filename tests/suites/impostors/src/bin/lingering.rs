//! Exits above 0 and leaves behind a process that holds its pipes.

use std::process::{Command, exit};

use benchbook_contract::protocol::HostMessage;

fn main() {
    impostors::converse(|message| {
        if let HostMessage::Open(open) = &message
            && impostors::size(open) > 0.0
        {
            // If it fails, nothing holds the pipes, and the test passes for another reason.
            let holder = Command::new("sleep").arg("1000").spawn();
            exit(if holder.is_ok() { 7 } else { 8 });
        }
        vec![impostors::proper(message)]
    });
}
