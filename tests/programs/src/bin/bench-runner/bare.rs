//! The baseline of the cached responses: a program with one axum route, which serves bytes from memory.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use axum::Router;
use axum::body::Bytes;
use axum::http::header;
use axum::routing::post;
use benchbook_server::service::process::avoid_core;

/// The argument that starts this program as the baseline.
pub(crate) const MODE: &str = "bare";

/// Serves the bytes of a file, with as many threads as the runner: one per core except the measuring one.
pub(crate) fn serve(response: &Path, measuring: u32) -> Result<()> {
    avoid_core(measuring).map_err(anyhow::Error::msg)?;
    let response = Bytes::from(std::fs::read(response)?);
    let handler = move |_: Bytes| async move { ([(header::CONTENT_TYPE, "application/json")], response) };
    let app = Router::new().route("/", post(handler));
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        println!("{}", listener.local_addr()?);
        Ok(axum::serve(listener, app).await?)
    })
}

/// The running baseline. Dropping it kills the program.
#[derive(Debug)]
pub(crate) struct BareServer {
    child: Child,
    /// The address at which it listens.
    pub(crate) address: SocketAddr,
}

impl BareServer {
    /// Starts it with the file that it serves.
    pub(crate) fn start(response: &Path, measuring: u32) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(MODE).arg(response).arg(measuring.to_string());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().context("standard output is not piped (this is a bug)")?;
        let mut bare = Self { child, address: SocketAddr::from(([127, 0, 0, 1], 0)) };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        bare.address = line.trim().parse().context("failed to parse its address")?;
        Ok(bare)
    }
}

impl Drop for BareServer {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
