//! Many clients that submit, read and leave on several threads, while one thread measures.

use std::collections::BTreeMap;

use super::*;

const CLIENTS: u64 = 40;
const REQUESTS: u64 = 25;

/// A linear congruential generator of small random numbers. Its multiplier is from P. L'Ecuyer, "Tables of linear congruential
/// generators of different sizes and good lattice structure", *Mathematics of Computation* 68, 1999.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
        (self.0 >> 33) % count
    }
}

/// Closes the hub if the measurement thread panics, so that the test fails instead of hanging.
struct CloseOnDrop<'h>(&'h Hub<String>);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close("the measurement thread ended");
    }
}

/// Runs all jobs, with three points and a new result each. Returns how often each key was measured.
fn measure(hub: &Hub<String>) -> BTreeMap<String, u64> {
    let _closing = CloseOnDrop(hub);
    let mut times = BTreeMap::new();
    let mut result = 0;
    while let Some(running) = next_job(hub) {
        result += 1;
        *times.entry(running.work().clone()).or_default() += 1;
        running.report_start(started());
        for x in 0..3 {
            running.report_progress(progress(x));
            running.report_point(point(x as f64));
        }
        running.succeed(done(result));
    }
    times
}

/// Submits one request after the other, leaves some streams early, and cancels other requests. Returns the number of complete
/// responses.
async fn client(hub: Hub<String>, number: u64) -> u64 {
    let mut dice = Dice(number + 1);
    let mut responses = 0;
    for _ in 0..REQUESTS {
        let mut subscription = subscribe(&hub, &number.to_string(), &dice.below(12).to_string());
        if dice.below(4) == 0 {
            for _ in 0..dice.below(4) {
                subscription.next().await.unwrap();
            }
            continue;
        }
        if dice.below(6) == 0 {
            // Concurrently, on another thread.
            let (same, name) = (hub.clone(), number.to_string());
            let cancel = tokio::spawn(async move { same.cancel_client(&name) });
            let all = read_to_end(subscription).await;
            cancel.await.unwrap();
            let last = all.last().expect("a stream has a last event");
            assert!(last.starts_with("done") || *last == format!("stopped: {CANCELLED}"), "{all:?}");
            continue;
        }
        let mut all = read_to_end(subscription).await;
        all.retain(|event| !event.starts_with("queued") && !event.starts_with("progress"));
        assert_eq!(all[..4], ["started", "point 0", "point 1", "point 2"]);
        assert!(all.len() == 5 && all[4].starts_with("done"), "{all:?}");
        responses += 1;
    }
    responses
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn every_client_receives_all_events() {
    let hub = hub();
    let same = hub.clone();
    let measuring = thread::spawn(move || measure(&same));
    let clients: Vec<_> = (0..CLIENTS).map(|number| tokio::spawn(client(hub.clone(), number))).collect();
    let mut responses = 0;
    for client in clients {
        responses += client.await.unwrap();
    }
    // An abandoned job may still be running; it ends before this one starts.
    read_to_end(subscribe(&hub, "last", "0")).await;
    assert_eq!(hub.load(), QueueLoad::default());
    hub.close("shut down");
    let times = measuring.join().unwrap();
    assert_eq!(times.len(), 12);
    assert!(responses > CLIENTS * REQUESTS / 2);
}
