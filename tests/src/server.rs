//! A file server for the built page, with or without the headers that isolate it.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::{env, fs};

use anyhow::{Context, Result};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{map_request, map_response};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use futures_util::stream::{StreamExt, once, pending, repeat};
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tower_http::services::ServeDir;

/// The environment variable with the folder of the built page, set by `cargo xtask test`.
const DIST: &str = "BENCHBOOK_DIST";

/// The contents and the headers of a site.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// The folder of the page; absent: the built one.
    pub page: Option<PathBuf>,
    /// Replaces the shipped `notebook.json`.
    pub notebook: Option<String>,
    /// Additional suites: the name below `suites/` and the module's path.
    pub suites: Vec<(String, PathBuf)>,
    /// Additional files: the path below the page's folder and the content.
    pub files: Vec<(String, ServedFile)>,
    /// Whether the pages of other addresses may request its files (CORS).
    pub is_shared: bool,
    /// Whether the server sends the headers that isolate the page.
    pub isolated: bool,
    /// Whether the server has the service worker with which the page isolates itself without those headers. A page with
    /// neither is not isolated and has a coarse clock.
    pub service_worker: bool,
    /// The page's folder, such as `/a/b`; absent: the root.
    pub folder: Option<String>,
}

/// The content of an additional file.
#[derive(Clone, Debug)]
pub enum ServedFile {
    /// A text.
    Text(String),
    /// A page.
    Html(String),
    /// A binary.
    Bytes(Vec<u8>),
    /// Spaces without an end, and without a `Content-Length`.
    Endless,
    /// A first part of this size, after which the host sends nothing; it has announced twice the size.
    Stalled(usize),
}

impl IntoResponse for ServedFile {
    fn into_response(self) -> Response {
        const PART: Bytes = Bytes::from_static(&[b' '; 1 << 16]);
        match self {
            Self::Text(text) => text.into_response(),
            Self::Html(html) => Html(html).into_response(),
            Self::Bytes(bytes) => bytes.into_response(),
            Self::Stalled(size) => {
                let part = once(async move { Ok::<_, Infallible>(Bytes::from(vec![b' '; size])) });
                ([(header::CONTENT_LENGTH, 2 * size)], Body::from_stream(part.chain(pending()))).into_response()
            }
            Self::Endless => Body::from_stream(repeat(Ok::<_, Infallible>(PART))).into_response(),
        }
    }
}

/// A running server. Dropping it stops the server.
pub struct Server {
    url: String,
    isolated: Arc<AtomicBool>,
    requests: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Server {
    /// Serves the built page on a free loopback port.
    pub async fn start(site: Site) -> Result<Self> {
        let page = site.page.clone().map_or_else(dist, Ok)?;
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let url = url(listener.local_addr()?, site.folder.as_deref());
        let isolated = Arc::new(AtomicBool::new(site.isolated));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&requests);
        let router = router(&page, site, Arc::clone(&isolated))?.layer(map_request(move |request: Request| {
            log.lock().expect("no thread panics with it").push(request.uri().to_string());
            async { request }
        }));
        let task = tokio::spawn(async move {
            // Runs until it is aborted. If it fails, the browser cannot connect.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self { url, isolated, requests, task })
    }

    /// Sends the headers that isolate the page from now on.
    pub fn isolate(&self) {
        self.isolated.store(true, Ordering::Relaxed);
    }

    /// The requested paths so far, with their queries.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no thread panics with it").clone()
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
pub fn dist() -> Result<PathBuf> {
    let dist = env::var_os(DIST).map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist"), PathBuf::from);
    dist.canonicalize().context("the page is not built: run `cargo xtask build`, or all tests with `cargo xtask test`")
}

fn url(address: SocketAddr, folder: Option<&str>) -> String {
    format!("http://{address}{}/", folder.unwrap_or_default())
}

fn router(page: &Path, site: Site, isolated: Arc<AtomicBool>) -> Result<Router> {
    let mut router = Router::new().fallback_service(ServeDir::new(page));
    if let Some(notebook) = site.notebook {
        router = router
            .route("/notebook.json", get(move || async { ([(header::CONTENT_TYPE, "application/json")], notebook) }));
    }
    for (name, path) in site.suites {
        let module = fs::read(&path).with_context(|| format!("failed to read {}", path.display()))?;
        let file = move || async { ([(header::CONTENT_TYPE, "application/wasm")], module) };
        router = router.route(&format!("/suites/{name}"), get(file));
    }
    for (name, file) in site.files {
        router = router.route(&format!("/{name}"), get(move || async { file }));
    }
    if !site.service_worker {
        router = router.route("/isolation-worker.js", get(StatusCode::NOT_FOUND));
    }
    let isolation = isolation()?;
    let router = router.layer(map_response(move |mut response: Response| {
        let mut added = if isolated.load(Ordering::Relaxed) { isolation.clone() } else { HeaderMap::new() };
        if site.is_shared {
            added.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        }
        response.headers_mut().extend(added);
        async { response }
    }));
    Ok(match site.folder {
        Some(folder) => Router::new().nest_service(&folder, router),
        None => router,
    })
}

/// The headers with which `trunk serve` isolates the page: `[serve.headers]` of Trunk.toml.
pub fn isolation() -> Result<HeaderMap> {
    #[derive(Deserialize)]
    struct Trunk {
        serve: Serve,
    }
    #[derive(Deserialize)]
    struct Serve {
        headers: BTreeMap<String, String>,
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Trunk.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("failed to read {}", path.display()))?;
    let trunk: Trunk = toml::from_str(&text).context("failed to read Trunk.toml")?;
    let header = |(name, value): (String, String)| Ok((name.parse::<HeaderName>()?, value.parse::<HeaderValue>()?));
    trunk.serve.headers.into_iter().map(header).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trunk_sends_the_isolation_headers() {
        let headers = isolation().unwrap();
        assert_eq!(headers["Cross-Origin-Opener-Policy"], "same-origin");
        assert_eq!(headers["Cross-Origin-Embedder-Policy"], "require-corp");
    }
}
