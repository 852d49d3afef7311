//! A file server for the built page: a plain one, or one that sends the headers that isolate the page.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, fs};

use anyhow::{Context, Result};
use axum::Router;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::map_response;
use axum::response::{Html, Response};
use axum::routing::get;
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tower_http::services::ServeDir;

/// Names the folder of the built page, as `cargo xtask test` does.
const DIST: &str = "BENCHBOOK_DIST";

/// Where the host has another page than Benchbook's, from the page's folder.
pub const OTHER_PAGE: &str = "other/";

/// What is served.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// The text of `notebook.json`, in the place of the one that is shipped.
    pub notebook: Option<String>,
    /// More suites: the name below `suites/`, and the module.
    pub suites: Vec<(String, PathBuf)>,
    /// Whether the host sends the headers that isolate the page.
    pub isolated: bool,
    /// Whether the host has the service worker by which a page isolates itself where the headers are not sent. A page
    /// that has neither stays as it is, with the coarse clock.
    pub service_worker: bool,
    /// The folder of the host in which the page lies, such as `/a/b`; absent: at its root.
    pub folder: Option<String>,
}

/// A running server; it ends when it is dropped.
pub struct Server {
    url: String,
    isolated: Arc<AtomicBool>,
    task: JoinHandle<()>,
}

impl Server {
    /// Serves the built page on a free port of this machine.
    ///
    /// # Errors
    /// Where there is no built page, or no port.
    pub async fn start(site: Site) -> Result<Self> {
        let dist = dist()?;
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let url = url(listener.local_addr()?, site.folder.as_deref());
        let isolated = Arc::new(AtomicBool::new(site.isolated));
        let router = router(&dist, site, Arc::clone(&isolated))?;
        let task = tokio::spawn(async move {
            // It serves until it is aborted; an error here shows in the browser as a refused connection.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self { url, isolated, task })
    }

    /// From now on the host sends the headers that isolate the page.
    pub fn isolate(&self) {
        self.isolated.store(true, Ordering::Relaxed);
    }

    /// The page's address.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The folder of the built page.
///
/// # Errors
/// Where it is not built.
pub fn dist() -> Result<PathBuf> {
    let dist = env::var_os(DIST).map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist"), PathBuf::from);
    dist.canonicalize().context("the page is not built: run `cargo xtask build`, or all tests with `cargo xtask test`")
}

fn url(address: SocketAddr, folder: Option<&str>) -> String {
    format!("http://{address}{}/", folder.unwrap_or_default())
}

fn router(dist: &Path, site: Site, isolated: Arc<AtomicBool>) -> Result<Router> {
    let other = Html("<!doctype html><title>Another page</title>");
    let mut router = Router::new()
        .fallback_service(ServeDir::new(dist))
        .route(&format!("/{OTHER_PAGE}"), get(move || async move { other }));
    if let Some(notebook) = site.notebook {
        router = router
            .route("/notebook.json", get(move || async { ([(header::CONTENT_TYPE, "application/json")], notebook) }));
    }
    for (name, path) in site.suites {
        let module = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        let answer = move || async { ([(header::CONTENT_TYPE, "application/wasm")], module) };
        router = router.route(&format!("/suites/{name}"), get(answer));
    }
    if !site.service_worker {
        router = router.route("/isolation-worker.js", get(StatusCode::NOT_FOUND));
    }
    let isolation = isolation()?;
    let router = router.layer(map_response(move |mut response: Response| {
        let added = if isolated.load(Ordering::Relaxed) { isolation.clone() } else { HeaderMap::new() };
        response.headers_mut().extend(added);
        async { response }
    }));
    Ok(match site.folder {
        Some(folder) => Router::new().nest_service(&folder, router),
        None => router,
    })
}

/// The headers with which `trunk serve` isolates the page: `[serve.headers]` of Trunk.toml.
pub(crate) fn isolation() -> Result<HeaderMap> {
    #[derive(Deserialize)]
    struct Trunk {
        serve: Serve,
    }
    #[derive(Deserialize)]
    struct Serve {
        headers: BTreeMap<String, String>,
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Trunk.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let trunk: Trunk = toml::from_str(&text).context("reading Trunk.toml")?;
    let header = |(name, value): (String, String)| Ok((name.parse::<HeaderName>()?, value.parse::<HeaderValue>()?));
    trunk.serve.headers.into_iter().map(header).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trunk_serves_what_isolates_a_page() {
        let headers = isolation().unwrap();
        assert_eq!(headers["Cross-Origin-Opener-Policy"], "same-origin");
        assert_eq!(headers["Cross-Origin-Embedder-Policy"], "require-corp");
    }
}
