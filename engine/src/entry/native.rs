//! The native face: messages on standard input, answers on what was standard output at the start.

use std::fs::File;
use std::io::{self, BufRead, IsTerminal, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};

use crate::catalog::Suite;
use crate::entry::peer::{Peer, Scratch, panicked};
use crate::entry::{Identity, allocator};

/// Names the folder in which the host wants scratch folders; without it they go to the system's temporary folder.
pub const SCRATCH_VARIABLE: &str = "BENCHBOOK_SCRATCH";

/// The exit code after a panic, the same as that of a Rust program that panics.
const PANICKED: i32 = 101;

/// Where answers go.
static ANSWERS: OnceLock<File> = OnceLock::new();
/// The message of the last panic, until it has unwound as far as the suite's loop: what a function catches itself is
/// its own affair.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Runs the executable: the protocol where a host is at the other end, help and the catalog where a person is.
pub fn run(identity: Identity, memory_bound: u64) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut peer = Peer::new(identity, Box::new(Folders::new(identity.name)));
    if !arguments.is_empty() || io::stdin().is_terminal() {
        return terminal(&peer, identity, &arguments);
    }
    allocator::set_bound(memory_bound);
    panic::set_hook(Box::new(|info| {
        eprintln!("{info}");
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = Some(panicked(info));
        }
    }));
    let answers = ANSWERS.get_or_init(redirect_standard_output);
    if let Err(error) = serve(&mut peer, answers) {
        eprintln!("{}: the host is gone: {error}", identity.name);
        std::process::exit(1);
    }
}

/// Answers line by line until the input ends.
fn serve(peer: &mut Peer, mut answers: &File) -> io::Result<()> {
    for line in io::stdin().lock().lines() {
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

/// Keeps what is standard output now for the answers, and points descriptor 1 at standard error: what a measured
/// function prints harms nothing.
#[cfg(unix)]
fn redirect_standard_output() -> File {
    let kept = rustix::io::dup(rustix::stdio::stdout()).expect("standard output is open");
    rustix::stdio::dup2_stdout(rustix::stdio::stderr()).expect("standard error is open");
    File::from(kept)
}

/// Elsewhere the answers share standard output with whatever is printed.
#[cfg(windows)]
fn redirect_standard_output() -> File {
    use std::os::windows::io::AsHandle;
    File::from(io::stdout().as_handle().try_clone_to_owned().expect("standard output is open"))
}

/// Sends a line from inside the allocator: without allocating and without a lock.
pub(crate) fn send_from_allocator(line: &[u8]) {
    if let Some(mut answers) = ANSWERS.get() {
        // Nothing can be done about a host that is gone.
        let _ = answers.write_all(line).and_then(|()| answers.write_all(b"\n"));
    }
}

/// Scratch folders below one of the process's own.
struct Folders {
    parent: PathBuf,
}

impl Folders {
    fn new(suite: &str) -> Self {
        let parent = std::env::var_os(SCRATCH_VARIABLE).map_or_else(std::env::temp_dir, PathBuf::from);
        Self { parent: parent.join(format!("benchbook-{suite}-{}", std::process::id())) }
    }

    fn of(&self, slot: u32) -> PathBuf {
        self.parent.join(slot.to_string())
    }
}

impl Scratch for Folders {
    fn make(&mut self, slot: u32) -> Option<PathBuf> {
        let folder = self.of(slot);
        std::fs::create_dir_all(&folder).ok()?;
        Some(folder)
    }

    fn remove(&mut self, slot: u32) {
        // What cannot be removed now goes with the host's own folder.
        let _ = std::fs::remove_dir_all(self.of(slot));
        let _ = std::fs::remove_dir(&self.parent);
    }
}

/// What a person sees who runs the executable.
fn terminal(peer: &Peer, identity: Identity, arguments: &[String]) {
    let unknown = arguments.iter().find(|argument| !matches!(argument.as_str(), "-h" | "--help" | "list"));
    if let Some(unknown) = unknown {
        eprintln!("{}: there is no argument `{unknown}`; try --help", identity.name);
        std::process::exit(2);
    }
    println!("{}", help(identity));
    match peer.declared() {
        Ok(declared) => println!("{}", table(&declared.catalog())),
        Err(reason) => {
            eprintln!("{}: {reason}", identity.name);
            std::process::exit(1);
        }
    }
}

fn help(identity: Identity) -> String {
    let Identity { name, version, .. } = identity;
    format!(
        "{name} {version}, a Benchbook suite.\n\
         \n\
         A host (the notebook's runner) starts this program and speaks the suite contract over standard input and\n\
         output: one JSON message a line. To see it answer:\n\
         \n    echo '{{\"type\":\"describe\",\"protocol\":1}}' | {name}\n\
         \nTo measure its functions, open the notebook. Its functions are:\n"
    )
}

/// Functions in a column, what they take beside it.
fn table(suite: &Suite) -> String {
    let width = suite.functions.iter().map(|function| function.path.len()).max().unwrap_or(0);
    let row = |function: &crate::catalog::Function| {
        let summary = function.docs.lines().next().unwrap_or("");
        let native = if function.native { " (native only)" } else { "" };
        let generators = function.generators.join(", ");
        format!("    {:width$}  {summary}{native}\n    {:width$}  from {generators}\n", function.path, "")
    };
    suite.functions.iter().map(row).collect()
}
