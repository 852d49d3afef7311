//! The entry point of the native target: receives messages on standard input and replies on standard output.

pub(crate) mod pipes;
mod profile;
mod scratch;
mod terminal;

use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;

use crate::entry::peer::{Peer, panic_message};
use crate::identity::Identity;
use crate::memory;
use pipes::Pipes;
use scratch::ScratchFolders;

/// The exit code after a panic: that of any Rust program that panics.
const PANIC_EXIT_CODE: i32 = 101;

/// The message of the last panic. It is sent only if the panic unwinds to the suite's loop, since functions may catch
/// panics.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Runs the executable: serves a host or, if standard input is a terminal or there are arguments, profiles a function or prints
/// help and the catalog.
pub fn run(identity: Identity, memory_bound: u64) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut peer = Peer::new(identity, Box::new(ScratchFolders::new(identity.name)));
    if !arguments.is_empty() || io::stdin().is_terminal() {
        return terminal::run(&mut peer, identity, &arguments);
    }
    memory::set_bound(memory_bound);
    panic::set_hook(Box::new(|info| {
        eprintln!("{info}");
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = Some(panic_message(info));
        }
    }));
    if let Err(error) = pipes::take().and_then(|pipes| serve(&mut peer, pipes)) {
        eprintln!("{}: lost the connection to the host: {error}", identity.name);
        std::process::exit(1);
    }
}

/// Replies to each line until the input ends.
fn serve(peer: &mut Peer, Pipes { messages, mut replies }: Pipes) -> io::Result<()> {
    for line in BufReader::new(messages).lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        match panic::catch_unwind(AssertUnwindSafe(|| peer.reply(&line))) {
            Ok(reply) => replies.write_all(format!("{reply}\n").as_bytes())?,
            Err(_) => {
                let message = LAST_PANIC.lock().ok().and_then(|mut last| last.take()).unwrap_or_default();
                replies.write_all(format!("{message}\n").as_bytes())?;
                // The process's state is unreliable after a panic, but `after_all` hooks may clean up.
                let _ = panic::catch_unwind(AssertUnwindSafe(|| peer.close_all()));
                std::process::exit(PANIC_EXIT_CODE);
            }
        }
    }
    peer.close_all();
    Ok(())
}
