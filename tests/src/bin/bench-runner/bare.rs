//! What the runner's answers are held against: a program of one axum route, which serves bytes that it has in memory.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use axum::Router;
use axum::body::Bytes;
use axum::http::header;
use axum::routing::post;
use benchbook_server::machine::avoid_core;

/// The argument by which this program is that one.
pub(crate) const MODE: &str = "bare";

/// Serves the bytes of a file, on the runner's threads: as many as there are cores without that which measures.
pub(crate) fn serve(answer: &Path, measuring: u32) -> Result<()> {
    avoid_core(measuring).map_err(anyhow::Error::msg)?;
    let answer = Bytes::from(std::fs::read(answer)?);
    let answer = move |_: Bytes| async move { ([(header::CONTENT_TYPE, "application/json")], answer) };
    let app = Router::new().route("/", post(answer));
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        println!("{}", listener.local_addr()?);
        Ok(axum::serve(listener, app).await?)
    })
}

/// The running program. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct Bare {
    child: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
}

impl Bare {
    /// Starts it; `answer` is the file that it serves.
    pub(crate) fn start(answer: &Path, measuring: u32) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(MODE).arg(answer).arg(measuring.to_string());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().context("it has output")?;
        let mut bare = Self { child, address: SocketAddr::from(([127, 0, 0, 1], 0)) };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        bare.address = line.trim().parse().context("it says where it listens")?;
        Ok(bare)
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
