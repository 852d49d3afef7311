//! A cheap client: it sends the same request repeatedly over one connection.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// A connection and its request.
#[derive(Debug)]
struct Connection {
    stream: TcpStream,
    request: Arc<[u8]>,
    response: Vec<u8>,
}

impl Connection {
    /// Sends the request, reads and checks the complete response, and returns the duration.
    async fn send(&mut self, expected: &[u8]) -> Result<Duration> {
        let start = Instant::now();
        self.stream.write_all(&self.request).await?;
        self.response.clear();
        let body = loop {
            ensure!(self.stream.read_buf(&mut self.response).await? > 0, "the server closed the connection");
            if let Some(end) = self.response.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
        };
        let length = content_length(&self.response[..body])?;
        while self.response.len() < body + length {
            ensure!(self.stream.read_buf(&mut self.response).await? > 0, "the server closed the connection");
        }
        let duration = start.elapsed();
        ensure!(&self.response[body..] == expected, "unexpected response: {}", String::from_utf8_lossy(&self.response));
        Ok(duration)
    }
}

/// The length of the body of a successful response.
fn content_length(head: &[u8]) -> Result<usize> {
    let head = std::str::from_utf8(head)?.to_ascii_lowercase();
    ensure!(head.starts_with("http/1.1 200 "), "rejected: {head}");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    Ok(length.with_context(|| format!("the response has no length: {head}"))?.trim().parse()?)
}

/// Concurrent connections that send the same request.
#[derive(Debug)]
pub(crate) struct Connections {
    connections: Vec<Connection>,
    expected: Arc<[u8]>,
}

/// The results of a round of requests.
#[derive(Debug)]
pub(crate) struct Round {
    /// Responses per second.
    pub(crate) rate: f64,
    /// The duration of each request, in milliseconds.
    pub(crate) latencies: Vec<f64>,
}

impl Connections {
    /// Opens `count` connections that post `body` and expect the response `expected`.
    pub(crate) async fn open(
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
        let mut connections = Vec::new();
        for _ in 0..count {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            let response = Vec::with_capacity(2 * expected.len());
            connections.push(Connection { stream, request: Arc::clone(&request), response });
        }
        Ok(Self { connections, expected: expected.into() })
    }

    /// Sends this number of requests, divided among the connections. Each connection waits for a response before the next.
    pub(crate) async fn send(&mut self, requests: usize) -> Result<Round> {
        let each = requests / self.connections.len();
        let mut tasks = JoinSet::new();
        let start = Instant::now();
        for mut connection in self.connections.drain(..) {
            let expected = Arc::clone(&self.expected);
            tasks.spawn(async move {
                let mut latencies = Vec::with_capacity(each);
                for _ in 0..each {
                    latencies.push(1e3 * connection.send(&expected).await?.as_secs_f64());
                }
                anyhow::Ok((connection, latencies))
            });
        }
        let mut latencies = Vec::new();
        while let Some(finished) = tasks.join_next().await {
            let (connection, durations) = finished??;
            self.connections.push(connection);
            latencies.extend(durations);
        }
        Ok(Round { rate: latencies.len() as f64 / start.elapsed().as_secs_f64(), latencies })
    }
}
