//! A suite's worker in a page, controlled through WebDriver.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use benchbook_contract::protocol::{HostMessage, SuiteMessage};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::server::{ServedFile, Server, Site};

/// The page, without content of its own.
const PAGE: &str = concat!("<!doctype html><title>A suite</title><script>", include_str!("page.js"), "</script>");

/// The longest wait of a script in the page, well below WebDriver's script timeout.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// A page with a worker. Dropping it ends the browser.
pub(super) struct Worker {
    browser: Browser,
    _server: Server,
}

/// An event from `static/worker.js`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Event {
    /// The suite sent this message.
    #[serde(rename = "reply")]
    Message(String),
    /// The instance trapped for this reason and has been replaced.
    Ended(String),
    /// No instance can be created.
    Rejected(String),
}

impl Worker {
    /// Starts a browser with an isolated page that runs the module in the shipped worker.
    pub(super) async fn start(module: &Path) -> Result<Self> {
        let site = Site {
            page: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../static")),
            files: vec![(String::new(), ServedFile::Html(PAGE.to_owned()))],
            suites: vec![("suite.wasm".to_owned(), module.to_owned())],
            isolated: true,
            ..Site::default()
        };
        let server = Server::start(site).await?;
        let browser = Browser::reuse(800, 600).await?;
        browser.client.goto(server.url()).await?;
        let worker = Self { browser, _server: server };
        let is_isolated = worker.call("open()", Vec::new()).await.context("compiling the module")?;
        ensure!(is_isolated == true, "the page is not isolated");
        Ok(worker)
    }

    /// Replaces the instance, even during a call.
    pub(super) async fn restart(&self) -> Result<()> {
        self.call("startWorker()", Vec::new()).await.map(drop)
    }

    /// Sends messages and waits for events. The result is empty if none arrives within `timeout` or the longest wait of
    /// a script.
    pub(super) async fn exchange(&self, messages: &[HostMessage], timeout: Duration) -> Result<Vec<Event>> {
        let messages = messages.iter().map(serde_json::to_string).collect::<Result<Vec<String>, _>>()?;
        let wait = timeout.min(MAX_WAIT).as_secs_f64() * 1e3;
        let events = self.call("exchange(arguments[0], arguments[1])", vec![json!(messages), json!(wait)]).await?;
        serde_json::from_value(events).context("failed to parse the worker's events")
    }

    /// Sends a message and returns its single reply.
    pub(super) async fn request(&self, message: HostMessage, timeout: Duration) -> Result<SuiteMessage> {
        match &self.exchange(&[message], timeout).await?[..] {
            [Event::Message(reply)] => serde_json::from_str(reply).context("failed to parse the reply"),
            [] => bail!("no reply within {timeout:?}"),
            other => bail!("expected one reply: {other:?}"),
        }
    }

    /// The browser's name and version.
    pub(super) async fn browser_name(&self) -> Result<String> {
        let version = self.browser.devtools("Browser.getVersion", json!({})).await?;
        Ok(version["product"].as_str().context("the version has a product name")?.replace('/', " "))
    }

    pub(super) async fn close(self) -> Result<()> {
        self.browser.close().await
    }

    /// Evaluates an expression in the page and awaits it if it is a promise.
    async fn call(&self, expression: &str, arguments: Vec<Value>) -> Result<Value> {
        let value = self.browser.client.execute(&format!("return {expression};"), arguments).await;
        value.with_context(|| format!("evaluating `{expression}` in the page"))
    }
}
