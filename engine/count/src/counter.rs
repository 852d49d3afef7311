//! Counts in a child process, which can be ended, and whose memory is limited.
//!
//! The child is this program once more. It reads the counting module and then a message `open` per line, and writes a line of counts for each.

use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use benchbook_contract::protocol::Open;
use benchbook_host::response::WasmCounts;
use benchbook_isolate::{Executable, Guard, Isolation, LaunchRequest, Launcher};

use crate::interpreter::Interpreter;

/// The child's name for itself, by which `main` recognises it.
const NAME: &str = "benchbook-counter";

/// How long the child may take to read the counting module.
const START: Duration = Duration::from_secs(60);

/// A counting module, and the child process that executes it.
#[derive(Debug)]
pub struct Counter {
    module: Vec<u8>,
    guard: Guard,
    isolation: Isolation,
    /// Absent before the first count, and after one that was ended.
    running: Option<Running>,
}

/// A child process. Dropping it ends it.
#[derive(Debug)]
struct Running {
    child: Child,
    requests: ChildStdin,
    replies: Receiver<String>,
}

impl Counter {
    /// `module`: the contents of a file such as `sorts.counted.wasm`.
    pub fn new(module: Vec<u8>) -> Self {
        Self { module, guard: Guard::default(), isolation: Isolation::default(), running: None }
    }

    /// Counts the calls of the only function of `open`; `None` if that takes longer than `limit`.
    ///
    /// # Errors
    /// If the child cannot be started, rejects the counting module, or ends.
    pub fn count(&mut self, open: &Open, limit: Duration) -> Result<Option<WasmCounts>> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&self.module, &self.guard, &self.isolation)?,
        };
        writeln!(running.requests, "{}", serde_json::to_string(open)?)?;
        let counts = match running.replies.recv_timeout(limit) {
            Ok(line) => serde_json::from_str(&line).context("the process that counts sent something else")?,
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(RecvTimeoutError::Disconnected) => bail!("the process that counts ended"),
        };
        self.running = Some(running);
        Ok(Some(counts))
    }
}

impl Running {
    fn start(module: &[u8], guard: &Guard, isolation: &Isolation) -> Result<Self> {
        let request = LaunchRequest {
            executable: Some(Executable::Path(env::current_exe()?)),
            name: NAME.into(),
            guard: guard.clone(),
            isolation: isolation.clone(),
            scratch: None,
        };
        let mut command = Launcher::own_program()?.command(&request)?;
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut requests = child.stdin.take().context("the child has no standard input")?;
        let stdout = child.stdout.take().context("the child has no standard output")?;
        let (sender, replies) = channel();
        thread::Builder::new().name("counts".to_owned()).spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        })?;
        let running = |requests| Self { child, requests, replies };
        // A child that ends early explains that on its output.
        let sent = writeln!(requests, "{}", module.len()).and_then(|()| requests.write_all(module));
        let running = running(requests);
        match running.replies.recv_timeout(START) {
            Ok(line) if line.is_empty() => sent.map(|()| running).context("failed to send the counting module"),
            Ok(line) => Err(anyhow!(line)),
            Err(_) => bail!("the process that counts did not start"),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Counts for another process if this one was started for that: then `main` has nothing else to do.
pub fn count_if_requested() -> bool {
    let is_requested = env::args_os().next().is_some_and(|name| name == NAME);
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
