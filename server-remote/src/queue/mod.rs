//! The queue: what waits for the measuring core, and what comes next.
//!
//! A pure state machine. One job is at work at a time. Clients take turns; within a client lower priority numbers come
//! first. Whoever asks for what is asked for already gets the same job: it stands in the turn of each client that asked,
//! comes in whichever is first, and counts as a turn of all of them.

mod bounds;
#[cfg(test)]
mod tests;
mod turns;

use std::collections::{BTreeMap, HashMap};

use benchbook_host::api::Load;
use benchbook_host::quality::Priority;

use bounds::seconds;
pub use bounds::{Bounds, Refused};
use turns::{Client, Subscriber, Turns};

/// A job: one measurement, for everybody who asked for it. Ids are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(u64);

/// One who asked, once. Ids are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubscriberId(u64);

/// What a client asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Who asks: a random id a tab.
    pub client: String,
    /// What is to be measured, all of it: equal keys are one job.
    pub key: String,
    /// Lower ones of a client come first.
    pub priority: Priority,
    /// What it is expected to take, in milliseconds.
    pub cost_ms: u64,
}

/// An ask that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Who may leave.
    pub subscriber: SubscriberId,
    /// What it waits for.
    pub job: JobId,
    /// Whether the job was there already.
    pub joined: bool,
}

/// What becomes of a job when one leaves who asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nothing: it is done, or was forgotten.
    Gone,
    /// Nothing: others want it.
    Stays,
    /// It waited, and is forgotten.
    Forgotten(JobId),
    /// It is at work and is to be stopped, for nobody wants it. Whoever asks for the same from now on gets another job.
    Unwanted(JobId),
}

/// When a job's turn comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// How many jobs come first, the one at work included.
    pub ahead: u32,
    /// What they are expected to take from now on, in milliseconds.
    pub wait_ms: u64,
}

/// What waits and what is at work.
#[derive(Clone, Debug)]
pub struct Queue {
    bounds: Bounds,
    jobs: BTreeMap<JobId, Job>,
    running: Option<JobId>,
    /// The jobs that can be joined.
    keys: HashMap<String, JobId>,
    /// What each subscriber asked for.
    subscribers: HashMap<SubscriberId, JobId>,
    /// What each client asked for and has not got, in expected milliseconds.
    clients: HashMap<Client, u64>,
    turns: Turns,
    last_id: u64,
}

#[derive(Clone, Debug)]
struct Job {
    key: String,
    /// At least 1, so that a client's asks are bounded by their costs.
    cost_ms: u64,
    subscribers: BTreeMap<SubscriberId, Subscriber>,
}

impl Queue {
    /// An empty one.
    pub fn new(bounds: Bounds) -> Self {
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

    /// Takes an ask: it joins the job of its key, or waits with a new one. `elapsed_ms` is for how long the job at work has
    /// been that.
    ///
    /// # Errors
    /// Where it is beyond the bounds.
    pub fn ask(&mut self, ask: Ask, elapsed_ms: u64) -> Result<Asked, Refused> {
        let known = self.keys.get(&ask.key).copied();
        let cost_ms = known.map_or(ask.cost_ms.max(1), |job| self.jobs[&job].cost_ms);
        self.check(&ask.client, cost_ms, elapsed_ms)?;
        let job = known.unwrap_or_else(|| self.add(ask.key, cost_ms));
        let client: Client = ask.client.into();
        *self.clients.entry(client.clone()).or_default() += cost_ms;
        let subscriber = Subscriber { id: SubscriberId(self.fresh()), client, priority: ask.priority };
        if self.running == Some(job) {
            self.turns.join(&subscriber.client);
        } else {
            self.turns.wait(&subscriber, job);
        }
        let asked = Asked { subscriber: subscriber.id, job, joined: known.is_some() };
        self.subscribers.insert(asked.subscriber, job);
        self.jobs
            .get_mut(&job)
            .expect("a job is there as long as its key")
            .subscribers
            .insert(subscriber.id, subscriber);
        Ok(asked)
    }

    /// Begins the next job; absent where one is at work, and where none waits.
    pub fn start(&mut self) -> Option<JobId> {
        if self.running.is_some() {
            return None;
        }
        let job = self.turns.next()?;
        self.turns.serve(self.jobs[&job].subscribers.values());
        self.running = Some(job);
        Some(job)
    }

    /// The job at work is done, well or not: it is gone, and with it all who asked for it.
    pub fn finish(&mut self) -> Option<JobId> {
        let id = self.running.take()?;
        self.turns.end();
        let job = self.remove(id);
        for subscriber in job.subscribers.values() {
            self.subscribers.remove(&subscriber.id);
            self.settle(&subscriber.client, job.cost_ms);
        }
        Some(id)
    }

    /// One who asked wants it no longer.
    pub fn leave(&mut self, subscriber: SubscriberId) -> Left {
        let Some(id) = self.subscribers.remove(&subscriber) else { return Left::Gone };
        let job = self.jobs.get_mut(&id).expect("a job is there as long as its subscribers");
        let subscriber = job.subscribers.remove(&subscriber).expect("a subscriber is one of its job");
        let cost_ms = job.cost_ms;
        let is_running = self.running == Some(id);
        if !is_running {
            self.turns.forget(&subscriber);
        } else if !job.subscribers.values().any(|other| other.client == subscriber.client) {
            self.turns.part(&subscriber.client);
        }
        let is_wanted = !job.subscribers.is_empty();
        self.settle(&subscriber.client, cost_ms);
        match (is_wanted, is_running) {
            (true, _) => Left::Stays,
            (false, true) => {
                self.keys.remove(&self.jobs[&id].key);
                Left::Unwanted(id)
            }
            (false, false) => {
                self.remove(id);
                Left::Forgotten(id)
            }
        }
    }

    /// What a client asked for and has not got, in the order in which it asked.
    pub fn asked_by(&self, client: &str) -> Vec<SubscriberId> {
        let subscribers = self.jobs.values().flat_map(|job| job.subscribers.values());
        let mut asked: Vec<_> =
            subscribers.filter(|subscriber| *subscriber.client == *client).map(|subscriber| subscriber.id).collect();
        asked.sort_unstable();
        asked
    }

    /// Forgets all that waits and what is at work.
    pub fn clear(&mut self) {
        *self = Self { last_id: self.last_id, ..Self::new(self.bounds) };
    }

    /// The jobs that wait, in the order in which their turns come if nobody asks or leaves, each with its place.
    /// `elapsed_ms` is for how long the job at work has been that.
    pub fn places(&self, elapsed_ms: u64) -> impl Iterator<Item = (JobId, Place)> {
        let mut turns = self.turns.clone();
        turns.end();
        let mut next = Place { ahead: u32::from(self.running.is_some()), wait_ms: self.rest_ms(elapsed_ms) };
        std::iter::from_fn(move || {
            let id = turns.next()?;
            let (job, place) = (&self.jobs[&id], next);
            turns.serve(job.subscribers.values());
            turns.end();
            next = Place { ahead: place.ahead + 1, wait_ms: place.wait_ms.saturating_add(job.cost_ms) };
            Some((id, place))
        })
    }

    /// How busy it is. `elapsed_ms` is for how long the job at work has been that.
    pub fn load(&self, elapsed_ms: u64) -> Load {
        let running = u32::from(self.running.is_some());
        let waiting = self.jobs.iter().filter(|(id, _)| self.running != Some(**id)).map(|(_, job)| job.cost_ms);
        Load {
            running,
            waiting: self.jobs.len() as u32 - running,
            clients: self.clients.len() as u32,
            wait_ms: waiting.fold(self.rest_ms(elapsed_ms), u64::saturating_add),
        }
    }

    fn check(&self, client: &str, cost_ms: u64, elapsed_ms: u64) -> Result<(), Refused> {
        let Bounds { clients, client_ms } = self.bounds;
        let waiting_ms = self.clients.get(client).copied();
        if cost_ms > client_ms {
            return Err(Refused::Long { cost_ms, client_ms });
        }
        match waiting_ms {
            None if self.clients.len() >= clients => {
                Err(Refused::Crowded { clients, retry_after: seconds(self.rest_ms(elapsed_ms)) })
            }
            Some(waiting_ms) if waiting_ms > client_ms - cost_ms => {
                let excess_ms = waiting_ms - (client_ms - cost_ms);
                let retry_after = seconds(self.until_done(client, excess_ms, elapsed_ms));
                Err(Refused::Full { waiting_ms, client_ms, retry_after })
            }
            _ => Ok(()),
        }
    }

    /// How long it takes until so much is done of what the client waits for.
    fn until_done(&self, client: &str, mut excess_ms: u64, elapsed_ms: u64) -> u64 {
        let running = self.running.map(|id| (id, self.rest_ms(elapsed_ms)));
        let waiting =
            self.places(elapsed_ms).map(|(id, place)| (id, place.wait_ms.saturating_add(self.jobs[&id].cost_ms)));
        for (id, done_ms) in running.into_iter().chain(waiting) {
            let job = &self.jobs[&id];
            let asks = job.subscribers.values().filter(|subscriber| *subscriber.client == *client).count() as u64;
            excess_ms = excess_ms.saturating_sub(asks * job.cost_ms);
            if excess_ms == 0 {
                return done_ms;
            }
        }
        0
    }

    /// What is left of the job at work, in expected milliseconds; 0 where it takes longer than expected.
    fn rest_ms(&self, elapsed_ms: u64) -> u64 {
        self.running.map_or(0, |id| self.jobs[&id].cost_ms.saturating_sub(elapsed_ms))
    }

    fn add(&mut self, key: String, cost_ms: u64) -> JobId {
        let id = JobId(self.fresh());
        self.keys.insert(key.clone(), id);
        self.jobs.insert(id, Job { key, cost_ms, subscribers: BTreeMap::new() });
        id
    }

    fn remove(&mut self, id: JobId) -> Job {
        let job = self.jobs.remove(&id).expect("a job is removed once");
        // Another may have its key, if nobody wanted this one any more.
        if self.keys.get(&job.key) == Some(&id) {
            self.keys.remove(&job.key);
        }
        job
    }

    /// An ask of the client is over.
    fn settle(&mut self, client: &Client, cost_ms: u64) {
        if let Some(waiting_ms) = self.clients.get_mut(client) {
            *waiting_ms -= cost_ms;
            if *waiting_ms == 0 {
                self.clients.remove(client);
            }
        }
    }

    /// Whether nothing is left of anybody.
    #[cfg(test)]
    fn is_empty(&self) -> bool {
        let Self { jobs, running, keys, subscribers, clients, turns, .. } = self;
        jobs.is_empty()
            && running.is_none()
            && keys.is_empty()
            && subscribers.is_empty()
            && clients.is_empty()
            && turns.is_empty()
    }

    fn fresh(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }
}
