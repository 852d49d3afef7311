mod random_sequences;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};

use benchbook_host::api::QueueLoad;
use benchbook_host::quality::Priority;

use super::*;

const BOUNDS: QueueBounds = QueueBounds { clients: 100, client_ms: 60_000, address_ms: 6_000_000, quick_ms: 0 };

/// The loopback address of a client: that of `a@1` is 127.0.0.1, and that of `a` is 127.0.0.0.
fn address(client: &str) -> IpAddr {
    let number = client.split_once('@').map_or(0, |(_, number)| number.parse().unwrap());
    IpAddr::V4(Ipv4Addr::new(127, 0, 0, number))
}

/// A queue of jobs that take a second. A request is written as client, priority and job, such as `a 2 x`.
struct Fixture {
    queue: Queue,
    turn_ms: u64,
    names: BTreeMap<JobId, String>,
}

impl Fixture {
    fn new(bounds: QueueBounds) -> Self {
        Self { queue: Queue::new(bounds), turn_ms: 2_000, names: BTreeMap::new() }
    }

    fn with(requests: &[&str]) -> Self {
        let mut fixture = Self::new(BOUNDS);
        fixture.submit_all(requests);
        fixture
    }

    #[track_caller]
    fn submit_all(&mut self, requests: &[&str]) {
        for request in requests {
            self.submit(request);
        }
    }

    #[track_caller]
    fn submit(&mut self, request: &str) -> SubscriberId {
        self.try_submit(request, 1_000, 0).unwrap().subscriber
    }

    fn try_submit(&mut self, request: &str, cost_ms: u64, elapsed_ms: u64) -> Result<Ticket, QueueRejection> {
        let words: Vec<&str> = request.split(' ').collect();
        let [client, priority, name] = words[..] else { panic!("`{request}` is not a request") };
        let priority = Priority::try_from(priority.parse::<u8>().unwrap()).unwrap();
        let (address, client, key) = (address(client), client.to_owned(), name.to_owned());
        let request = JobRequest { client, address, key, priority, cost_ms, turn_ms: self.turn_ms };
        let ticket = self.queue.submit(request, elapsed_ms)?;
        self.names.insert(ticket.job, name.to_owned());
        Ok(ticket)
    }

    fn start(&mut self) -> Option<String> {
        self.queue.start().map(|id| self.names[&id].clone())
    }

    fn next(&mut self) -> Option<String> {
        self.queue.finish();
        self.start()
    }

    /// Runs all remaining jobs and returns their names.
    fn drain(&mut self) -> String {
        std::iter::from_fn(|| self.next()).collect::<Vec<_>>().join(" ")
    }

    /// The names of the waiting jobs, with their positions.
    fn positions(&self, elapsed_ms: u64) -> Vec<(&str, u32, u64)> {
        let named =
            |(id, position): (JobId, QueuePosition)| (self.names[&id].as_str(), position.ahead, position.wait_ms);
        self.queue.positions(elapsed_ms).into_iter().map(named).collect()
    }
}

#[test]
fn clients_take_turns() {
    let table = [
        (&["a 1 a1", "a 1 a2", "a 1 a3", "b 1 b1", "b 1 b2"][..], "a1 b1 a2 b2 a3"),
        (&["a 4 a1", "b 1 b1", "a 4 a2", "c 3 c1", "b 1 b2"], "a1 b1 c1 a2 b2"),
        (&["a 4 a1", "a 2 a2", "a 1 a3", "a 2 a4"], "a3 a2 a4 a1"),
        (&["a 3 a1", "b 1 b1", "a 1 a2"], "a2 b1 a1"),
        // Equal requests share a job, and each client uses a turn.
        (&["a 1 x", "b 1 x", "b 1 y", "a 1 z"], "x z y"),
        // The job runs in b's turn, although c submitted another job first; then it is d's turn.
        (&["a 1 a1", "b 1 x", "c 1 c1", "c 1 x", "d 1 d1"], "a1 x d1 c1"),
        // In the lane of the client that joined, it has the position of that client's request.
        (&["a 1 a1", "a 1 x", "b 1 b1", "b 1 x"], "a1 b1 x"),
        (&["a 1 x", "a 1 x", "a 1 y"], "x y"),
    ];
    for (requests, order) in table {
        assert_eq!(Fixture::with(requests).drain(), order, "{requests:?}");
    }
}

#[test]
fn a_new_client_precedes_the_next_job_of_the_served_client() {
    let mut fixture = Fixture::with(&["a 1 a1", "a 1 a2", "b 1 b1", "b 1 b2"]);
    assert_eq!(fixture.start().as_deref(), Some("a1"));
    fixture.submit("c 1 c1");
    assert_eq!(fixture.drain(), "b1 c1 a2 b2");
}

#[test]
fn cancelling_the_running_job_gains_no_turn() {
    let mut fixture = Fixture::new(BOUNDS);
    let first = fixture.submit("a 1 a1");
    fixture.submit("a 1 a2");
    fixture.start();
    fixture.submit("b 1 b1");
    assert!(matches!(fixture.queue.leave(first), Departure::Unwanted(_)));
    fixture.submit("a 1 a0");
    assert_eq!(fixture.drain(), "b1 a2 a0");
}

#[test]
fn cancelling_and_resubmitting_gains_no_turn() {
    let mut fixture = Fixture::new(BOUNDS);
    let first = fixture.submit("a 1 a1");
    fixture.submit("b 1 b1");
    assert!(matches!(fixture.queue.leave(first), Departure::Removed(_)));
    fixture.submit("a 1 a2");
    assert_eq!(fixture.drain(), "b1 a2");
}

#[test]
fn joining_the_running_job_uses_a_turn() {
    let mut fixture = Fixture::with(&["a 1 x", "b 1 b1"]);
    fixture.start();
    let first = fixture.try_submit("c 1 x", 1_000, 0).unwrap();
    assert!(first.has_joined);
    fixture.submit_all(&["c 1 c1", "d 1 d1"]);
    assert_eq!(fixture.drain(), "b1 d1 c1");
}

#[test]
fn a_position_is_the_number_of_jobs_ahead_and_their_duration() {
    let mut fixture = Fixture::with(&["a 1 a1", "a 1 a2"]);
    fixture.try_submit("b 1 b1", 300, 0).unwrap();
    assert_eq!(fixture.positions(0), [("a1", 0, 0), ("b1", 1, 1_000), ("a2", 2, 1_300)]);
    fixture.start();
    assert_eq!(fixture.positions(400), [("b1", 1, 600), ("a2", 2, 900)]);
    assert_eq!(fixture.positions(5_000), [("b1", 1, 0), ("a2", 2, 300)], "the job takes longer than expected");
    assert_eq!(fixture.queue.load(400), QueueLoad { running: 1, waiting: 2, clients: 2, wait_ms: 1_900 });
    assert_eq!(Queue::new(BOUNDS).load(0), QueueLoad::default());
}

#[test]
fn bounds_the_number_of_clients() {
    let mut fixture = Fixture::new(QueueBounds { clients: 2, ..BOUNDS });
    fixture.try_submit("a 1 x", 2_000, 0).unwrap();
    fixture.submit("b 1 y");
    fixture.start();
    let rejection = fixture.try_submit("c 1 x", 1, 300).unwrap_err();
    assert_eq!(rejection, QueueRejection::TooManyClients { clients: 2, retry_after: 2 });
    assert_eq!(rejection.to_string(), "The queue is full: 2 clients are waiting. Try again in 2 s.");
    fixture.submit("b 1 x");
    fixture.queue.finish();
    fixture.submit("c 1 z");
}

#[test]
fn bounds_the_pending_requests_of_a_client() {
    let mut fixture = Fixture::new(QueueBounds { client_ms: 3_000, ..BOUNDS });
    fixture.submit("a 1 a1");
    fixture.try_submit("a 2 a2", 2_000, 0).unwrap();
    fixture.try_submit("b 2 b1", 3_000, 0).unwrap();
    fixture.start();
    let full = |retry_after| QueueRejection::ClientFull { waiting_ms: 3_000, client_ms: 3_000, retry_after };
    assert_eq!(fixture.try_submit("a 1 a3", 1_000, 400), Err(full(1)));
    assert_eq!(fixture.try_submit("a 1 a3", 1_001, 400), Err(full(2)), "at least 1.001 s must be done");
    assert_eq!(fixture.try_submit("a 1 a1", 1, 400), Err(full(1)), "joining costs the same");
    assert_eq!(full(2).retry_after(), Some(2));
    assert_eq!(
        full(2).to_string(),
        "Your pending requests need about 3 s of measuring; the limit is 3 s per client. Wait for some of them or cancel \
         some, then try again in 2 s.",
    );
    fixture.queue.finish();
    fixture.submit("a 1 a3");
}

#[test]
fn bounds_the_pending_requests_of_an_address() {
    let mut fixture = Fixture::new(QueueBounds { address_ms: 2_000, ..BOUNDS });
    fixture.submit("a@1 1 a");
    let b = fixture.submit("b@1 1 b");
    let full = QueueRejection::AddressFull { waiting_ms: 2_000, address_ms: 2_000, retry_after: 1 };
    assert_eq!(fixture.try_submit("c@1 1 c", 1_000, 0), Err(full.clone()));
    assert_eq!(fixture.try_submit("a@1 1 c", 1_000, 0), Err(full.clone()), "known clients too");
    assert_eq!(
        full.to_string(),
        "The pending requests from your address need about 2 s of measuring; the limit is 2 s per address. Try again in 1 s."
    );
    fixture.submit("c@2 1 c");
    fixture.queue.leave(b);
    fixture.submit("d@1 1 d");
}

#[test]
fn addresses_take_turns() {
    let mut fixture = Fixture::with(&["a@1 1 a", "b@1 1 b", "c@1 1 c", "d@1 1 d"]);
    assert_eq!(fixture.start().as_deref(), Some("a"));
    fixture.submit_all(&["e@2 1 e", "e@2 1 e2", "f@2 1 f"]);
    // After its first turns, the second address has used as many as the first.
    assert_eq!(fixture.drain(), "e b f c e2 d");
}

#[test]
fn cancelling_costs_an_address_no_turn() {
    let mut fixture = Fixture::with(&["a@1 1 a", "b@1 1 b"]);
    for _ in 0..10 {
        let cancelled = fixture.submit("c@2 1 c");
        fixture.queue.leave(cancelled);
    }
    fixture.submit("c@2 1 c");
    assert_eq!(fixture.drain(), "a c b");
}

#[test]
fn quick_jobs_come_first_but_not_forever() {
    let bounds = QueueBounds { quick_ms: 1_000, ..BOUNDS };
    let mut fixture = Fixture::new(bounds);
    fixture.submit_all(&["a 2 a", "b 3 b", "c 1 c"]);
    fixture.try_submit("d 1 d", 1_001, 0).unwrap();
    assert_eq!(fixture.drain(), "c a b d", "d takes too long");
    fixture.submit_all(&["z 2 z", "a 1 a", "b 1 b", "c 1 c", "d 1 d", "e 1 e", "f 1 f"]);
    assert_eq!(fixture.drain(), "a b c d z e f");
    // The place in the line follows the client's next job.
    fixture.submit_all(&["a 2 a", "b 2 b", "b 1 b1"]);
    assert_eq!(fixture.drain(), "b1 a b");
}

#[test]
fn a_long_job_pauses_after_each_turn() {
    let mut fixture = Fixture::new(BOUNDS);
    fixture.try_submit("a 4 long", 5_000, 0).unwrap();
    assert_eq!(fixture.start().as_deref(), Some("long"));
    assert!(!fixture.queue.has_next());
    fixture.submit_all(&["b 4 b", "c 4 c"]);
    assert!(fixture.queue.has_next());
    assert_eq!(fixture.positions(500), [("b", 1, 1_500), ("c", 2, 2_500)]);
    fixture.queue.pause(3_000).unwrap();
    assert_eq!(fixture.queue.load(0), QueueLoad { running: 0, waiting: 3, clients: 3, wait_ms: 5_000 });
    assert_eq!(fixture.positions(0), [("b", 0, 0), ("c", 1, 1_000), ("long", 2, 2_000)]);
    assert_eq!(fixture.drain(), "b c long");
    assert!(fixture.queue.is_empty());
}

/// Such as the first curve of a second cell, while the first one is measured at priority 4.
#[test]
fn a_quick_job_also_precedes_the_long_one_of_its_own_client() {
    let mut fixture = Fixture::new(QueueBounds { quick_ms: 1_000, ..BOUNDS });
    fixture.try_submit("a 4 long", 5_000, 0).unwrap();
    fixture.start();
    fixture.submit("a 2 other");
    assert!(!fixture.queue.has_next());
    fixture.submit("a 1 quick");
    assert!(fixture.queue.has_next());
    fixture.queue.pause(3_000).unwrap();
    assert_eq!(fixture.drain(), "quick other long");
    assert!(fixture.queue.is_empty());
}

/// A forecast equals the waits if jobs take as long as expected.
#[test]
fn the_forecast_of_a_wait_is_right() {
    let mut fixture = Fixture::new(BOUNDS);
    for (request, cost_ms) in [("a 4 a", 20_000), ("b 2 b", 3_000), ("a 4 a2", 9_000), ("c 4 c", 7_000), ("d 1 d", 500)]
    {
        fixture.try_submit(request, cost_ms, 0).unwrap();
    }
    let forecast: BTreeMap<JobId, u64> =
        fixture.queue.positions(0).into_iter().map(|(id, position)| (id, position.wait_ms)).collect();
    let mut left: BTreeMap<String, u64> = [("a", 20_000), ("b", 3_000), ("a2", 9_000), ("c", 7_000), ("d", 500)]
        .map(|(name, ms)| (name.to_owned(), ms))
        .into();
    let (mut clock, mut seen) = (0, BTreeMap::new());
    while let Some(id) = fixture.queue.start() {
        seen.entry(id).or_insert(clock);
        let left = left.get_mut(&fixture.names[&id]).unwrap();
        let turn = if fixture.queue.has_next() { (*left).min(fixture.turn_ms) } else { *left };
        clock += turn;
        *left -= turn;
        match *left {
            0 => fixture.queue.finish(),
            ms => fixture.queue.pause(ms),
        };
    }
    assert_eq!(forecast, seen);
}

#[test]
fn rejects_a_request_that_can_never_fit() {
    let mut fixture = Fixture::new(QueueBounds { client_ms: 3_000, ..BOUNDS });
    let rejection = fixture.try_submit("a 1 x", 3_001, 0).unwrap_err();
    assert_eq!(rejection, QueueRejection::TooLong { cost_ms: 3_001, client_ms: 3_000 });
    assert_eq!(rejection.retry_after(), None);
    assert_eq!(
        rejection.to_string(),
        "The request needs about 4 s of measuring; the limit is 3 s per client. Request a lower priority, fewer functions, \
         or less time per point.",
    );
    assert!(fixture.queue.is_empty());
    fixture.try_submit("a 1 x", 3_000, 0).unwrap();
}

#[test]
fn bounds_the_number_of_requests_without_cost() {
    let mut fixture = Fixture::new(QueueBounds { client_ms: 10, ..BOUNDS });
    let accepted = (0..100).filter(|_| fixture.try_submit("a 1 x", 0, 0).is_ok()).count();
    assert_eq!(accepted, 10);
}

#[test]
fn clearing_leaves_no_trace() {
    let mut fixture = Fixture::with(&["a 1 x", "b 2 y", "b 1 z"]);
    let before = fixture.submit("c 1 x");
    fixture.start();
    fixture.queue.clear();
    assert!(fixture.queue.is_empty());
    assert_eq!(fixture.queue.finish(), None);
    let after = fixture.submit("c 1 x");
    assert!(after > before, "ids are never reused");
    assert_eq!(fixture.queue.leave(before), Departure::AlreadyGone);
    assert_eq!(fixture.drain(), "x");
}
