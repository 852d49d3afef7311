//! A client that costs little: one connection that is kept, one request, the same again and again.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// A connection, and what is asked over it.
#[derive(Debug)]
struct Asker {
    stream: TcpStream,
    request: Arc<[u8]>,
    answer: Vec<u8>,
}

impl Asker {
    /// Asks, reads all of the answer, and looks whether it is the right one. How long that took.
    async fn ask(&mut self, expected: &[u8]) -> Result<Duration> {
        let start = Instant::now();
        self.stream.write_all(&self.request).await?;
        self.answer.clear();
        let body = loop {
            ensure!(self.stream.read_buf(&mut self.answer).await? > 0, "the connection ended");
            if let Some(end) = self.answer.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
        };
        let length = content_length(&self.answer[..body])?;
        while self.answer.len() < body + length {
            ensure!(self.stream.read_buf(&mut self.answer).await? > 0, "the connection ended");
        }
        let took = start.elapsed();
        ensure!(&self.answer[body..] == expected, "another answer: {}", String::from_utf8_lossy(&self.answer));
        Ok(took)
    }
}

/// The length of the body of what was answered well.
fn content_length(head: &[u8]) -> Result<usize> {
    let head = std::str::from_utf8(head)?.to_ascii_lowercase();
    ensure!(head.starts_with("http/1.1 200 "), "refused: {head}");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    Ok(length.with_context(|| format!("an answer without a length: {head}"))?.trim().parse()?)
}

/// Connections that ask the same at the same time.
#[derive(Debug)]
pub(crate) struct Askers {
    askers: Vec<Asker>,
    expected: Arc<[u8]>,
}

/// What a round of requests took.
#[derive(Debug)]
pub(crate) struct Asked {
    /// Answers a second.
    pub(crate) rate: f64,
    /// Of each request, in milliseconds.
    pub(crate) latencies: Vec<f64>,
}

impl Askers {
    /// Opens so many connections to post `body`, of which `expected` is the answer.
    pub(crate) async fn connect(
        address: SocketAddr,
        path: &str,
        body: &str,
        expected: &[u8],
        count: usize,
    ) -> Result<Self> {
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let request: Arc<[u8]> = request.into_bytes().into();
        let mut askers = Vec::new();
        for _ in 0..count {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            askers.push(Asker {
                stream,
                request: Arc::clone(&request),
                answer: Vec::with_capacity(2 * expected.len()),
            });
        }
        Ok(Self { askers, expected: expected.into() })
    }

    /// Asks so often, divided among the connections, each of which asks again when it has its answer.
    pub(crate) async fn ask(&mut self, requests: usize) -> Result<Asked> {
        let each = requests / self.askers.len();
        let mut asking = JoinSet::new();
        let start = Instant::now();
        for mut asker in self.askers.drain(..) {
            let expected = Arc::clone(&self.expected);
            asking.spawn(async move {
                let mut latencies = Vec::with_capacity(each);
                for _ in 0..each {
                    latencies.push(1e3 * asker.ask(&expected).await?.as_secs_f64());
                }
                anyhow::Ok((asker, latencies))
            });
        }
        let mut latencies = Vec::new();
        while let Some(asked) = asking.join_next().await {
            let (asker, taken) = asked??;
            self.askers.push(asker);
            latencies.extend(taken);
        }
        Ok(Asked { rate: latencies.len() as f64 / start.elapsed().as_secs_f64(), latencies })
    }
}
