//! Receives connections from functions of the fixture `misbehaving` during a measured call.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The time limit for a connection or a line, generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A listener that functions connect to.
pub struct Listener(TcpListener);

impl Listener {
    /// Listens on a loopback port.
    pub fn start() -> Result<Self> {
        Ok(Self(TcpListener::bind("127.0.0.1:0")?))
    }

    /// The environment variable that passes the listener's address to the suite.
    pub fn variable(&self) -> Result<(&'static str, String)> {
        Ok(("MISBEHAVING_LISTENER", self.0.local_addr()?.to_string()))
    }

    /// Accepts the next connection.
    pub fn accept(&self) -> Result<Connection> {
        let minute = Timespec::try_from(TIMEOUT)?;
        ensure!(poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&minute))? > 0, "no function connected");
        let (stream, _) = self.0.accept()?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        Ok(Connection(BufReader::new(stream)))
    }
}

/// A connection from a function.
pub struct Connection(BufReader<TcpStream>);

impl Connection {
    /// Reads the next number that the function sends.
    pub fn number(&mut self) -> Result<i32> {
        let mut line = String::new();
        self.0.read_line(&mut line)?;
        line.trim().parse().with_context(|| format!("not a number: {line:?}"))
    }

    /// Lets the function continue.
    pub fn release(&mut self) -> Result<()> {
        Ok(self.0.get_mut().write_all(&[0])?)
    }
}
