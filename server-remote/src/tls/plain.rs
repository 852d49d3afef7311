//! Who speaks plain HTTP where TLS is spoken is told so: a browser would say no more than that the connection was reset.

use std::io;
use std::pin::Pin;
use std::time::Duration;

use axum_server::accept::Accept;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::connections::{Watch, Watched, watch};

/// What a connection of TLS begins with: a handshake (RFC 8446, section 5.1).
const HANDSHAKE: u8 = 22;

/// How long a connection may be silent before its first byte: as long as a handshake may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most of a request that is read before it is answered.
const MOST_READ: usize = 16 << 10;

/// Accepts connections of TLS, and answers those of plain HTTP with the address that was meant.
pub fn acceptor(config: RustlsConfig, watch: Watch) -> RustlsAcceptor<PlainTold> {
    RustlsAcceptor::new(config).acceptor(PlainTold(watch))
}

/// Lets through what may be TLS.
#[derive(Clone, Copy, Debug)]
pub struct PlainTold(Watch);

impl<S: Send + 'static> Accept<TcpStream, S> for PlainTold {
    type Stream = Watched;
    type Service = S;
    type Future = Pin<Box<dyn Future<Output = io::Result<(Watched, S)>> + Send>>;

    fn accept(&self, mut stream: TcpStream, service: S) -> Self::Future {
        let Watch { patience } = self.0;
        Box::pin(async move {
            let mut first = [0];
            timeout(PATIENCE, stream.peek(&mut first)).await??;
            if first[0] == HANDSHAKE {
                return Ok((watch(stream, patience), service));
            }
            // As a method of HTTP begins.
            if first[0].is_ascii_uppercase() {
                tell(&mut stream).await?;
            }
            Err(io::Error::new(io::ErrorKind::InvalidData, "it does not speak TLS"))
        })
    }
}

/// Answers a request whose method has begun.
async fn tell(stream: &mut TcpStream) -> io::Result<()> {
    let address = stream.local_addr()?;
    let said = format!("This runner speaks https: https://{address}/\n");
    let head = "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n";
    let answer = format!("{head}content-length: {}\r\n\r\n{said}", said.len());
    // A connection that is closed with something unread is reset, and the answer lost.
    let mut request = vec![0; MOST_READ];
    stream.readable().await?;
    let _ = stream.try_read(&mut request)?;
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await
}
