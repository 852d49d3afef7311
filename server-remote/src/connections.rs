//! What every connection is given: lines are sent at once, and it ends where nobody takes them any more.

use std::io;
use std::pin::Pin;
use std::time::Duration;

use axum_server::accept::Accept;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;
use tokio_io_timeout::TimeoutStream;

/// How often a silent client is asked whether it is still there, and after how many unanswered questions the connection
/// ends: a computer that was put to sleep keeps its place in the queue for two minutes.
const QUESTION: Duration = Duration::from_secs(20);
const QUESTIONS: u32 = 6;
const GONE: Duration = QUESTION.saturating_mul(QUESTIONS);

/// A connection whose client takes what it is told, in time.
pub type Watched = Pin<Box<TimeoutStream<TcpStream>>>;

/// Gives connections what [`watch`] does.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// How long a client may take nothing of what it is told.
    pub patience: Duration,
}

impl<S: Send + 'static> Accept<TcpStream, S> for Watch {
    type Stream = Watched;
    type Service = S;
    type Future = std::future::Ready<io::Result<(Watched, S)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        std::future::ready(Ok((watch(stream, self.patience), service)))
    }
}

/// Ends a connection where its client takes nothing of what it is told for so long, or is gone without a word.
pub fn watch(stream: TcpStream, patience: Duration) -> Watched {
    if let Err(error) = set(&stream) {
        // A client is served where the system lacks one of these.
        tracing::debug!("a client that is gone without a word may not be noticed: {error}");
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(patience));
    Box::pin(stream)
}

fn set(stream: &TcpStream) -> io::Result<()> {
    // A line waits for no other that could go with it.
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new().with_time(QUESTION).with_interval(QUESTION).with_retries(QUESTIONS);
    SockRef::from(stream).set_tcp_keepalive(&keepalive)?;
    // Nothing is asked as long as something that was told is on its way.
    #[cfg(target_os = "linux")]
    SockRef::from(stream).set_tcp_user_timeout(Some(GONE))?;
    Ok(())
}

/// Bounds how long a client may take to send the head of a request, and for how long a connection of HTTP/2 may be silent
/// when it is asked whether it is still there.
pub fn bound(http: &mut Builder<TokioExecutor>, patience: Duration) {
    http.http1().timer(TokioTimer::new()).header_read_timeout(patience);
    http.http2().timer(TokioTimer::new()).keep_alive_interval(QUESTION).keep_alive_timeout(GONE - QUESTION);
}
