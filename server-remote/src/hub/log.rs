//! What a job told: every subscriber reads it from the beginning, at its own pace.

use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use benchbook_host::api::Event;
use benchbook_host::sample::measurement::Progress;
use tokio::time::Instant;

use crate::queue::Place;

/// An event that was told, shared by all who read it.
#[derive(Debug)]
pub struct Told {
    event: Event,
    line: OnceLock<Bytes>,
}

impl Told {
    /// An event.
    pub fn new(event: Event) -> Arc<Self> {
        Arc::new(Self { event, line: OnceLock::new() })
    }

    /// The event.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// The event as a line of the stream, its end included. It is written once, by whoever reads it first: the measuring
    /// side need not wait for that.
    pub fn line(&self) -> Bytes {
        let write = || {
            let mut line = serde_json::to_vec(&self.event).expect("events have a JSON form");
            line.push(b'\n');
            line.into()
        };
        self.line.get_or_init(write).clone()
    }
}

/// The log of a job. It holds what stays true, so it is bounded by the job's points, and of what passes only the latest.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// What is told to everybody.
    lasting: Vec<Arc<Told>>,
    /// How things are now, told to whoever has read all the rest.
    passing: Option<Passing>,
    /// The number of the latest of [`Self::passing`] so far.
    number: u64,
    /// Whether the last event was told.
    ended: bool,
}

#[derive(Clone, Copy, Debug)]
enum Passing {
    /// As it was then: time brings it nearer.
    Waiting(Place, Instant),
    AtWork(Progress),
}

impl Passing {
    fn told(self) -> Arc<Told> {
        Told::new(match self {
            Self::Waiting(Place { ahead, wait_ms }, since) => {
                let passed_ms = since.elapsed().as_millis() as u64;
                Event::Queued { ahead, wait_ms: wait_ms.saturating_sub(passed_ms) }
            }
            Self::AtWork(progress) => Event::Progress(progress),
        })
    }
}

/// How far one has read.
#[derive(Debug, Default)]
pub(super) struct Bookmark {
    lasting: usize,
    passing: u64,
}

impl Log {
    /// Tells what stays true; how things were before it no longer matters.
    pub(super) fn tell(&mut self, event: Event) {
        if !self.ended {
            self.lasting.push(Told::new(event));
            self.passing = None;
        }
    }

    /// Tells the last event.
    pub(super) fn end(&mut self, event: Event) {
        self.tell(event);
        self.ended = true;
    }

    /// Tells how far the measurement is.
    pub(super) fn progress(&mut self, progress: Progress) {
        if !self.ended {
            self.pass(Passing::AtWork(progress));
        }
    }

    /// Sets the job's place, and says whether that is news: time alone is none.
    pub(super) fn wait(&mut self, place: Place) -> bool {
        match &mut self.passing {
            Some(Passing::Waiting(known, since)) if known.ahead == place.ahead => {
                (*known, *since) = (place, Instant::now());
                false
            }
            _ => {
                self.pass(Passing::Waiting(place, Instant::now()));
                true
            }
        }
    }

    fn pass(&mut self, passing: Passing) {
        self.number += 1;
        self.passing = Some(passing);
    }

    /// What comes after the bookmark, which moves on; absent while there is nothing new.
    pub(super) fn read(&self, bookmark: &mut Bookmark) -> Option<Arc<Told>> {
        if let Some(told) = self.lasting.get(bookmark.lasting) {
            bookmark.lasting += 1;
            return Some(told.clone());
        }
        let passing = self.passing.filter(|_| bookmark.passing < self.number)?;
        bookmark.passing = self.number;
        Some(passing.told())
    }

    /// How things are, once more; absent where that is all told for good.
    pub(super) fn again(&self) -> Option<Arc<Told>> {
        self.passing.map(Passing::told)
    }

    /// Whether all was read and nothing comes after it.
    pub(super) fn is_over(&self, bookmark: &Bookmark) -> bool {
        self.ended && bookmark.lasting == self.lasting.len()
    }
}
