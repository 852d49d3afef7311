//! The running job, as the measurement thread sees it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use benchbook_host::api::{Done, Event, StreamStart};
use benchbook_host::response::Point;
use benchbook_host::sample::measurement::Progress;
use tokio::sync::watch;

use super::event_log::EventLog;
use super::rejection::ABORTED;
use super::shared::HubShared;
use crate::queue::JobId;

/// A handle to the running job. If it is dropped without a result, as in a panic, the job fails.
#[derive(Debug)]
pub struct RunningJob<W> {
    shared: Arc<HubShared<W>>,
    id: JobId,
    /// Absent once the job has paused.
    work: Option<W>,
    log: watch::Sender<EventLog>,
    since: Instant,
    has_ended: bool,
}

impl<W> RunningJob<W> {
    pub(super) fn new(shared: Arc<HubShared<W>>, id: JobId, work: W, log: watch::Sender<EventLog>) -> Self {
        Self { shared, id, work: Some(work), log, since: Instant::now(), has_ended: false }
    }

    /// The work to do.
    ///
    /// # Panics
    /// Never: the work is present until the job ends.
    pub fn work(&self) -> &W {
        self.work.as_ref().expect("the work is present until the job ends")
    }

    /// The work to do, including the state from its earlier turns.
    ///
    /// # Panics
    /// Never: the work is present until the job ends.
    pub fn work_mut(&mut self) -> &mut W {
        self.work.as_mut().expect("the work is present until the job ends")
    }

    /// Whether its turn, which lasts this long, is over and another job has the next one.
    pub fn should_pause(&self, turn: Duration) -> bool {
        self.since.elapsed() >= turn && self.shared.has_next()
    }

    /// Ends its turn; its work continues in its next one. `remaining_ms`: its remaining expected duration in milliseconds.
    ///
    /// # Errors
    /// If the job has no subscribers any more, it is returned.
    pub fn pause(mut self, remaining_ms: u64) -> Result<(), Self> {
        match self.shared.pause(self.id, &mut self.work, remaining_ms) {
            true => {
                self.has_ended = true;
                Ok(())
            }
            false => Err(self),
        }
    }

    /// Registers an action that stops the work. The hub calls it at most once: as soon as the job has no subscribers or
    /// the hub is closed, or immediately if that is the case already. It replaces the previous action, and is dropped
    /// when the job ends.
    pub fn on_unwanted(&self, stop: impl FnOnce() + Send + 'static) {
        self.shared.on_unwanted(self.id, Box::new(stop));
    }

    /// Whether the job has subscribers.
    pub fn is_wanted(&self) -> bool {
        self.shared.is_wanted(self.id)
    }

    /// Reports the start. Call it once, before everything else.
    pub fn report_start(&self, started: StreamStart) {
        self.log.send_modify(|log| log.push(Event::Started(Box::new(started))));
    }

    /// Reports progress. Slow readers receive only the latest.
    pub fn report_progress(&self, progress: Progress) {
        self.log.send_modify(|log| log.set_progress(progress));
    }

    /// Reports how many points are counted. Slow readers receive only the latest.
    pub fn report_counting(&self, done: usize, total: usize) {
        self.log.send_modify(|log| log.set_counting(done, total));
    }

    /// Reports a point.
    pub fn report_point(&self, point: Point) {
        self.log.send_modify(|log| log.push(Event::Point { point: Box::new(point) }));
    }

    /// Ends the job successfully. All points must be reported, and on disk.
    pub fn succeed(mut self, done: Done) {
        self.end(Event::Done(Box::new(done)));
    }

    /// Ends the job with a failure; `reason` states the problem and how to fix it.
    pub fn fail(mut self, reason: String) {
        self.end(Event::Failed { reason });
    }

    fn end(&mut self, event: Event) {
        self.has_ended = true;
        // The client may submit its next request as soon as it reads the end, so the queue must be updated first.
        self.shared.finish(self.id);
        self.log.send_modify(|log| log.end(event));
    }
}

impl<W> Drop for RunningJob<W> {
    fn drop(&mut self) {
        if !self.has_ended {
            self.end(Event::Failed { reason: ABORTED.to_owned() });
        }
    }
}
