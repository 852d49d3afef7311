//! Serves a folder on this machine: browsers load no modules from files.

use std::net::Ipv4Addr;
use std::path::Path;

use anyhow::{Context, Result};
use axum::Router;
use tokio::net::TcpListener;
use tokio::runtime;
use tower_http::services::ServeDir;

/// Where a folder is served.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ServingOptions {
    /// Serve it on this machine, and open it in the browser
    #[arg(long)]
    open: bool,
    /// Serve it without opening the browser
    #[arg(long, conflicts_with = "open")]
    serve: bool,
    /// The port for --open and --serve [default: a free one]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
}

impl ServingOptions {
    /// Whether a folder is served.
    pub(crate) fn is_wanted(&self) -> bool {
        self.open || self.serve
    }
}

/// Serves a folder until the program ends.
///
/// * `name`: what it is, at the beginning of a sentence.
/// * `page`: the address of the page to open, relative to the folder.
pub(crate) fn serve(name: &str, folder: &Path, page: &str, options: &ServingOptions) -> Result<()> {
    let ServingOptions { open, port, .. } = *options;
    let runtime = runtime::Builder::new_current_thread().enable_all().build().context("failed to start the server")?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let listener = listener.with_context(|| format!("listening on port {port}. Choose another one with --port"))?;
        let url = format!("http://{}/{}", listener.local_addr()?, page);
        println!("{name} is at {url} (Ctrl-C ends it).");
        if open && let Err(error) = opener::open_browser(&url) {
            anstream::eprintln!("warning: cannot open the browser, so open {url} yourself: {error}");
        }
        axum::serve(listener, Router::new().fallback_service(ServeDir::new(folder))).await.context("serving the folder")
    })
}
