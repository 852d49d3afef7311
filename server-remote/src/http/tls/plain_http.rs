//! Responds to plain HTTP requests on the TLS port, for which a browser would report only a reset connection.

use std::io;
use std::pin::Pin;
use std::time::Duration;

use axum::Router;
use axum_server::accept::Accept;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::http::connections::{TimedAcceptor, TimedStream};

/// The first byte of a TLS connection: the record type of a handshake (RFC 8446, section 5.1).
const HANDSHAKE: u8 = 22;

/// How long a client may take to send the first byte: as long as a handshake may take.
const FIRST_BYTE_TIMEOUT: Duration = Duration::from_secs(10);

/// How much of a plain request is read before the response.
const MAX_READ: usize = 16 << 10;

/// Accepts TLS connections, and responds to plain HTTP requests with the https address.
pub fn acceptor(config: RustlsConfig, inner: TimedAcceptor) -> RustlsAcceptor<PlainHttpDetector> {
    RustlsAcceptor::new(config).acceptor(PlainHttpDetector(inner))
}

/// Passes TLS connections on, and ends others.
#[derive(Clone, Copy, Debug)]
pub struct PlainHttpDetector(TimedAcceptor);

impl Accept<TcpStream, Router> for PlainHttpDetector {
    type Stream = TimedStream;
    type Service = Router;
    type Future = Pin<Box<dyn Future<Output = io::Result<(TimedStream, Router)>> + Send>>;

    fn accept(&self, mut stream: TcpStream, routes: Router) -> Self::Future {
        let acceptor = self.0;
        Box::pin(async move {
            let mut first = [0];
            timeout(FIRST_BYTE_TIMEOUT, stream.peek(&mut first)).await??;
            if first[0] == HANDSHAKE {
                return Ok(acceptor.set_timeouts(stream, routes));
            }
            // The first letter of an HTTP method.
            if first[0].is_ascii_uppercase() {
                reply(&mut stream).await?;
            }
            Err(io::Error::new(io::ErrorKind::InvalidData, "the client does not use TLS"))
        })
    }
}

/// Responds to a plain HTTP request.
async fn reply(stream: &mut TcpStream) -> io::Result<()> {
    let address = stream.local_addr()?;
    let body = format!("This runner requires https. Use https://{address}/\n");
    let head = "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n";
    let response = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
    // Closing a connection with unread data resets it, and the response is lost.
    let mut request = vec![0; MAX_READ];
    stream.readable().await?;
    let _ = stream.try_read(&mut request)?;
    stream.write_all(response.as_bytes()).await?;
    stream.shutdown().await
}
