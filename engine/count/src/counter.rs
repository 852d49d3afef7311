//! Counts in a child process, which can be killed.
//!
//! The child is this program once more. It reads the counting module and then a message `open` per line, and writes a line of counts for each.

use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use benchbook_contract::protocol::Open;
use benchbook_host::response::WasmCounts;

use crate::interpreter::Interpreter;

/// The first argument of a child. Users never type it.
const ARGUMENT: &str = "run-as-counter";

/// How long the child may take to read the counting module.
const START: Duration = Duration::from_secs(60);

/// A counting module, and the child process that executes it.
#[derive(Debug)]
pub struct Counter {
    module: Vec<u8>,
    /// Absent before the first count, and after one that was ended.
    process: Option<CounterProcess>,
}

/// A child process. Dropping it kills it.
#[derive(Debug)]
struct CounterProcess {
    child: Child,
    requests: ChildStdin,
    replies: Receiver<String>,
}

impl Counter {
    /// `module`: the contents of a file such as `sorts.counted.wasm`.
    pub fn new(module: Vec<u8>) -> Self {
        Self { module, process: None }
    }

    /// Counts the calls of the only function of `open`; `None` if that takes longer than `limit`. If the child fails, the next count starts a new
    /// one.
    pub fn count(&mut self, open: &Open, limit: Duration) -> Option<WasmCounts> {
        self.try_count(open, limit).unwrap_or_else(|error| Some(WasmCounts::Failed(format!("{error:#}"))))
    }

    fn try_count(&mut self, open: &Open, limit: Duration) -> Result<Option<WasmCounts>> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => CounterProcess::start(&self.module)?,
        };
        let sent = writeln!(process.requests, "{}", serde_json::to_string(open)?);
        let counts = match process.replies.recv_timeout(limit) {
            Ok(line) => serde_json::from_str(&line)
                .with_context(|| format!("the process that counts sent `{line}` (this is a bug)"))?,
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(RecvTimeoutError::Disconnected) => sent
                .and(Err(io::Error::from(io::ErrorKind::UnexpectedEof)))
                .context("the process that counts ended early. Choose smaller inputs, or free some memory")?,
        };
        self.process = Some(process);
        Ok(Some(counts))
    }
}

impl CounterProcess {
    fn start(module: &[u8]) -> Result<Self> {
        let mut command = Command::new(env::current_exe()?);
        let mut child = command.arg(ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let requests = child.stdin.take().context("the child has no standard input")?;
        let stdout = child.stdout.take().context("the child has no standard output")?;
        let (sender, replies) = channel();
        thread::Builder::new().name("counts".to_owned()).spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        })?;
        let mut process = Self { child, requests, replies };
        // A child that ends early explains that on its output.
        let sent = writeln!(process.requests, "{}", module.len()).and_then(|()| process.requests.write_all(module));
        match process.replies.recv_timeout(START) {
            Ok(line) if line.is_empty() => sent.map(|()| process).context("failed to send the counting module"),
            Ok(line) => Err(anyhow!(line)),
            Err(RecvTimeoutError::Timeout) => {
                bail!("the process that counts did not start within {} s", START.as_secs())
            }
            Err(RecvTimeoutError::Disconnected) => bail!("the process that counts ended while it started"),
        }
    }
}

impl Drop for CounterProcess {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Counts for another process if this one was started for that: then `main` has nothing else to do.
pub fn count_if_requested() -> bool {
    let is_requested = env::args_os().nth(1).is_some_and(|argument| argument == ARGUMENT);
    if is_requested && let Err(error) = serve(io::stdin().lock(), &mut io::stdout().lock()) {
        // Nobody may be listening any more.
        let _ = writeln!(io::stdout(), "{error:#}");
    }
    is_requested
}

/// Replies an empty line once the counting module is ready, and then a line to each line.
fn serve(mut requests: impl BufRead, replies: &mut impl Write) -> Result<()> {
    let mut length = String::new();
    requests.read_line(&mut length)?;
    let mut module = Vec::new();
    let length: u64 = length.trim().parse().context("the counting module has no length")?;
    requests.by_ref().take(length).read_to_end(&mut module)?;
    ensure!(module.len() as u64 == length, "the counting module is incomplete");
    let interpreter = Interpreter::new(&module)?;
    writeln!(replies)?;
    for line in requests.lines() {
        let open: Open = serde_json::from_str(&line?)?;
        writeln!(replies, "{}", serde_json::to_string(&interpreter.count(&open))?)?;
        replies.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_module_is_an_error() {
        for (input, expected) in [
            (&b"5\nother"[..], "the module is invalid"),
            (b"9\nother", "the counting module is incomplete"),
            (b"many\n", "the counting module has no length"),
            (b"8\n\0asm\x01\0\0\0", "the module does not count"),
        ] {
            let error = serve(input, &mut Vec::new()).unwrap_err();
            assert!(format!("{error:#}").contains(expected), "{error:#}");
        }
    }
}
