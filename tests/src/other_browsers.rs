//! Firefox and WebKit, driven through WebDriver. `cargo xtask test` installs them, and sets the variables that
//! name their programs.

use std::env;
use std::net::TcpListener;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::sleep;

use crate::browser::{Browser, Driver, PATIENCE};

/// The interval at which a new driver is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Starts Firefox; absent if GECKODRIVER is not set.
pub async fn firefox(width: u32, height: u32) -> Result<Option<Browser>> {
    firefox_with(width, height, &json!({})).await
}

/// As [`firefox`], with these preferences.
pub async fn firefox_with(width: u32, height: u32, preferences: &Value) -> Result<Option<Browser>> {
    let Ok(driver) = env::var("GECKODRIVER") else { return Ok(None) };
    let firefox = env::var("FIREFOX").context("FIREFOX is not set")?;
    let profile = TempDir::new()?;
    let port = free_port()?;
    let mut command = Command::new(driver);
    command.args(["--port", &port.to_string(), "--profile-root"]).arg(profile.path());
    let driver = start(&mut command)?;
    let options = json!({
        "binary": firefox,
        "args": ["-headless", format!("--width={width}"), format!("--height={height}")],
        "prefs": preferences,
    });
    let client = connect(port, "moz:firefoxOptions", options).await.context("failed to start Firefox")?;
    Browser::from_session(client, driver, profile).await.map(Some)
}

/// Starts WebKitGTK's test browser on a new virtual display; absent if WEBKIT_DRIVER is not set.
pub async fn webkit(width: u32, height: u32) -> Result<Option<Browser>> {
    let Ok(driver) = env::var("WEBKIT_DRIVER") else { return Ok(None) };
    let browser = env::var("WEBKIT").context("WEBKIT is not set")?;
    let profile = TempDir::new()?;
    let mut command = Command::new(env::var("XVFB").context("XVFB is not set")?);
    command.args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", &format!("{width}x{height}x24")]);
    let mut display = start(&mut command)?;
    let number = first_line(&mut display.0).await.context("failed to start Xvfb")?;
    let port = free_port()?;
    let mut command = Command::new(driver);
    command.arg(format!("--port={port}")).env("DISPLAY", format!(":{number}")).env("HOME", profile.path());
    // Its compiler for wasm has bugs on x86-64: on some processors, two pages in three stopped or showed wrong numbers (version 2.50.6). So
    // its interpreter runs the page; only functions with SIMD are still compiled.
    command.env("JSC_thresholdForBBQOptimizeAfterWarmUp", "1000000000").env("JSC_useWasmOSR", "false");
    // In the display's process group, which ends with the browser.
    let group = display.0.id().context("Xvfb has exited")?;
    command.process_group(group.cast_signed()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().context("failed to start WebKitWebDriver")?;
    let options = json!({ "binary": browser, "args": ["--automation"] });
    let client = connect(port, "webkitgtk:browserOptions", options).await.context("failed to start WebKit")?;
    client.set_window_rect(0, 0, width, height).await?;
    Browser::from_session(client, display, profile).await.map(Some)
}

/// Starts a program as the leader of a new process group.
fn start(command: &mut Command) -> Result<Driver> {
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    Ok(Driver(command.spawn().with_context(|| format!("failed to start {command:?}"))?))
}

async fn first_line(program: &mut Child) -> Result<String> {
    let output = program.stdout.take().context("standard output is not piped (this is a bug)")?;
    BufReader::new(output).lines().next_line().await?.context("the program printed nothing")
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// Opens a session, once the driver listens.
async fn connect(port: u16, key: &str, options: Value) -> Result<Client> {
    let end = Instant::now() + PATIENCE;
    while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
        ensure!(Instant::now() < end, "the driver does not listen");
        sleep(POLL_INTERVAL).await;
    }
    let capabilities = Map::from_iter([(key.to_owned(), options)]);
    let mut builder = ClientBuilder::new(HttpConnector::new());
    match builder.capabilities(capabilities).connect(&format!("http://127.0.0.1:{port}")).await {
        Ok(client) => Ok(client),
        Err(error) => bail!("the driver rejects the session: {error}"),
    }
}
