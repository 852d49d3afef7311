//! Whoever hears what a function of the suite that misbehaves tells while it is called.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// How long anything may take to be told; a busy machine included.
const PATIENCE: Duration = Duration::from_secs(60);

/// A place where functions may call.
pub struct Listener(TcpListener);

impl Listener {
    /// One on loopback.
    ///
    /// # Errors
    /// Where there is no port.
    pub fn start() -> Result<Self> {
        Ok(Self(TcpListener::bind("127.0.0.1:0")?))
    }

    /// What the suite's surroundings must have, so that it finds the place.
    ///
    /// # Errors
    /// Where the place has no address.
    pub fn variable(&self) -> Result<(&'static str, String)> {
        Ok(("MISBEHAVING_LISTENER", self.0.local_addr()?.to_string()))
    }

    /// The next function that calls.
    ///
    /// # Errors
    /// Where none does.
    pub fn hear(&self) -> Result<Caller> {
        let minute = Timespec::try_from(PATIENCE)?;
        ensure!(poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&minute))? > 0, "nobody called");
        let (stream, _) = self.0.accept()?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Caller(BufReader::new(stream)))
    }
}

/// A function that called.
pub struct Caller(BufReader<TcpStream>);

impl Caller {
    /// The next number that it tells.
    ///
    /// # Errors
    /// Where it tells none.
    pub fn number(&mut self) -> Result<i32> {
        let mut line = String::new();
        self.0.read_line(&mut line)?;
        line.trim().parse().with_context(|| format!("it told {line:?}"))
    }

    /// Lets it go on.
    ///
    /// # Errors
    /// Where it is gone.
    pub fn answer(&mut self) -> Result<()> {
        Ok(self.0.get_mut().write_all(&[0])?)
    }
}
