//! Socket options and timeouts of every connection.

mod activity;
mod timed_stream;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum_server::accept::Accept;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;
use tokio_io_timeout::TimeoutStream;

use activity::{Activity, track};
pub use timed_stream::TimedStream;

/// The interval and number of keepalive probes. The connection of an unreachable client ends after two minutes, so that a
/// suspended computer keeps its position in the queue for that long.
const PROBE_INTERVAL: Duration = Duration::from_secs(20);
const PROBES: u32 = 6;
const UNREACHABLE: Duration = PROBE_INTERVAL.saturating_mul(PROBES);

/// Accepts connections and limits how long they may wait for their client; see [`Self::set_timeouts`].
#[derive(Clone, Copy, Debug)]
pub struct TimedAcceptor {
    /// How long a client may take to send a request, and to read any of the response.
    pub patience: Duration,
}

impl TimedAcceptor {
    /// Ends the connection if it waits for its client for longer than the limit, in whatever state, or if the client becomes
    /// unreachable.
    pub fn set_timeouts(self, stream: TcpStream, routes: Router) -> (TimedStream, Router) {
        if let Err(error) = set_options(&stream) {
            // The client is served even if the system does not support one of the options.
            tracing::debug!("the loss of this connection may remain undetected: {error}");
        }
        // Unknown if the connection was closed in the meantime.
        let address = stream.peer_addr().ok();
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(self.patience));
        let activity = Activity::new();
        (TimedStream::new(stream, Arc::clone(&activity), self.patience), track(routes, activity, address))
    }
}

impl Accept<TcpStream, Router> for TimedAcceptor {
    type Stream = TimedStream;
    type Service = Router;
    type Future = std::future::Ready<io::Result<(TimedStream, Router)>>;

    fn accept(&self, stream: TcpStream, routes: Router) -> Self::Future {
        std::future::ready(Ok(self.set_timeouts(stream, routes)))
    }
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
