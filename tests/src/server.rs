//! A plain file server for the built page, with or without the headers that isolate it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result};
use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

/// Names the folder of the built page, as `cargo xtask test` does.
const DIST: &str = "BENCHBOOK_DIST";

/// What is served.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// The text of `notebook.json`, in the place of the one that is shipped.
    pub notebook: Option<String>,
    /// More suites: the name below `suites/`, and the module.
    pub suites: Vec<(String, PathBuf)>,
    /// Whether the page is cross-origin isolated.
    pub isolated: bool,
}

/// A running server; it ends when it is dropped.
pub struct Server {
    address: SocketAddr,
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
        let address = listener.local_addr()?;
        let router = router(&dist, site)?;
        let task = tokio::spawn(async move {
            // It serves until it is aborted; an error here shows in the browser as a refused connection.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self { address, task })
    }

    /// The page's address.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
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

fn router(dist: &Path, site: Site) -> Result<Router> {
    let mut router = Router::new().fallback_service(ServeDir::new(dist));
    if let Some(notebook) = site.notebook {
        router = router
            .route("/notebook.json", get(move || async { ([(header::CONTENT_TYPE, "application/json")], notebook) }));
    }
    for (name, path) in site.suites {
        let module = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        let answer = move || async { ([(header::CONTENT_TYPE, "application/wasm")], module) };
        router = router.route(&format!("/suites/{name}"), get(answer));
    }
    if site.isolated {
        for (name, value) in ISOLATION {
            let (name, value) = (HeaderName::from_static(name), HeaderValue::from_static(value));
            router = router.layer(SetResponseHeaderLayer::overriding(name, value));
        }
    }
    Ok(router)
}

const ISOLATION: [(&str, &str); 2] =
    [("cross-origin-opener-policy", "same-origin"), ("cross-origin-embedder-policy", "require-corp")];
