//! Serves the documentation on this machine: browsers load no modules from files.

use std::net::Ipv4Addr;
use std::path::Path;

use anyhow::{Context, Result};
use axum::Router;
use tokio::net::TcpListener;
use tokio::runtime;
use tower_http::services::ServeDir;

use super::pages;

/// Serves a folder until the program ends.
///
/// * `page`: the page to open, relative to the folder.
/// * `port`: 0 for a free one.
pub(super) fn serve(folder: &Path, page: &Path, port: u16, opens: bool) -> Result<()> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build().context("failed to start the server")?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let listener = listener.with_context(|| format!("listening on port {port}. Choose another one with --port"))?;
        let url = format!("http://{}/{}", listener.local_addr()?, pages::address(page));
        println!("The documentation is at {url} (Ctrl-C ends it).");
        if opens && let Err(error) = opener::open_browser(&url) {
            anstream::eprintln!("warning: cannot open the browser, so open {url} yourself: {error}");
        }
        axum::serve(listener, Router::new().fallback_service(ServeDir::new(folder)))
            .await
            .context("serving the documentation")
    })
}
