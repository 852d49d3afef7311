//! The job at work, as the measuring thread holds it.

use benchbook_host::api::{Done, Event, Started};
use benchbook_host::response::Point;
use benchbook_host::sample::measurement::Progress;
use tokio::sync::watch;

use super::log::Log;
use super::{BROKEN_OFF, Hub};
use crate::queue::JobId;

/// The job at work. Dropping it without an end, as a panic does, fails it.
#[derive(Debug)]
pub struct Running<W> {
    hub: Hub<W>,
    id: JobId,
    work: W,
    log: watch::Sender<Log>,
    has_ended: bool,
}

impl<W> Running<W> {
    pub(super) fn new(hub: Hub<W>, id: JobId, work: W, log: watch::Sender<Log>) -> Self {
        Self { hub, id, work, log, has_ended: false }
    }

    /// What is to be measured.
    pub fn work(&self) -> &W {
        &self.work
    }

    /// Has `stop` called once when nobody wants the job any more: at once where that is so already. It takes the place of
    /// what was given before, and is forgotten when the job ends.
    pub fn on_unwanted(&self, stop: impl FnOnce() + Send + 'static) {
        self.hub.on_unwanted(self.id, Box::new(stop));
    }

    /// Whether anybody waits for it.
    pub fn is_wanted(&self) -> bool {
        self.hub.is_wanted(self.id)
    }

    /// Tells what is known before the first point; once, before everything else.
    pub fn started(&self, started: Started) {
        self.log.send_modify(|log| log.tell(Event::Started(Box::new(started))));
    }

    /// Tells how far it is. Who reads slowly sees only the latest.
    pub fn progress(&self, progress: Progress) {
        self.log.send_modify(|log| log.progress(progress));
    }

    /// Tells a point.
    pub fn point(&self, point: Point) {
        self.log.send_modify(|log| log.tell(Event::Point { point: Box::new(point) }));
    }

    /// All points are told, and on disk.
    pub fn done(mut self, done: Done) {
        self.end(Event::Done(Box::new(done)));
    }

    /// It could not be finished; `reason` says what happened and what to do.
    pub fn failed(mut self, reason: String) {
        self.end(Event::Failed { reason });
    }

    fn end(&mut self, event: Event) {
        self.has_ended = true;
        // Its client may ask for the next as soon as it reads the end: by then the queue knows.
        self.hub.finish(self.id);
        self.log.send_modify(|log| log.end(event));
    }
}

impl<W> Drop for Running<W> {
    fn drop(&mut self) {
        if !self.has_ended {
            self.end(Event::Failed { reason: BROKEN_OFF.to_owned() });
        }
    }
}
