//! A running runner with short priorities, its catalog, and typed access to its API.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use benchbook_contract::catalog::Suite;
use benchbook_contract::parameter::Range;
use benchbook_host::api::{Event, MeasureResponse, RunnerCatalog, STREAM, StoredResults};
use benchbook_host::quality::Priority;
use benchbook_host::request::Request;
use reqwest::{Response, StatusCode};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};

use crate::requests::request;
use crate::runner::{RunnerProgram, command};

/// The machine's name.
pub const NAME: &str = "bench-01";

/// A running runner and its catalog.
pub struct ReadyRunner {
    /// The process.
    pub runner: RunnerProgram,
    /// The catalog, as the runner returned it.
    pub catalog: RunnerCatalog,
    /// The configuration, and the database unless the setup names another.
    _folder: TempDir,
}

/// How to start a runner.
#[derive(Clone, Debug)]
pub struct RunnerSetup {
    /// The executables of its suites.
    pub suites: Vec<PathBuf>,
    /// The first lines of its configuration.
    pub lines: String,
    /// The time limit for a suite's reply, in milliseconds; absent: the engine's default.
    pub timeout_ms: Option<u32>,
    /// The minimum number of samples per point.
    pub samples: u32,
    /// The database; absent: a new one.
    pub database: Option<PathBuf>,
    /// Whether the process ignores SIGXFSZ, which the system sends when a file would exceed its size limit.
    pub survives_full_disk: bool,
    /// The folder for temporary files; absent: the system's.
    pub temporary: Option<PathBuf>,
}

impl Default for RunnerSetup {
    /// No suites, and as few samples as possible.
    fn default() -> Self {
        let (suites, lines) = (Vec::new(), String::new());
        Self { suites, lines, timeout_ms: None, samples: 4, database: None, survives_full_disk: false, temporary: None }
    }
}

impl RunnerSetup {
    /// One suite, everything else by default.
    pub fn with(suite: &Path) -> Self {
        Self { suites: vec![suite.to_owned()], ..Self::default() }
    }

    /// Starts the runner and requests its catalog.
    pub async fn start(&self) -> Result<ReadyRunner> {
        let folder = tempfile::tempdir()?;
        let config = folder.path().join("benchbook.toml");
        std::fs::write(&config, format!("{}\n{}", self.lines, self.qualities()))?;
        let arguments = ["--config", config.to_str().context("the path is UTF-8")?, "--name", NAME];
        let suites: Vec<&Path> = self.suites.iter().map(PathBuf::as_path).collect();
        let database = self.database.clone().unwrap_or_else(|| folder.path().join("results.sqlite"));
        let runner = if self.survives_full_disk {
            RunnerProgram::start_ignoring("XFSZ", &database, &suites, &arguments)?
        } else {
            let mut command = command()?;
            command.envs(self.temporary.iter().map(|folder| ("TMPDIR", folder)));
            RunnerProgram::start_command(command, &database, &suites, &arguments)?
        };
        let catalog = runner.get("catalog").send().await?.error_for_status()?.json().await?;
        Ok(ReadyRunner { runner, catalog, _folder: folder })
    }

    /// Four priorities that take milliseconds.
    fn qualities(&self) -> String {
        let timeout = self.timeout_ms.map_or_else(String::new, |ms| format!("timeout_ms = {ms}\n"));
        let quality = |points: u32, point_ms: f64| {
            format!(
                "[[qualities]]\npoints = {points}\nprecision = 0.5\npoint_ms = {point_ms:?}\n\
                 warm_up = {{ at_least = 1, at_most = 5, ms = 1 }}\n\
                 samples = {{ at_least = {}, at_most = {} }}\nprocesses = 1\n{timeout}",
                self.samples,
                10 * self.samples
            )
        };
        [quality(3, 4.0), quality(5, 5.0), quality(5, 6.0), quality(9, 8.0)].concat()
    }
}

impl ReadyRunner {
    /// A request for functions of one suite, over 16 steps of the axis of their first generator.
    pub fn request(&self, functions: &[&str], priority: u8) -> Request {
        let suites = || self.catalog.suites.iter().map(|entry| &entry.suite);
        let has = |suite: &&Suite| suite.function(functions[0]).is_some();
        let suite = suites().find(has).expect("a suite has the function");
        let function = suite.function(functions[0]).expect("the suite has the function");
        let generator = suite.generator(&function.generators[0]).expect("the catalog has the function's generator");
        let numeric = generator.default_axis().and_then(|axis| axis.numeric()).expect("the generator has an axis");
        let Range { low, .. } = numeric.default_range();
        let range = Range { low, high: low + 16.0 * numeric.step.unwrap_or(1.0) };
        let request = request(suite, functions, generator, range);
        Request { priority: Priority::try_from(priority).expect("1 to 4"), ..request }
    }

    /// Requests a measurement and waits for the complete response.
    pub async fn measure(&self, request: &Request) -> Result<MeasureResponse> {
        let response = self.runner.post("measure").json(request).send().await?;
        ensure!(response.status() == StatusCode::OK, "{}: {}", response.status(), response.text().await?);
        Ok(response.json().await?)
    }

    /// Requests a measurement as a stream of events.
    pub async fn stream(&self, request: &Request) -> Result<EventStream> {
        let response = self.runner.post("measure").header("accept", STREAM).json(request).send().await?;
        ensure!(response.status() == StatusCode::OK, "{}: {}", response.status(), response.text().await?);
        ensure!(response.headers()["content-type"] == STREAM, "not a stream: {:?}", response.headers());
        Ok(EventStream { response, rest: Vec::new() })
    }

    /// Requests a stream on a connection with a small receive buffer, and reads nothing.
    pub async fn stream_unread(&self, request: &Request) -> Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(2_048)?;
        let mut stream = socket.connect(self.address().parse()?).await?;
        let body = serde_json::to_string(request)?;
        let head = format!("POST /api/v1/measure HTTP/1.1\r\nhost: {}\r\naccept: {STREAM}\r\n", self.address());
        stream.write_all(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).as_bytes()).await?;
        Ok(stream)
    }

    /// The runner's host and port.
    pub fn address(&self) -> &str {
        self.runner.url().trim_start_matches("http://")
    }

    /// The IDs of all stored results, newest first. They must fit one page.
    pub async fn results(&self) -> Result<Vec<u64>> {
        let listed: StoredResults =
            self.runner.get("results?limit=500").send().await?.error_for_status()?.json().await?;
        ensure!(listed.next.is_none(), "there is a second page");
        Ok(listed.results.iter().map(|card| card.id).collect())
    }
}

/// A stream of events. Dropping it closes the connection.
#[derive(Debug)]
pub struct EventStream {
    response: Response,
    /// The part of the next line that has arrived.
    rest: Vec<u8>,
}

impl EventStream {
    /// The next event; absent after the last one.
    pub async fn next(&mut self) -> Result<Option<Event>> {
        loop {
            if let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                return Ok(Some(serde_json::from_slice(&line)?));
            }
            match self.response.chunk().await? {
                Some(chunk) => self.rest.extend(chunk),
                None if self.rest.is_empty() => return Ok(None),
                None => bail!("the stream ends in the middle of a line"),
            }
        }
    }

    /// The next event that matches; earlier ones are skipped.
    pub async fn until(&mut self, is_it: impl Fn(&Event) -> bool) -> Result<Event> {
        while let Some(event) = self.next().await? {
            if is_it(&event) {
                return Ok(event);
            }
        }
        bail!("the stream ended without the expected event")
    }

    /// All remaining events.
    pub async fn rest(mut self) -> Result<Vec<Event>> {
        let mut all = Vec::new();
        while let Some(event) = self.next().await? {
            all.push(event);
        }
        Ok(all)
    }
}
