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

/// How long it may take to start, and to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// What it says on standard output once it listens, before its address.
const LISTENS: &str = "The runner is at ";

/// A running runner. Dropping it kills it.
pub struct RunnerProgram {
    child: Child,
    url: String,
    /// Lines of standard error, its log, as they come.
    log: Receiver<String>,
    /// Lines of standard output behind that with its address, as they come.
    output: Receiver<String>,
    client: Client,
    /// Where its results are, unless they are elsewhere.
    folder: Option<TempDir>,
}

impl RunnerProgram {
    /// Starts it on a free port, with a database of its own in a new folder.
    ///
    /// # Errors
    /// Where it ends at once: what it said.
    pub fn start(suites: &[&Path], arguments: &[&str]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut runner = Self::start_at(&folder.path().join("results.sqlite"), suites, arguments)?;
        runner.folder = Some(folder);
        Ok(runner)
    }

    /// Starts it with the database at `database`, on a free port unless the arguments say which.
    ///
    /// # Errors
    /// Where it ends at once: what it said.
    pub fn start_at(database: &Path, suites: &[&Path], arguments: &[&str]) -> Result<Self> {
        Self::start_by(command()?, database, suites, arguments)
    }

    /// The same, and a signal does not harm it, such as `XFSZ`, which comes where a file may not grow further.
    ///
    /// # Errors
    /// Where it ends at once: what it said.
    pub fn start_ignoring(signal: &str, database: &Path, suites: &[&Path], arguments: &[&str]) -> Result<Self> {
        let program = command()?;
        // What is ignored stays so in a program that takes the place of another.
        let mut shell = Command::new("sh");
        shell
            .stdin(Stdio::null())
            .args(["-c", &format!("trap '' {signal}; exec \"$0\" \"$@\"")])
            .arg(program.get_program());
        for (name, _) in program.get_envs() {
            shell.env_remove(name);
        }
        Self::start_by(shell, database, suites, arguments)
    }

    /// The same by `command`, such as [`command`] in other surroundings.
    ///
    /// # Errors
    /// Where it ends at once: what it said.
    pub fn start_by(mut command: Command, database: &Path, suites: &[&Path], arguments: &[&str]) -> Result<Self> {
        if !arguments.contains(&"--port") {
            command.args(["--port", "0"]);
        }
        command.arg("--database").arg(database).args(arguments);
        for suite in suites {
            command.arg("--suite").arg(suite);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let log = lines(child.stderr.take().context("it has a log")?);
        let output = lines(child.stdout.take().context("it has output")?);
        let start = std::time::Instant::now();
        let url = loop {
            match output.recv_timeout(PATIENCE.saturating_sub(start.elapsed())) {
                Ok(line) => {
                    if let Some(url) = line.strip_prefix(LISTENS) {
                        break url.trim_end_matches('/').to_owned();
                    }
                }
                Err(_) => {
                    let _ = child.kill();
                    let status = child.wait()?;
                    let said: Vec<String> = log.iter().collect();
                    bail!("the runner does not listen ({status}): {}", said.join("\n"));
                }
            }
        };
        Ok(Self { child, url, log, output, client: Client::new(), folder: None })
    }

    /// Its address, without a slash at the end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A resource of its API, to be asked for.
    pub fn get(&self, path: &str) -> RequestBuilder {
        self.ask(Method::GET, path)
    }

    /// A resource of its API, to be posted to.
    pub fn post(&self, path: &str) -> RequestBuilder {
        self.ask(Method::POST, path)
    }

    /// A resource of its API, by any method.
    pub fn ask(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}/api/v1/{path}", self.url))
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it without a warning, as a power cut would; its database stays for as long as this lives.
    ///
    /// # Errors
    /// Where it cannot be killed.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Stops it where it is: its connections stay, and nothing comes from them any more, as where a cable is pulled.
    ///
    /// # Errors
    /// Where it is gone.
    #[cfg(unix)]
    pub fn fall_silent(&self) -> Result<()> {
        use rustix::process::{Pid, Signal, kill_process};
        Ok(kill_process(Pid::from_child(&self.child), Signal::STOP)?)
    }

    /// Asks it to end, as a service manager does, and waits until it has: how it ended, and its log.
    ///
    /// # Errors
    /// Where it does not end.
    #[cfg(unix)]
    pub fn terminate(self) -> Result<(ExitStatus, Vec<String>)> {
        self.end_by(Signal::TERM)
    }

    /// The same by any signal.
    ///
    /// # Errors
    /// Where it does not end.
    #[cfg(unix)]
    pub fn end_by(mut self, signal: Signal) -> Result<(ExitStatus, Vec<String>)> {
        kill_process(Pid::from_child(&self.child), signal)?;
        // The log ends with the program.
        let mut said = Vec::new();
        let start = std::time::Instant::now();
        while let Ok(line) = self.log.recv_timeout(PATIENCE.saturating_sub(start.elapsed())) {
            said.push(line);
        }
        if start.elapsed() >= PATIENCE {
            bail!("the runner does not end within {PATIENCE:?}");
        }
        Ok((self.child.wait()?, said))
    }

    /// The next line of its log that has `text`.
    ///
    /// # Errors
    /// Where none comes.
    pub fn log_has(&self, text: &str) -> Result<String> {
        next_with(&self.log, text).with_context(|| format!("the log never has `{text}`"))
    }

    /// The next line of its standard output that has `text`.
    ///
    /// # Errors
    /// Where none comes.
    pub fn output_has(&self, text: &str) -> Result<String> {
        next_with(&self.output, text).with_context(|| format!("the output never has `{text}`"))
    }
}

impl Drop for RunnerProgram {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program, without what the environment says of its configuration, and with nobody to ask.
///
/// # Errors
/// Where it can't be built.
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

/// Where the program is, built as whoever asks for it.
///
/// # Errors
/// Where it can't be built.
pub fn path() -> Result<PathBuf> {
    program("benchbook-server", if cfg!(debug_assertions) { "dev" } else { "release" })
}

fn next_with(lines: &Receiver<String>, text: &str) -> Result<String> {
    let start = std::time::Instant::now();
    loop {
        let line = lines.recv_timeout(PATIENCE.saturating_sub(start.elapsed()))?;
        if line.contains(text) {
            return Ok(line);
        }
    }
}

fn lines(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            // It is read to its end, whether anybody listens or not: the program must not wait.
            let _ = sender.send(line);
        }
    });
    lines
}
