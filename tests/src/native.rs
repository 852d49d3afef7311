//! The host of a native suite, line by line. Where a test is not about the lines, `benchbook_host::child` is what drives it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use tempfile::TempDir;

/// How long an answer may take; a busy machine included.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running suite. Dropping it kills it.
pub struct NativeChild {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
    /// Its files, deleted once it has ended.
    _scratch: Option<TempDir>,
}

impl NativeChild {
    /// Starts an executable.
    ///
    /// # Errors
    /// Where it can't be started.
    pub fn start(program: &Path) -> Result<Self> {
        Self::start_by(Command::new(program))
    }

    /// Starts an executable in other surroundings.
    ///
    /// # Errors
    /// Where it can't be started.
    pub fn start_by(command: Command) -> Result<Self> {
        let scratch = tempfile::tempdir().context("making a folder for its files")?;
        let mut child = Self::start_with(command, scratch.path())?;
        child._scratch = Some(scratch);
        Ok(child)
    }

    /// Starts an executable, and tells it where to put its files.
    ///
    /// # Errors
    /// Where it can't be started.
    pub fn start_in(program: &Path, scratch: &Path) -> Result<Self> {
        Self::start_with(Command::new(program), scratch)
    }

    fn start_with(mut command: Command, scratch: &Path) -> Result<Self> {
        command.env("BENCHBOOK_SCRATCH", scratch);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().with_context(|| format!("starting {command:?}"))?;
        let output = BufReader::new(child.stdout.take().context("the pipe was asked for")?);
        let (sender, answers) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let input = child.stdin.take();
        Ok(Self { child, input, answers, _scratch: None })
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Hands over a message.
    ///
    /// # Errors
    /// Where the suite has ended.
    pub fn tell(&mut self, message: &str) -> Result<()> {
        let input = self.input.as_mut().context("its input is closed")?;
        Ok(input.write_all(format!("{message}\n").as_bytes())?)
    }

    /// The next line that it answers.
    ///
    /// # Errors
    /// Where it has ended, or says nothing for a minute.
    pub fn answer(&mut self) -> Result<String> {
        self.answers.recv_timeout(PATIENCE).context("it answered nothing")
    }

    /// Closes its input: it runs its last hooks and ends. What it said that nobody took comes back, and its status.
    ///
    /// # Errors
    /// Where its status can't be known.
    pub fn finish(mut self) -> Result<(Vec<String>, ExitStatus)> {
        self.input = None;
        let mut rest = Vec::new();
        while let Ok(line) = self.answers.recv_timeout(PATIENCE) {
            rest.push(line);
        }
        Ok((rest, self.child.wait()?))
    }
}

impl Drop for NativeChild {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
