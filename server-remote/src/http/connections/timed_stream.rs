//! A connection that ends if it waits too long for its client.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};
use tokio_io_timeout::TimeoutStream;

use super::activity::Activity;

/// A connection whose reads fail once it has been waiting for its client for longer than a limit, and whose writes fail if the
/// client accepts nothing for as long. The runner always reads, so that it ends the connection in any state: without a
/// request, after a part of one, or with a response that an HTTP/2 client does not accept.
#[derive(Debug)]
pub struct TimedStream {
    stream: Pin<Box<TimeoutStream<TcpStream>>>,
    activity: Arc<Activity>,
    patience: Duration,
    /// Wakes the connection for the next check.
    check: Pin<Box<Sleep>>,
}

impl TimedStream {
    pub(super) fn new(stream: TimeoutStream<TcpStream>, activity: Arc<Activity>, patience: Duration) -> Self {
        Self { stream: Box::pin(stream), activity, patience, check: Box::pin(sleep(patience)) }
    }

    /// Returns an error if the connection has been waiting for too long; otherwise schedules the next check.
    fn check_patience(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        while self.check.as_mut().poll(context).is_ready() {
            let waiting = self.activity.waiting().unwrap_or_default();
            if waiting >= self.patience {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "the client sent nothing and accepted nothing"));
            }
            self.check.as_mut().reset(Instant::now() + (self.patience - waiting));
        }
        Ok(())
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_patience(context)?;
        self.stream.as_mut().poll_read(context, buffer)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.stream.as_mut().poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.stream.as_mut().poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
