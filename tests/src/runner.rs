//! The real runner, `benchbook-server`, on loopback.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use reqwest::{Client, Method, RequestBuilder};
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::suites::program;

/// The time limit for the start and the end of the process.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The start of the line with the runner's address on standard output.
const LISTENS: &str = "The runner is at ";

/// A running runner. Dropping it kills it.
pub struct RunnerProgram {
    child: Child,
    url: String,
    /// The lines of standard error, which is the log.
    log: Receiver<String>,
    /// The lines of standard output after the one with the address.
    output: Receiver<String>,
    client: Client,
    /// The folder of the database, unless the caller has chosen one.
    folder: Option<TempDir>,
}

impl RunnerProgram {
    /// Starts a runner on a free port, with a new database. If it exits at once, the error contains its log.
    pub fn start(suites: &[&Path], arguments: &[&str]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut runner = Self::start_at(&folder.path().join("results.sqlite"), suites, arguments)?;
        runner.folder = Some(folder);
        Ok(runner)
    }

    /// Starts a runner with this database, on a free port unless the arguments contain one.
    pub fn start_at(database: &Path, suites: &[&Path], arguments: &[&str]) -> Result<Self> {
        Self::start_command(command()?, database, suites, arguments)
    }

    /// As [`RunnerProgram::start_at`], but the process ignores a signal, such as `XFSZ`.
    pub fn start_ignoring(signal: &str, database: &Path, suites: &[&Path], arguments: &[&str]) -> Result<Self> {
        let program = command()?;
        // `exec` keeps ignored signals.
        let mut shell = Command::new("sh");
        shell
            .stdin(Stdio::null())
            .args(["-c", &format!("trap '' {signal}; exec \"$0\" \"$@\"")])
            .arg(program.get_program());
        for (name, _) in program.get_envs() {
            shell.env_remove(name);
        }
        Self::start_command(shell, database, suites, arguments)
    }

    /// As [`RunnerProgram::start_at`], by a prepared command such as [`command`] with another environment.
    pub fn start_command(mut command: Command, database: &Path, suites: &[&Path], arguments: &[&str]) -> Result<Self> {
        if !arguments.contains(&"--port") {
            command.args(["--port", "0"]);
        }
        command.arg("--database").arg(database).args(arguments);
        for suite in suites {
            command.arg("--suite").arg(suite);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let log = lines(child.stderr.take().context("standard error is piped")?);
        let output = lines(child.stdout.take().context("standard output is not piped (this is a bug)")?);
        let start = std::time::Instant::now();
        let url = loop {
            match output.recv_timeout(TIMEOUT.saturating_sub(start.elapsed())) {
                Ok(line) => {
                    if let Some(url) = line.strip_prefix(LISTENS) {
                        break url.trim_end_matches('/').to_owned();
                    }
                }
                Err(_) => {
                    let _ = child.kill();
                    let status = child.wait()?;
                    let log: Vec<String> = log.iter().collect();
                    bail!("the runner does not listen ({status}): {}", log.join("\n"));
                }
            }
        };
        Ok(Self { child, url, log, output, client: Client::new(), folder: None })
    }

    /// The runner's address, without a trailing slash.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A GET request to the API.
    pub fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path)
    }

    /// A POST request to the API.
    pub fn post(&self, path: &str) -> RequestBuilder {
        self.request(Method::POST, path)
    }

    /// A request to the API by any method.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}/api/v1/{path}", self.url))
    }

    /// The process ID.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills the process without warning, as a power cut would. The database remains as long as `self` lives.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Suspends the process: its connections stay open but become silent, as if a cable were pulled.
    #[cfg(unix)]
    pub fn suspend(&self) -> Result<()> {
        use rustix::process::{Pid, Signal, kill_process};
        Ok(kill_process(Pid::from_child(&self.child), Signal::STOP)?)
    }

    /// Ends the process by SIGTERM and returns its exit status and its log.
    #[cfg(unix)]
    pub fn terminate(self) -> Result<(ExitStatus, Vec<String>)> {
        self.end_with(Signal::TERM)
    }

    /// As [`RunnerProgram::terminate`], by any signal.
    #[cfg(unix)]
    pub fn end_with(mut self, signal: Signal) -> Result<(ExitStatus, Vec<String>)> {
        kill_process(Pid::from_child(&self.child), signal)?;
        // The log ends when the process does.
        let mut log = Vec::new();
        let start = std::time::Instant::now();
        while let Ok(line) = self.log.recv_timeout(TIMEOUT.saturating_sub(start.elapsed())) {
            log.push(line);
        }
        if start.elapsed() >= TIMEOUT {
            bail!("the runner has not ended within {TIMEOUT:?}");
        }
        Ok((self.child.wait()?, log))
    }

    /// Waits for a line of the log that contains `text`.
    pub fn wait_for_log(&self, text: &str) -> Result<String> {
        next_with(&self.log, text).with_context(|| format!("the log does not contain `{text}`"))
    }

    /// Waits for a line of standard output that contains `text`.
    pub fn wait_for_output(&self, text: &str) -> Result<String> {
        next_with(&self.output, text).with_context(|| format!("the output does not contain `{text}`"))
    }
}

impl Drop for RunnerProgram {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The runner's command, without Benchbook's environment variables and without standard input.
pub fn command() -> Result<Command> {
    let mut command = Command::new(path()?);
    command.stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("BENCHBOOK_") {
            command.env_remove(name);
        }
    }
    Ok(command)
}

/// The path of the runner's executable, built with the profile of the caller.
pub fn path() -> Result<PathBuf> {
    program("benchbook-server", if cfg!(debug_assertions) { "dev" } else { "release" })
}

fn next_with(lines: &Receiver<String>, text: &str) -> Result<String> {
    let start = std::time::Instant::now();
    loop {
        let line = lines.recv_timeout(TIMEOUT.saturating_sub(start.elapsed()))?;
        if line.contains(text) {
            return Ok(line);
        }
    }
}

fn lines(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            // Reads on after the receiver is dropped: a full pipe would block the process.
            let _ = sender.send(line);
        }
    });
    lines
}
