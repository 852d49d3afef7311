//! One who asked, and reads what its job tells.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use benchbook_host::api::{Done, Event, Started};
use benchbook_host::response::Point;
use thiserror::Error;
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::log::{Bookmark, Log, Told};
use super::{Hub, TAKEN_BACK};
use crate::queue::SubscriberId;

/// What one gets who asked. Dropping it leaves: a job that nobody waits for any more is forgotten or stopped.
#[derive(Debug)]
pub struct Subscription<W> {
    hub: Hub<W>,
    subscriber: SubscriberId,
    log: watch::Receiver<Log>,
    bookmark: Bookmark,
    /// Closed when its client takes it back; absent once that was told.
    taken_back: Option<oneshot::Receiver<Infallible>>,
}

/// All that a job told, where it was done.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// What was known before its first point.
    pub started: Started,
    /// Its points, in the order told.
    pub points: Vec<Point>,
    /// What was known after the last.
    pub done: Done,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unfinished {
    /// It could not be measured: what happened and what to do.
    #[error("{0}")]
    Failed(String),
    /// The runner is ending: what happened and what to do.
    #[error("{0}")]
    Stopped(String),
    /// Its client took it back.
    #[error("{TAKEN_BACK}")]
    TakenBack,
}

impl<W> Subscription<W> {
    pub(super) fn new(
        hub: Hub<W>,
        subscriber: SubscriberId,
        log: watch::Receiver<Log>,
        taken_back: oneshot::Receiver<Infallible>,
    ) -> Self {
        Self { hub, subscriber, log, bookmark: Bookmark::default(), taken_back: Some(taken_back) }
    }

    /// The next event; absent after the last. Nothing is lost where this is dropped before it is ready.
    pub async fn next(&mut self) -> Option<Arc<Told>> {
        let Self { log, bookmark, taken_back, .. } = self;
        tokio::select! {
            // Whoever is behind in reading need not catch up first.
            biased;
            _ = taken_back.as_mut()? => {
                *taken_back = None;
                Some(Told::new(Event::Stopped { reason: TAKEN_BACK.to_owned() }))
            }
            told = next(log, bookmark) => told,
        }
    }

    /// The next event, or after so long a silence once more how things are; absent after the last.
    pub async fn next_within(&mut self, silence: Duration) -> Option<Arc<Told>> {
        loop {
            if let Ok(told) = timeout(silence, self.next()).await {
                return told;
            }
            let again = self.log.borrow().again();
            if again.is_some() {
                return again;
            }
        }
    }

    /// All of it at once, when it is done.
    ///
    /// # Errors
    /// Where it could not be measured, or the runner is ending.
    pub async fn finished(mut self) -> Result<Finished, Unfinished> {
        let broken = || Unfinished::Failed(super::BROKEN_OFF.to_owned());
        let mut started = None;
        let mut points = Vec::new();
        while let Some(told) = self.next().await {
            match told.event() {
                Event::Queued { .. } | Event::Progress(_) => {}
                Event::Started(card) => started = Some(Started::clone(card)),
                Event::Point { point } => points.push(Point::clone(point)),
                Event::Done(done) => {
                    return Ok(Finished { started: started.ok_or_else(broken)?, points, done: Done::clone(done) });
                }
                Event::Failed { reason } => return Err(Unfinished::Failed(reason.clone())),
                Event::Stopped { .. } if self.taken_back.is_none() => return Err(Unfinished::TakenBack),
                Event::Stopped { reason } => return Err(Unfinished::Stopped(reason.clone())),
            }
        }
        Err(broken())
    }
}

/// What comes after the bookmark, when it is there; absent after the last.
async fn next(log: &mut watch::Receiver<Log>, bookmark: &mut Bookmark) -> Option<Arc<Told>> {
    loop {
        {
            let log = log.borrow_and_update();
            if let Some(told) = log.read(bookmark) {
                return Some(told);
            }
            if log.is_over(bookmark) {
                return None;
            }
        }
        // Whoever writes the log ends it before going; without an end it is gone since its client took it back, who is told so.
        if log.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl<W> Drop for Subscription<W> {
    fn drop(&mut self) {
        self.hub.leave(self.hub.lock(), [self.subscriber]);
    }
}
