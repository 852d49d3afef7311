//! Interruptions of a check, such as Ctrl-C.

use std::process;

/// From now on, an interruption ends the program with this exit status. The results of completed measurements are stored already, and the processes
/// of the current one end with this program.
pub(super) fn exit_with(status: u8) {
    let handler = move || {
        anstream::eprintln!("\ninterrupted. The results of any completed measurements can be accepted");
        process::exit(status.into());
    };
    // Without a handler, an interruption ends the program with another status.
    if let Err(error) = ctrlc::set_handler(handler) {
        anstream::eprintln!("warning: interruptions cannot be handled: {error}");
    }
}
