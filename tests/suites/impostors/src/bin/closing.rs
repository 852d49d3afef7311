//! Responds to `open` by closing standard output and standard error, but does not exit.

use std::fs::File;

use benchbook_contract::protocol::HostMessage;
use rustix::stdio;

fn main() {
    impostors::converse(|message| match message {
        HostMessage::Open(_) => {
            let null = File::options().write(true).open("/dev/null").expect("/dev/null can be opened");
            stdio::dup2_stdout(&null).expect("standard output is open");
            stdio::dup2_stderr(&null).expect("standard error is open");
            loop {
                std::thread::park();
            }
        }
        other => vec![impostors::proper(other)],
    });
}
