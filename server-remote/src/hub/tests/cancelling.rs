//! Clients that leave, and clients that cancel their requests.

use super::*;

#[test]
fn a_departure_does_not_affect_other_subscribers() {
    let hub = hub();
    let [first, mut second] = ["a", "b"].map(|client| subscribe(&hub, client, "x"));
    let running = next_job(&hub).unwrap();
    let stops = count_stops(&running);
    running.report_point(point(1.0));
    drop(first);
    assert!(running.is_wanted());
    running.succeed(done(1));
    assert_eq!(read(&mut second), ["point 1", "done [1]", "end"]);
    assert_eq!(stops.load(Ordering::Relaxed), 0);
}

#[test]
fn an_abandoned_job_is_stopped_once() {
    let hub = hub();
    let [first, second] = ["a", "b"].map(|client| subscribe(&hub, client, "x"));
    let running = next_job(&hub).unwrap();
    let stops = count_stops(&running);
    drop(first);
    drop(second);
    assert_eq!(stops.load(Ordering::Relaxed), 1);
    assert!(!running.is_wanted());
    let stops = count_stops(&running);
    assert_eq!(stops.load(Ordering::Relaxed), 1, "a stop action that is registered later is called immediately");

    let mut again = subscribe(&hub, "a", "x");
    assert_eq!(read(&mut again), ["queued 1"], "a job that is being stopped cannot be joined");
    assert_eq!(stops.load(Ordering::Relaxed), 1);
    running.fail("it was stopped".to_owned());
    assert_eq!(read(&mut again), ["queued 0"]);
    next_job(&hub).unwrap().succeed(done(2));
    assert_eq!(read(&mut again), ["done [2]", "end"]);
}

#[tokio::test]
async fn cancelling_ends_all_streams_of_a_client() {
    let hub = hub();
    let mut other_client = subscribe(&hub, "b", "x");
    let mut running_stream = subscribe(&hub, "a", "x");
    let mut waiting_stream = subscribe(&hub, "a", "y");
    let object = subscribe(&hub, "a", "z");
    let running = next_job(&hub).unwrap();
    let stops = count_stops(&running);
    running.report_start(started());
    hub.cancel_client("a");
    // Only the other client's request is left, although nothing was read.
    assert_eq!((hub.load().running, hub.load().waiting, hub.load().clients), (1, 0, 1));
    assert_eq!(stops.load(Ordering::Relaxed), 0);
    let stopped = format!("stopped: {CANCELLED}");
    for subscription in [&mut running_stream, &mut waiting_stream] {
        assert_eq!(read(subscription), [&stopped, "end"]);
        assert_eq!(read(subscription), ["end"]);
    }
    assert_eq!(object.result().await, Err(JobError::Cancelled));
    assert_eq!(read(&mut other_client), ["started"]);
    // A later request is not affected.
    let mut again = subscribe(&hub, "a", "x");
    assert_eq!(read(&mut again), ["started"]);
    hub.cancel_client("a");
    hub.cancel_client("b");
    assert_eq!(stops.load(Ordering::Relaxed), 1);
    running.fail("it was stopped".to_owned());
    assert_eq!(read(&mut other_client), [&stopped, "end"]);
    assert_eq!(hub.load(), QueueLoad::default());
}

#[test]
fn cancelling_rejects_requests_that_are_not_submitted_yet() {
    let hub = hub();
    let [early, other] = ["a", "b"].map(|client| hub.admit(client));
    drop(hub.admit("a"));
    hub.cancel_client("a");
    let late = hub.admit("a");
    assert_eq!(early.submit(request("a", "x"), "x".to_owned()).unwrap_err(), HubRejection::Cancelled);
    let _other = other.submit(request("b", "y"), "y".to_owned()).unwrap();
    let _late = late.submit(request("a", "z"), "z".to_owned()).unwrap();
    assert_eq!(hub.load().waiting, 2);
    assert!(hub.shared.lock().admitted.is_empty());
}

#[test]
fn cancelling_does_not_affect_finished_jobs() {
    let hub = hub();
    let mut subscription = subscribe(&hub, "a", "x");
    let running = next_job(&hub).unwrap();
    running.report_start(started());
    running.succeed(done(1));
    hub.cancel_client("a");
    assert_eq!(read(&mut subscription), ["started", "done [1]", "end"]);
}

#[test]
fn a_stop_action_may_use_the_hub() {
    let hub = hub();
    let first = subscribe(&hub, "a", "x");
    let running = next_job(&hub).unwrap();
    let same = hub.clone();
    running.on_unwanted(move || drop(subscribe(&same, "b", "y")));
    drop(first);
    drop(running);
    assert_eq!(hub.load(), QueueLoad::default());
}

#[test]
fn an_abandoned_waiting_job_is_removed() {
    let hub = hub();
    let [first, second] = ["x", "y"].map(|what| subscribe(&hub, "a", what));
    drop(first);
    let running = next_job(&hub).unwrap();
    assert_eq!(running.work(), "y");
    drop((running, second));
    assert_eq!(hub.load(), QueueLoad::default());
    assert!(hub.shared.lock().jobs.is_empty());
}
