//! The entry point of the native target: receives messages of a host on standard input and replies on standard output, or carries out
//! a command of a user or of cargo.

mod command_line;
mod function_filter;
mod once;
pub(crate) mod pipes;
mod profile;
mod scratch;
mod terminal;
mod workload_request;

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Lines, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;

use crate::entry::peer::{Peer, line_of, panic_message, parse, rejection};
use crate::identity::Identity;
use crate::memory;
use benchbook_contract::environment::HOST_VARIABLE;
use benchbook_contract::protocol::{HostMessage, SuiteMessage};
use command_line::SuiteCommand;
pub use function_filter::FunctionFilter;
use pipes::Pipes;
use profile::ProfileOptions;
use scratch::ScratchFolders;

/// The exit code after a panic: that of any Rust program that panics.
const PANIC_EXIT_CODE: i32 = 101;

/// The exit code after invalid arguments.
const USAGE_EXIT_CODE: i32 = 2;

/// The error of a suite that contains no host.
const NO_HOST: &str = "\
this executable cannot measure by itself. Measure its functions with `cargo benchbook measure`, or enable the default feature `terminal` of the \
dependency `benchbook`";

/// The message of the last panic. It is sent only if the panic unwinds to the suite's loop, since functions may catch
/// panics.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Measures the functions that a filter selects, and prints their figures. A suite that contains a host has one.
///
/// # Errors
/// Says why they cannot be measured.
pub type MeasureFunctions = fn(&FunctionFilter) -> Result<(), String>;

/// Runs the executable: serves the host that has started it, or carries out a user's command. `measure`: absent if the suite
/// contains no host.
pub fn run(identity: Identity, memory_bound: u64, measure: Option<MeasureFunctions>) {
    let mut peer = Peer::new(identity, Box::new(ScratchFolders::new(identity.name)));
    if env::var_os(HOST_VARIABLE).is_some() {
        memory::set_bound(memory_bound);
        return serve_host(&mut peer, identity);
    }
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let outcome = match ProfileOptions::in_arguments(&arguments) {
        Some(options) => {
            options.and_then(|options| options.run(&mut peer)).map_err(|problem| (problem, USAGE_EXIT_CODE))
        }
        None => SuiteCommand::parse(arguments)
            .map_err(|problem| (format!("{problem}; see --help"), USAGE_EXIT_CODE))
            .and_then(|command| carry_out(&command, &mut peer, identity, memory_bound, measure)),
    };
    if let Err((problem, exit_code)) = outcome {
        eprintln!("{}: {problem}", identity.name);
        std::process::exit(exit_code);
    }
}

/// Carries out a command. The error contains the exit code.
fn carry_out(
    command: &SuiteCommand,
    peer: &mut Peer,
    identity: Identity,
    memory_bound: u64,
    measure: Option<MeasureFunctions>,
) -> Result<(), (String, i32)> {
    let suite = peer.catalog(&[]).map_err(|reason| (reason, 1))?;
    terminal::print_notes(&suite);
    match command {
        SuiteCommand::Help => terminal::print_help(identity, &suite),
        SuiteCommand::List { filter, is_terse } => terminal::print_list(&suite, filter, *is_terse),
        SuiteCommand::RunOnce(filter) => {
            memory::set_bound(memory_bound);
            if !once::run(peer, &suite, filter) {
                std::process::exit(PANIC_EXIT_CODE);
            }
        }
        SuiteCommand::Measure(filter) => {
            let measure = measure.ok_or_else(|| (NO_HOST.to_owned(), 1))?;
            measure(filter).map_err(|problem| (problem, 1))?;
        }
    }
    Ok(())
}

/// Serves the host until it closes its end of the pipe.
fn serve_host(peer: &mut Peer, identity: Identity) {
    panic::set_hook(Box::new(|info| {
        eprintln!("{info}");
        if cfg!(panic = "abort") {
            // Nothing runs after this hook.
            pipes::send_at_once(panic_message(info).as_bytes());
        } else if let Ok(mut last) = LAST_PANIC.lock() {
            *last = Some(panic_message(info));
        }
    }));
    if let Err(error) = pipes::take().and_then(|pipes| serve(peer, pipes)) {
        eprintln!("{}: lost the connection to the host: {error}", identity.name);
        std::process::exit(1);
    }
}

/// Replies to each line until the input ends.
fn serve(peer: &mut Peer, Pipes { messages, replies }: &'static Pipes) -> io::Result<()> {
    let mut connection = HostConnection { lines: BufReader::new(messages).lines(), replies, error: None };
    if let Some(first) = connection.receive()? {
        let served = panic::catch_unwind(AssertUnwindSafe(|| {
            peer.handle_all(first, &mut |reply| connection.exchange(&reply));
        }));
        if served.is_err() {
            let message = LAST_PANIC.lock().ok().and_then(|mut last| last.take()).unwrap_or_default();
            connection.send_line(&message)?;
            // The process's state is unreliable after a panic, but `after_all` hooks may clean up.
            let _ = panic::catch_unwind(AssertUnwindSafe(|| peer.close_all()));
            std::process::exit(PANIC_EXIT_CODE);
        }
    }
    peer.close_all();
    connection.error.map_or(Ok(()), Err)
}

/// The pipes to the host, with messages instead of lines.
struct HostConnection {
    lines: Lines<BufReader<&'static File>>,
    replies: &'static File,
    /// Why the last exchange failed.
    error: Option<io::Error>,
}

impl HostConnection {
    /// Sends a reply and waits for the next message. `None` at the end of the input, or if the exchange fails.
    fn exchange(&mut self, reply: &SuiteMessage) -> Option<HostMessage> {
        let message = self.send_line(&line_of(reply)).and_then(|()| self.receive());
        message.unwrap_or_else(|error| {
            self.error = Some(error);
            None
        })
    }

    /// Waits for the next message, and rejects invalid lines. `None` at the end of the input.
    fn receive(&mut self) -> io::Result<Option<HostMessage>> {
        while let Some(line) = self.lines.next() {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            match parse(&line) {
                Ok(message) => return Ok(Some(message)),
                Err(reason) => self.send_line(&line_of(&rejection(None, reason)))?,
            }
        }
        Ok(None)
    }

    fn send_line(&mut self, line: &str) -> io::Result<()> {
        self.replies.write_all(format!("{line}\n").as_bytes())
    }
}
