//! The hub: where those who ask and the one that measures meet.
//!
//! Clients ask and read, asynchronously; one thread measures, and blocks. Between them stand the [`crate::queue`],
//! which says whose turn it is, and a log for each job, which everybody reads who asked for it. What is measured, and how,
//! the hub does not know: the work `W` passes through it.

mod arrival;
mod log;
mod running;
mod subscription;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use benchbook_host::api::{Event, Load};
use thiserror::Error;
use tokio::sync::{oneshot, watch};

use crate::queue::{self, Ask, Bounds, JobId, Left, Queue, SubscriberId};
use arrival::ArrivalId;
use log::Log;

pub use arrival::Arrival;
pub use log::Told;
pub use running::Running;
pub use subscription::{Finished, Subscription, Unfinished};

/// What is told of a job that was left without an end.
const BROKEN_OFF: &str = "the runner broke off this measurement by an error of its own, which its log tells; nothing of it \
                          was kept. Ask again";

/// What is told of a job that its client took back.
pub const TAKEN_BACK: &str = "The client took back what it asked.";

/// Why an ask is not taken, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// The queue holds no more.
    #[error(transparent)]
    Full(#[from] queue::Refused),
    /// The runner is ending, for this reason.
    #[error("{0}")]
    Closed(String),
    /// Its client took it back before it was taken.
    #[error("{TAKEN_BACK}")]
    TakenBack,
}

/// Where those who ask and the one that measures meet; a clone is the same.
pub struct Hub<W> {
    desk: Arc<Desk<W>>,
}

struct Desk<W> {
    state: Mutex<State<W>>,
    /// Something waits, or the hub was closed.
    news: Condvar,
}

struct State<W> {
    queue: Queue,
    /// The clients of those who may still ask.
    arrived: HashMap<ArrivalId, String>,
    next_arrival: ArrivalId,
    /// The work and the log of each job that waits, the log of that at work.
    jobs: HashMap<JobId, Job<W>>,
    /// By which those who asked hear that they took it back: it is dropped then, and nothing is ever sent.
    asked: HashMap<SubscriberId, oneshot::Sender<Infallible>>,
    at_work: Option<AtWork>,
    /// Why nothing is taken any more.
    closed: Option<String>,
}

struct Job<W> {
    /// Absent once it is at work.
    work: Option<W>,
    log: watch::Sender<Log>,
}

struct AtWork {
    id: JobId,
    since: Instant,
    is_wanted: bool,
    on_unwanted: Option<Stop>,
}

/// Ends what the measuring thread waits for.
type Stop = Box<dyn FnOnce() + Send>;

impl<W> Hub<W> {
    /// A hub where nothing waits.
    pub fn new(bounds: Bounds) -> Self {
        let state = State {
            queue: Queue::new(bounds),
            arrived: HashMap::new(),
            next_arrival: ArrivalId::default(),
            jobs: HashMap::new(),
            asked: HashMap::new(),
            at_work: None,
            closed: None,
        };
        Self { desk: Arc::new(Desk { state: Mutex::new(state), news: Condvar::new() }) }
    }

    /// A client is here, and may ask once: from now on it may take that back.
    pub fn arrive(&self, client: &str) -> Arrival<W> {
        let mut state = self.lock();
        let id = state.next_arrival;
        state.next_arrival = ArrivalId(id.0 + 1);
        state.arrived.insert(id, client.to_owned());
        Arrival::new(self.clone(), id)
    }

    fn ask(&self, arrival: ArrivalId, ask: Ask, work: W) -> Result<Subscription<W>, Refused> {
        let mut state = self.lock();
        if let Some(reason) = &state.closed {
            return Err(Refused::Closed(reason.clone()));
        }
        if !state.arrived.contains_key(&arrival) {
            return Err(Refused::TakenBack);
        }
        let elapsed_ms = state.elapsed_ms();
        let asked = state.queue.ask(ask, elapsed_ms)?;
        if !asked.joined {
            state.jobs.insert(asked.job, Job { work: Some(work), log: watch::Sender::default() });
        }
        state.tell_places();
        let log = state.jobs[&asked.job].log.subscribe();
        let (here, taken_back) = oneshot::channel();
        state.asked.insert(asked.subscriber, here);
        self.desk.news.notify_all();
        Ok(Subscription::new(self.clone(), asked.subscriber, log, taken_back))
    }

    /// Waits, and blocks, until there is a job to do and none at work; absent when the hub is closed.
    pub fn wait_for_job(&self) -> Option<Running<W>> {
        let mut state = self.lock();
        while state.closed.is_none() {
            if let Some(id) = state.queue.start() {
                state.at_work = Some(AtWork { id, since: Instant::now(), is_wanted: true, on_unwanted: None });
                let job = state.jobs.get_mut(&id).expect("the queue's jobs are the hub's");
                let work = job.work.take().expect("a job is started once");
                return Some(Running::new(self.clone(), id, work, job.log.clone()));
            }
            state = self.desk.news.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// How busy it is.
    pub fn load(&self) -> Load {
        let state = self.lock();
        state.queue.load(state.elapsed_ms())
    }

    /// Takes nothing any more: whoever waits is told `reason` and no more, what waits is forgotten, what is at work is
    /// stopped.
    pub fn close(&self, reason: &str) {
        let stop = {
            let mut state = self.lock();
            state.closed.get_or_insert_with(|| reason.to_owned());
            for (_, job) in state.jobs.drain() {
                job.log.send_modify(|log| log.end(Event::Stopped { reason: reason.to_owned() }));
            }
            state.queue.clear();
            self.desk.news.notify_all();
            state.at_work.as_mut().and_then(AtWork::unwanted)
        };
        call(stop);
    }

    /// Takes back all that a client asked for, whether it reads at the moment or not: its subscriptions end, and those of it
    /// that arrived and have not asked yet are refused.
    pub fn take_back(&self, client: &str) {
        let mut state = self.lock();
        state.arrived.retain(|_, arrived| arrived != client);
        let all = state.queue.asked_by(client);
        self.leave(state, all);
    }

    /// These want it no longer.
    fn leave(&self, mut state: MutexGuard<'_, State<W>>, subscribers: impl IntoIterator<Item = SubscriberId>) {
        let mut stop = None;
        let mut is_news = false;
        for subscriber in subscribers {
            state.asked.remove(&subscriber);
            let left = state.queue.leave(subscriber);
            is_news |= left != Left::Gone;
            match left {
                Left::Gone | Left::Stays => {}
                Left::Forgotten(id) => drop(state.jobs.remove(&id)),
                // One is at work.
                Left::Unwanted(_) => stop = state.at_work.as_mut().and_then(AtWork::unwanted),
            }
        }
        if is_news {
            state.tell_places();
        }
        drop(state);
        call(stop);
    }

    /// The job at work is done, well or not.
    fn finish(&self, id: JobId) {
        let mut state = self.lock();
        state.at_work = None;
        // Once the hub is closed the queue has forgotten it.
        if state.jobs.remove(&id).is_some() {
            state.queue.finish();
            state.tell_places();
        }
        self.desk.news.notify_all();
    }

    fn on_unwanted(&self, id: JobId, stop: Stop) {
        let mut state = self.lock();
        match state.at_work.as_mut().filter(|at_work| at_work.id == id && at_work.is_wanted) {
            Some(at_work) => at_work.on_unwanted = Some(stop),
            None => {
                drop(state);
                stop();
            }
        }
    }

    fn is_wanted(&self, id: JobId) -> bool {
        self.lock().at_work.as_ref().is_some_and(|at_work| at_work.id == id && at_work.is_wanted)
    }

    fn lock(&self) -> MutexGuard<'_, State<W>> {
        // Nothing of others is called under the lock, so a thread that panicked elsewhere left all in order.
        self.desk.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W> State<W> {
    /// Tells every job that waits its place, where that has changed.
    fn tell_places(&self) {
        for (id, place) in self.queue.places(self.elapsed_ms()) {
            self.jobs[&id].log.send_if_modified(|log| log.wait(place));
        }
    }

    /// For how long the job at work has been that, in milliseconds.
    fn elapsed_ms(&self) -> u64 {
        self.at_work.as_ref().map_or(0, |at_work| at_work.since.elapsed().as_millis() as u64)
    }
}

impl AtWork {
    /// Nobody wants it any more.
    fn unwanted(&mut self) -> Option<Stop> {
        self.is_wanted = false;
        self.on_unwanted.take()
    }
}

/// Stops, with the hub unlocked: it may take a while, or use the hub.
fn call(stop: Option<Stop>) {
    if let Some(stop) = stop {
        stop();
    }
}

impl<W> Clone for Hub<W> {
    fn clone(&self) -> Self {
        Self { desk: self.desk.clone() }
    }
}

impl<W> fmt::Debug for Hub<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("load", &self.load()).finish_non_exhaustive()
    }
}
