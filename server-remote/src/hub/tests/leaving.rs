//! Clients that leave, and clients that take back what they asked.

use super::*;

#[test]
fn a_place_is_told_when_somebody_leaves() {
    let hub = hub();
    let [first, mut second] = ["a", "b"].map(|client| subscribe(&hub, client, client));
    assert_eq!(read(&mut second), ["queued 1"]);
    drop(first);
    assert_eq!(read(&mut second), ["queued 0"]);
}

#[test]
fn one_who_leaves_takes_nothing_from_the_others() {
    let hub = hub();
    let [first, mut second] = ["a", "b"].map(|client| subscribe(&hub, client, "x"));
    let running = hub.wait_for_job().unwrap();
    let stops = count_stops(&running);
    running.point(point(1.0));
    drop(first);
    assert!(running.is_wanted());
    running.done(done(1));
    assert_eq!(read(&mut second), ["point 1", "done [1]", "end"]);
    assert_eq!(stops.load(Ordering::Relaxed), 0);
}

#[test]
fn what_nobody_wants_is_stopped_once() {
    let hub = hub();
    let [first, second] = ["a", "b"].map(|client| subscribe(&hub, client, "x"));
    let running = hub.wait_for_job().unwrap();
    let stops = count_stops(&running);
    drop(first);
    drop(second);
    assert_eq!(stops.load(Ordering::Relaxed), 1);
    assert!(!running.is_wanted());
    let stops = count_stops(&running);
    assert_eq!(stops.load(Ordering::Relaxed), 1, "what begins later ends at once");

    let mut again = subscribe(&hub, "a", "x");
    assert_eq!(read(&mut again), ["queued 1"], "what is being stopped is not joined");
    assert_eq!(stops.load(Ordering::Relaxed), 1);
    running.failed("it was stopped".to_owned());
    assert_eq!(read(&mut again), ["queued 0"]);
    hub.wait_for_job().unwrap().done(done(2));
    assert_eq!(read(&mut again), ["done [2]", "end"]);
}

#[tokio::test]
async fn what_a_client_takes_back_ends_whether_it_reads_or_not() {
    let hub = hub();
    let mut wants_too = subscribe(&hub, "b", "x");
    let mut at_work = subscribe(&hub, "a", "x");
    let mut waits = subscribe(&hub, "a", "y");
    let whole = subscribe(&hub, "a", "z");
    let running = hub.wait_for_job().unwrap();
    let stops = count_stops(&running);
    running.started(started());
    hub.take_back("a");
    // Nobody has read anything, and only what others want is still there.
    assert_eq!((hub.load().running, hub.load().waiting, hub.load().clients), (1, 0, 1));
    assert_eq!(stops.load(Ordering::Relaxed), 0);
    let stopped = format!("stopped: {TAKEN_BACK}");
    for subscription in [&mut at_work, &mut waits] {
        assert_eq!(read(subscription), [&stopped, "end"]);
        assert_eq!(read(subscription), ["end"]);
    }
    assert_eq!(whole.finished().await, Err(Unfinished::TakenBack));
    assert_eq!(read(&mut wants_too), ["started"]);
    // What it asks for later is another thing.
    let mut again = subscribe(&hub, "a", "x");
    assert_eq!(read(&mut again), ["started"]);
    hub.take_back("a");
    hub.take_back("b");
    assert_eq!(stops.load(Ordering::Relaxed), 1);
    running.failed("it was stopped".to_owned());
    assert_eq!(read(&mut wants_too), [&stopped, "end"]);
    assert_eq!(hub.load(), Load::default());
}

#[test]
fn what_is_taken_back_before_it_is_asked_is_refused() {
    let hub = hub();
    let [early, others] = ["a", "b"].map(|client| hub.arrive(client));
    drop(hub.arrive("a"));
    hub.take_back("a");
    let late = hub.arrive("a");
    assert_eq!(early.ask(ask("a", "x"), "x".to_owned()).unwrap_err(), Refused::TakenBack);
    let _others = others.ask(ask("b", "y"), "y".to_owned()).unwrap();
    let _late = late.ask(ask("a", "z"), "z".to_owned()).unwrap();
    assert_eq!(hub.load().waiting, 2);
    assert!(hub.lock().arrived.is_empty());
}

#[test]
fn what_is_done_is_not_taken_back() {
    let hub = hub();
    let mut subscription = subscribe(&hub, "a", "x");
    let running = hub.wait_for_job().unwrap();
    running.started(started());
    running.done(done(1));
    hub.take_back("a");
    assert_eq!(read(&mut subscription), ["started", "done [1]", "end"]);
}

#[test]
fn stopping_may_use_the_hub() {
    let hub = hub();
    let first = subscribe(&hub, "a", "x");
    let running = hub.wait_for_job().unwrap();
    let same = hub.clone();
    running.on_unwanted(move || drop(subscribe(&same, "b", "y")));
    drop(first);
    drop(running);
    assert_eq!(hub.load(), Load::default());
}

#[test]
fn what_waits_and_nobody_wants_is_forgotten() {
    let hub = hub();
    let [first, second] = ["x", "y"].map(|what| subscribe(&hub, "a", what));
    drop(first);
    let running = hub.wait_for_job().unwrap();
    assert_eq!(running.work(), "y");
    drop((running, second));
    assert_eq!(hub.load(), Load::default());
    assert!(hub.lock().jobs.is_empty());
}
