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
use crate::store::synthetic::{World, question_of};
use crate::store::{MemoryStore, NewResult, Store};

const CLIENTS: usize = 5;
const QUESTIONS: usize = 4;

#[derive(Clone, Debug)]
enum Step {
    Ask {
        client: usize,
        what: usize,
    },
    Read(Index, usize),
    Leave(Index),
    /// The next job is begun, if none is at work.
    Start,
    /// One more point of it is told.
    Point,
    End(Ending),
}

/// How the job at work ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ending {
    /// It is measured, and stored, and told; where nobody wants it, it is stopped before that.
    Well,
    /// The same, but it is too late to stop it.
    Late,
    /// Its suite cannot be measured.
    Failed,
    /// The measuring thread panics.
    Panic,
    /// The runner ends and begins anew.
    Restart,
    /// The same after it was stored, and before anybody was told.
    RestartStored,
}

fn step() -> impl Strategy<Value = Step> {
    use Ending::{Failed, Late, Panic, Restart, RestartStored, Well};
    let ending = prop_oneof![8 => Just(Well), 2 => Just(Late), 1 => Just(Failed), 1 => Just(Panic), 1 => Just(Restart),
        1 => Just(RestartStored)];
    prop_oneof![
        6 => (0..CLIENTS, 0..QUESTIONS).prop_map(|(client, what)| Step::Ask { client, what }),
        6 => (any::<Index>(), 1..6_usize).prop_map(|(reader, events)| Step::Read(reader, events)),
        2 => any::<Index>().prop_map(Step::Leave),
        4 => Just(Step::Start),
        6 => Just(Step::Point),
        3 => ending.prop_map(Step::End),
    ]
}

/// The only answer to a question: a result none of whose points failed.
fn answer(what: usize) -> NewResult {
    let is_whole = |result: &NewResult| result.response.points.iter().all(|point| point.measured().is_some());
    let whole = (0..).map(|seed| World::SMALL.result(seed)).find(is_whole).expect("most are");
    NewResult { seed: what as u64, ..whole }
}

/// One who asked, and what was heard.
struct Reader {
    what: usize,
    subscription: Subscription<usize>,
    is_started: bool,
    points: usize,
    end: Option<Event>,
}

/// The job at work.
struct AtWork {
    running: Running<usize>,
    /// The result that it was found in.
    found: Option<u64>,
    told: usize,
}

struct Schedule {
    hub: Hub<usize>,
    store: MemoryStore,
    answers: Vec<NewResult>,
    readers: Vec<Reader>,
    at_work: Option<AtWork>,
    /// Whether a job was failed: then a reader may hear so.
    has_failed: bool,
    /// What was acknowledged: results with their questions.
    acknowledged: BTreeMap<u64, usize>,
}

impl Schedule {
    fn new() -> Self {
        Self {
            hub: Hub::new(BOUNDS),
            store: MemoryStore::default(),
            answers: (0..QUESTIONS).map(answer).collect(),
            readers: Vec::new(),
            at_work: None,
            has_failed: false,
            acknowledged: BTreeMap::new(),
        }
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Ask { client, what } => self.ask(*client, *what),
            Step::Read(index, events) if !self.readers.is_empty() => {
                let reader = index.index(self.readers.len());
                for _ in 0..*events {
                    self.read(reader);
                }
            }
            Step::Leave(index) if !self.readers.is_empty() => {
                drop(self.readers.swap_remove(index.index(self.readers.len())));
            }
            Step::Read(..) | Step::Leave(_) => {}
            Step::Start => self.start(),
            Step::Point => self.tell(),
            Step::End(ending) => self.end(*ending),
        }
    }

    fn ask(&mut self, client: usize, what: usize) {
        // Beyond its bounds a client is refused, and waits for no answer.
        if let Ok(subscription) = self.hub.ask(ask(&client.to_string(), &what.to_string()), what) {
            self.readers.push(Reader { what, subscription, is_started: false, points: 0, end: None });
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
        let mut told = 0;
        for found in &found {
            for point in &found.points {
                running.point(point.clone());
                told += 1;
            }
        }
        assert!(told == 0 || told == answer.response.points.len(), "a result is stored whole");
        self.at_work = Some(AtWork { running, found: found.first().map(|found| found.result), told });
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
        let Some(AtWork { told, .. }) = self.at_work else { return };
        if !matches!(ending, Ending::Failed | Ending::Panic) {
            let what = *self.at_work.as_ref().unwrap().running.work();
            (told..self.answers[what].response.points.len()).for_each(|_| self.tell());
        }
        let AtWork { running, found, .. } = self.at_work.take().unwrap();
        let what = *running.work();
        match ending {
            Ending::Failed => {
                self.has_failed |= running.is_wanted();
                running.failed("it cannot be measured".to_owned());
            }
            Ending::Panic => {
                self.has_failed |= running.is_wanted();
                drop(running);
            }
            Ending::Well if !running.is_wanted() => running.failed("it was stopped".to_owned()),
            Ending::Well | Ending::Late => {
                let id = found.unwrap_or_else(|| self.store.add(&self.answers[what]).unwrap());
                running.done(done(id));
            }
            Ending::Restart | Ending::RestartStored => {
                if found.is_none() {
                    self.store.add(&self.answers[what]).unwrap();
                }
                self.restart();
                drop(running);
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
        self.hub = Hub::new(BOUNDS);
    }

    /// Reads one event, if there is one by now.
    fn read(&mut self, index: usize) -> bool {
        let Reader { what, subscription, is_started, points, end } = &mut self.readers[index];
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
                let [id] = done.results[..] else { panic!("{done:?}") };
                let stored = self.store.result(id).unwrap().expect("what is acknowledged is stored");
                assert_eq!(stored.response.points.len(), all.len());
                assert!(
                    self.acknowledged.insert(id, *what).is_none_or(|other| other == *what),
                    "result {id} is of two"
                );
            }
            Event::Failed { .. } => assert!(self.has_failed, "nothing failed"),
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
        assert!(self.store.count().unwrap() <= QUESTIONS as u64, "something was measured twice");
        for (id, what) in &self.acknowledged {
            let found = self.store.find(&question_of(&self.answers[*what])).unwrap();
            assert!(!found.is_empty() && found.iter().all(|found| found.result == *id), "result {id} is not found");
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
