mod cancelling;
mod concurrent;

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use std::{pin, thread};

use benchbook_host::api::{Done, Event, QueueLoad, StreamStart};
use benchbook_host::quality::Priority;
use benchbook_host::response::{Failure, FailureKind, Outcome, Point, Response};
use benchbook_host::sample::measurement::Progress;
use benchbook_store_support::synthetic::World;
use tokio::time::timeout;

use super::rejection::ABORTED;
use super::*;
use crate::queue::{JobRequest, QueueBounds, QueueRejection};

const BOUNDS: QueueBounds = QueueBounds { clients: 100_000, client_ms: 60_000, address_ms: 60_000_000, quick_ms: 0 };

/// The address of all clients.
const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn request(client: &str, what: &str) -> JobRequest {
    let (client, key) = (client.to_owned(), what.to_owned());
    JobRequest { client, address: ADDRESS, key, priority: Priority::FIRST, cost_ms: 1_000, turn_ms: 2_000 }
}

/// The next job. No work was abandoned.
fn next_job<W: std::fmt::Debug>(hub: &Hub<W>) -> Option<RunningJob<W>> {
    match hub.next_task()? {
        Task::Job(job) => Some(job),
        Task::Abandoned(work) => panic!("{work:?} was abandoned"),
    }
}

/// A hub whose work is the key of the request.
fn hub() -> Hub<String> {
    Hub::new(BOUNDS)
}

fn subscribe(hub: &Hub<String>, client: &str, what: &str) -> Subscription<String> {
    hub.admit(client).submit(request(client, what), what.to_owned()).unwrap()
}

fn started() -> StreamStart {
    let Response { suite, quality, machine, .. } = World::SMALL.result(0).response;
    StreamStart { priority: Priority::FIRST, suite, quality, machine, stored: 0, total: 2, newest: None }
}

fn progress(done: usize) -> Progress {
    Progress { done, total: 2, x: 0.0.into(), forecast: None }
}

fn point(x: f64) -> Point {
    let failure = Failure { kind: FailureKind::Panic, reason: "it panicked".to_owned() };
    Point { function: "f".to_owned(), x: x.into(), outcome: Outcome::Failed(failure) }
}

fn done(result: u64) -> Done {
    Done { results: vec![result], priority: Priority::FIRST, comparisons: Vec::new() }
}

/// A short description of an event.
fn describe(event: &Event) -> String {
    match event {
        Event::Queued { ahead, .. } => format!("queued {ahead}"),
        Event::Started(_) => "started".to_owned(),
        Event::Progress(progress) => format!("progress {}", progress.done),
        Event::Point { point } => format!("point {}", point.x),
        Event::Done(done) => format!("done {:?}", done.results),
        Event::Failed { reason } => format!("failed: {reason}"),
        Event::Counting { done, total } => format!("counting: {done} of {total}"),
        Event::Stopped { reason } => format!("stopped: {reason}"),
    }
}

/// The next event, if there is one.
fn next<W>(subscription: &mut Subscription<W>) -> Poll<Option<Arc<SharedEvent>>> {
    pin::pin!(subscription.next()).poll(&mut Context::from_waker(Waker::noop()))
}

/// Describes the events that can be read now, positions included; `end` is the end of the stream.
fn read<W>(subscription: &mut Subscription<W>) -> Vec<String> {
    subscription.shared.report_positions();
    let mut all = Vec::new();
    while let Poll::Ready(event) = next(subscription) {
        match event {
            Some(event) => all.push(describe(event.event())),
            None => {
                all.push("end".to_owned());
                break;
            }
        }
    }
    all
}

/// Reads all events as a client does.
async fn read_to_end<W>(mut subscription: Subscription<W>) -> Vec<String> {
    let mut all = Vec::new();
    while let Some(event) = subscription.next().await {
        all.push(describe(event.event()));
    }
    all
}

/// Counts the calls of the job's stop action.
fn count_stops<W>(job: &RunningJob<W>) -> Arc<AtomicU32> {
    let stops = Arc::new(AtomicU32::new(0));
    let count = stops.clone();
    job.on_unwanted(move || {
        count.fetch_add(1, Ordering::Relaxed);
    });
    stops
}

#[test]
fn a_subscriber_reads_all_events() {
    let hub = hub();
    let mut first = subscribe(&hub, "a", "x");
    assert_eq!(read(&mut first), ["queued 0"]);
    let running = next_job(&hub).unwrap();
    assert_eq!(running.work(), "x");
    assert!(read(&mut first).is_empty());
    running.report_start(started());
    running.report_progress(progress(0));
    assert_eq!(read(&mut first), ["started", "progress 0"]);
    running.report_point(point(1.0));
    running.report_progress(progress(1));
    running.report_point(point(2.0));
    running.succeed(done(7));
    assert_eq!(read(&mut first), ["point 1", "point 2", "done [7]", "end"]);
    assert_eq!(read(&mut first), ["end"]);
    assert_eq!(hub.load(), QueueLoad::default());
}

#[test]
fn a_new_position_is_reported() {
    let hub = hub();
    let mut subscriptions = ["a", "b", "c"].map(|client| subscribe(&hub, client, client));
    assert_eq!(subscriptions.each_mut().map(read), [["queued 0"], ["queued 1"], ["queued 2"]]);
    let running = next_job(&hub).unwrap();
    let [_a, b, c] = &mut subscriptions;
    assert!(read(b).is_empty() && read(c).is_empty(), "the running job is still ahead");
    let mut second = subscribe(&hub, "d", "b");
    assert_eq!(read(&mut second), ["queued 1"]);
    assert!(read(c).is_empty());
    running.fail("no luck".to_owned());
    assert_eq!(
        (read(b), read(c), read(&mut second)),
        (vec!["queued 0".into()], vec!["queued 1".into()], vec!["queued 0".into()])
    );
    drop(second);
    assert!(read(c).is_empty(), "the job has another subscriber");
}

#[test]
fn equal_requests_share_a_job_and_late_subscribers_read_it_from_the_beginning() {
    let hub = hub();
    let mut first = subscribe(&hub, "a", "x");
    let mut second = subscribe(&hub, "b", "x");
    let running = next_job(&hub).unwrap();
    running.report_start(started());
    running.report_progress(progress(0));
    running.report_point(point(1.0));
    let mut late = subscribe(&hub, "c", "x");
    let QueueLoad { running: running_jobs, waiting, clients, .. } = hub.load();
    assert_eq!((running_jobs, waiting, clients), (1, 0, 3));
    assert_eq!(read(&mut late), ["started", "point 1"]);
    running.report_progress(progress(1));
    let mut latest = subscribe(&hub, "d", "x");
    assert_eq!(read(&mut latest), ["started", "point 1", "progress 1"]);
    running.succeed(done(1));
    assert_eq!(read(&mut first), ["started", "point 1", "done [1]", "end"]);
    assert_eq!(read(&mut second), ["started", "point 1", "done [1]", "end"]);
    assert_eq!(read(&mut late), ["done [1]", "end"]);
    assert_eq!(hub.load(), QueueLoad::default());
}

#[test]
fn a_line_is_serialized_once_for_all_subscribers() {
    let hub = hub();
    let mut subscriptions = ["a", "b"].map(|client| subscribe(&hub, client, "x"));
    let running = next_job(&hub).unwrap();
    running.report_point(point(1.0));
    let lines = subscriptions.each_mut().map(|subscription| match next(subscription) {
        Poll::Ready(Some(event)) => event.line(),
        nothing => panic!("{nothing:?}"),
    });
    let [first, second] = lines;
    assert_eq!(first.as_ptr(), second.as_ptr());
    let expected =
        r#"{"type":"point","point":{"function":"f","x":1,"failed":{"kind":"panic","reason":"it panicked"}}}"#;
    assert_eq!(String::from_utf8_lossy(&first), format!("{expected}\n"));
}

#[test]
fn a_slow_reader_receives_no_stale_progress() {
    let hub = hub();
    let mut slow = subscribe(&hub, "a", "x");
    let running = next_job(&hub).unwrap();
    running.report_start(started());
    for x in [1.0, 2.0] {
        (0..1_000).for_each(|done| running.report_progress(progress(done)));
        running.report_point(point(x));
    }
    (0..1_000).for_each(|done| running.report_progress(progress(done)));
    assert_eq!(read(&mut slow), ["started", "point 1", "point 2", "progress 999"]);
    running.succeed(done(1));
    assert_eq!(read(&mut slow), ["done [1]", "end"]);
}

#[tokio::test]
async fn events_wake_readers() {
    let hub = hub();
    let reader = tokio::spawn(read_to_end(subscribe(&hub, "a", "x")));
    let whole = tokio::spawn(subscribe(&hub, "b", "x").result());
    hub.shared.report_positions();
    let running = next_job(&hub).unwrap();
    tokio::task::yield_now().await;
    running.report_start(started());
    tokio::task::yield_now().await;
    running.report_point(point(1.0));
    tokio::task::yield_now().await;
    running.succeed(done(3));
    assert_eq!(reader.await.unwrap(), ["queued 0", "started", "point 1", "done [3]"]);
    assert_eq!(whole.await.unwrap(), Ok(JobResult { started: started(), points: vec![point(1.0)], done: done(3) }));
}

#[tokio::test(start_paused = true)]
async fn positions_are_reported_in_batches() {
    const SOON: Duration = Duration::from_millis(50);
    let hub = hub();
    tokio::spawn(hub.clone().report_positions_continuously());
    let mut first = subscribe(&hub, "a", "x");
    assert_eq!(describe(first.next().await.unwrap().event()), "queued 0");
    let others: Vec<_> = ["b", "c", "d"].map(|client| subscribe(&hub, client, client)).into();
    let mut last = subscribe(&hub, "e", "y");
    assert!(timeout(SOON, last.next()).await.is_err(), "positions were reported a moment ago");
    assert_eq!(describe(last.next().await.unwrap().event()), "queued 4");
    drop(others);
    // One event for three changes.
    assert_eq!(describe(last.next().await.unwrap().event()), "queued 1");
    assert!(timeout(SOON, last.next()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_silent_stream_repeats_the_status() {
    const SILENCE: Duration = Duration::from_secs(20);
    let hub = hub();
    let mut first = subscribe(&hub, "a", "x");
    let mut second = subscribe(&hub, "b", "y");
    let running = next_job(&hub).unwrap();
    hub.shared.report_positions();
    // The running job is expected to take a second.
    for expected_ms in [1_000, 0, 0] {
        let event = second.next_within(SILENCE).await.unwrap();
        let Event::Queued { ahead: 1, wait_ms } = *event.event() else { panic!("{event:?}") };
        assert!(wait_ms.abs_diff(expected_ms) < 1_000, "{wait_ms} is not about {expected_ms}");
        assert_eq!(wait_ms == 0, expected_ms == 0);
    }
    running.report_start(started());
    running.report_progress(progress(1));
    for expected in ["started", "progress 1", "progress 1"] {
        assert_eq!(describe(first.next_within(SILENCE).await.unwrap().event()), expected);
    }
    running.succeed(done(1));
    assert_eq!(describe(first.next_within(SILENCE).await.unwrap().event()), "done [1]");
    assert!(first.next_within(SILENCE).await.is_none());
}

#[test]
fn closing_notifies_all_subscribers_and_stops_the_running_job() {
    let hub = hub();
    let mut subscriptions = [("a", "x"), ("b", "x"), ("c", "y")].map(|(client, what)| subscribe(&hub, client, what));
    let running = next_job(&hub).unwrap();
    let stops = count_stops(&running);
    running.report_point(point(1.0));
    hub.close("shut down for an update");
    assert_eq!(stops.load(Ordering::Relaxed), 1);
    let stopped = "stopped: shut down for an update";
    let [first, second, third] = &mut subscriptions;
    assert_eq!(
        (read(first), read(third)),
        (vec!["point 1".into(), stopped.into(), "end".into()], vec![stopped.into(), "end".into()])
    );
    running.report_point(point(2.0));
    running.succeed(done(1));
    assert_eq!(read(second), ["point 1", stopped, "end"], "no event follows the last");
    assert!(next_job(&hub).is_none());
    let rejection = hub.admit("a").submit(request("a", "x"), "x".to_owned()).unwrap_err();
    assert_eq!(rejection, HubRejection::Closed("shut down for an update".to_owned()));
    drop(subscriptions);
    assert_eq!(hub.load(), QueueLoad::default());
}

#[tokio::test]
async fn a_failure_states_its_reason() {
    let hub = hub();
    let [first, second] = ["x", "y"].map(|what| subscribe(&hub, "a", what));
    next_job(&hub).unwrap().fail("the suite is missing".to_owned());
    assert_eq!(first.result().await, Err(JobError::Failed("the suite is missing".to_owned())));
    hub.close("shut down");
    assert_eq!(second.result().await, Err(JobError::Stopped("shut down".to_owned())));
}

#[test]
fn a_panic_fails_only_the_running_job() {
    let hub = hub();
    let [mut first, mut second] = ["x", "y"].map(|what| subscribe(&hub, "a", what));
    let same = hub.clone();
    let panicked = thread::spawn(move || {
        let running = next_job(&same).unwrap();
        running.report_point(point(1.0));
        // Unlike `panic!`, this prints no message to the test's output.
        std::panic::resume_unwind(Box::new("an error"));
    });
    assert!(panicked.join().is_err());
    assert_eq!(read(&mut first), ["point 1".to_owned(), format!("failed: {ABORTED}"), "end".to_owned()]);
    next_job(&hub).unwrap().succeed(done(2));
    assert_eq!(read(&mut second).last().unwrap(), "end");
}

#[test]
fn rejects_requests_beyond_the_bounds() {
    let hub = Hub::new(QueueBounds { clients: 1, client_ms: 1_000, ..BOUNDS });
    let first = hub.admit("a").submit(request("a", "x"), ()).unwrap();
    let full = hub.admit("b").submit(request("b", "x"), ()).unwrap_err();
    assert!(matches!(full, HubRejection::QueueFull(QueueRejection::TooManyClients { .. })), "{full}");
    let running = next_job(&hub).unwrap();
    running.succeed(done(1));
    // A client that has read the last event may submit its next request, although its stream is still open.
    hub.admit("a").submit(request("a", "y"), ()).unwrap();
    drop(first);
}

#[test]
fn a_paused_job_continues_with_its_work_after_the_next_one() {
    let hub = hub();
    let mut long = subscribe(&hub, "a", "long");
    let running = next_job(&hub).unwrap();
    running.report_start(started());
    running.report_point(point(1.0));
    assert!(!running.should_pause(Duration::ZERO), "nobody is waiting");
    let mut other = subscribe(&hub, "b", "other");
    assert!(running.should_pause(Duration::ZERO) && !running.should_pause(Duration::from_secs(60)));
    let mut running = running;
    *running.work_mut() = "the rest".to_owned();
    running.pause(500).unwrap();
    assert_eq!(read(&mut long), ["started", "point 1", "queued 1"]);
    let running = next_job(&hub).unwrap();
    assert_eq!(running.work(), "other");
    running.succeed(done(1));
    assert_eq!(read(&mut other), ["done [1]", "end"]);
    let running = next_job(&hub).unwrap();
    assert_eq!(running.work(), "the rest");
    running.report_point(point(2.0));
    running.succeed(done(2));
    assert_eq!(read(&mut long), ["point 2", "done [2]", "end"]);
    assert_eq!(hub.load(), QueueLoad::default());
}

#[test]
fn work_of_a_paused_job_without_subscribers_is_abandoned() {
    let hub = hub();
    let long = subscribe(&hub, "a", "long");
    let unstarted = subscribe(&hub, "b", "unstarted");
    next_job(&hub).unwrap().pause(500).unwrap();
    drop((long, unstarted));
    assert!(matches!(hub.next_task(), Some(Task::Abandoned(work)) if work == "long"));

    let long = subscribe(&hub, "a", "long");
    let running = next_job(&hub).unwrap();
    drop(long);
    let Err(unwanted) = running.pause(500) else { panic!("nobody waits for the job") };
    unwanted.fail("it was stopped".to_owned());

    let _long = subscribe(&hub, "a", "long");
    next_job(&hub).unwrap().pause(500).unwrap();
    hub.close("the end");
    assert!(matches!(hub.next_task(), Some(Task::Abandoned(work)) if work == "long"));
    assert!(hub.next_task().is_none());
}
