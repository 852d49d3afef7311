//! A suite's worker, at the other end of WebDriver.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use benchbook_contract::protocol::{HostMessage, SuiteMessage};
use serde::Deserialize;
use serde_json::{Value, json};

use super::site::SuiteSite;
use crate::browser::Browser;

/// How long a script waits at most in the page: well below the driver's own time-out.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// A page with a worker in it. Dropping it ends the browser.
pub(super) struct Worker {
    browser: Browser,
    _site: SuiteSite,
}

/// What became of messages, as `static/worker.js` tells it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Event {
    /// The suite answered: a message.
    Answer(String),
    /// The instance trapped, for this reason, and another has its place.
    Ended(String),
    /// There can be no instance.
    Refused(String),
}

impl Worker {
    /// Starts a browser, and in it a worker with a fresh instance of the module.
    ///
    /// # Errors
    /// Where the browser cannot be started, the module is not valid, or the page is not isolated that should be.
    pub(super) async fn start(module: Vec<u8>, isolated: bool) -> Result<Self> {
        let site = SuiteSite::start(module, isolated).await?;
        let browser = Browser::start(800, 600).await?;
        browser.client.goto(&site.url()).await?;
        let worker = Self { browser, _site: site };
        let is_isolated = worker.call("open()", Vec::new()).await.context("compiling the module")?;
        ensure!(is_isolated == isolated, "the page is {} isolated", if isolated { "not" } else { "also" });
        Ok(worker)
    }

    /// Ends what is at work; a fresh instance has its place.
    pub(super) async fn restart(&self) -> Result<()> {
        self.call("startWorker()", Vec::new()).await.map(drop)
    }

    /// Sends messages, and waits for what becomes of any: nothing where that takes longer than `patience`, or than a
    /// script may wait.
    pub(super) async fn exchange(&self, messages: &[HostMessage], patience: Duration) -> Result<Vec<Event>> {
        let messages = messages.iter().map(serde_json::to_string).collect::<Result<Vec<String>, _>>()?;
        let wait = patience.min(LONGEST_WAIT).as_secs_f64() * 1e3;
        let events = self.call("exchange(arguments[0], arguments[1])", vec![json!(messages), json!(wait)]).await?;
        serde_json::from_value(events).context("reading what the worker tells")
    }

    /// Sends a message, and takes the one answer.
    ///
    /// # Errors
    /// Where there is none within `patience`, or something else happens.
    pub(super) async fn ask(&self, message: HostMessage, patience: Duration) -> Result<SuiteMessage> {
        match &self.exchange(&[message], patience).await?[..] {
            [Event::Answer(answer)] => serde_json::from_str(answer).context("reading its answer"),
            [] => bail!("it does not answer within {patience:?}"),
            other => bail!("instead of an answer: {other:?}"),
        }
    }

    /// Name and version of the browser.
    pub(super) async fn browser_name(&self) -> Result<String> {
        let version = self.browser.ask("Browser.getVersion", json!({})).await?;
        Ok(version["product"].as_str().context("the browser says its version")?.replace('/', " "))
    }

    pub(super) async fn close(self) -> Result<()> {
        self.browser.close().await
    }

    /// The value of an expression in the page, which may be a promise.
    async fn call(&self, expression: &str, arguments: Vec<Value>) -> Result<Value> {
        let value = self.browser.client.execute(&format!("return {expression};"), arguments).await;
        value.with_context(|| format!("evaluating `{expression}` in the page"))
    }
}
