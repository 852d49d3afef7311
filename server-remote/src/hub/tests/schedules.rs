//! Whatever is asked, read, left, measured, failed and begun anew, in any order: with the real hub and a store, and a
//! measuring side that does what [`crate::measuring`] does, a step at a time.
//!
//! No answer is lost: whoever waits until the end gets it, whole, and what was acknowledged is stored. None is doubled:
//! whoever waits gets one, and nothing is stored twice.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;

use super::*;
use crate::answer::complete;
use crate::store::synthetic::{World, question_of};
use crate::store::{Filter, MemoryStore, NewResult, Store};

const CLIENTS: usize = 5;
const QUESTIONS: usize = 4;

#[derive(Clone, Debug)]
enum Step {
    /// A client is here, and what it asks is looked up.
    Arrive {
        client: usize,
        what: usize,
    },
    /// One that arrived asks.
    Ask(Index),
    Read(Index, usize),
    Leave(Index),
    /// A client takes back all that it asked.
    TakeBack(usize),
    /// The next job is begun, if none is at work.
    Start,
    /// One more point of it is told.
    Point,
    End(Ending),
}

/// How the job at work ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ending {
    /// It is measured, and stored, and told; where nobody wants it, it is stopped before that, and what was done is stored.
    Well,
    /// The same, but it is too late to stop it.
    Late,
    /// Its suite cannot be measured.
    Failed,
    /// The measuring thread panics.
    Panic,
    /// The runner is killed and begins anew.
    Restart,
    /// The same after it was told to end: what was done is stored.
    RestartStopped,
    /// The same after all was stored, and before anybody was told.
    RestartStored,
}

fn step() -> impl Strategy<Value = Step> {
    use Ending::{Failed, Late, Panic, Restart, RestartStopped, RestartStored, Well};
    let ending = prop_oneof![8 => Just(Well), 2 => Just(Late), 1 => Just(Failed), 1 => Just(Panic), 1 => Just(Restart),
        1 => Just(RestartStopped), 1 => Just(RestartStored)];
    prop_oneof![
        6 => (0..CLIENTS, 0..QUESTIONS).prop_map(|(client, what)| Step::Arrive { client, what }),
        8 => any::<Index>().prop_map(Step::Ask),
        6 => (any::<Index>(), 1..6_usize).prop_map(|(reader, events)| Step::Read(reader, events)),
        2 => any::<Index>().prop_map(Step::Leave),
        1 => (0..CLIENTS).prop_map(Step::TakeBack),
        4 => Just(Step::Start),
        6 => Just(Step::Point),
        3 => ending.prop_map(Step::End),
    ]
}

/// The only answer to a question: a result of several functions, none of whose points failed.
fn answer(what: usize) -> NewResult {
    let is_whole = |result: &NewResult| {
        result.response.request.functions.len() > 1
            && result.response.points.iter().all(|point| point.measured().is_some())
    };
    let whole = (0..).map(|seed| World::SMALL.result(seed)).find(is_whole).expect("most are");
    NewResult { seed: what as u64, ..whole }
}

/// One who is here, and has not asked yet.
struct Arrived {
    client: usize,
    what: usize,
    arrival: Arrival<usize>,
    is_taken_back: bool,
}

/// One who asked, and what was heard.
struct Reader {
    client: usize,
    what: usize,
    subscription: Subscription<usize>,
    is_taken_back: bool,
    is_started: bool,
    points: usize,
    end: Option<Event>,
}

/// The job at work.
struct AtWork {
    running: Running<usize>,
    /// The results that some of its points were found in, and how many points those are.
    results: Vec<u64>,
    found: usize,
    told: usize,
}

struct Schedule {
    hub: Hub<usize>,
    store: MemoryStore,
    answers: Vec<NewResult>,
    arrived: Vec<Arrived>,
    readers: Vec<Reader>,
    at_work: Option<AtWork>,
    /// Whether a job was failed: then a reader may hear so.
    has_failed: bool,
    /// What was acknowledged: results with their questions.
    acknowledged: BTreeMap<u64, usize>,
}

impl AtWork {
    /// Stores the axis values that were told and not found.
    fn store(&mut self, store: &MemoryStore, answers: &[NewResult]) {
        let answer = &answers[*self.running.work()];
        let mut new = answer.clone();
        let points = answer.response.points[self.found..self.told].to_vec();
        new.response.points = complete(answer.response.request.functions.len(), points);
        if !new.response.points.is_empty() {
            self.results.push(store.add(&new).unwrap());
        }
    }
}

impl Schedule {
    fn new() -> Self {
        Self {
            hub: Hub::new(BOUNDS),
            store: MemoryStore::default(),
            answers: (0..QUESTIONS).map(answer).collect(),
            arrived: Vec::new(),
            readers: Vec::new(),
            at_work: None,
            has_failed: false,
            acknowledged: BTreeMap::new(),
        }
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Arrive { client, what } => {
                let arrival = self.hub.arrive(&client.to_string());
                self.arrived.push(Arrived { client: *client, what: *what, arrival, is_taken_back: false });
            }
            Step::Ask(index) if !self.arrived.is_empty() => self.ask(index.index(self.arrived.len())),
            Step::Read(index, events) if !self.readers.is_empty() => {
                let reader = index.index(self.readers.len());
                for _ in 0..*events {
                    self.read(reader);
                }
            }
            Step::Leave(index) if !self.readers.is_empty() => {
                drop(self.readers.swap_remove(index.index(self.readers.len())));
            }
            Step::Ask(_) | Step::Read(..) | Step::Leave(_) => {}
            Step::TakeBack(client) => {
                self.hub.take_back(&client.to_string());
                let readers = self.readers.iter_mut().filter(|reader| reader.client == *client);
                readers.for_each(|reader| reader.is_taken_back = true);
                let arrived = self.arrived.iter_mut().filter(|arrived| arrived.client == *client);
                arrived.for_each(|arrived| arrived.is_taken_back = true);
            }
            Step::Start => self.start(),
            Step::Point => self.tell(),
            Step::End(ending) => self.end(*ending),
        }
    }

    fn ask(&mut self, index: usize) {
        let Arrived { client, what, arrival, is_taken_back } = self.arrived.swap_remove(index);
        match arrival.ask(ask(&client.to_string(), &what.to_string()), what) {
            Ok(subscription) => {
                assert!(!is_taken_back, "what was taken back is measured");
                self.readers.push(Reader {
                    client,
                    what,
                    subscription,
                    is_taken_back: false,
                    is_started: false,
                    points: 0,
                    end: None,
                });
            }
            Err(Refused::TakenBack) => assert!(is_taken_back, "what nobody took back is refused"),
            // Beyond its bounds a client is refused, and waits for no answer.
            Err(refused) => assert!(matches!(refused, Refused::Full(_)), "{refused}"),
        }
    }

    fn start(&mut self) {
        if self.at_work.is_some() || self.hub.load().waiting == 0 {
            return;
        }
        let running = self.hub.wait_for_job().expect("something waits, and the hub is open");
        let answer = &self.answers[*running.work()];
        let found = self.store.find(&question_of(answer)).unwrap();
        running.started(started());
        let points: Vec<&Point> = found.iter().flat_map(|found| &found.points).collect();
        // What is told and stored comes in the order of the answer, so what was stored is its beginning.
        assert!(points.iter().eq(&answer.response.points.iter().take(points.len()).collect::<Vec<_>>()));
        points.iter().for_each(|point| running.point((*point).clone()));
        let told = points.len();
        let mut results: Vec<u64> = found.iter().map(|found| found.result).collect();
        results.dedup();
        self.at_work = Some(AtWork { running, results, found: told, told });
    }

    fn tell(&mut self) {
        let Some(AtWork { running, told, .. }) = &mut self.at_work else { return };
        running.progress(progress(*told));
        if let Some(point) = self.answers[*running.work()].response.points.get(*told) {
            running.point(point.clone());
            *told += 1;
        }
    }

    fn end(&mut self, ending: Ending) {
        if ending == Ending::Restart {
            return self.restart();
        }
        let Some(AtWork { running, told, .. }) = &self.at_work else { return };
        let goes_on = match ending {
            Ending::Well => running.is_wanted(),
            Ending::Late | Ending::RestartStored => true,
            _ => false,
        };
        if goes_on {
            let all = self.answers[*running.work()].response.points.len();
            (*told..all).for_each(|_| self.tell());
        }
        let mut at_work = self.at_work.take().unwrap();
        match ending {
            Ending::Failed => {
                self.has_failed |= at_work.running.is_wanted();
                at_work.running.failed("it cannot be measured".to_owned());
            }
            Ending::Panic => {
                self.has_failed |= at_work.running.is_wanted();
                drop(at_work);
            }
            Ending::Well | Ending::Late => {
                at_work.store(&self.store, &self.answers);
                let AtWork { running, results, .. } = at_work;
                if goes_on {
                    running.done(Done { results, ..done(0) });
                } else {
                    running.failed("it was stopped".to_owned());
                }
            }
            Ending::Restart | Ending::RestartStopped | Ending::RestartStored => {
                at_work.store(&self.store, &self.answers);
                self.restart();
                drop(at_work);
            }
        }
    }

    /// Everybody who waits is told, and asks the new hub from now on.
    fn restart(&mut self) {
        self.hub.close("the runner is ending");
        self.at_work = None;
        for index in 0..self.readers.len() {
            while self.read(index) {}
            assert!(self.readers[index].end.is_some(), "somebody was not told");
        }
        self.readers.clear();
        self.arrived.clear();
        self.hub = Hub::new(BOUNDS);
    }

    /// Reads one event, if there is one by now.
    fn read(&mut self, index: usize) -> bool {
        let Reader { what, subscription, is_taken_back, is_started, points, end, .. } = &mut self.readers[index];
        let Poll::Ready(told) = next(subscription) else { return false };
        let Some(told) = told else {
            assert!(end.is_some(), "a stream ended without an end");
            return false;
        };
        assert!(end.is_none(), "something after the end");
        let all = &self.answers[*what].response.points;
        match told.event() {
            Event::Queued { .. } => assert!(!*is_started),
            Event::Started(_) => assert!(!std::mem::replace(is_started, true), "it started twice"),
            Event::Progress(_) => assert!(*is_started),
            Event::Point { point } => {
                assert!(*is_started && all.get(*points) == Some(&**point), "point {points} is another");
                *points += 1;
            }
            Event::Done(done) => {
                assert_eq!(*points, all.len(), "points are missing");
                for id in &done.results {
                    assert!(self.store.result(*id).unwrap().is_some(), "what is acknowledged is stored");
                    let known = self.acknowledged.insert(*id, *what);
                    assert!(known.is_none_or(|other| other == *what), "result {id} is of two");
                }
            }
            Event::Failed { .. } => assert!(self.has_failed, "nothing failed"),
            Event::Stopped { reason } if *is_taken_back => {
                assert!([TAKEN_BACK, "the runner is ending"].contains(&reason.as_str()));
            }
            Event::Stopped { reason } => assert_eq!(reason, "the runner is ending"),
        }
        if matches!(told.event(), Event::Done(_) | Event::Failed { .. } | Event::Stopped { .. }) {
            *end = Some(told.event().clone());
        }
        true
    }

    /// Measures all that waits, and reads all.
    fn finish(&mut self) {
        while self.at_work.is_some() || self.hub.load().waiting > 0 {
            self.start();
            self.end(Ending::Well);
        }
        for index in 0..self.readers.len() {
            while self.read(index) {}
            assert!(self.readers[index].end.is_some(), "an answer is lost");
        }
        self.readers.clear();
        assert_eq!(self.hub.load(), Load::default());
        let mut found_points = 0;
        let mut results = BTreeMap::new();
        for (what, answer) in self.answers.iter().enumerate() {
            for found in self.store.find(&question_of(answer)).unwrap() {
                found_points += found.points.len() as u64;
                results.insert(found.result, what);
            }
        }
        let stored = self.store.results(&Filter { limit: u32::MAX, ..Filter::default() }).unwrap();
        assert_eq!(stored.iter().map(|card| card.points).sum::<u64>(), found_points, "something was stored twice");
        for (id, what) in &self.acknowledged {
            assert_eq!(results.get(id), Some(what), "result {id} is not found");
        }
    }
}

/// The same cases in every run.
fn seeded() -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, cases: 500, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(seeded())]

    #[test]
    fn no_answer_is_lost_or_doubled(steps in prop::collection::vec(step(), 0..120)) {
        let mut schedule = Schedule::new();
        for step in &steps {
            schedule.take(step);
        }
        schedule.finish();
    }
}
