//! Random sequences of operations on a queue, checked against a model.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr};

use benchbook_host::quality::Priority;
use proptest::prelude::*;
use proptest::sample::Index;

use super::super::*;

const BOUNDS: QueueBounds = QueueBounds { clients: 5, client_ms: 2_000, address_ms: 20_000, quick_ms: 0 };

#[derive(Clone, Debug)]
enum QueueStep {
    Submit { client: usize, what: u8 },
    Start,
    Finish,
    Pause,
    Leave(Index),
}

fn step() -> impl Strategy<Value = QueueStep> {
    prop_oneof![
        5 => (0..7_usize, 0..10_u8).prop_map(|(client, what)| QueueStep::Submit { client, what }),
        2 => Just(QueueStep::Start),
        2 => Just(QueueStep::Finish),
        1 => Just(QueueStep::Pause),
        2 => any::<Index>().prop_map(QueueStep::Leave),
    ]
}

fn priority(what: u8) -> Priority {
    Priority::try_from(what % 4 + 1).unwrap()
}

fn cost_ms(what: u8) -> u64 {
    100 + 60 * u64::from(what)
}

/// A pending request.
#[derive(Clone, Debug)]
struct PendingRequest {
    client: usize,
    what: u8,
    job: JobId,
    cost_ms: u64,
}

/// A client's wait since its last turn, or since its first request.
#[derive(Clone, Debug)]
struct Wait {
    /// The other clients that were waiting or being served when the wait began.
    before: BTreeSet<usize>,
    /// Jobs of other clients that were started since.
    jobs: usize,
}

/// A queue and its observable state.
struct QueueModel {
    queue: Queue,
    pending: BTreeMap<SubscriberId, PendingRequest>,
    finished_requests: BTreeSet<SubscriberId>,
    running: Option<JobId>,
    finished_jobs: BTreeSet<JobId>,
    waiting: BTreeMap<usize, Wait>,
}

impl QueueModel {
    fn new() -> Self {
        Self {
            queue: Queue::new(BOUNDS),
            pending: BTreeMap::new(),
            finished_requests: BTreeSet::new(),
            running: None,
            finished_jobs: BTreeSet::new(),
            waiting: BTreeMap::new(),
        }
    }

    fn apply(&mut self, step: &QueueStep) {
        match step {
            QueueStep::Submit { client, what } => self.submit(*client, *what),
            QueueStep::Start => {
                self.start();
            }
            QueueStep::Finish => self.finish(),
            QueueStep::Pause => self.pause(),
            QueueStep::Leave(index) if !self.pending.is_empty() => {
                let ids: Vec<SubscriberId> = self.pending.keys().copied().collect();
                self.leave(*index.get(&ids));
            }
            QueueStep::Leave(_) => {}
        }
        self.check();
    }

    fn submit(&mut self, client: usize, what: u8) {
        let request = JobRequest {
            client: client.to_string(),
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            key: what.to_string(),
            priority: priority(what),
            cost_ms: cost_ms(what),
            turn_ms: u64::MAX,
        };
        let existing = self.pending.values().find(|request| request.what == what).map(|request| request.job);
        let joined = existing.and_then(|job| self.pending.values().find(|request| request.job == job));
        let cost_ms = joined.map_or(cost_ms(what), |request| request.cost_ms);
        let is_full = self.waiting_ms(client) + cost_ms > BOUNDS.client_ms;
        let has_too_many_clients = !self.clients().contains(&client) && self.clients().len() == BOUNDS.clients;
        match self.queue.submit(request, 0) {
            Ok(Ticket { subscriber, job, has_joined }) => {
                assert!(!is_full && !has_too_many_clients);
                assert_eq!(has_joined, existing.is_some());
                assert!(has_joined || self.running != Some(job), "a job that is being stopped cannot be joined");
                assert!(existing.is_none_or(|existing| existing == job), "equal requests share a job");
                assert!(!self.finished_jobs.contains(&job));
                assert!(!self.finished_requests.contains(&subscriber));
                assert!(self.pending.insert(subscriber, PendingRequest { client, what, job, cost_ms }).is_none());
            }
            Err(QueueRejection::ClientFull { waiting_ms, retry_after, .. }) => {
                assert!(is_full);
                assert_eq!(waiting_ms, self.waiting_ms(client));
                assert!(retry_after > 0);
            }
            Err(QueueRejection::TooManyClients { .. }) => assert!(has_too_many_clients),
            Err(rejection @ (QueueRejection::TooLong { .. } | QueueRejection::AddressFull { .. })) => {
                panic!("{rejection}")
            }
        }
    }

    /// Starts the next job. It must be the first in the lane of one of its clients, and no other client may wait too long.
    fn start(&mut self) -> Option<JobId> {
        let waiting: Vec<(SubscriberId, PendingRequest)> = self
            .pending
            .iter()
            .filter(|(_, request)| self.running != Some(request.job))
            .map(|(id, request)| (*id, request.clone()))
            .collect();
        let started = self.queue.start();
        assert_eq!(started.is_some(), self.running.is_none() && !waiting.is_empty());
        let job = started?;
        assert!(!self.finished_jobs.contains(&job));
        let first_of = |client| {
            let own = waiting.iter().filter(|(_, request)| request.client == client);
            own.min_by_key(|(id, request)| (priority(request.what), *id)).map(|(_, request)| request.job)
        };
        let served: BTreeSet<usize> =
            waiting.iter().filter(|(_, request)| request.job == job).map(|(_, request)| request.client).collect();
        assert!(
            served.iter().any(|client| first_of(*client) == Some(job)),
            "{job:?} is first in no lane of {served:?}"
        );
        for (client, wait) in self.waiting.iter_mut().filter(|(client, _)| !served.contains(client)) {
            wait.jobs += 1;
            assert!(!served.is_disjoint(&wait.before), "{served:?} came after {client}, but was served first");
            assert!(wait.jobs <= wait.before.len(), "{client} waited for {wait:?}");
        }
        self.running = started;
        started
    }

    fn finish(&mut self) {
        assert_eq!(self.queue.finish(), self.running);
        if let Some(job) = self.running.take() {
            assert!(self.finished_jobs.insert(job), "{job:?} finished twice");
            let finished: Vec<SubscriberId> =
                self.pending.iter().filter(|(_, request)| request.job == job).map(|(id, _)| *id).collect();
            for id in finished {
                self.pending.remove(&id);
                assert!(self.finished_requests.insert(id), "{id:?} finished twice");
                assert_eq!(self.queue.leave(id), Departure::AlreadyGone);
            }
        }
    }

    /// Half of the job remains.
    fn pause(&mut self) {
        let requests = self.pending.values_mut().filter(|request| self.running == Some(request.job));
        let mut cost_ms = 1;
        for request in requests {
            request.cost_ms = (request.cost_ms / 2).max(1);
            cost_ms = request.cost_ms;
        }
        assert_eq!(self.queue.pause(cost_ms), self.running);
        if let Some(job) = self.running.take()
            && !self.pending.values().any(|request| request.job == job)
        {
            self.finished_jobs.insert(job);
        }
    }

    fn leave(&mut self, id: SubscriberId) {
        let left = self.pending.remove(&id).unwrap();
        let is_wanted = self.pending.values().any(|request| request.job == left.job);
        let expected = match (is_wanted, self.running == Some(left.job)) {
            (true, _) => Departure::StillWanted,
            (false, true) => Departure::Unwanted(left.job),
            (false, false) => Departure::Removed(left.job),
        };
        assert_eq!(self.queue.leave(id), expected);
        assert_eq!(self.queue.leave(id), Departure::AlreadyGone);
    }

    /// Checks the queue against the model, and records the clients that wait from now on.
    fn check(&mut self) {
        let clients = self.clients();
        assert!(clients.len() <= BOUNDS.clients);
        assert!(clients.iter().all(|client| self.waiting_ms(*client) <= BOUNDS.client_ms));
        let jobs: BTreeMap<JobId, u8> = self.pending.values().map(|request| (request.job, request.what)).collect();
        let waiting = jobs.keys().filter(|job| self.running != Some(**job)).count();
        let load = self.queue.load(0);
        assert_eq!(load.running, u32::from(self.running.is_some()));
        assert_eq!((load.waiting as usize, load.clients as usize), (waiting, clients.len()));

        let served: BTreeSet<usize> = self
            .pending
            .values()
            .filter(|request| self.running == Some(request.job))
            .map(|request| request.client)
            .collect();
        // A client that is being served has its turn now, whatever else it waits for.
        self.waiting.retain(|client, _| clients.contains(client) && !served.contains(client));
        for client in clients.iter().filter(|client| !served.contains(client)) {
            let begin = || Wait {
                before: clients.iter().copied().filter(|other| other != client).collect(),
                jobs: usize::from(!served.is_empty()),
            };
            self.waiting.entry(*client).or_insert_with(begin);
        }
    }

    fn clients(&self) -> BTreeSet<usize> {
        self.pending.values().map(|request| request.client).collect()
    }

    fn waiting_ms(&self, client: usize) -> u64 {
        self.pending.values().filter(|request| request.client == client).map(|request| request.cost_ms).sum()
    }

    /// Runs all remaining jobs, which must follow the reported positions, until the queue is empty.
    fn drain(&mut self) {
        let positions: Vec<(JobId, QueuePosition)> = self.queue.positions(0);
        let mut position = QueuePosition { ahead: self.queue.load(0).running, wait_ms: self.queue.remaining_ms(0) };
        self.apply(&QueueStep::Finish);
        for reported in positions {
            let id = self.start().unwrap();
            assert_eq!(reported, (id, position));
            position =
                QueuePosition { ahead: position.ahead + 1, wait_ms: position.wait_ms + self.queue.remaining_ms(0) };
            self.check();
            self.apply(&QueueStep::Finish);
        }
        assert!(self.pending.is_empty(), "{:?} never finished", self.pending);
        assert!(self.queue.is_empty(), "{:?}", self.queue);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn every_request_finishes_once_and_in_turn(steps in prop::collection::vec(step(), 0..80)) {
        let mut model = QueueModel::new();
        for step in &steps {
            model.apply(step);
        }
        model.drain();
    }

    #[test]
    fn no_trace_is_left_if_all_leave(steps in prop::collection::vec(step(), 0..80)) {
        let mut model = QueueModel::new();
        for step in &steps {
            model.apply(step);
        }
        while let Some((&id, _)) = model.pending.first_key_value() {
            model.leave(id);
        }
        model.finish();
        prop_assert!(model.queue.is_empty(), "{:?}", model.queue);
    }
}
