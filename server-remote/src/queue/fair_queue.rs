//! The state machine of the queue.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;

use benchbook_host::api::QueueLoad;
use benchbook_host::quality::Priority;

use super::bounds::{QueueBounds, QueueRejection, seconds};
use super::ids::{JobId, SubscriberId};
use super::turns::{Client, Subscriber, Turns};

/// How many turns a forecast distinguishes; later ones last until their jobs are done. This bounds the time of a forecast.
const FORECAST_TURNS: u32 = 10_000;

/// A client's request for a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRequest {
    /// The client: a random id per tab.
    pub client: String,
    /// The address of the client.
    pub address: IpAddr,
    /// Requests with equal keys share a job.
    pub key: String,
    /// A client's jobs with lower priority numbers come first.
    pub priority: Priority,
    /// The expected duration in milliseconds.
    pub cost_ms: u64,
    /// The expected duration of a turn in milliseconds, after which the job pauses if others are waiting.
    pub turn_ms: u64,
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
    /// The number of jobs that have a turn before it, including the running one.
    pub ahead: u32,
    /// The expected time until its first turn, or its next one if it is paused, in milliseconds.
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
    /// The pending requests from each address, in expected milliseconds.
    addresses: HashMap<IpAddr, u64>,
    turns: Turns,
    last_id: u64,
}

#[derive(Clone, Debug)]
struct QueuedJob {
    key: String,
    /// At least 1, so that the bound on costs also bounds the number of requests.
    cost_ms: u64,
    turn_ms: u64,
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
            addresses: HashMap::new(),
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
        self.check_bounds(&request, cost_ms, elapsed_ms)?;
        let JobRequest { client, address, key, priority, turn_ms, .. } = request;
        let job = existing.unwrap_or_else(|| self.add(key, cost_ms, turn_ms));
        let client: Client = client.into();
        *self.clients.entry(client.clone()).or_default() += cost_ms;
        *self.addresses.entry(address).or_default() += cost_ms;
        let is_quick = priority == Priority::FIRST && cost_ms <= self.bounds.quick_ms;
        let subscriber = Subscriber { id: SubscriberId(self.next_id()), client, address, priority, is_quick };
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

    /// Whether another job has a turn after the running one.
    pub fn has_next(&self) -> bool {
        self.turns.has_next()
    }

    /// Ends the turn of the running job, whose subscribers wait for its next one. `remaining_ms`: its remaining expected
    /// duration in milliseconds. A job without subscribers is removed.
    pub fn pause(&mut self, remaining_ms: u64) -> Option<JobId> {
        let id = self.running?;
        let job = self.jobs.get_mut(&id).expect("the running job is in the queue");
        if job.subscribers.is_empty() {
            return self.finish();
        }
        self.running = None;
        let cost_ms = remaining_ms.clamp(1, job.cost_ms);
        let done_ms = job.cost_ms - cost_ms;
        job.cost_ms = cost_ms;
        let subscribers: Vec<Subscriber> = job.subscribers.values().cloned().collect();
        for subscriber in &subscribers {
            self.release(subscriber, done_ms);
            self.turns.enqueue(subscriber, id);
        }
        self.turns.finish_serving();
        Some(id)
    }

    /// Removes the running job and its subscribers, whether it succeeded or failed.
    pub fn finish(&mut self) -> Option<JobId> {
        let id = self.running.take()?;
        self.turns.finish_serving();
        let job = self.remove(id);
        for subscriber in job.subscribers.values() {
            self.subscribers.remove(&subscriber.id);
            self.release(subscriber, job.cost_ms);
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
        self.release(&subscriber, cost_ms);
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

    /// The positions of the waiting jobs, in the order in which they have their next turns if no request is added or removed.
    /// `elapsed_ms`: the time since the turn of the running job started.
    pub fn positions(&self, elapsed_ms: u64) -> Vec<(JobId, QueuePosition)> {
        let mut forecast = Forecast { queue: self, turns: self.turns.clone(), remaining: HashMap::new(), wait_ms: 0 };
        if let Some(running) = self.running {
            let turn_ms = self.jobs[&running].turn_ms.saturating_sub(elapsed_ms);
            forecast.remaining.insert(running, self.remaining_ms(elapsed_ms));
            forecast.run(running, turn_ms);
        }
        let mut positions = Vec::new();
        let mut ahead: BTreeSet<JobId> = self.running.into_iter().collect();
        let count = self.jobs.len() - ahead.len();
        for turn in 0.. {
            if positions.len() == count {
                break;
            }
            let Some(id) = forecast.turns.next() else { break };
            if self.running != Some(id) && !ahead.contains(&id) {
                positions.push((id, QueuePosition { ahead: ahead.len() as u32, wait_ms: forecast.wait_ms }));
            }
            ahead.insert(id);
            forecast.turns.serve(self.jobs[&id].subscribers.values());
            let turn_ms = if turn < FORECAST_TURNS { self.jobs[&id].turn_ms } else { u64::MAX };
            forecast.run(id, turn_ms);
        }
        positions
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

    fn check_bounds(&self, request: &JobRequest, cost_ms: u64, elapsed_ms: u64) -> Result<(), QueueRejection> {
        let QueueBounds { clients, client_ms, address_ms, .. } = self.bounds;
        if cost_ms > client_ms {
            return Err(QueueRejection::TooLong { cost_ms, client_ms });
        }
        let Some(&waiting_ms) = self.clients.get(request.client.as_str()) else {
            if self.clients.len() >= clients {
                let retry_after = seconds(self.remaining_ms(elapsed_ms));
                return Err(QueueRejection::TooManyClients { clients, retry_after });
            }
            return self.check_address(request.address, cost_ms, address_ms);
        };
        if let Some(excess_ms) = (waiting_ms + cost_ms).checked_sub(client_ms + 1) {
            return Err(QueueRejection::ClientFull { waiting_ms, client_ms, retry_after: seconds(excess_ms + 1) });
        }
        self.check_address(request.address, cost_ms, address_ms)
    }

    fn check_address(&self, address: IpAddr, cost_ms: u64, address_ms: u64) -> Result<(), QueueRejection> {
        let waiting_ms = self.addresses.get(&address).copied().unwrap_or_default();
        match (waiting_ms + cost_ms).checked_sub(address_ms + 1) {
            Some(excess_ms) if waiting_ms > 0 => {
                Err(QueueRejection::AddressFull { waiting_ms, address_ms, retry_after: seconds(excess_ms + 1) })
            }
            _ => Ok(()),
        }
    }

    /// The remaining expected milliseconds of the current job; 0 if it takes longer than expected.
    pub(super) fn remaining_ms(&self, elapsed_ms: u64) -> u64 {
        self.running.map_or(0, |id| self.jobs[&id].cost_ms.saturating_sub(elapsed_ms))
    }

    fn add(&mut self, key: String, cost_ms: u64, turn_ms: u64) -> JobId {
        let id = JobId(self.next_id());
        self.keys.insert(key.clone(), id);
        self.jobs.insert(id, QueuedJob { key, cost_ms, turn_ms: turn_ms.max(1), subscribers: BTreeMap::new() });
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

    /// Subtracts what a request no longer needs from the pending milliseconds of its client and its address.
    fn release(&mut self, subscriber: &Subscriber, ms: u64) {
        subtract(&mut self.clients, &subscriber.client, ms);
        subtract(&mut self.addresses, &subscriber.address, ms);
    }

    /// Whether the queue holds no state of any client.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        let Self { jobs, running, keys, subscribers, clients, addresses, turns, .. } = self;
        jobs.is_empty()
            && running.is_none()
            && keys.is_empty()
            && subscribers.is_empty()
            && clients.is_empty()
            && addresses.is_empty()
            && turns.is_empty()
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }
}

/// Subtracts from the value of a key, and removes it at 0.
fn subtract<K: std::hash::Hash + Eq>(values: &mut HashMap<K, u64>, key: &K, ms: u64) {
    if let Some(value) = values.get_mut(key) {
        *value -= ms;
        if *value == 0 {
            values.remove(key);
        }
    }
}

/// The future of a queue to which no request is added.
struct Forecast<'a> {
    queue: &'a Queue,
    turns: Turns,
    /// The remaining milliseconds of jobs that have had a turn.
    remaining: HashMap<JobId, u64>,
    /// The time from now until the next turn.
    wait_ms: u64,
}

impl Forecast<'_> {
    /// Runs a job that is being served, for a turn or until it is done.
    fn run(&mut self, id: JobId, turn_ms: u64) {
        let job = &self.queue.jobs[&id];
        let remaining = self.remaining.entry(id).or_insert(job.cost_ms);
        // A job pauses only if another one has a turn.
        let turn_ms = if self.turns.has_next() { turn_ms.min(*remaining) } else { *remaining };
        *remaining -= turn_ms;
        self.wait_ms = self.wait_ms.saturating_add(turn_ms);
        if *remaining > 0 {
            job.subscribers.values().for_each(|subscriber| self.turns.enqueue(subscriber, id));
        }
        self.turns.finish_serving();
    }
}
