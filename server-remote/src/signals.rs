//! The signals that end the runner.

use std::io;
use std::process::exit;

/// Which signal came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// SIGINT, as from Ctrl-C.
    Interrupt,
    /// SIGTERM, as from a service manager.
    Terminate,
}

impl Signal {
    /// What a shell says of a program that the signal ended.
    fn exit_code(self) -> i32 {
        match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
        }
    }
}

/// Listens from now on: the signals end the process no longer by themselves.
#[cfg(unix)]
pub struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// In a runtime of tokio.
    ///
    /// # Errors
    /// Where the system lets nobody listen.
    pub fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
        }
    }
}

/// Listens from now on: the signals end the process no longer by themselves.
#[cfg(not(unix))]
pub struct Signals;

#[cfg(not(unix))]
impl Signals {
    /// In a runtime of tokio.
    ///
    /// # Errors
    /// None here.
    pub fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> Signal {
        // Where nobody can listen, nothing comes.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        Signal::Interrupt
    }
}

impl Signals {
    /// Waits for the first signal, at which the runner ends in order. From then on a second one ends it at once.
    pub async fn first(mut self) -> Signal {
        let first = self.next().await;
        tokio::spawn(async move { exit(self.next().await.exit_code()) });
        first
    }
}
