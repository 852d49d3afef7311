//! The state machine of the queue.

use std::collections::{BTreeMap, HashMap};

use benchbook_host::api::QueueLoad;
use benchbook_host::quality::Priority;

use super::bounds::{QueueBounds, QueueRejection, seconds};
use super::ids::{JobId, SubscriberId};
use super::turns::{Client, Subscriber, Turns};

/// A client's request for a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRequest {
    /// The client: a random id per tab.
    pub client: String,
    /// Requests with equal keys share a job.
    pub key: String,
    /// A client's jobs with lower priority numbers come first.
    pub priority: Priority,
    /// The expected duration in milliseconds.
    pub cost_ms: u64,
}

/// An accepted request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Identifies the request.
    pub subscriber: SubscriberId,
    /// The job that it waits for.
    pub job: JobId,
    /// Whether it joined a job that was in the queue already.
    pub has_joined: bool,
}

/// The consequence of a subscriber's departure for its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// None: the job was finished or removed before.
    AlreadyGone,
    /// None: the job has other subscribers.
    StillWanted,
    /// The job was waiting, and is removed.
    Removed(JobId),
    /// The job is running and must be stopped, since it has no subscribers. An equal request gets a new job from now on.
    Unwanted(JobId),
}

/// A job's position in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueuePosition {
    /// The number of jobs ahead, including the running one.
    pub ahead: u32,
    /// Their remaining expected duration in milliseconds.
    pub wait_ms: u64,
}

/// The waiting jobs and the running one.
#[derive(Clone, Debug)]
pub struct Queue {
    bounds: QueueBounds,
    jobs: BTreeMap<JobId, QueuedJob>,
    running: Option<JobId>,
    /// The jobs that can be joined, by key.
    keys: HashMap<String, JobId>,
    /// The job of each subscriber.
    subscribers: HashMap<SubscriberId, JobId>,
    /// The pending requests of each client, in expected milliseconds.
    clients: HashMap<Client, u64>,
    turns: Turns,
    last_id: u64,
}

#[derive(Clone, Debug)]
struct QueuedJob {
    key: String,
    /// At least 1, so that the bound on costs also bounds the number of requests.
    cost_ms: u64,
    subscribers: BTreeMap<SubscriberId, Subscriber>,
}

impl Queue {
    /// Creates an empty queue.
    pub fn new(bounds: QueueBounds) -> Self {
        Self {
            bounds,
            jobs: BTreeMap::new(),
            running: None,
            keys: HashMap::new(),
            subscribers: HashMap::new(),
            clients: HashMap::new(),
            turns: Turns::default(),
            last_id: 0,
        }
    }

    /// Accepts a request: it joins the job with its key, or a new job is queued. `elapsed_ms`: the time since
    /// the running job started.
    ///
    /// # Errors
    /// If the request exceeds the bounds.
    pub fn submit(&mut self, request: JobRequest, elapsed_ms: u64) -> Result<Ticket, QueueRejection> {
        let existing = self.keys.get(&request.key).copied();
        let cost_ms = existing.map_or(request.cost_ms.max(1), |job| self.jobs[&job].cost_ms);
        self.check_bounds(&request.client, cost_ms, elapsed_ms)?;
        let job = existing.unwrap_or_else(|| self.add(request.key, cost_ms));
        let client: Client = request.client.into();
        *self.clients.entry(client.clone()).or_default() += cost_ms;
        let subscriber = Subscriber { id: SubscriberId(self.next_id()), client, priority: request.priority };
        if self.running == Some(job) {
            self.turns.begin_serving(&subscriber.client);
        } else {
            self.turns.enqueue(&subscriber, job);
        }
        let ticket = Ticket { subscriber: subscriber.id, job, has_joined: existing.is_some() };
        self.subscribers.insert(ticket.subscriber, job);
        self.jobs.get_mut(&job).expect("a key belongs to a job").subscribers.insert(subscriber.id, subscriber);
        Ok(ticket)
    }

    /// Starts the next job; absent if a job is running or the queue is empty.
    pub fn start(&mut self) -> Option<JobId> {
        if self.running.is_some() {
            return None;
        }
        let job = self.turns.next()?;
        self.turns.serve(self.jobs[&job].subscribers.values());
        self.running = Some(job);
        Some(job)
    }

    /// Removes the running job and its subscribers, whether it succeeded or failed.
    pub fn finish(&mut self) -> Option<JobId> {
        let id = self.running.take()?;
        self.turns.finish_serving();
        let job = self.remove(id);
        for subscriber in job.subscribers.values() {
            self.subscribers.remove(&subscriber.id);
            self.release(&subscriber.client, job.cost_ms);
        }
        Some(id)
    }

    /// Removes a subscriber.
    pub fn leave(&mut self, subscriber: SubscriberId) -> Departure {
        let Some(id) = self.subscribers.remove(&subscriber) else { return Departure::AlreadyGone };
        let job = self.jobs.get_mut(&id).expect("a subscriber belongs to a job");
        let subscriber = job.subscribers.remove(&subscriber).expect("a job knows its subscribers");
        let cost_ms = job.cost_ms;
        let is_running = self.running == Some(id);
        if !is_running {
            self.turns.remove(&subscriber);
        } else if !job.subscribers.values().any(|other| other.client == subscriber.client) {
            self.turns.stop_serving(&subscriber.client);
        }
        let is_wanted = !job.subscribers.is_empty();
        self.release(&subscriber.client, cost_ms);
        match (is_wanted, is_running) {
            (true, _) => Departure::StillWanted,
            (false, true) => {
                self.keys.remove(&self.jobs[&id].key);
                Departure::Unwanted(id)
            }
            (false, false) => {
                self.remove(id);
                Departure::Removed(id)
            }
        }
    }

    /// The pending requests of a client, in the order of submission.
    pub fn subscribers_of(&self, client: &str) -> Vec<SubscriberId> {
        let subscribers = self.jobs.values().flat_map(|job| job.subscribers.values());
        let mut ids: Vec<_> =
            subscribers.filter(|subscriber| *subscriber.client == *client).map(|subscriber| subscriber.id).collect();
        ids.sort_unstable();
        ids
    }

    /// Removes all jobs, including the running one.
    pub fn clear(&mut self) {
        *self = Self { last_id: self.last_id, ..Self::new(self.bounds) };
    }

    /// The positions of the waiting jobs, in the order in which they will run if no request is added or removed. `elapsed_ms`:
    /// the time since the running job started.
    pub fn positions(&self, elapsed_ms: u64) -> impl Iterator<Item = (JobId, QueuePosition)> {
        let mut turns = self.turns.clone();
        turns.finish_serving();
        let mut next =
            QueuePosition { ahead: u32::from(self.running.is_some()), wait_ms: self.remaining_ms(elapsed_ms) };
        std::iter::from_fn(move || {
            let id = turns.next()?;
            let (job, position) = (&self.jobs[&id], next);
            turns.serve(job.subscribers.values());
            turns.finish_serving();
            next = QueuePosition { ahead: position.ahead + 1, wait_ms: position.wait_ms.saturating_add(job.cost_ms) };
            Some((id, position))
        })
    }

    /// The current load. `elapsed_ms`: the time since the running job started.
    pub fn load(&self, elapsed_ms: u64) -> QueueLoad {
        let running = u32::from(self.running.is_some());
        let waiting = self.jobs.iter().filter(|(id, _)| self.running != Some(**id)).map(|(_, job)| job.cost_ms);
        QueueLoad {
            running,
            waiting: self.jobs.len() as u32 - running,
            clients: self.clients.len() as u32,
            wait_ms: waiting.fold(self.remaining_ms(elapsed_ms), u64::saturating_add),
        }
    }

    fn check_bounds(&self, client: &str, cost_ms: u64, elapsed_ms: u64) -> Result<(), QueueRejection> {
        let QueueBounds { clients, client_ms } = self.bounds;
        let waiting_ms = self.clients.get(client).copied();
        if cost_ms > client_ms {
            return Err(QueueRejection::TooLong { cost_ms, client_ms });
        }
        match waiting_ms {
            None if self.clients.len() >= clients => {
                Err(QueueRejection::TooManyClients { clients, retry_after: seconds(self.remaining_ms(elapsed_ms)) })
            }
            Some(waiting_ms) if waiting_ms > client_ms - cost_ms => {
                let excess_ms = waiting_ms - (client_ms - cost_ms);
                let retry_after = seconds(self.until_done(client, excess_ms, elapsed_ms));
                Err(QueueRejection::ClientFull { waiting_ms, client_ms, retry_after })
            }
            _ => Ok(()),
        }
    }

    /// The expected time until `excess_ms` of the client's pending requests are finished.
    fn until_done(&self, client: &str, mut excess_ms: u64, elapsed_ms: u64) -> u64 {
        let running = self.running.map(|id| (id, self.remaining_ms(elapsed_ms)));
        let waiting = self
            .positions(elapsed_ms)
            .map(|(id, position)| (id, position.wait_ms.saturating_add(self.jobs[&id].cost_ms)));
        for (id, done_ms) in running.into_iter().chain(waiting) {
            let job = &self.jobs[&id];
            let requests = job.subscribers.values().filter(|subscriber| *subscriber.client == *client).count() as u64;
            excess_ms = excess_ms.saturating_sub(requests * job.cost_ms);
            if excess_ms == 0 {
                return done_ms;
            }
        }
        0
    }

    /// The remaining expected milliseconds of the current job; 0 if it takes longer than expected.
    pub(super) fn remaining_ms(&self, elapsed_ms: u64) -> u64 {
        self.running.map_or(0, |id| self.jobs[&id].cost_ms.saturating_sub(elapsed_ms))
    }

    fn add(&mut self, key: String, cost_ms: u64) -> JobId {
        let id = JobId(self.next_id());
        self.keys.insert(key.clone(), id);
        self.jobs.insert(id, QueuedJob { key, cost_ms, subscribers: BTreeMap::new() });
        id
    }

    fn remove(&mut self, id: JobId) -> QueuedJob {
        let job = self.jobs.remove(&id).expect("a job is removed once");
        // If the job lost its subscribers while it was running, another job may have its key.
        if self.keys.get(&job.key) == Some(&id) {
            self.keys.remove(&job.key);
        }
        job
    }

    /// Subtracts a finished or cancelled request from the client's pending ones.
    fn release(&mut self, client: &Client, cost_ms: u64) {
        if let Some(waiting_ms) = self.clients.get_mut(client) {
            *waiting_ms -= cost_ms;
            if *waiting_ms == 0 {
                self.clients.remove(client);
            }
        }
    }

    /// Whether no trace of any client is left.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        let Self { jobs, running, keys, subscribers, clients, turns, .. } = self;
        jobs.is_empty()
            && running.is_none()
            && keys.is_empty()
            && subscribers.is_empty()
            && clients.is_empty()
            && turns.is_empty()
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }
}
