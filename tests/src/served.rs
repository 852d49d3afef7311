//! Running commands of `cargo benchbook` that serve a page.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::browser::Browser;
use crate::notebook::{DESKTOP, Notebook};
use crate::server::Site;

/// The time limit for a build from scratch, while other tests compile.
const TIMEOUT: Duration = Duration::from_secs(600);

/// The text before the address of the page in the output of `cargo benchbook serve`.
pub const SERVE_ANNOUNCEMENT: &str = "Benchbook is at ";

/// A running command of the tool that serves a page.
pub struct Served {
    child: Child,
    lines: Receiver<String>,
    printed: Vec<String>,
    /// The address of the page.
    pub url: String,
}

impl Served {
    /// Starts the tool, and waits until it has printed the address of the page.
    ///
    /// * `announcement`: the text before the address.
    pub fn start(command: &mut Command, announcement: &str) -> Result<Self> {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (sender, lines) = channel();
        let outputs: [Box<dyn std::io::Read + Send>; 2] = [
            Box::new(child.stdout.take().context("standard output is not piped (this is a bug)")?),
            Box::new(child.stderr.take().context("standard error is piped")?),
        ];
        for output in outputs {
            let sender = sender.clone();
            thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    let _ = sender.send(line);
                }
            });
        }
        drop(sender);
        let mut served = Self { child, lines, printed: Vec::new(), url: String::new() };
        let line = served.until_printed(announcement)?;
        let url = line.trim_start_matches(announcement).split(' ').next();
        served.url = url.context("the line contains the address")?.to_owned();
        Ok(served)
    }

    /// Waits until the tool prints a line that contains this text, and returns the line.
    pub fn until_printed(&mut self, text: &str) -> Result<String> {
        let start = Instant::now();
        while let Ok(line) = self.lines.recv_timeout(TIMEOUT.saturating_sub(start.elapsed())) {
            self.printed.push(line.clone());
            if line.contains(text) {
                return Ok(line);
            }
        }
        bail!("`{text}` was not printed:\n{}", self.printed.join("\n"))
    }

    /// Waits until the tool has printed a line with each of these texts, in any order, since warnings and other messages are on different
    /// streams. Returns the lines in the order of the texts.
    pub fn until_all_printed<const N: usize>(&mut self, texts: [&str; N]) -> Result<[String; N]> {
        let from = self.printed.len();
        let mut lines = texts.map(|_| String::new());
        for (line, text) in lines.iter_mut().zip(texts) {
            let printed = self.printed[from..].iter().find(|line| line.contains(text)).cloned();
            *line = printed.map_or_else(|| self.until_printed(text), Ok)?;
        }
        Ok(lines)
    }

    /// The number of printed lines that contain this text, as far as they were read.
    pub fn count_printed(&self, text: &str) -> usize {
        self.printed.iter().filter(|line| line.contains(text)).count()
    }

    /// Opens the page in a new browser and waits until it shows a function.
    pub async fn open(&self) -> Result<Notebook> {
        // The page object needs a server, which this test does not use.
        let notebook = Notebook::load(Browser::start(DESKTOP.0, DESKTOP.1).await?, Site::default(), "").await?;
        notebook.browser.client.goto("about:blank").await?;
        notebook.browser.client.goto(&self.url).await?;
        notebook.until_shown("function").await?;
        Ok(notebook)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
