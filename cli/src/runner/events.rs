//! The events of a measurement on a runner, as they arrive.

use std::io::{self, BufRead, BufReader};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow};
use benchbook_host::api::Event;
use ureq::Body;

use super::RunnerApi;

/// The longest time without an event of a runner, which sends one at least every 20 s.
const SILENCE: Duration = Duration::from_mins(1);

/// The maximum size of a stream in bytes: each point contains its samples.
const MAX_BYTES: u64 = 1 << 30;

/// The events of a measurement. A thread reads them, so that the loss of the network is noticed.
#[derive(Debug)]
pub(crate) struct EventStream {
    lines: Receiver<io::Result<String>>,
    connection: RunnerApi,
    /// The longest time without an event.
    patience: Duration,
}

impl EventStream {
    /// Reads the body of a response.
    pub(crate) fn new(body: Body, connection: RunnerApi) -> Self {
        let (sender, lines) = channel();
        let body = body.into_with_config().limit(MAX_BYTES).reader();
        // Ends with the stream, or at the next line after this value was dropped.
        thread::spawn(move || BufReader::new(body).lines().try_for_each(|line| sender.send(line)));
        Self { lines, connection, patience: SILENCE }
    }

    /// The next event.
    ///
    /// # Errors
    /// If the connection ends, or nothing arrives for a minute.
    pub(crate) fn next(&mut self) -> Result<Event> {
        let address = self.connection.address();
        let ended =
            || format!("the runner at {address} ended the connection. Run the check again once the runner is back");
        match self.lines.recv_timeout(self.patience) {
            Ok(line) => {
                serde_json::from_str(&line.with_context(ended)?).map_err(|error| self.connection.unknown_format(error))
            }
            Err(RecvTimeoutError::Disconnected) => Err(Error::msg(ended())),
            Err(RecvTimeoutError::Timeout) => {
                Err(anyhow!(ureq::Error::ConnectionFailed)
                    .context(format!("the runner at {address} no longer responds")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// A connection that breaks.
    struct BrokenConnection;

    impl Read for BrokenConnection {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }

    fn connection() -> RunnerApi {
        RunnerApi::new("http://127.0.0.1:4040/", None)
    }

    #[test]
    fn a_stream_that_breaks_off_states_what_to_do() {
        let event = serde_json::to_string(&Event::Queued { ahead: 1, wait_ms: 2 }).expect("it is serialized");
        let half = format!("{event}\n{}", &event[..10]);
        let body = Body::builder().reader(io::Cursor::new(half).chain(BrokenConnection));
        let mut events = EventStream::new(body, connection());
        assert!(events.next().is_ok());
        let error = events.next().expect_err("the connection is broken").to_string();
        assert_eq!(
            error,
            "the runner at http://127.0.0.1:4040 ended the connection. Run the check again once the runner is back"
        );
    }

    #[test]
    fn the_end_of_a_stream_is_an_error() {
        let error = EventStream::new(Body::builder().data(""), connection()).next().expect_err("it has no event");
        assert!(error.to_string().contains("ended the connection"), "{error}");
    }

    #[test]
    fn a_silent_runner_is_not_waited_for() {
        let (_sender, lines) = channel();
        let mut events = EventStream { lines, connection: connection(), patience: Duration::ZERO };
        let error = events.next().expect_err("nothing arrives").to_string();
        assert_eq!(error, "the runner at http://127.0.0.1:4040 no longer responds");
    }
}
