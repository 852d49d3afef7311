//! A real Chromium, driven by chromedriver.

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
use tokio::sync::{Mutex, MutexGuard};
use tokio::time::sleep;
use url::{ParseError, Url};

/// How long a page may take to come to what a test waits for.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Lets Chromium run as root without a screen and without asking the net for anything, nor keeping a page that was left:
/// where a page isolates itself, the driver would go on with the one before.
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

/// The window that is shown again.
const SHOWN: (u32, u32) = (1360, 900);

/// One browser at a time: they would take the processor from each other.
pub async fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::const_new(());
    TURN.lock().await
}

/// A browser with a new profile. Dropping it ends it, also where a test fails.
pub struct Browser {
    /// What drives it.
    pub client: Client,
    driver: Driver,
    _profile: TempDir,
}

/// The leader of the process group that contains the driver and the browser. Dropping it kills the group.
pub(crate) struct Driver(pub(crate) Child);

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(group) = self.0.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            // An error says that nobody is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Browser {
    /// Starts chromedriver on a free port, and a browser of this size.
    ///
    /// # Errors
    /// Where one of them can't be started.
    pub async fn start(width: u32, height: u32) -> Result<Self> {
        Self::start_with(width, height, &[]).await
    }

    /// The same, with more arguments for the browser.
    ///
    /// # Errors
    /// Where one of them can't be started.
    pub async fn start_with(width: u32, height: u32, more: &[String]) -> Result<Self> {
        let program = env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".to_owned());
        let driver = Command::new(&program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .with_context(|| format!("starting {program}: `cargo xtask test` installs it"))?;
        let mut driver = Driver(driver);
        let port = port_of(&mut driver.0).await?;
        let profile = TempDir::new()?;
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities(&profile, width, height, more))
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .context("starting Chromium")?;
        client.update_timeouts(TimeoutConfiguration::new(Some(PATIENCE), Some(PATIENCE), None)).await?;
        Ok(Self { client, driver, _profile: profile })
    }

    /// Wraps a session of another browser.
    ///
    /// # Errors
    /// If the driver rejects the timeouts.
    pub(crate) async fn from_session(client: Client, driver: Driver, profile: TempDir) -> Result<Self> {
        client.update_timeouts(TimeoutConfiguration::new(Some(PATIENCE), Some(PATIENCE), None)).await?;
        Ok(Self { client, driver, _profile: profile })
    }

    /// Waits until `condition`, a JavaScript expression, holds; it is looked at whenever the page changes.
    ///
    /// # Errors
    /// Where it does not hold within [`PATIENCE`]; the error says what the page shows.
    pub async fn until(&self, condition: &str) -> Result<()> {
        const WATCH: &str = "
            const [condition, done] = arguments;
            const holds = () => { try { return eval(condition); } catch (error) { return false; } };
            if (holds()) { done(true); return; }
            const watch = new MutationObserver(() => { if (holds()) { watch.disconnect(); done(true); } });
            watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });";
        match self.client.execute_async(WATCH, vec![json!(condition)]).await {
            Ok(_) => Ok(()),
            Err(error) => bail!("it never came to `{condition}`: {error}\nthe page shows:\n{}", self.shown().await),
        }
    }

    /// The same where the page loads itself again meanwhile: a driver that waits inside a page does not survive that, so
    /// the page is asked time and again.
    ///
    /// # Errors
    /// Where it does not hold within [`PATIENCE`]; the error says what the page shows.
    pub async fn until_loaded_again(&self, condition: &str) -> Result<()> {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if self.value(condition).await.is_ok_and(|value| value == true) {
                return Ok(());
            }
            sleep(Duration::from_millis(20)).await;
        }
        bail!("it never came to `{condition}`\nthe page shows:\n{}", self.shown().await)
    }

    async fn shown(&self) -> String {
        let text = self.client.execute("return document.body.innerText", Vec::new()).await.unwrap_or_default();
        text.as_str().unwrap_or_default().to_owned()
    }

    /// The processes that run pages and their workers.
    ///
    /// # Errors
    /// Where the system's processes cannot be read.
    pub fn renderers(&self) -> Result<Vec<Pid>> {
        let group = self.driver.0.id().context("the driver has ended")?;
        let mut renderers = Vec::new();
        for entry in fs::read_dir("/proc")?.flatten() {
            let number = entry.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
            let Some(pid) = number else { continue };
            let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            // Asked for after the command: the kernel's own processes have no group.
            let is_ours = || getpgid(Some(pid)).is_ok_and(|of| of.as_raw_nonzero().get().cast_unsigned() == group);
            if String::from_utf8_lossy(&command).contains("--type=renderer") && is_ours() {
                renderers.push(pid);
            }
        }
        Ok(renderers)
    }

    /// Hides the page, as behind another window or tab.
    ///
    /// # Errors
    /// Where it stays visible.
    pub async fn hide(&self) -> Result<()> {
        self.client.minimize_window().await?;
        self.until("document.hidden").await
    }

    /// Shows the page again.
    ///
    /// # Errors
    /// Where it stays hidden.
    pub async fn show(&self) -> Result<()> {
        self.client.set_window_size(SHOWN.0, SHOWN.1).await?;
        self.until("!document.hidden").await
    }

    /// The value of a JavaScript expression.
    ///
    /// # Errors
    /// Where it throws.
    pub async fn value(&self, expression: &str) -> Result<Value> {
        let script = format!("return ({expression});");
        self.client.execute(&script, Vec::new()).await.with_context(|| format!("evaluating `{expression}`"))
    }

    /// Asks the browser itself, by the protocol of its developer tools: <https://chromedevtools.github.io/devtools-protocol/>.
    ///
    /// # Errors
    /// Where it does not know the method, or refuses it.
    pub async fn ask(&self, method: &'static str, parameters: Value) -> Result<Value> {
        let command = Devtools { method, parameters };
        self.client.issue_cmd(command).await.with_context(|| format!("asking the browser for {method}"))
    }

    /// Ends browser and driver.
    ///
    /// # Errors
    /// Where they do not answer.
    pub async fn close(self) -> Result<()> {
        Ok(self.client.close().await?)
    }
}

/// A method of the browser's developer tools, which chromedriver passes on.
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

/// The port that chromedriver chose, from the line in which it says so.
async fn port_of(driver: &mut Child) -> Result<u16> {
    let output = driver.stdout.take().context("chromedriver has an output")?;
    let mut lines = BufReader::new(output).lines();
    while let Some(line) = lines.next_line().await? {
        let digits = line.split("port ").nth(1).map(|rest| rest.trim_end_matches('.'));
        if let Some(port) = digits.and_then(|digits| digits.parse().ok())
            && line.contains("successfully")
        {
            // Whatever it says from now on is of no interest, but it must not block on a full pipe.
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok(port);
        }
    }
    bail!("chromedriver ended before it listened")
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
