//! Chromium, driven by chromedriver.

use std::process::Stdio;
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context, Result, bail};
use axum::http::Method;
use fantoccini::wd::{TimeoutConfiguration, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use rustix::process::{Pid, Signal, getpgid, kill_process_group};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::sleep;
use url::{ParseError, Url};

/// The time limit for a page to reach the state that a test waits for.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Chromium runs as root, without a screen and without background requests to the network. It does not retain pages
/// that the test has left: when a page reloads to isolate itself, the driver would otherwise continue with the previous
/// one.
const ARGUMENTS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-features=BackForwardCache",
];

/// The window size of [`Browser::show`].
const SHOWN: (u32, u32) = (1360, 900);

/// The number of browsers that run at the same time.
const BROWSERS: u32 = 2;

static TURNS: Semaphore = Semaphore::const_new(BROWSERS as usize);

/// Waits until another browser may run. Most tests do not depend on the measured times, and wait for the browser more than
/// they compute.
pub async fn turn() -> SemaphorePermit<'static> {
    TURNS.acquire().await.expect("the semaphore is never closed")
}

/// Waits until no other browser runs, for tests that depend on the measured times.
pub async fn quiet_turn() -> SemaphorePermit<'static> {
    TURNS.acquire_many(BROWSERS).await.expect("the semaphore is never closed")
}

/// A browser with a new profile. Dropping it ends the browser, even if the test fails.
pub struct Browser {
    /// The WebDriver client.
    pub client: Client,
    driver: Driver,
    /// Removed with the browser.
    profile: TempDir,
}

/// The leader of the process group that contains the driver and the browser. Dropping it kills the group.
pub(crate) struct Driver(pub(crate) Child);

impl Driver {
    fn kill(&mut self) {
        if let Some(group) = self.0.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            // An error means that the group no longer exists.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Browser {
    /// Starts chromedriver on a free port, and a browser with a window of this size.
    ///
    /// # Errors
    /// If either cannot be started.
    pub async fn start(width: u32, height: u32) -> Result<Self> {
        Self::start_with(width, height, &[]).await
    }

    /// As [`Browser::start`], with additional arguments for the browser.
    ///
    /// # Errors
    /// If either cannot be started.
    pub async fn start_with(width: u32, height: u32, more: &[String]) -> Result<Self> {
        Self::start_in(TempDir::new()?, width, height, more).await
    }

    /// Kills the browser as a crash does, and starts another one with the same profile and a window of this size.
    ///
    /// # Errors
    /// If it cannot be started.
    pub async fn killed(self, (width, height): (u32, u32)) -> Result<Self> {
        let Self { mut driver, profile, .. } = self;
        driver.kill();
        driver.0.wait().await.context("waiting for the end of the browser")?;
        Self::start_in(profile, width, height, &[]).await
    }

    async fn start_in(profile: TempDir, width: u32, height: u32, more: &[String]) -> Result<Self> {
        let (driver, port) = start_driver().await?;
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities(&profile, width, height, more))
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .context("starting Chromium")?;
        client.update_timeouts(TimeoutConfiguration::new(Some(PATIENCE), Some(PATIENCE), None)).await?;
        Ok(Self { client, driver, profile })
    }

    /// Wraps a session of another browser.
    ///
    /// # Errors
    /// If the driver rejects the timeouts.
    pub(crate) async fn from_session(client: Client, driver: Driver, profile: TempDir) -> Result<Self> {
        client.update_timeouts(TimeoutConfiguration::new(Some(PATIENCE), Some(PATIENCE), None)).await?;
        Ok(Self { client, driver, profile })
    }

    /// Waits until `condition`, a JavaScript expression, is true. It is evaluated after each change of the document.
    ///
    /// # Errors
    /// If the condition is still false after [`PATIENCE`]; the error contains the page's text.
    pub async fn until(&self, condition: &str) -> Result<()> {
        const WATCH: &str = "
            const [condition, done] = arguments;
            const holds = () => { try { return eval(condition); } catch (error) { return false; } };
            if (holds()) { done(true); return; }
            const watch = new MutationObserver(() => { if (holds()) { watch.disconnect(); done(true); } });
            watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });";
        match self.client.execute_async(WATCH, vec![json!(condition)]).await {
            Ok(_) => Ok(()),
            Err(error) => bail!("timeout waiting for `{condition}`: {error}\nthe page shows:\n{}", self.shown().await),
        }
    }

    /// As [`Browser::until`], for pages that reload in the meantime. A script that waits inside the page does not
    /// survive a reload, so this polls.
    ///
    /// # Errors
    /// If the condition is still false after [`PATIENCE`]; the error contains the page's text.
    pub async fn until_reloaded(&self, condition: &str) -> Result<()> {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if self.value(condition).await.is_ok_and(|value| value == true) {
                return Ok(());
            }
            sleep(Duration::from_millis(20)).await;
        }
        bail!("timeout waiting for `{condition}`\nthe page shows:\n{}", self.shown().await)
    }

    async fn shown(&self) -> String {
        let text = self.client.execute("return document.body.innerText", Vec::new()).await.unwrap_or_default();
        text.as_str().unwrap_or_default().to_owned()
    }

    /// The renderer processes, which run pages and their workers.
    ///
    /// # Errors
    /// If `/proc` cannot be read.
    pub fn renderers(&self) -> Result<Vec<Pid>> {
        let group = self.driver.0.id().context("chromedriver has exited")?;
        let mut renderers = Vec::new();
        for entry in fs::read_dir("/proc")?.flatten() {
            let number = entry.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
            let Some(pid) = number else { continue };
            let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            // Checked after the command line: kernel processes have no group.
            let is_ours = || getpgid(Some(pid)).is_ok_and(|of| of.as_raw_nonzero().get().cast_unsigned() == group);
            if String::from_utf8_lossy(&command).contains("--type=renderer") && is_ours() {
                renderers.push(pid);
            }
        }
        Ok(renderers)
    }

    /// Hides the page, as if its tab were in the background.
    ///
    /// # Errors
    /// If it stays visible.
    pub async fn hide(&self) -> Result<()> {
        self.client.minimize_window().await?;
        self.until("document.hidden").await
    }

    /// Makes the page visible again.
    ///
    /// # Errors
    /// If it stays hidden.
    pub async fn show(&self) -> Result<()> {
        self.client.set_window_size(SHOWN.0, SHOWN.1).await?;
        self.until("!document.hidden").await
    }

    /// The value of a JavaScript expression.
    ///
    /// # Errors
    /// If it throws.
    pub async fn value(&self, expression: &str) -> Result<Value> {
        let script = format!("return ({expression});");
        self.client.execute(&script, Vec::new()).await.with_context(|| format!("evaluating `{expression}`"))
    }

    /// Sends a command of the DevTools protocol: <https://chromedevtools.github.io/devtools-protocol/>.
    ///
    /// # Errors
    /// If the browser does not support the method or rejects the command.
    pub async fn devtools(&self, method: &'static str, parameters: Value) -> Result<Value> {
        let command = Devtools { method, parameters };
        self.client.issue_cmd(command).await.with_context(|| format!("DevTools command {method}"))
    }

    /// Ends the browser and chromedriver.
    ///
    /// # Errors
    /// If they do not respond.
    pub async fn close(self) -> Result<()> {
        Ok(self.client.close().await?)
    }
}

/// A DevTools command, forwarded by chromedriver.
#[derive(Debug)]
struct Devtools {
    method: &'static str,
    parameters: Value,
}

impl WebDriverCompatibleCommand for Devtools {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({ "cmd": self.method, "params": self.parameters }).to_string()))
    }
}

/// How often chromedriver may fail to listen.
const DRIVER_ATTEMPTS: u32 = 5;

/// Starts chromedriver on any free port. It chooses a free port of IPv4, and exits if another program has that port of IPv6, so
/// it gets several attempts.
async fn start_driver() -> Result<(Driver, u16)> {
    let program = env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".to_owned());
    for _ in 0..DRIVER_ATTEMPTS {
        let driver = Command::new(&program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .with_context(|| format!("starting {program}: `cargo xtask test` installs it"))?;
        let mut driver = Driver(driver);
        if let Some(port) = port_of(&mut driver.0).await? {
            return Ok((driver, port));
        }
    }
    bail!("chromedriver exited {DRIVER_ATTEMPTS} times before it listened")
}

/// Reads the port from chromedriver's startup message; `None` if it exits before.
async fn port_of(driver: &mut Child) -> Result<Option<u16>> {
    let output = driver.stdout.take().context("chromedriver's standard output is piped")?;
    let mut lines = BufReader::new(output).lines();
    while let Some(line) = lines.next_line().await? {
        let digits = line.split("port ").nth(1).map(|rest| rest.trim_end_matches('.'));
        if let Some(port) = digits.and_then(|digits| digits.parse().ok())
            && line.contains("successfully")
        {
            // Further output is discarded; a full pipe would block chromedriver.
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok(Some(port));
        }
    }
    Ok(None)
}

fn capabilities(profile: &TempDir, width: u32, height: u32, more: &[String]) -> Map<String, Value> {
    let mut arguments: Vec<String> = ARGUMENTS.iter().map(|&argument| argument.to_owned()).collect();
    arguments.extend_from_slice(more);
    arguments.push(format!("--window-size={width},{height}"));
    arguments.push(format!("--user-data-dir={}", profile.path().display()));
    let mut options = json!({ "args": arguments });
    if let Ok(program) = env::var("CHROMIUM") {
        options["binary"] = json!(program);
    }
    let mut capabilities = Map::new();
    capabilities.insert("goog:chromeOptions".to_owned(), options);
    capabilities
}
