//! A client's subscription to the events of a job.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use benchbook_host::api::{Done, Event, StreamStart};
use benchbook_host::response::{Point, add_point};
use thiserror::Error;
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::event_log::{EventLog, ReadPosition, SharedEvent};
use super::rejection::{ABORTED, CANCELLED};
use super::shared::{Enrollment, HubShared};
use crate::queue::SubscriberId;

/// Reads the events of a job. Dropping it unsubscribes; a job without subscribers is removed or stopped.
#[derive(Debug)]
pub struct Subscription<W> {
    pub(super) shared: Arc<HubShared<W>>,
    subscriber: SubscriberId,
    log: watch::Receiver<EventLog>,
    position: ReadPosition,
    /// Closed if the client cancels its request; absent once that was reported.
    cancelled: Option<oneshot::Receiver<Infallible>>,
}

/// All events of a successful job.
#[derive(Clone, Debug, PartialEq)]
pub struct JobResult {
    /// The event before the first point.
    pub started: StreamStart,
    /// The points, in the order reported.
    pub points: Vec<Point>,
    /// The last event.
    pub done: Done,
}

/// Why a job has no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JobError {
    /// The measurement failed: the problem and how to fix it.
    #[error("{0}")]
    Failed(String),
    /// The runner is shutting down, for this reason.
    #[error("{0}")]
    Stopped(String),
    /// The client cancelled its request.
    #[error("{CANCELLED}")]
    Cancelled,
}

impl<W> Subscription<W> {
    pub(super) fn new(shared: Arc<HubShared<W>>, enrollment: Enrollment) -> Self {
        let Enrollment { subscriber, log, cancelled } = enrollment;
        Self { shared, subscriber, log, position: ReadPosition::default(), cancelled: Some(cancelled) }
    }

    /// The next event; absent after the last. This is cancel-safe: a dropped future loses no event.
    pub async fn next(&mut self) -> Option<Arc<SharedEvent>> {
        let Self { log, position, cancelled, .. } = self;
        tokio::select! {
            // A cancellation overtakes events that were not read yet.
            biased;
            _ = cancelled.as_mut()? => {
                *cancelled = None;
                Some(SharedEvent::new(Event::Stopped { reason: CANCELLED.to_owned() }))
            }
            event = next(log, position) => event,
        }
    }

    /// The next event, or the current status again after `silence` without one; absent after the last.
    pub async fn next_within(&mut self, silence: Duration) -> Option<Arc<SharedEvent>> {
        loop {
            if let Ok(event) = timeout(silence, self.next()).await {
                return event;
            }
            let status = self.log.borrow().status();
            if status.is_some() {
                return status;
            }
        }
    }

    /// Waits for the end of the job and returns all of its events.
    ///
    /// # Errors
    /// If the measurement failed, the client cancelled its request, or the runner is shutting down.
    pub async fn result(mut self) -> Result<JobResult, JobError> {
        let aborted = || JobError::Failed(ABORTED.to_owned());
        let mut started = None;
        let mut points = Vec::new();
        while let Some(next) = self.next().await {
            match next.event() {
                Event::Queued { .. } | Event::Progress(_) | Event::Counting { .. } => {}
                Event::Started(event) => started = Some(StreamStart::clone(event)),
                Event::Point { point } => add_point(&mut points, Point::clone(point)),
                Event::Done(done) => {
                    return Ok(JobResult { started: started.ok_or_else(aborted)?, points, done: Done::clone(done) });
                }
                Event::Failed { reason } => return Err(JobError::Failed(reason.clone())),
                Event::Stopped { .. } if self.cancelled.is_none() => return Err(JobError::Cancelled),
                Event::Stopped { reason } => return Err(JobError::Stopped(reason.clone())),
            }
        }
        Err(aborted())
    }
}

/// Waits for the event after the position; absent after the last.
async fn next(log: &mut watch::Receiver<EventLog>, position: &mut ReadPosition) -> Option<Arc<SharedEvent>> {
    loop {
        {
            let log = log.borrow_and_update();
            if let Some(event) = log.read(position) {
                return Some(event);
            }
            if log.is_over(position) {
                return None;
            }
        }
        // Normally, the log ends before its sender is dropped. Otherwise the job was removed because of a cancellation,
        // which `Subscription::next` reports.
        if log.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl<W> Drop for Subscription<W> {
    fn drop(&mut self) {
        self.shared.leave(self.shared.lock(), [self.subscriber]);
    }
}
