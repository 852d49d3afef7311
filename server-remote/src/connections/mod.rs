//! Socket options and timeouts of every connection.

use std::io;
use std::pin::Pin;
use std::time::Duration;

use axum_server::accept::Accept;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;
use tokio_io_timeout::TimeoutStream;

/// The interval and number of keepalive probes. The connection of an unreachable client ends after two minutes, so that a
/// suspended computer retains its position in the queue for that long.
const PROBE_INTERVAL: Duration = Duration::from_secs(20);
const PROBES: u32 = 6;
const UNREACHABLE: Duration = PROBE_INTERVAL.saturating_mul(PROBES);

/// A connection with a write timeout.
pub type TimedStream = Pin<Box<TimeoutStream<TcpStream>>>;

/// Accepts connections and applies [`set_timeouts`].
#[derive(Clone, Copy, Debug)]
pub struct TimedAcceptor {
    /// How long a client may take to read any of the response.
    pub patience: Duration,
}

impl<S: Send + 'static> Accept<TcpStream, S> for TimedAcceptor {
    type Stream = TimedStream;
    type Service = S;
    type Future = std::future::Ready<io::Result<(TimedStream, S)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        std::future::ready(Ok((set_timeouts(stream, self.patience), service)))
    }
}

/// Ends the connection if the client reads nothing for `patience`, or becomes unreachable.
pub fn set_timeouts(stream: TcpStream, patience: Duration) -> TimedStream {
    if let Err(error) = set_options(&stream) {
        // The client is served even if the system does not support one of the options.
        tracing::debug!("the loss of this connection may remain undetected: {error}");
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(patience));
    Box::pin(stream)
}

fn set_options(stream: &TcpStream) -> io::Result<()> {
    // Sends each line immediately instead of collecting several.
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new().with_time(PROBE_INTERVAL).with_interval(PROBE_INTERVAL).with_retries(PROBES);
    SockRef::from(stream).set_tcp_keepalive(&keepalive)?;
    // Keepalive sends no probes while data is unacknowledged.
    #[cfg(target_os = "linux")]
    SockRef::from(stream).set_tcp_user_timeout(Some(UNREACHABLE))?;
    Ok(())
}

/// Limits how long a client may take to send the head of a request, and how long an HTTP/2 connection may leave a ping
/// unanswered.
pub fn limit_http(http: &mut Builder<TokioExecutor>, patience: Duration) {
    http.http1().timer(TokioTimer::new()).header_read_timeout(patience);
    let http2_timeout = UNREACHABLE - PROBE_INTERVAL;
    http.http2().timer(TokioTimer::new()).keep_alive_interval(PROBE_INTERVAL).keep_alive_timeout(http2_timeout);
}
