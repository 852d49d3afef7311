//! The entry point of the native target: messages on what was standard input at the start, answers on what was standard output.

mod guard;
pub(crate) mod pipes;
mod scratch;
mod terminal;

use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;

use crate::entry::peer::{Peer, panicked};
use crate::identity::Identity;
use crate::memory;
use pipes::Pipes;
use scratch::Folders;

/// The exit code after a panic, the same as that of a Rust program that panics.
const PANICKED: i32 = 101;

/// The message of the last panic, until it has unwound as far as the suite's loop: what a function catches itself is
/// its own affair.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Runs the executable: the protocol where a host is at the other end, help and the catalog where a person is.
pub fn run(identity: Identity, memory_bound: u64) {
    let unguarded = guard::take_on();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut peer = Peer::new(identity, Box::new(Folders::new(identity.name))).living_without(unguarded);
    if !arguments.is_empty() || io::stdin().is_terminal() {
        return terminal::run(&peer, identity, &arguments);
    }
    memory::set_bound(memory_bound);
    panic::set_hook(Box::new(|info| {
        eprintln!("{info}");
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = Some(panicked(info));
        }
    }));
    if let Err(error) = pipes::take().and_then(|pipes| serve(&mut peer, pipes)) {
        eprintln!("{}: the host is gone: {error}", identity.name);
        std::process::exit(1);
    }
}

/// Answers line by line until the input ends.
fn serve(peer: &mut Peer, Pipes { messages, mut answers }: Pipes) -> io::Result<()> {
    for line in BufReader::new(messages).lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        match panic::catch_unwind(AssertUnwindSafe(|| peer.answer(&line))) {
            Ok(answer) => answers.write_all(format!("{answer}\n").as_bytes())?,
            Err(_) => {
                let message = LAST_PANIC.lock().ok().and_then(|mut last| last.take()).unwrap_or_default();
                answers.write_all(format!("{message}\n").as_bytes())?;
                // Nothing of this process is to be trusted after a panic; last hooks may still clean up.
                let _ = panic::catch_unwind(AssertUnwindSafe(|| peer.forget_all()));
                std::process::exit(PANICKED);
            }
        }
    }
    peer.forget_all();
    Ok(())
}
