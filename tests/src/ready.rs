//! A runner that is ready to be asked: with priorities that take milliseconds, and its catalog.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use benchbook_contract::catalog::Suite;
use benchbook_contract::parameter::Range;
use benchbook_host::api::{Catalog, Event, MeasureResponse, STREAM, StoredResults};
use benchbook_host::quality::Priority;
use benchbook_host::request::Request;
use reqwest::{Response, StatusCode};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};

use crate::requests::request;
use crate::runner::{RunnerProgram, command};

/// What the machine is called.
pub const NAME: &str = "bench-01";

/// A running runner, and what it can measure.
pub struct Ready {
    /// The program.
    pub runner: RunnerProgram,
    /// What it says that it measures.
    pub catalog: Catalog,
    /// Its configuration, and its results unless they are elsewhere.
    _folder: TempDir,
}

/// Where a runner is to begin.
#[derive(Clone, Debug)]
pub struct Start {
    /// Its suites' executables.
    pub suites: Vec<PathBuf>,
    /// Lines that come first in its configuration.
    pub lines: String,
    /// How long a suite may be silent, in milliseconds; absent: as long as the engine says.
    pub timeout_ms: Option<u32>,
    /// Samples of a point, at least.
    pub samples: u32,
    /// Its database; absent: a new one.
    pub database: Option<PathBuf>,
    /// The limit of its files' sizes can be passed without its death.
    pub survives_full_disk: bool,
    /// The folder for what is of a moment; absent: the system's.
    pub temporary: Option<PathBuf>,
}

impl Default for Start {
    /// Without a suite, and as little as possible.
    fn default() -> Self {
        let (suites, lines) = (Vec::new(), String::new());
        Self { suites, lines, timeout_ms: None, samples: 4, database: None, survives_full_disk: false, temporary: None }
    }
}

impl Start {
    /// With one suite, and all else as it is at first.
    pub fn with(suite: &Path) -> Self {
        Self { suites: vec![suite.to_owned()], ..Self::default() }
    }

    /// Starts it, and asks for its catalog.
    ///
    /// # Errors
    /// Where it ends at once: what it said.
    pub async fn start(&self) -> Result<Ready> {
        let folder = tempfile::tempdir()?;
        let config = folder.path().join("benchbook.toml");
        std::fs::write(&config, format!("{}\n{}", self.lines, self.qualities()))?;
        let arguments = ["--config", config.to_str().context("its path is a text")?, "--name", NAME];
        let suites: Vec<&Path> = self.suites.iter().map(PathBuf::as_path).collect();
        let database = self.database.clone().unwrap_or_else(|| folder.path().join("results.sqlite"));
        let runner = if self.survives_full_disk {
            RunnerProgram::start_ignoring("XFSZ", &database, &suites, &arguments)?
        } else {
            let mut command = command()?;
            command.envs(self.temporary.iter().map(|folder| ("TMPDIR", folder)));
            RunnerProgram::start_by(command, &database, &suites, &arguments)?
        };
        let catalog = runner.get("catalog").send().await?.error_for_status()?.json().await?;
        Ok(Ready { runner, catalog, _folder: folder })
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

impl Ready {
    /// A request of functions of one suite over 16 steps of their first generator's axis, from the client `client`.
    ///
    /// # Panics
    /// Where no suite has the first of them.
    pub fn request(&self, functions: &[&str], priority: u8) -> Request {
        let suites = || self.catalog.suites.iter().map(|offer| &offer.suite);
        let has = |suite: &&Suite| suite.function(functions[0]).is_some();
        let suite = suites().find(has).expect("a suite has the function");
        let function = suite.function(functions[0]).expect("it has");
        let generator = suite.generator(&function.generators[0]).expect("a function's generators are there");
        let numeric = generator.default_axis().and_then(|axis| axis.numeric()).expect("there is an axis");
        let Range { low, .. } = numeric.default_range();
        let range = Range { low, high: low + 16.0 * numeric.step.unwrap_or(1.0) };
        let request = request(suite, functions, generator, range);
        Request { priority: Priority::try_from(priority).expect("1 to 4"), ..request }
    }

    /// Asks, and waits for the whole answer.
    ///
    /// # Errors
    /// Where there is none.
    pub async fn measure(&self, request: &Request) -> Result<MeasureResponse> {
        let answer = self.runner.post("measure").json(request).send().await?;
        ensure!(answer.status() == StatusCode::OK, "{}: {}", answer.status(), answer.text().await?);
        Ok(answer.json().await?)
    }

    /// Asks, and reads what is told as it comes.
    ///
    /// # Errors
    /// Where it is refused.
    pub async fn stream(&self, request: &Request) -> Result<Events> {
        let answer = self.runner.post("measure").header("accept", STREAM).json(request).send().await?;
        ensure!(answer.status() == StatusCode::OK, "{}: {}", answer.status(), answer.text().await?);
        ensure!(answer.headers()["content-type"] == STREAM, "no stream: {:?}", answer.headers());
        Ok(Events { answer, rest: Vec::new() })
    }

    /// Opens a stream on a connection that takes next to nothing, and reads none of it.
    ///
    /// # Errors
    /// Where there is no connection.
    pub async fn ask_and_read_nothing(&self, request: &Request) -> Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(2_048)?;
        let mut stream = socket.connect(self.address().parse()?).await?;
        let body = serde_json::to_string(request)?;
        let head = format!("POST /api/v1/measure HTTP/1.1\r\nhost: {}\r\naccept: {STREAM}\r\n", self.address());
        stream.write_all(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).as_bytes()).await?;
        Ok(stream)
    }

    /// Its address and port.
    pub fn address(&self) -> &str {
        self.runner.url().trim_start_matches("http://")
    }

    /// The numbers of all stored results, newest first: no more than one page of them.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub async fn results(&self) -> Result<Vec<u64>> {
        let listed: StoredResults =
            self.runner.get("results?limit=500").send().await?.error_for_status()?.json().await?;
        ensure!(listed.next.is_none(), "there is a second page");
        Ok(listed.results.iter().map(|card| card.id).collect())
    }
}

/// What a stream tells. Dropping it hangs up.
#[derive(Debug)]
pub struct Events {
    answer: Response,
    /// What came of the next line.
    rest: Vec<u8>,
}

impl Events {
    /// The next event; absent after the last.
    ///
    /// # Errors
    /// Where the connection breaks off, or something else is told.
    pub async fn next(&mut self) -> Result<Option<Event>> {
        loop {
            if let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                return Ok(Some(serde_json::from_slice(&line)?));
            }
            match self.answer.chunk().await? {
                Some(chunk) => self.rest.extend(chunk),
                None if self.rest.is_empty() => return Ok(None),
                None => bail!("it ends in the middle of a line"),
            }
        }
    }

    /// The next event for which `is_it`; what comes before it is skipped.
    ///
    /// # Errors
    /// Where none comes.
    pub async fn until(&mut self, is_it: impl Fn(&Event) -> bool) -> Result<Event> {
        while let Some(event) = self.next().await? {
            if is_it(&event) {
                return Ok(event);
            }
        }
        bail!("the stream ended before")
    }

    /// All events from now on.
    ///
    /// # Errors
    /// Where the connection breaks off.
    pub async fn rest(mut self) -> Result<Vec<Event>> {
        let mut all = Vec::new();
        while let Some(event) = self.next().await? {
            all.push(event);
        }
        Ok(all)
    }
}
