//! The built page on a host that is not loopback. Tests can change its files, and stop its server.

use std::fs;
use std::net::TcpListener as StdListener;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, anyhow};
use axum::Router;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tower_http::services::ServeDir;
use xtask::page_version;

use crate::browser::Browser;
use crate::notebook::{DESKTOP, Notebook};
use crate::server::{Server, Site, dist};
use crate::sites::qualities;

/// The name of the host, which only browsers with [`HostedSite::browser_arguments`] resolve.
const HOST: &str = "benchbook.test";

/// A copy of the built page on a server that lets browsers cache each file for an hour.
pub struct HostedSite {
    root: TempDir,
    headers: HeaderMap,
    folder: String,
    port: u16,
    server: Option<StoppableServer>,
}

/// A server on a thread of its own, so that stopping it also closes its connections.
struct StoppableServer {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<Result<()>>,
}

impl HostedSite {
    /// Serves the page in this folder of the host, such as `a/b/`; an empty folder is the root. The host sends no headers that
    /// isolate the page.
    pub fn start(folder: &str) -> Result<Self> {
        Self::start_with(folder, HeaderMap::new())
    }

    /// As [`Self::start`], on a host that sends these headers with every file.
    pub fn start_with(folder: &str, headers: HeaderMap) -> Result<Self> {
        let mut site = Self { root: TempDir::new()?, headers, folder: folder.to_owned(), port: 0, server: None };
        copy(&dist()?, &site.path(""))?;
        site.write("notebook.json", &notebook_with("A title", &["suites/demo.wasm"], &qualities(5_000.0)))?;
        site.restart()?;
        Ok(site)
    }

    /// Starts the server again, at the same address.
    pub fn restart(&mut self) -> Result<()> {
        let listener = StdListener::bind(("127.0.0.1", self.port))?;
        listener.set_nonblocking(true)?;
        self.port = listener.local_addr()?.port();
        let (stop, stopped) = oneshot::channel();
        let router = router(self.root.path(), self.headers.clone());
        let thread = thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener)?;
                tokio::select! {
                    result = async { axum::serve(listener, router).await } => Ok(result?),
                    _ = stopped => Ok(()),
                }
            })
        });
        self.server = Some(StoppableServer { stop, thread });
        Ok(())
    }

    /// Stops the server and closes its connections.
    pub fn stop(&mut self) -> Result<()> {
        let Some(StoppableServer { stop, thread }) = self.server.take() else { return Ok(()) };
        // An error means that the server has failed; its thread returns the reason.
        let _ = stop.send(());
        thread.join().map_err(|_| anyhow!("the server panicked"))?
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{HOST}:{}/{}", self.port, self.folder)
    }

    /// The port of the server.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The path of a file of the page.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(&self.folder).join(name)
    }

    /// Writes a file of the page.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.path(name);
        fs::create_dir_all(path.parent().context("the file has no folder (this is a bug)")?)?;
        fs::write(&path, text).with_context(|| format!("failed to write {}", path.display()))
    }

    /// Replaces the page with another build, and returns its version.
    pub fn release(&self) -> Result<String> {
        let worker = fs::read_to_string(self.path("worker.js"))?;
        self.write("worker.js", &format!("{worker}// Another build.\n"))?;
        page_version::write(&self.path(""))?;
        self.version()
    }

    /// The version of the page on the host.
    pub fn version(&self) -> Result<String> {
        let page = fs::read_to_string(self.path("index.html"))?;
        let version = page.split("<meta name=\"version\" content=\"").nth(1).and_then(|rest| rest.split('"').next());
        version.map(str::to_owned).context("the page has a version")
    }

    /// The arguments of a browser that resolves the host's name, and treats the host as one with https.
    pub fn browser_arguments(&self) -> Vec<String> {
        vec![
            format!("--host-resolver-rules=MAP {HOST} 127.0.0.1"),
            format!("--unsafely-treat-insecure-origin-as-secure=http://{HOST}:{}", self.port),
        ]
    }

    /// The preferences of a Firefox that resolves the host's name, and treats the host as one with https.
    pub fn firefox_preferences(&self) -> Value {
        json!({
            "network.dns.localDomains": HOST,
            "dom.securecontext.allowlist": HOST,
            "dom.serviceWorkers.testing.enabled": true,
        })
    }

    /// Opens the page in a new Chromium.
    pub async fn open(&self) -> Result<Notebook> {
        self.open_in(Browser::start_with(DESKTOP.0, DESKTOP.1, &self.browser_arguments()).await?).await
    }

    /// Opens the page in a browser that resolves the host's name.
    pub async fn open_in(&self, browser: Browser) -> Result<Notebook> {
        // The page object needs a server, which these tests do not use.
        let notebook = Notebook { browser, server: Server::start(Site::default()).await? };
        notebook.browser.client.goto(&self.url()).await?;
        Ok(notebook)
    }
}

impl Drop for HostedSite {
    fn drop(&mut self) {
        // The test has ended, with or without an error of its own.
        let _ = self.stop();
    }
}

/// A `notebook.json` with this title, suites and qualities.
pub fn notebook_with(title: &str, suites: &[&str], qualities: &Value) -> String {
    json!({ "title": title, "suites": suites, "qualities": qualities }).to_string()
}

fn router(root: &Path, more: HeaderMap) -> Router {
    Router::new().fallback_service(ServeDir::new(root)).layer(map_response(move |mut response: Response| {
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("max-age=3600"));
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        // Two versions of a file that are written within a second have the same time.
        headers.remove(header::LAST_MODIFIED);
        headers.remove(header::ETAG);
        headers.extend(more.clone());
        async { response }
    }))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
