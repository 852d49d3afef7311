//! The hub's interface for routes and for the measurement thread.

use std::fmt;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use benchbook_host::api::{Event, QueueLoad};

use super::admission::Admission;
use super::running_job::RunningJob;
use super::shared::{CurrentJob, HubShared, JobEntry, call};
use crate::queue::QueueBounds;

/// Connects clients with the measurement thread. Clones share their state.
pub struct Hub<W> {
    pub(super) shared: Arc<HubShared<W>>,
}

/// What the measurement thread does next.
#[derive(Debug)]
pub enum Task<W> {
    /// A turn of a job.
    Job(RunningJob<W>),
    /// The work of a paused job that no client waits for any more. Its completed part can be stored.
    Abandoned(W),
}

impl<W> Hub<W> {
    /// Creates a hub with an empty queue.
    pub fn new(bounds: QueueBounds) -> Self {
        Self { shared: Arc::new(HubShared::new(bounds)) }
    }

    /// Admits a client, which may then submit one request. [`Self::cancel_client`] cancels it even before it is submitted.
    pub fn admit(&self, client: &str) -> Admission<W> {
        Admission::new(Arc::clone(&self.shared), self.shared.admit(client))
    }

    /// Blocks until a job is waiting and none is running, or until a paused job was abandoned. Absent if the hub is closed and
    /// no job was abandoned.
    pub fn next_task(&self) -> Option<Task<W>> {
        let mut state = self.shared.lock();
        loop {
            if let Some(work) = state.abandoned.pop() {
                return Some(Task::Abandoned(work));
            }
            if state.closed.is_some() {
                return None;
            }
            if let Some(id) = state.queue.start() {
                state.current = Some(CurrentJob { id, since: Instant::now(), is_wanted: true, on_unwanted: None });
                let job = state.jobs.get_mut(&id).expect("queue and hub have the same jobs");
                let work = job.work.take().expect("only the running job has no work");
                job.has_started = true;
                return Some(Task::Job(RunningJob::new(Arc::clone(&self.shared), id, work, job.log.clone())));
            }
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Reports the clients' positions in the queue whenever they change, in batches. Never returns.
    pub async fn report_positions_continuously(self) {
        self.shared.report_positions_continuously().await;
    }

    /// The current load.
    pub fn load(&self) -> QueueLoad {
        let state = self.shared.lock();
        state.queue.load(state.elapsed_ms())
    }

    /// Closes the hub: every subscription ends with `reason`, waiting jobs are removed, and the running job is stopped.
    pub fn close(&self, reason: &str) {
        let stop = {
            let mut state = self.shared.lock();
            state.closed.get_or_insert_with(|| reason.to_owned());
            let jobs: Vec<JobEntry<W>> = state.jobs.drain().map(|(_, job)| job).collect();
            for job in jobs {
                job.log.send_modify(|log| log.end(Event::Stopped { reason: reason.to_owned() }));
                state.abandoned.extend(job.abandoned());
            }
            state.queue.clear();
            self.shared.changed.notify_all();
            state.current.as_mut().and_then(CurrentJob::mark_unwanted)
        };
        call(stop);
    }

    /// Cancels all requests of a client, whether or not the client is reading its streams: its subscriptions end, and the submissions of its
    /// current admissions will be rejected.
    pub fn cancel_client(&self, client: &str) {
        let mut state = self.shared.lock();
        state.admitted.retain(|_, admitted| admitted != client);
        let subscribers = state.queue.subscribers_of(client);
        self.shared.leave(state, subscribers);
    }
}

impl<W> Clone for Hub<W> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<W> fmt::Debug for Hub<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("load", &self.load()).finish_non_exhaustive()
    }
}
