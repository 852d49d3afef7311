//! Random schedules of requests, reads, departures, measurements, failures and restarts: the real hub and a store, with a
//! simulation of the measurement thread that runs step by step.
//!
//! No response is lost: every client that waits until the end receives one, complete, and every acknowledged result is stored.
//! None is duplicated: every client receives one response, and no point is stored twice.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use benchbook_host::api::{Done, Event, QueueLoad, StreamStart};
use benchbook_host::quality::Priority;
use benchbook_host::response::{Point, Response};
use benchbook_host::sample::measurement::Progress;
use benchbook_server::hub::{Admission, CANCELLED, Hub, HubRejection, RunningJob, SharedEvent, Subscription, Task};
use benchbook_server::measure::assembly::retain_complete;
use benchbook_server::queue::{JobRequest, QueueBounds};
use benchbook_server::store::{NewResult, ResultFilter, Store};
use benchbook_store_support::MemoryStore;
use benchbook_store_support::synthetic::{World, query_for};
use proptest::prelude::*;
use proptest::sample::Index;

const CLIENTS: usize = 5;
const QUERIES: usize = 4;
const BOUNDS: QueueBounds = QueueBounds { clients: 100_000, client_ms: 60_000, address_ms: 6_000_000, quick_ms: 0 };

#[derive(Clone, Debug)]
enum ScheduleStep {
    /// The hub admits a client; the store is searched.
    Admit {
        client: usize,
        what: usize,
    },
    /// An admitted client submits its request.
    Submit(Index),
    Read(Index, usize),
    Leave(Index),
    /// A client cancels all of its requests.
    Cancel(usize),
    /// The next job starts, if none is running.
    Start,
    /// The running job reports another point.
    Point,
    End(Ending),
}

/// How the running job ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ending {
    /// It is measured, stored and reported. If it has no subscribers, it is stopped first, and its complete points are stored.
    Success,
    /// As `Success`, but it is too late to stop it.
    LateSuccess,
    /// The suite cannot be measured.
    Failed,
    /// The measurement thread panics.
    Panic,
    /// The runner is killed and restarted.
    Restart,
    /// The runner is shut down and restarted; complete points are stored.
    RestartStopped,
    /// The runner is killed and restarted after the result was stored, but before it was reported.
    RestartStored,
}

fn step() -> impl Strategy<Value = ScheduleStep> {
    use Ending::{Failed, LateSuccess, Panic, Restart, RestartStopped, RestartStored, Success};
    let ending = prop_oneof![8 => Just(Success), 2 => Just(LateSuccess), 1 => Just(Failed), 1 => Just(Panic), 1 => Just(Restart),
        1 => Just(RestartStopped), 1 => Just(RestartStored)];
    prop_oneof![
        6 => (0..CLIENTS, 0..QUERIES).prop_map(|(client, what)| ScheduleStep::Admit { client, what }),
        8 => any::<Index>().prop_map(ScheduleStep::Submit),
        6 => (any::<Index>(), 1..6_usize).prop_map(|(reader, events)| ScheduleStep::Read(reader, events)),
        2 => any::<Index>().prop_map(ScheduleStep::Leave),
        1 => (0..CLIENTS).prop_map(ScheduleStep::Cancel),
        4 => Just(ScheduleStep::Start),
        6 => Just(ScheduleStep::Point),
        3 => ending.prop_map(ScheduleStep::End),
    ]
}

/// The only result for each query: it has several functions and no failed points.
fn expected_results() -> Vec<NewResult> {
    let is_complete = |result: &NewResult| {
        result.response.request.functions.len() > 1
            && result.response.points.iter().all(|point| point.measured().is_some())
    };
    let complete = (0..).map(|seed| World::SMALL.result(seed)).find(is_complete).expect("most results are complete");
    (0..QUERIES).map(|what| NewResult { seed: what as u64, ..complete.clone() }).collect()
}

/// A client that has not submitted its request yet.
struct AdmittedClient {
    client: usize,
    what: usize,
    admission: Admission<usize>,
    is_cancelled: bool,
}

/// A subscriber, and the events that it has read.
struct Reader {
    client: usize,
    what: usize,
    subscription: Subscription<usize>,
    is_cancelled: bool,
    is_started: bool,
    points: usize,
    end: Option<Event>,
}

/// The running job.
struct CurrentRun {
    job: RunningJob<usize>,
    /// The results that contain its stored points, and the number of those points.
    results: Vec<u64>,
    found: usize,
    reported: usize,
}

struct Schedule {
    hub: Hub<usize>,
    store: MemoryStore,
    expected: Vec<NewResult>,
    admitted: Vec<AdmittedClient>,
    readers: Vec<Reader>,
    current: Option<CurrentRun>,
    /// Whether a job failed, so that readers may receive a failure.
    has_failed: bool,
    /// The acknowledged results, with their queries.
    acknowledged: BTreeMap<u64, usize>,
}

impl CurrentRun {
    /// Stores the complete points that were measured.
    fn store(&mut self, store: &MemoryStore, expected: &[NewResult]) {
        let expected = &expected[*self.job.work()];
        let mut new = expected.clone();
        let points = expected.response.points[self.found..self.reported].to_vec();
        new.response.points = retain_complete(expected.response.request.functions.len(), points);
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
            expected: expected_results(),
            admitted: Vec::new(),
            readers: Vec::new(),
            current: None,
            has_failed: false,
            acknowledged: BTreeMap::new(),
        }
    }

    fn apply(&mut self, step: &ScheduleStep) {
        match step {
            ScheduleStep::Admit { client, what } => {
                let admission = self.hub.admit(&client.to_string());
                self.admitted.push(AdmittedClient { client: *client, what: *what, admission, is_cancelled: false });
            }
            ScheduleStep::Submit(index) if !self.admitted.is_empty() => self.submit(index.index(self.admitted.len())),
            ScheduleStep::Read(index, events) if !self.readers.is_empty() => {
                let reader = index.index(self.readers.len());
                for _ in 0..*events {
                    self.read(reader);
                }
            }
            ScheduleStep::Leave(index) if !self.readers.is_empty() => {
                drop(self.readers.swap_remove(index.index(self.readers.len())));
            }
            ScheduleStep::Submit(_) | ScheduleStep::Read(..) | ScheduleStep::Leave(_) => {}
            ScheduleStep::Cancel(client) => {
                self.hub.cancel_client(&client.to_string());
                let readers = self.readers.iter_mut().filter(|reader| reader.client == *client);
                readers.for_each(|reader| reader.is_cancelled = true);
                let admitted = self.admitted.iter_mut().filter(|admitted| admitted.client == *client);
                admitted.for_each(|admitted| admitted.is_cancelled = true);
            }
            ScheduleStep::Start => self.start(),
            ScheduleStep::Point => self.report(),
            ScheduleStep::End(ending) => self.end(*ending),
        }
    }

    fn submit(&mut self, index: usize) {
        let AdmittedClient { client, what, admission, is_cancelled } = self.admitted.swap_remove(index);
        match admission.submit(request(client, what), what) {
            Ok(subscription) => {
                assert!(!is_cancelled, "a cancelled request was accepted");
                let (is_started, points, end) = (false, 0, None);
                self.readers.push(Reader { client, what, subscription, is_cancelled, is_started, points, end });
            }
            Err(HubRejection::Cancelled) => assert!(is_cancelled, "no client cancelled the request"),
            // A rejected client waits for no response.
            Err(rejection) => assert!(matches!(rejection, HubRejection::QueueFull(_)), "{rejection}"),
        }
    }

    fn start(&mut self) {
        if self.current.is_some() || self.hub.load().waiting == 0 {
            return;
        }
        let job = next_job(&self.hub);
        let expected = &self.expected[*job.work()];
        let found = self.store.find(&query_for(expected)).unwrap();
        job.report_start(started(expected));
        let points: Vec<&Point> = found.iter().flat_map(|found| &found.points).collect();
        // Points are reported and stored in the order of the expected result, so the stored ones are its first.
        assert!(points.iter().eq(&expected.response.points.iter().take(points.len()).collect::<Vec<_>>()));
        points.iter().for_each(|point| job.report_point((*point).clone()));
        let reported = points.len();
        let mut results: Vec<u64> = found.iter().map(|found| found.result).collect();
        results.dedup();
        self.current = Some(CurrentRun { job, results, found: reported, reported });
    }

    fn report(&mut self) {
        let Some(CurrentRun { job, reported, .. }) = &mut self.current else { return };
        job.report_progress(Progress { done: *reported, total: 2, x: 0.0.into(), forecast: None });
        if let Some(point) = self.expected[*job.work()].response.points.get(*reported) {
            job.report_point(point.clone());
            *reported += 1;
        }
    }

    fn end(&mut self, ending: Ending) {
        if ending == Ending::Restart {
            return self.restart();
        }
        let Some(CurrentRun { job, reported, .. }) = &self.current else { return };
        let completes = match ending {
            Ending::Success => job.is_wanted(),
            Ending::LateSuccess | Ending::RestartStored => true,
            _ => false,
        };
        if completes {
            let all = self.expected[*job.work()].response.points.len();
            (*reported..all).for_each(|_| self.report());
        }
        let mut current = self.current.take().unwrap();
        match ending {
            Ending::Failed => {
                self.has_failed |= current.job.is_wanted();
                current.job.fail("it cannot be measured".to_owned());
            }
            Ending::Panic => {
                self.has_failed |= current.job.is_wanted();
                drop(current);
            }
            Ending::Success | Ending::LateSuccess => {
                current.store(&self.store, &self.expected);
                let CurrentRun { job, results, .. } = current;
                if completes {
                    job.succeed(Done { results, priority: Priority::FIRST, comparisons: Vec::new() });
                } else {
                    job.fail("it was stopped".to_owned());
                }
            }
            Ending::Restart | Ending::RestartStopped | Ending::RestartStored => {
                current.store(&self.store, &self.expected);
                self.restart();
                drop(current);
            }
        }
    }

    /// Closes the hub, checks that all subscribers are notified, and opens a new one.
    fn restart(&mut self) {
        self.hub.close("the runner is shutting down");
        self.current = None;
        for index in 0..self.readers.len() {
            while self.read(index) {}
            assert!(self.readers[index].end.is_some(), "a subscriber was not notified");
        }
        self.readers.clear();
        self.admitted.clear();
        self.hub = Hub::new(BOUNDS);
    }

    /// Reads the next event, if there is one.
    fn read(&mut self, index: usize) -> bool {
        let Reader { what, subscription, is_cancelled, is_started, points, end, .. } = &mut self.readers[index];
        let Poll::Ready(next) = next(subscription) else { return false };
        let Some(shared) = next else {
            assert!(end.is_some(), "a stream ended without a last event");
            return false;
        };
        assert!(end.is_none(), "an event after the last");
        let all = &self.expected[*what].response.points;
        match shared.event() {
            Event::Queued { .. } => assert!(!*is_started),
            Event::Started(_) => assert!(!std::mem::replace(is_started, true), "it started twice"),
            Event::Progress(_) | Event::Counting { .. } => assert!(*is_started),
            Event::Point { point } => {
                assert!(*is_started && all.get(*points) == Some(&**point), "point {points} differs");
                *points += 1;
            }
            Event::Done(done) => {
                assert_eq!(*points, all.len(), "points are missing");
                for id in &done.results {
                    assert!(self.store.result(*id).unwrap().is_some(), "an acknowledged result is missing");
                    let earlier = self.acknowledged.insert(*id, *what);
                    assert!(earlier.is_none_or(|earlier| earlier == *what), "result {id} belongs to two queries");
                }
            }
            Event::Failed { .. } => assert!(self.has_failed, "nothing failed"),
            Event::Stopped { reason } if *is_cancelled => {
                assert!([CANCELLED, "the runner is shutting down"].contains(&reason.as_str()));
            }
            Event::Stopped { reason } => assert_eq!(reason, "the runner is shutting down"),
        }
        if matches!(shared.event(), Event::Done(_) | Event::Failed { .. } | Event::Stopped { .. }) {
            *end = Some(shared.event().clone());
        }
        true
    }

    /// Runs all waiting jobs, reads all events, and checks the store.
    fn finish(&mut self) {
        while self.current.is_some() || self.hub.load().waiting > 0 {
            self.start();
            self.end(Ending::Success);
        }
        for index in 0..self.readers.len() {
            while self.read(index) {}
            assert!(self.readers[index].end.is_some(), "a response is lost");
        }
        self.readers.clear();
        assert_eq!(self.hub.load(), QueueLoad::default());
        let mut found_points = 0;
        let mut results = BTreeMap::new();
        for (what, expected) in self.expected.iter().enumerate() {
            for found in self.store.find(&query_for(expected)).unwrap() {
                found_points += found.points.len() as u64;
                results.insert(found.result, what);
            }
        }
        let stored = self.store.results(&ResultFilter { limit: u32::MAX, ..ResultFilter::default() }).unwrap();
        assert_eq!(stored.iter().map(|card| card.points).sum::<u64>(), found_points, "a point was stored twice");
        for (id, what) in &self.acknowledged {
            assert_eq!(results.get(id), Some(what), "result {id} is not found");
        }
    }
}

fn request(client: usize, what: usize) -> JobRequest {
    let (client, address, key) = (client.to_string(), IpAddr::V4(Ipv4Addr::LOCALHOST), what.to_string());
    JobRequest { client, address, key, priority: Priority::FIRST, cost_ms: 1_000, turn_ms: 2_000 }
}

/// The next job. None pauses here, so none is abandoned.
fn next_job(hub: &Hub<usize>) -> RunningJob<usize> {
    match hub.next_task().expect("a job waits, and the hub is open") {
        Task::Job(job) => job,
        Task::Abandoned(work) => panic!("{work} was abandoned"),
    }
}

fn started(result: &NewResult) -> StreamStart {
    let Response { priority, suite, quality, machine, points, .. } = result.response.clone();
    StreamStart { priority, suite, quality, machine, stored: 0, total: points.len(), newest: None }
}

/// The next event, if there is one.
fn next<W>(subscription: &mut Subscription<W>) -> Poll<Option<Arc<SharedEvent>>> {
    pin::pin!(subscription.next()).poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn no_response_is_lost_or_duplicated() {
    run(100);
}

#[test]
#[ignore = "nightly: more schedules"]
fn no_response_is_lost_or_duplicated_in_many_schedules() {
    run(2_000);
}

fn run(cases: u32) {
    proptest!(ProptestConfig::with_cases(cases), |(steps in prop::collection::vec(step(), 0..120))| {
        let mut schedule = Schedule::new();
        for step in &steps {
            schedule.apply(step);
        }
        schedule.finish();
    });
}
