//! Whatever is asked, started, finished and left, in any order.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;

use super::super::*;

const BOUNDS: Bounds = Bounds { clients: 5, client_ms: 2_000 };

#[derive(Clone, Debug)]
enum Step {
    Ask { client: usize, what: u8 },
    Start,
    Finish,
    Leave(Index),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (0..7_usize, 0..10_u8).prop_map(|(client, what)| Step::Ask { client, what }),
        2 => Just(Step::Start),
        2 => Just(Step::Finish),
        2 => any::<Index>().prop_map(Step::Leave),
    ]
}

fn priority(what: u8) -> Priority {
    Priority::try_from(what % 4 + 1).unwrap()
}

fn cost_ms(what: u8) -> u64 {
    100 + 60 * u64::from(what)
}

/// An ask that was taken and is neither answered nor left.
#[derive(Clone, Debug)]
struct Open {
    client: usize,
    what: u8,
    job: JobId,
}

/// What a client has waited for since its turn last came, or since it began to wait.
#[derive(Clone, Debug)]
struct Patience {
    /// The others that waited or were being served when it began.
    before: BTreeSet<usize>,
    /// Jobs that were done for others.
    jobs: usize,
}

/// A queue, and what is known of it from outside.
struct Ledger {
    queue: Queue,
    open: BTreeMap<SubscriberId, Open>,
    answered: BTreeSet<SubscriberId>,
    running: Option<JobId>,
    finished: BTreeSet<JobId>,
    waiting: BTreeMap<usize, Patience>,
}

impl Ledger {
    fn new() -> Self {
        Self {
            queue: Queue::new(BOUNDS),
            open: BTreeMap::new(),
            answered: BTreeSet::new(),
            running: None,
            finished: BTreeSet::new(),
            waiting: BTreeMap::new(),
        }
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Ask { client, what } => self.ask(*client, *what),
            Step::Start => {
                self.start();
            }
            Step::Finish => self.finish(),
            Step::Leave(index) if !self.open.is_empty() => {
                let ids: Vec<SubscriberId> = self.open.keys().copied().collect();
                self.leave(*index.get(&ids));
            }
            Step::Leave(_) => {}
        }
        self.look();
    }

    fn ask(&mut self, client: usize, what: u8) {
        let ask =
            Ask { client: client.to_string(), key: what.to_string(), priority: priority(what), cost_ms: cost_ms(what) };
        let known = self.open.values().find(|open| open.what == what).map(|open| open.job);
        let is_full = self.waiting_ms(client) + cost_ms(what) > BOUNDS.client_ms;
        let is_crowded = !self.clients().contains(&client) && self.clients().len() == BOUNDS.clients;
        match self.queue.ask(ask, 0) {
            Ok(Asked { subscriber, job, joined }) => {
                assert!(!is_full && !is_crowded);
                assert_eq!(joined, known.is_some());
                assert!(known.is_none_or(|known| known == job), "the same is measured once");
                assert!(!self.finished.contains(&job));
                assert!(!self.answered.contains(&subscriber));
                assert!(self.open.insert(subscriber, Open { client, what, job }).is_none());
            }
            Err(Refused::Full { waiting_ms, retry_after, .. }) => {
                assert!(is_full);
                assert_eq!(waiting_ms, self.waiting_ms(client));
                assert!(retry_after > 0);
            }
            Err(Refused::Crowded { .. }) => assert!(is_crowded),
            Err(refused @ Refused::Long { .. }) => panic!("{refused}"),
        }
    }

    /// Starts the next, which must be the best that one of its clients waits for, and comes in time for all others.
    fn start(&mut self) -> Option<JobId> {
        let waits: Vec<(SubscriberId, Open)> = self
            .open
            .iter()
            .filter(|(_, open)| self.running != Some(open.job))
            .map(|(id, open)| (*id, open.clone()))
            .collect();
        let started = self.queue.start();
        assert_eq!(started.is_some(), self.running.is_none() && !waits.is_empty());
        let job = started?;
        assert!(!self.finished.contains(&job));
        let best_of = |client| {
            let own = waits.iter().filter(|(_, open)| open.client == client);
            own.min_by_key(|(id, open)| (priority(open.what), *id)).map(|(_, open)| open.job)
        };
        let served: BTreeSet<usize> =
            waits.iter().filter(|(_, open)| open.job == job).map(|(_, open)| open.client).collect();
        assert!(served.iter().any(|client| best_of(*client) == Some(job)), "{job:?} is the best of none of {served:?}");
        for (client, patience) in self.waiting.iter_mut().filter(|(client, _)| !served.contains(client)) {
            patience.jobs += 1;
            assert!(!served.is_disjoint(&patience.before), "{served:?} came after {client}, and before its turn");
            assert!(patience.jobs <= patience.before.len(), "{client} waited for {patience:?}");
        }
        self.running = started;
        started
    }

    fn finish(&mut self) {
        assert_eq!(self.queue.finish(), self.running);
        if let Some(job) = self.running.take() {
            assert!(self.finished.insert(job), "{job:?} was done twice");
            let answered: Vec<SubscriberId> =
                self.open.iter().filter(|(_, open)| open.job == job).map(|(id, _)| *id).collect();
            for id in answered {
                self.open.remove(&id);
                assert!(self.answered.insert(id), "{id:?} was answered twice");
                assert_eq!(self.queue.leave(id), Left::Gone);
            }
        }
    }

    fn leave(&mut self, id: SubscriberId) {
        let left = self.open.remove(&id).unwrap();
        let is_wanted = self.open.values().any(|open| open.job == left.job);
        let expected = match (is_wanted, self.running == Some(left.job)) {
            (true, _) => Left::Stays,
            (false, true) => Left::Unwanted(left.job),
            (false, false) => Left::Forgotten(left.job),
        };
        assert_eq!(self.queue.leave(id), expected);
    }

    /// Holds the queue against what is known, and notes who waits from now on.
    fn look(&mut self) {
        let clients = self.clients();
        assert!(clients.len() <= BOUNDS.clients);
        assert!(clients.iter().all(|client| self.waiting_ms(*client) <= BOUNDS.client_ms));
        let jobs: BTreeMap<JobId, u8> = self.open.values().map(|open| (open.job, open.what)).collect();
        let waiting = jobs.keys().filter(|job| self.running != Some(**job)).count();
        let load = self.queue.load(0);
        assert_eq!(load.running, u32::from(self.running.is_some()));
        assert_eq!((load.waiting as usize, load.clients as usize), (waiting, clients.len()));

        let served: BTreeSet<usize> =
            self.open.values().filter(|open| self.running == Some(open.job)).map(|open| open.client).collect();
        // Who is being served has its turn now, whatever else it waits for.
        self.waiting.retain(|client, _| clients.contains(client) && !served.contains(client));
        for client in clients.iter().filter(|client| !served.contains(client)) {
            let begin = || Patience {
                before: clients.iter().copied().filter(|other| other != client).collect(),
                jobs: usize::from(!served.is_empty()),
            };
            self.waiting.entry(*client).or_insert_with(begin);
        }
    }

    fn clients(&self) -> BTreeSet<usize> {
        self.open.values().map(|open| open.client).collect()
    }

    fn waiting_ms(&self, client: usize) -> u64 {
        self.open.values().filter(|open| open.client == client).map(|open| cost_ms(open.what)).sum()
    }

    /// Does all that is left, in the order and at the places told before, until nothing is.
    fn drain(&mut self) {
        let places: Vec<(JobId, Place)> = self.queue.places(0).collect();
        let mut place = Place { ahead: self.queue.load(0).running, wait_ms: self.queue.rest_ms(0) };
        self.take(&Step::Finish);
        for told in places {
            let id = self.start().unwrap();
            assert_eq!(told, (id, place));
            place = Place { ahead: place.ahead + 1, wait_ms: place.wait_ms + self.queue.rest_ms(0) };
            self.look();
            self.take(&Step::Finish);
        }
        assert!(self.open.is_empty(), "{:?} were never answered", self.open);
        assert!(self.queue.is_empty(), "{:?}", self.queue);
    }
}

/// The same cases in every run.
fn seeded() -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, cases: 1_000, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(seeded())]

    #[test]
    fn no_answer_is_lost_or_doubled_and_nobody_waits_too_long(steps in prop::collection::vec(step(), 0..80)) {
        let mut ledger = Ledger::new();
        for step in &steps {
            ledger.take(step);
        }
        ledger.drain();
    }

    #[test]
    fn nothing_is_left_where_all_leave(steps in prop::collection::vec(step(), 0..80)) {
        let mut ledger = Ledger::new();
        for step in &steps {
            ledger.take(step);
        }
        while let Some((&id, _)) = ledger.open.first_key_value() {
            ledger.leave(id);
        }
        ledger.finish();
        prop_assert!(ledger.queue.is_empty(), "{:?}", ledger.queue);
    }
}
