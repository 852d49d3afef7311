//! The signals that shut the runner down.

use std::io;
use std::process::exit;

/// A signal that was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// SIGINT, as from Ctrl-C.
    Interrupt,
    /// SIGTERM, as from a service manager.
    Terminate,
}

impl Signal {
    /// The exit code that a shell reports for a process ended by this signal.
    fn exit_code(self) -> i32 {
        match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
        }
    }
}

/// Receives the signals. They no longer end the process by default.
pub struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    /// Installs the signal handlers. Call it in a tokio runtime.
    ///
    /// # Errors
    /// If the system does not install a handler.
    #[cfg(unix)]
    pub fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// Does nothing here: [`tokio::signal::ctrl_c`] installs its own handler.
    ///
    /// # Errors
    /// None.
    #[cfg(not(unix))]
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(unix)]
    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
        }
    }

    #[cfg(not(unix))]
    async fn next(&mut self) -> Signal {
        // Without a handler, no signal can be received.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        Signal::Interrupt
    }

    /// Waits for the first signal, which shuts the runner down in order. After that, a second one exits at once.
    pub async fn first(mut self) -> Signal {
        let first = self.next().await;
        tokio::spawn(async move { exit(self.next().await.exit_code()) });
        first
    }
}
