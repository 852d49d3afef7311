//! Chromium, driven by chromedriver.

mod chromium;
mod driver;
mod patience;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use axum::http::Method;
use fantoccini::elements::Element;
use fantoccini::wd::{TimeoutConfiguration, WebDriverCompatibleCommand, WindowHandle};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use rustix::process::Pid;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::sleep;
use url::{ParseError, Url};
use xtask::BROWSERS;

use chromium::Chromium;
pub(crate) use driver::Driver;
pub use patience::PATIENCE;

/// The window size of [`Browser::show`].
const SHOWN: (u32, u32) = (1360, 900);

/// An element that has not moved for this time is not expected to move.
const STILL: Duration = Duration::from_millis(100);

static TURNS: Semaphore = Semaphore::const_new(BROWSERS as usize);

/// Waits until another test may use a browser. Most tests do not depend on the measured times, and wait for the browser more than
/// they compute.
pub async fn turn() -> SemaphorePermit<'static> {
    TURNS.acquire().await.expect("the semaphore is never closed")
}

/// Waits until no other test uses a browser, for tests that depend on the measured times.
pub async fn quiet_turn() -> SemaphorePermit<'static> {
    TURNS.acquire_many(BROWSERS).await.expect("the semaphore is never closed")
}

/// A browser without stored data. Dropping it ends the browser, even if the test fails.
pub struct Browser {
    /// The WebDriver client.
    pub client: Client,
    program: Program,
    _driver: Driver,
}

/// What a browser consists of, besides its driver.
enum Program {
    /// Chromium with a profile of its own.
    New(Chromium),
    /// Chromium that other tests have used, or will use.
    Reused(Chromium),
    /// The profile of another browser, which belongs to its driver's process group.
    Other { _profile: TempDir },
}

impl Browser {
    /// Starts chromedriver on a free port, and a browser with a window of this size.
    pub async fn start(width: u32, height: u32) -> Result<Self> {
        Self::start_with(width, height, &[]).await
    }

    /// As [`Browser::start`], with additional arguments for the browser.
    pub async fn start_with(width: u32, height: u32, more: &[String]) -> Result<Self> {
        let chromium = Chromium::start(TempDir::new()?, width, height, more).await?;
        Self::attach(Program::New(chromium)).await
    }

    /// As [`Browser::start`], but with a browser that an earlier test has used, if one is idle. It has no data of the earlier test.
    pub async fn reuse(width: u32, height: u32) -> Result<Self> {
        let chromium = Chromium::idle_or_new(width, height).await?;
        let browser = Self::attach(Program::Reused(chromium)).await?;
        browser.client.set_window_size(width, height).await?;
        Ok(browser)
    }

    /// Kills the browser as a crash does, and starts another one with the same profile and a window of this size.
    pub async fn killed(self, (width, height): (u32, u32)) -> Result<Self> {
        let Self { program, .. } = self;
        let (Program::New(chromium) | Program::Reused(chromium)) = program else {
            bail!("only Chromium can be killed");
        };
        let chromium = Chromium::start(chromium.kill(), width, height, &[]).await?;
        Self::attach(Program::New(chromium)).await
    }

    /// Starts chromedriver and connects it to a running browser.
    async fn attach(program: Program) -> Result<Self> {
        let options = json!({ "debuggerAddress": program.chromium()?.address() });
        let (driver, port) = driver::start().await?;
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(Map::from_iter([("goog:chromeOptions".to_owned(), options)]))
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .context("connecting chromedriver with Chromium")?;
        Self::with_timeouts(client, driver, program).await
    }

    /// Wraps a session of another browser.
    pub(crate) async fn from_session(client: Client, driver: Driver, profile: TempDir) -> Result<Self> {
        Self::with_timeouts(client, driver, Program::Other { _profile: profile }).await
    }

    async fn with_timeouts(client: Client, driver: Driver, program: Program) -> Result<Self> {
        client.update_timeouts(TimeoutConfiguration::new(Some(PATIENCE), Some(PATIENCE), None)).await?;
        Ok(Self { client, program, _driver: driver })
    }

    /// Waits until `condition`, a JavaScript expression, is true. It is evaluated after each change of the document, and at short intervals. Gives up
    /// after [`PATIENCE`]; the error contains the page's text.
    pub async fn until(&self, condition: &str) -> Result<()> {
        // WebKit's driver returns from a navigation while the previous document is still there, with which a waiting script would end.
        if let Program::Other { .. } = self.program {
            return self.until_reloaded(&format!("Boolean({condition})")).await;
        }
        const WATCH: &str = "
            const [condition, done] = arguments;
            const value = new Function(`return (${condition});`);
            const holds = () => { try { return value(); } catch (error) { return false; } };
            if (holds()) { done(true); return; }
            const look = () => { if (holds()) { watch.disconnect(); clearInterval(timer); done(true); } };
            const watch = new MutationObserver(look);
            watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
            // The focus, the values of fields and variables are not part of the document.
            const timer = setInterval(look, 50);";
        match self.client.execute_async(WATCH, vec![json!(condition)]).await {
            Ok(_) => Ok(()),
            Err(error) => {
                bail!("the page shows:\n{}\n\ntimeout waiting for `{condition}`: {error}", self.shown().await)
            }
        }
    }

    /// As [`Browser::until`], for pages that reload in the meantime. A script that waits inside the page does not
    /// survive a reload, so this polls.
    pub async fn until_reloaded(&self, condition: &str) -> Result<()> {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if self.value(condition).await.is_ok_and(|value| value == true) {
                return Ok(());
            }
            sleep(Duration::from_millis(20)).await;
        }
        bail!("the page shows:\n{}\n\ntimeout waiting for `{condition}`", self.shown().await)
    }

    async fn shown(&self) -> String {
        let text = self.client.execute("return document.body.innerText", Vec::new()).await.unwrap_or_default();
        text.as_str().unwrap_or_default().to_owned()
    }

    /// The renderer processes of Chromium, which run pages and their workers.
    pub fn renderers(&self) -> Result<Vec<Pid>> {
        self.program.chromium()?.renderers()
    }

    /// Hides the page, as if its tab were in the background.
    pub async fn hide(&self) -> Result<()> {
        self.client.minimize_window().await?;
        self.until("document.hidden").await
    }

    /// Opens an address in a new tab, whose window is as large as a laptop's: otherwise, it would have the size of the browser's first one, which may
    /// have been a phone's.
    pub async fn open_tab(&self, address: &str) -> Result<WindowHandle> {
        let tab = self.client.new_window(true).await?.handle;
        self.client.switch_to_window(tab.clone()).await?;
        self.client.set_window_size(SHOWN.0, SHOWN.1).await?;
        self.client.goto(address).await?;
        Ok(tab)
    }

    /// Makes the page visible again.
    pub async fn show(&self) -> Result<()> {
        self.client.set_window_size(SHOWN.0, SHOWN.1).await?;
        self.until("!document.hidden").await
    }

    /// The first element that matches a selector, in the current cell if it contains one; waits until there is one. A closed panel or menu around it is opened, as a user
    /// would.
    pub async fn find(&self, selector: &str) -> Result<Element> {
        const OPEN: &str = "
            const [element] = arguments;
            element.closest('details.show:not([open])')?.querySelector('summary').click();
            const panel = element.closest('.panel[hidden]');
            const name = panel?.dataset.test.replace('panel-', '').replace('setup', 'toggle-controls');
            const opener = name === 'ranking' ? '.panel:not([hidden]) [data-test=close-panel]' : `[data-test=${name}], [data-test=open-${name}]`;
            panel?.closest('.cell').querySelector(opener).click();
            return panel !== null;";
        let in_cell = format!("[data-current] {selector}");
        let end = Instant::now() + PATIENCE;
        let element = loop {
            if let Ok(element) = self.client.find(Locator::Css(&in_cell)).await {
                break element;
            }
            match self.client.find(Locator::Css(selector)).await {
                Err(error) if error.is_no_such_element() && Instant::now() < end => sleep(STILL).await,
                found => break found.with_context(|| format!("finding {selector}"))?,
            }
        };
        let target = serde_json::to_value(&element)?;
        if self.client.execute(OPEN, vec![target.clone()]).await.is_ok_and(|was_hidden| was_hidden == true) {
            const IS_SHOWN: &str = "return arguments[0].closest('.panel[hidden]') === null";
            let end = Instant::now() + PATIENCE;
            while self.client.execute(IS_SHOWN, vec![target.clone()]).await? != true && Instant::now() < end {
                sleep(STILL).await;
            }
        }
        Ok(element)
    }

    /// Clicks the first element that matches a selector, in the current cell if it contains one, after scrolling it into view. If the page renders it
    /// again in the meantime, clicks the new one. Fails if another element covers it.
    pub async fn click(&self, selector: &str) -> Result<()> {
        let end = Instant::now() + PATIENCE;
        loop {
            let element = self.find(selector).await?;
            if let Program::Other { .. } = self.program {
                self.until_still(&element).await.with_context(|| format!("scrolling to {selector}"))?;
            }
            match element.click().await {
                Err(error)
                    if (error.is_stale_element_reference() || error.is_element_not_interactable())
                        && Instant::now() < end =>
                {
                    sleep(STILL).await;
                }
                result => return result.with_context(|| format!("clicking {selector}")),
            }
        }
    }

    /// Scrolls to an element, and waits until it stays where it is. The drivers of the other browsers click where an element was when they looked
    /// for it, and the page may still be rendering what is above.
    async fn until_still(&self, element: &Element) -> Result<()> {
        const POSITION: &str = "
            const [element] = arguments;
            element.scrollIntoView({ block: 'nearest' });
            const { x, y } = element.getBoundingClientRect();
            return [x, y];";
        let end = Instant::now() + PATIENCE;
        let mut last = Value::Null;
        while Instant::now() < end {
            let position = self.client.execute(POSITION, vec![serde_json::to_value(element)?]).await?;
            if position == last {
                return Ok(());
            }
            last = position;
            sleep(STILL).await;
        }
        bail!("it moves all the time; the last position was {last}")
    }

    /// The value of a JavaScript expression.
    pub async fn value(&self, expression: &str) -> Result<Value> {
        let script = format!("return ({expression});");
        self.client.execute(&script, Vec::new()).await.with_context(|| format!("evaluating `{expression}`"))
    }

    /// Sends a command of the DevTools protocol: <https://chromedevtools.github.io/devtools-protocol/>.
    pub async fn devtools(&self, method: &'static str, parameters: Value) -> Result<Value> {
        let command = Devtools { method, parameters };
        self.client.issue_cmd(command).await.with_context(|| format!("DevTools command {method}"))
    }

    /// Ends the session and the browser, or leaves the browser to the next test if it is reused.
    pub async fn close(self) -> Result<()> {
        // A browser whose data cannot be removed ends, and the next test starts another one.
        let is_clean = matches!(self.program, Program::Reused(_)) && self.remove_data().await.is_ok();
        let Self { client, program, .. } = self;
        client.close().await?;
        if let Program::Reused(chromium) = program
            && is_clean
        {
            chromium.release();
        }
        Ok(())
    }

    /// Replaces all windows by a new one, and removes everything that their pages have stored.
    pub async fn remove_data(&self) -> Result<()> {
        let old = self.client.windows().await?;
        let new = self.client.new_window(false).await?.handle;
        for window in old {
            self.client.switch_to_window(window).await?;
            self.client.close_window().await?;
        }
        self.client.switch_to_window(new).await?;
        self.devtools("Storage.clearDataForOrigin", json!({ "origin": "*", "storageTypes": "all" })).await?;
        self.devtools("Network.clearBrowserCache", json!({})).await?;
        self.devtools("Browser.resetPermissions", json!({})).await.map(drop)
    }
}

impl Program {
    fn chromium(&self) -> Result<&Chromium> {
        match self {
            Self::New(chromium) | Self::Reused(chromium) => Ok(chromium),
            Self::Other { .. } => bail!("this browser is not Chromium"),
        }
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
