//! The state that all handles of a hub share, and the transitions that lock it.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, oneshot, watch};
use tokio::time::sleep;

use super::event_log::EventLog;
use super::rejection::HubRejection;
use crate::queue::{Departure, JobId, JobRequest, Queue, QueueBounds, SubscriberId};

/// The minimum time between two reports of all positions. Each takes milliseconds if thousands of jobs are waiting, so that a report
/// after each of thousands of changes would block the hub for seconds.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

pub(super) struct HubShared<W> {
    state: Mutex<HubState<W>>,
    /// Notified when a job is submitted or finished, and when the hub is closed.
    pub(super) changed: Condvar,
    /// Notified when positions in the queue have changed.
    positions_changed: Notify,
}

pub(super) struct HubState<W> {
    pub(super) queue: Queue,
    /// The clients of the current admissions.
    pub(super) admitted: HashMap<AdmissionId, String>,
    next_admission: AdmissionId,
    /// The waiting jobs and the running one.
    pub(super) jobs: HashMap<JobId, JobEntry<W>>,
    /// Dropping a sender notifies its subscriber of a cancellation; nothing is ever sent.
    subscribers: HashMap<SubscriberId, oneshot::Sender<Infallible>>,
    pub(super) current: Option<CurrentJob>,
    /// The work of paused jobs that lost their subscribers.
    pub(super) abandoned: Vec<W>,
    /// Why the hub is closed; absent while it is open.
    pub(super) closed: Option<String>,
}

/// The id of an admission, never reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct AdmissionId(u64);

pub(super) struct JobEntry<W> {
    /// Absent while the job is running.
    pub(super) work: Option<W>,
    /// Whether the job has had a turn.
    pub(super) has_started: bool,
    pub(super) log: watch::Sender<EventLog>,
}

/// The running job.
pub(super) struct CurrentJob {
    pub(super) id: JobId,
    pub(super) since: Instant,
    pub(super) is_wanted: bool,
    pub(super) on_unwanted: Option<StopAction>,
}

/// Interrupts the measurement thread.
pub(super) type StopAction = Box<dyn FnOnce() + Send>;

/// The parts of a new subscription.
pub(super) struct Enrollment {
    pub(super) subscriber: SubscriberId,
    pub(super) log: watch::Receiver<EventLog>,
    /// Closed if the client cancels its request.
    pub(super) cancelled: oneshot::Receiver<Infallible>,
}

impl<W> HubShared<W> {
    pub(super) fn new(bounds: QueueBounds) -> Self {
        let state = HubState {
            queue: Queue::new(bounds),
            admitted: HashMap::new(),
            next_admission: AdmissionId::default(),
            jobs: HashMap::new(),
            subscribers: HashMap::new(),
            current: None,
            abandoned: Vec::new(),
            closed: None,
        };
        Self { state: Mutex::new(state), changed: Condvar::new(), positions_changed: Notify::new() }
    }

    pub(super) fn admit(&self, client: &str) -> AdmissionId {
        let mut state = self.lock();
        let id = state.next_admission;
        state.next_admission = AdmissionId(id.0 + 1);
        state.admitted.insert(id, client.to_owned());
        id
    }

    pub(super) fn submit(
        &self,
        admission: AdmissionId,
        request: JobRequest,
        work: W,
    ) -> Result<Enrollment, HubRejection> {
        let mut state = self.lock();
        if let Some(reason) = &state.closed {
            return Err(HubRejection::Closed(reason.clone()));
        }
        if !state.admitted.contains_key(&admission) {
            return Err(HubRejection::Cancelled);
        }
        let elapsed_ms = state.elapsed_ms();
        let ticket = state.queue.submit(request, elapsed_ms)?;
        if !ticket.has_joined {
            state
                .jobs
                .insert(ticket.job, JobEntry { work: Some(work), has_started: false, log: watch::Sender::default() });
        }
        self.positions_changed.notify_one();
        let log = state.jobs[&ticket.job].log.subscribe();
        let (sender, cancelled) = oneshot::channel();
        state.subscribers.insert(ticket.subscriber, sender);
        self.changed.notify_all();
        Ok(Enrollment { subscriber: ticket.subscriber, log, cancelled })
    }

    /// Removes subscribers. A job without subscribers is removed, or stopped if it is running.
    pub(super) fn leave(
        &self,
        mut state: MutexGuard<'_, HubState<W>>,
        subscribers: impl IntoIterator<Item = SubscriberId>,
    ) {
        let mut stop = None;
        let mut has_changed = false;
        for subscriber in subscribers {
            state.subscribers.remove(&subscriber);
            let departure = state.queue.leave(subscriber);
            has_changed |= departure != Departure::AlreadyGone;
            match departure {
                Departure::AlreadyGone | Departure::StillWanted => {}
                Departure::Removed(id) => {
                    let removed = state.jobs.remove(&id).and_then(JobEntry::abandoned);
                    state.abandoned.extend(removed);
                }
                // Only the running job can be unwanted.
                Departure::Unwanted(_) => stop = state.current.as_mut().and_then(CurrentJob::mark_unwanted),
            }
        }
        if has_changed {
            self.positions_changed.notify_one();
        }
        if !state.abandoned.is_empty() {
            self.changed.notify_all();
        }
        drop(state);
        call(stop);
    }

    /// Whether another job should have a turn now.
    pub(super) fn has_next(&self) -> bool {
        self.lock().queue.has_next()
    }

    /// Ends the turn of the running job, and takes its work. Does nothing and returns false if it is not wanted any more.
    pub(super) fn pause(&self, id: JobId, work: &mut Option<W>, remaining_ms: u64) -> bool {
        let mut state = self.lock();
        let is_wanted = state.current.as_ref().is_some_and(|current| current.id == id && current.is_wanted);
        let Some(job) = state.jobs.get_mut(&id).filter(|_| is_wanted) else { return false };
        job.work = work.take();
        state.current = None;
        state.queue.pause(remaining_ms);
        self.positions_changed.notify_one();
        self.changed.notify_all();
        true
    }

    /// Removes the running job, whether it succeeded or failed.
    pub(super) fn finish(&self, id: JobId) {
        let mut state = self.lock();
        state.current = None;
        // If the hub was closed, it has already removed the job and cleared the queue.
        if state.jobs.remove(&id).is_some() {
            state.queue.finish();
            self.positions_changed.notify_one();
        }
        self.changed.notify_all();
    }

    pub(super) fn on_unwanted(&self, id: JobId, stop: StopAction) {
        let mut state = self.lock();
        match state.current.as_mut().filter(|current| current.id == id && current.is_wanted) {
            Some(current) => current.on_unwanted = Some(stop),
            None => {
                drop(state);
                stop();
            }
        }
    }

    pub(super) fn is_wanted(&self, id: JobId) -> bool {
        self.lock().current.as_ref().is_some_and(|current| current.id == id && current.is_wanted)
    }

    /// Reports the positions of the waiting jobs after each change, at most once per [`REPORT_INTERVAL`].
    pub(super) async fn report_positions_continuously(&self) {
        loop {
            self.positions_changed.notified().await;
            self.report_positions();
            sleep(REPORT_INTERVAL).await;
        }
    }

    /// Reports the new position of each waiting job whose position has changed.
    pub(super) fn report_positions(&self) {
        let state = self.lock();
        for (id, position) in state.queue.positions(state.elapsed_ms()) {
            state.jobs[&id].log.send_if_modified(|log| log.set_position(position));
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, HubState<W>> {
        // No foreign code runs while the lock is held, so a panic in such code leaves the state consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W> HubState<W> {
    /// How long the current job has been running, in milliseconds.
    pub(super) fn elapsed_ms(&self) -> u64 {
        self.current.as_ref().map_or(0, |current| current.since.elapsed().as_millis() as u64)
    }
}

impl<W> JobEntry<W> {
    /// The work of a removed job, if it has begun.
    pub(super) fn abandoned(self) -> Option<W> {
        self.work.filter(|_| self.has_started)
    }
}

impl CurrentJob {
    /// Marks the job as unwanted and returns the action that stops it.
    pub(super) fn mark_unwanted(&mut self) -> Option<StopAction> {
        self.is_wanted = false;
        self.on_unwanted.take()
    }
}

/// Calls a stop action. The hub must be unlocked: the action may take a while, or use the hub.
pub(super) fn call(stop: Option<StopAction>) {
    if let Some(stop) = stop {
        stop();
    }
}

impl<W> fmt::Debug for HubShared<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HubShared").finish_non_exhaustive()
    }
}
