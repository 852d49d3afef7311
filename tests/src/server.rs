//! A plain file server for the built page, with or without the headers that isolate it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result};
use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::routing::get;
use serde::Deserialize;
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
    /// The folder of the host in which the page lies, such as `/a/b`; absent: at its root.
    pub folder: Option<String>,
}

/// A running server; it ends when it is dropped.
pub struct Server {
    url: String,
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
        let router = router(&dist, site)?;
        let task = tokio::spawn(async move {
            // It serves until it is aborted; an error here shows in the browser as a refused connection.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self { url, task })
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
        for (name, value) in isolation()? {
            let (name, value) = (HeaderName::from_bytes(name.as_bytes())?, HeaderValue::from_str(&value)?);
            router = router.layer(SetResponseHeaderLayer::overriding(name, value));
        }
    }
    Ok(match site.folder {
        Some(folder) => Router::new().nest_service(&folder, router),
        None => router,
    })
}

/// The headers with which `trunk serve` isolates the page: `[serve.headers]` of Trunk.toml.
fn isolation() -> Result<BTreeMap<String, String>> {
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
    Ok(toml::from_str::<Trunk>(&text).context("reading Trunk.toml")?.serve.headers)
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
