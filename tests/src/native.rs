//! A host that exchanges single lines with a native suite. Tests that don't depend on the lines use `benchbook_host::child`.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use tempfile::TempDir;

/// The time limit for a reply, generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A running suite. Dropping it kills it.
pub struct NativeChild {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// The suite's scratch folder, deleted after the suite has ended.
    _scratch: Option<TempDir>,
}

impl NativeChild {
    /// Starts an executable.
    pub fn start(program: &Path) -> Result<Self> {
        Self::start_command(Command::new(program))
    }

    /// Starts a suite by a prepared command, for instance with environment variables.
    pub fn start_command(command: Command) -> Result<Self> {
        let scratch = tempfile::tempdir().context("failed to create a scratch folder")?;
        let mut child = Self::start_with(command, scratch.path())?;
        child._scratch = Some(scratch);
        Ok(child)
    }

    /// Starts an executable with this scratch folder.
    pub fn start_in(program: &Path, scratch: &Path) -> Result<Self> {
        Self::start_with(Command::new(program), scratch)
    }

    fn start_with(mut command: Command, scratch: &Path) -> Result<Self> {
        command.env("BENCHBOOK_HOST", "4").env("BENCHBOOK_SCRATCH", scratch);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().with_context(|| format!("failed to start {command:?}"))?;
        let output = BufReader::new(child.stdout.take().context("standard output is not piped (this is a bug)")?);
        let (sender, lines) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let input = child.stdin.take();
        Ok(Self { child, input, lines, _scratch: None })
    }

    /// The process ID.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a message.
    pub fn send(&mut self, message: &str) -> Result<()> {
        let input = self.input.as_mut().context("standard input is open")?;
        Ok(input.write_all(format!("{message}\n").as_bytes())?)
    }

    /// Returns the next line of standard output.
    pub fn receive(&mut self) -> Result<String> {
        self.lines.recv_timeout(TIMEOUT).context("no reply")
    }

    /// Closes standard input, so that the suite runs its last hooks and exits. Returns the remaining lines and the exit
    /// status.
    pub fn finish(mut self) -> Result<(Vec<String>, ExitStatus)> {
        self.input = None;
        let mut rest = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(TIMEOUT) {
            rest.push(line);
        }
        Ok((rest, self.child.wait()?))
    }
}

impl Drop for NativeChild {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
