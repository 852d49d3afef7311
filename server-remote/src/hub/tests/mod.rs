mod busy;
mod leaving;
mod schedules;

use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use std::{pin, thread};

use benchbook_contract::catalog::Build;
use benchbook_host::api::{Done, Event, Load, Started};
use benchbook_host::quality::{Priority, Qualities};
use benchbook_host::response::{Failure, FailureKind, Machine, MachineKind, Outcome, Point, SuiteCard};
use benchbook_host::sample::clock_card::ClockCard;
use benchbook_host::sample::measurement::Progress;

use super::*;

const BOUNDS: Bounds = Bounds { clients: 100_000, client_ms: 60_000 };

fn ask(client: &str, what: &str) -> Ask {
    Ask { client: client.to_owned(), key: what.to_owned(), priority: Priority::FIRST, cost_ms: 1_000 }
}

/// A hub whose work is the name of what is asked for.
fn hub() -> Hub<String> {
    Hub::new(BOUNDS)
}

fn subscribe(hub: &Hub<String>, client: &str, what: &str) -> Subscription<String> {
    hub.arrive(client).ask(ask(client, what), what.to_owned()).unwrap()
}

fn started() -> Started {
    let suite = SuiteCard {
        name: "demo".to_owned(),
        version: "0.1.0".to_owned(),
        build: Build {
            rustc: "rustc".to_owned(),
            target: "native".to_owned(),
            opt_level: "3".to_owned(),
            debug_assertions: false,
            target_features: Vec::new(),
        },
        catalog_hash: "0".to_owned(),
        fingerprint: "0".to_owned(),
    };
    let clock = ClockCard { resolution: 1.0, jitter: 0.0, cost: 20.0 };
    Started {
        priority: Priority::FIRST,
        suite,
        quality: Qualities::default().of(Priority::FIRST).clone(),
        machine: Machine { kind: MachineKind::Native, name: "reference".to_owned(), clock },
        stored: 0,
        of: 2,
    }
}

fn progress(done: usize) -> Progress {
    Progress { done, of: 2, x: 0.0, outlook: None }
}

fn point(x: f64) -> Point {
    let failure = Failure { kind: FailureKind::Panic, reason: "it panicked".to_owned() };
    Point { function: "f".to_owned(), x, outcome: Outcome::Failed(failure) }
}

fn done(result: u64) -> Done {
    Done { results: vec![result], priority: Priority::FIRST, comparisons: Vec::new() }
}

/// An event in a few words.
fn words(event: &Event) -> String {
    match event {
        Event::Queued { ahead, .. } => format!("queued {ahead}"),
        Event::Started(_) => "started".to_owned(),
        Event::Progress(progress) => format!("progress {}", progress.done),
        Event::Point { point } => format!("point {}", point.x),
        Event::Done(done) => format!("done {:?}", done.results),
        Event::Failed { reason } => format!("failed: {reason}"),
        Event::Stopped { reason } => format!("stopped: {reason}"),
    }
}

/// The next event, if it is there by now.
fn next<W>(subscription: &mut Subscription<W>) -> Poll<Option<Arc<Told>>> {
    pin::pin!(subscription.next()).poll(&mut Context::from_waker(Waker::noop()))
}

/// What there is to read by now, in a few words; `end` stands for the end of the stream.
fn read<W>(subscription: &mut Subscription<W>) -> Vec<String> {
    let mut all = Vec::new();
    while let Poll::Ready(told) = next(subscription) {
        match told {
            Some(told) => all.push(words(told.event())),
            None => {
                all.push("end".to_owned());
                break;
            }
        }
    }
    all
}

/// Reads to the end, as a client would.
async fn read_to_end<W>(mut subscription: Subscription<W>) -> Vec<String> {
    let mut all = Vec::new();
    while let Some(told) = subscription.next().await {
        all.push(words(told.event()));
    }
    all
}

/// Counts how often it was called to stop.
fn count_stops<W>(running: &Running<W>) -> Arc<AtomicU32> {
    let stops = Arc::new(AtomicU32::new(0));
    let count = stops.clone();
    running.on_unwanted(move || {
        count.fetch_add(1, Ordering::Relaxed);
    });
    stops
}

#[test]
fn one_asks_and_reads_from_the_queue_to_the_end() {
    let hub = hub();
    let mut first = subscribe(&hub, "a", "x");
    assert_eq!(read(&mut first), ["queued 0"]);
    let running = hub.wait_for_job().unwrap();
    assert_eq!(running.work(), "x");
    assert!(read(&mut first).is_empty());
    running.started(started());
    running.progress(progress(0));
    assert_eq!(read(&mut first), ["started", "progress 0"]);
    running.point(point(1.0));
    running.progress(progress(1));
    running.point(point(2.0));
    running.done(done(7));
    assert_eq!(read(&mut first), ["point 1", "point 2", "done [7]", "end"]);
    assert_eq!(read(&mut first), ["end"]);
    assert_eq!(hub.load(), Load::default());
}

#[test]
fn a_place_is_told_when_it_changes() {
    let hub = hub();
    let mut subscriptions = ["a", "b", "c"].map(|client| subscribe(&hub, client, client));
    assert_eq!(subscriptions.each_mut().map(read), [["queued 0"], ["queued 1"], ["queued 2"]]);
    let running = hub.wait_for_job().unwrap();
    let [_a, b, c] = &mut subscriptions;
    assert!(read(b).is_empty() && read(c).is_empty(), "what is at work comes first too");
    let mut second = subscribe(&hub, "d", "b");
    assert_eq!(read(&mut second), ["queued 1"]);
    assert!(read(c).is_empty());
    running.failed("no luck".to_owned());
    assert_eq!(
        (read(b), read(c), read(&mut second)),
        (vec!["queued 0".into()], vec!["queued 1".into()], vec!["queued 0".into()])
    );
    drop(second);
    assert!(read(c).is_empty(), "one who leaves is not all");
}

#[test]
fn the_same_is_measured_once_and_a_late_subscriber_reads_it_from_the_beginning() {
    let hub = hub();
    let mut first = subscribe(&hub, "a", "x");
    let mut second = subscribe(&hub, "b", "x");
    let running = hub.wait_for_job().unwrap();
    running.started(started());
    running.progress(progress(0));
    running.point(point(1.0));
    let mut late = subscribe(&hub, "c", "x");
    let Load { running: at_work, waiting, clients, .. } = hub.load();
    assert_eq!((at_work, waiting, clients), (1, 0, 3));
    assert_eq!(read(&mut late), ["started", "point 1"]);
    running.progress(progress(1));
    let mut latest = subscribe(&hub, "d", "x");
    assert_eq!(read(&mut latest), ["started", "point 1", "progress 1"]);
    running.done(done(1));
    assert_eq!(read(&mut first), ["started", "point 1", "done [1]", "end"]);
    assert_eq!(read(&mut second), ["started", "point 1", "done [1]", "end"]);
    assert_eq!(read(&mut late), ["done [1]", "end"]);
    assert_eq!(hub.load(), Load::default());
}

#[test]
fn a_line_is_written_once_for_all() {
    let hub = hub();
    let mut subscriptions = ["a", "b"].map(|client| subscribe(&hub, client, "x"));
    let running = hub.wait_for_job().unwrap();
    running.point(point(1.0));
    let lines = subscriptions.each_mut().map(|subscription| match next(subscription) {
        Poll::Ready(Some(told)) => told.line(),
        nothing => panic!("{nothing:?}"),
    });
    let [first, second] = lines;
    assert_eq!(first.as_ptr(), second.as_ptr());
    let expected =
        r#"{"type":"point","point":{"function":"f","x":1,"failed":{"kind":"panic","reason":"it panicked"}}}"#;
    assert_eq!(String::from_utf8_lossy(&first), format!("{expected}\n"));
}

#[test]
fn a_slow_reader_is_told_no_stale_progress() {
    let hub = hub();
    let mut slow = subscribe(&hub, "a", "x");
    let running = hub.wait_for_job().unwrap();
    running.started(started());
    for x in [1.0, 2.0] {
        (0..1_000).for_each(|done| running.progress(progress(done)));
        running.point(point(x));
    }
    (0..1_000).for_each(|done| running.progress(progress(done)));
    assert_eq!(read(&mut slow), ["started", "point 1", "point 2", "progress 999"]);
    running.done(done(1));
    assert_eq!(read(&mut slow), ["done [1]", "end"]);
}

#[tokio::test]
async fn who_waits_is_woken() {
    let hub = hub();
    let reader = tokio::spawn(read_to_end(subscribe(&hub, "a", "x")));
    let whole = tokio::spawn(subscribe(&hub, "b", "x").finished());
    let running = hub.wait_for_job().unwrap();
    tokio::task::yield_now().await;
    running.started(started());
    tokio::task::yield_now().await;
    running.point(point(1.0));
    tokio::task::yield_now().await;
    running.done(done(3));
    assert_eq!(reader.await.unwrap(), ["queued 0", "started", "point 1", "done [3]"]);
    assert_eq!(whole.await.unwrap(), Ok(Finished { started: started(), points: vec![point(1.0)], done: done(3) }),);
}

#[tokio::test(start_paused = true)]
async fn who_waits_long_is_told_again_how_things_are() {
    const SILENCE: Duration = Duration::from_secs(20);
    let hub = hub();
    let mut first = subscribe(&hub, "a", "x");
    let mut second = subscribe(&hub, "b", "y");
    let running = hub.wait_for_job().unwrap();
    // The one at work is expected to take a second.
    for expected_ms in [1_000, 0, 0] {
        let told = second.next_within(SILENCE).await.unwrap();
        let Event::Queued { ahead: 1, wait_ms } = *told.event() else { panic!("{told:?}") };
        assert!(wait_ms.abs_diff(expected_ms) < 1_000, "{wait_ms} is not about {expected_ms}");
        assert_eq!(wait_ms == 0, expected_ms == 0);
    }
    running.started(started());
    running.progress(progress(1));
    for told in ["started", "progress 1", "progress 1"] {
        assert_eq!(words(first.next_within(SILENCE).await.unwrap().event()), told);
    }
    running.done(done(1));
    assert_eq!(words(first.next_within(SILENCE).await.unwrap().event()), "done [1]");
    assert!(first.next_within(SILENCE).await.is_none());
}

#[test]
fn closing_tells_everybody_and_stops_what_is_at_work() {
    let hub = hub();
    let mut subscriptions = [("a", "x"), ("b", "x"), ("c", "y")].map(|(client, what)| subscribe(&hub, client, what));
    let running = hub.wait_for_job().unwrap();
    let stops = count_stops(&running);
    running.point(point(1.0));
    hub.close("it is updated: ask again in a minute");
    assert_eq!(stops.load(Ordering::Relaxed), 1);
    let stopped = "stopped: it is updated: ask again in a minute";
    let [first, second, third] = &mut subscriptions;
    assert_eq!(
        (read(first), read(third)),
        (vec!["point 1".into(), stopped.into(), "end".into()], vec![stopped.into(), "end".into()])
    );
    running.point(point(2.0));
    running.done(done(1));
    assert_eq!(read(second), ["point 1", stopped, "end"], "nothing comes after the end");
    assert!(hub.wait_for_job().is_none());
    let refused = hub.arrive("a").ask(ask("a", "x"), "x".to_owned()).unwrap_err();
    assert_eq!(refused, Refused::Closed("it is updated: ask again in a minute".to_owned()));
    drop(subscriptions);
    assert_eq!(hub.load(), Load::default());
}

#[tokio::test]
async fn an_answer_that_fails_says_why() {
    let hub = hub();
    let [first, second] = ["x", "y"].map(|what| subscribe(&hub, "a", what));
    hub.wait_for_job().unwrap().failed("the suite is gone".to_owned());
    assert_eq!(first.finished().await, Err(Unfinished::Failed("the suite is gone".to_owned())));
    hub.close("good night");
    assert_eq!(second.finished().await, Err(Unfinished::Stopped("good night".to_owned())));
}

#[test]
fn a_panic_of_the_measuring_side_fails_the_job_and_no_other() {
    let hub = hub();
    let [mut first, mut second] = ["x", "y"].map(|what| subscribe(&hub, "a", what));
    let same = hub.clone();
    let panicked = thread::spawn(move || {
        let running = same.wait_for_job().unwrap();
        running.point(point(1.0));
        // Without a message of the panic hook in the test's output.
        std::panic::resume_unwind(Box::new("an error"));
    });
    assert!(panicked.join().is_err());
    assert_eq!(read(&mut first), ["point 1".to_owned(), format!("failed: {BROKEN_OFF}"), "end".to_owned()]);
    hub.wait_for_job().unwrap().done(done(2));
    assert_eq!(read(&mut second).last().unwrap(), "end");
}

#[test]
fn the_measuring_thread_waits_for_a_job_and_for_the_end() {
    let hub = hub();
    let same = hub.clone();
    let measuring = thread::spawn(move || {
        let mut measured = Vec::new();
        while let Some(running) = same.wait_for_job() {
            measured.push(running.work().clone());
            running.done(done(1));
        }
        measured
    });
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for what in ["x", "y"] {
        assert_eq!(runtime.block_on(read_to_end(subscribe(&hub, "a", what))).last().unwrap(), "done [1]");
    }
    hub.close("good night");
    assert_eq!(measuring.join().unwrap(), ["x", "y"]);
}

#[test]
fn what_is_too_much_is_refused() {
    let hub = Hub::new(Bounds { clients: 1, client_ms: 1_000 });
    let first = hub.arrive("a").ask(ask("a", "x"), ()).unwrap();
    let full = hub.arrive("b").ask(ask("b", "x"), ()).unwrap_err();
    assert!(matches!(full, Refused::Full(queue::Refused::Crowded { .. })), "{full}");
    let running = hub.wait_for_job().unwrap();
    running.done(done(1));
    // Who has read the end may ask for the next, though it still holds the stream.
    hub.arrive("a").ask(ask("a", "y"), ()).unwrap();
    drop(first);
}
