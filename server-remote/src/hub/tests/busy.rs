//! Many who ask, read, and leave, on several threads, while one measures.

use std::collections::BTreeMap;

use super::*;

const CLIENTS: u64 = 40;
const ASKS: u64 = 25;

/// Small random numbers, of a linear congruential generator: the factor is of P. L'Ecuyer, "Tables of linear congruential
/// generators of different sizes and good lattice structure", *Mathematics of Computation* 68, 1999.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
        (self.0 >> 33) % count
    }
}

/// Ends the streams where the measuring thread panics, so that the test fails rather than waits.
struct Closing<'h>(&'h Hub<String>);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close("the measuring thread ended");
    }
}

/// Measures whatever is asked for: three points of it, and a result of its own each time.
fn measure(hub: &Hub<String>) -> BTreeMap<String, u64> {
    let _closing = Closing(hub);
    let mut times = BTreeMap::new();
    let mut result = 0;
    while let Some(running) = hub.wait_for_job() {
        result += 1;
        *times.entry(running.work().clone()).or_default() += 1;
        running.started(started());
        for x in 0..3 {
            running.progress(progress(x));
            running.point(point(x as f64));
        }
        running.done(done(result));
    }
    times
}

/// Asks for one thing after the other, leaves some of them in the middle, and takes back others; gives how many were answered.
async fn client(hub: Hub<String>, number: u64) -> u64 {
    let mut dice = Dice(number + 1);
    let mut answered = 0;
    for _ in 0..ASKS {
        let mut subscription = subscribe(&hub, &number.to_string(), &dice.below(12).to_string());
        if dice.below(4) == 0 {
            for _ in 0..dice.below(4) {
                subscription.next().await.unwrap();
            }
            continue;
        }
        if dice.below(6) == 0 {
            // Meanwhile, on another thread.
            let (same, name) = (hub.clone(), number.to_string());
            let takes_back = tokio::spawn(async move { same.take_back(&name) });
            let all = read_to_end(subscription).await;
            takes_back.await.unwrap();
            let last = all.last().expect("a stream has an end");
            assert!(last.starts_with("done") || *last == format!("stopped: {TAKEN_BACK}"), "{all:?}");
            continue;
        }
        let mut all = read_to_end(subscription).await;
        all.retain(|event| !event.starts_with("queued") && !event.starts_with("progress"));
        assert_eq!(all[..4], ["started", "point 0", "point 1", "point 2"]);
        assert!(all.len() == 5 && all[4].starts_with("done"), "{all:?}");
        answered += 1;
    }
    answered
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn everybody_gets_all_of_what_was_waited_for() {
    let hub = hub();
    let same = hub.clone();
    let measuring = thread::spawn(move || measure(&same));
    let clients: Vec<_> = (0..CLIENTS).map(|number| tokio::spawn(client(hub.clone(), number))).collect();
    let mut answered = 0;
    for client in clients {
        answered += client.await.unwrap();
    }
    // What nobody wants any more may be at work still, and is done before this.
    read_to_end(subscribe(&hub, "last", "0")).await;
    assert_eq!(hub.load(), Load::default());
    hub.close("good night");
    let times = measuring.join().unwrap();
    assert_eq!(times.len(), 12);
    assert!(answered > CLIENTS * ASKS / 2);
}
