//! The events of a job, which each subscriber reads from the beginning, at its own pace.

use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use benchbook_host::api::Event;
use benchbook_host::sample::measurement::Progress;
use tokio::time::Instant;

use crate::queue::QueuePosition;

/// An event, shared by all of its readers.
#[derive(Debug)]
pub struct SharedEvent {
    event: Event,
    line: OnceLock<Bytes>,
}

impl SharedEvent {
    /// Wraps an event.
    pub fn new(event: Event) -> Arc<Self> {
        Arc::new(Self { event, line: OnceLock::new() })
    }

    /// The event.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// The event as a line of JSON, with its newline. The first reader serializes it, so that the measurement thread does not
    /// have to.
    pub fn line(&self) -> Bytes {
        let serialize = || {
            let mut line = serde_json::to_vec(&self.event).expect("an event serializes to JSON");
            line.push(b'\n');
            line.into()
        };
        self.line.get_or_init(serialize).clone()
    }
}

/// The log of a job: all permanent events, whose number is bounded by the job's points, and the latest status.
#[derive(Debug, Default)]
pub(super) struct EventLog {
    /// Every subscriber receives all of these.
    events: Vec<Arc<SharedEvent>>,
    /// The current status. Subscribers receive it once they have read all events.
    status: Option<Status>,
    /// The number of status updates so far.
    updates: u64,
    has_ended: bool,
}

#[derive(Clone, Debug)]
enum Status {
    /// The position in the queue and the time when it was determined: the expected wait shrinks from then on.
    Waiting(QueuePosition, Instant),
    Running(Progress),
    /// The numbers of counted points and of all points to count.
    Counting(usize, usize),
}

impl Status {
    fn event(&self) -> Arc<SharedEvent> {
        SharedEvent::new(match self {
            &Self::Waiting(QueuePosition { ahead, wait_ms }, since) => {
                let elapsed_ms = since.elapsed().as_millis() as u64;
                Event::Queued { ahead, wait_ms: wait_ms.saturating_sub(elapsed_ms) }
            }
            Self::Running(progress) => Event::Progress(progress.clone()),
            &Self::Counting(done, total) => Event::Counting { done, total },
        })
    }
}

/// How far a subscriber has read.
#[derive(Debug, Default)]
pub(super) struct ReadPosition {
    events: usize,
    updates: u64,
}

impl EventLog {
    /// Appends a permanent event and discards the status, which is obsolete now.
    pub(super) fn push(&mut self, event: Event) {
        if !self.has_ended {
            self.events.push(SharedEvent::new(event));
            self.status = None;
        }
    }

    /// Appends the last event.
    pub(super) fn end(&mut self, event: Event) {
        self.push(event);
        self.has_ended = true;
    }

    pub(super) fn set_progress(&mut self, progress: Progress) {
        if !self.has_ended {
            self.set_status(Status::Running(progress));
        }
    }

    pub(super) fn set_counting(&mut self, done: usize, total: usize) {
        if !self.has_ended {
            self.set_status(Status::Counting(done, total));
        }
    }

    /// Sets the job's position in the queue. Returns whether subscribers must be notified: they ignore a change of the
    /// expected wait alone.
    pub(super) fn set_position(&mut self, position: QueuePosition) -> bool {
        match &mut self.status {
            Some(Status::Waiting(current, since)) if current.ahead == position.ahead => {
                (*current, *since) = (position, Instant::now());
                false
            }
            _ => {
                self.set_status(Status::Waiting(position, Instant::now()));
                true
            }
        }
    }

    fn set_status(&mut self, status: Status) {
        self.updates += 1;
        self.status = Some(status);
    }

    /// Returns the event after the position and advances the position; absent if there is nothing new.
    pub(super) fn read(&self, position: &mut ReadPosition) -> Option<Arc<SharedEvent>> {
        if let Some(event) = self.events.get(position.events) {
            position.events += 1;
            return Some(event.clone());
        }
        let status = self.status.as_ref().filter(|_| position.updates < self.updates)?;
        position.updates = self.updates;
        Some(status.event())
    }

    /// The current status, whether or not it was read; absent if an event made it obsolete.
    pub(super) fn status(&self) -> Option<Arc<SharedEvent>> {
        self.status.as_ref().map(Status::event)
    }

    /// Whether everything was read and nothing will follow.
    pub(super) fn is_over(&self, position: &ReadPosition) -> bool {
        self.has_ended && position.events == self.events.len()
    }
}
