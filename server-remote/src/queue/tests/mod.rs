mod any;

use super::*;

const BOUNDS: Bounds = Bounds { clients: 100, client_ms: 60_000 };

/// A queue where what is asked for takes a second, and has the name that follows its client's and its priority: `a 2 x`.
struct Fixture {
    queue: Queue,
    names: BTreeMap<JobId, String>,
}

impl Fixture {
    fn new(bounds: Bounds) -> Self {
        Self { queue: Queue::new(bounds), names: BTreeMap::new() }
    }

    fn with(asks: &[&str]) -> Self {
        let mut fixture = Self::new(BOUNDS);
        for ask in asks {
            fixture.ask(ask);
        }
        fixture
    }

    #[track_caller]
    fn ask(&mut self, ask: &str) -> SubscriberId {
        self.try_ask(ask, 1_000, 0).unwrap().subscriber
    }

    fn try_ask(&mut self, ask: &str, cost_ms: u64, elapsed_ms: u64) -> Result<Asked, Refused> {
        let words: Vec<&str> = ask.split(' ').collect();
        let [client, priority, name] = words[..] else { panic!("{ask} is no ask") };
        let priority = Priority::try_from(priority.parse::<u8>().unwrap()).unwrap();
        let ask = Ask { client: client.to_owned(), key: name.to_owned(), priority, cost_ms };
        let asked = self.queue.ask(ask, elapsed_ms)?;
        self.names.insert(asked.job, name.to_owned());
        Ok(asked)
    }

    fn start(&mut self) -> Option<String> {
        self.queue.start().map(|id| self.names[&id].clone())
    }

    fn next(&mut self) -> Option<String> {
        self.queue.finish();
        self.start()
    }

    /// The names of what is still to come, one after the other.
    fn rest(&mut self) -> String {
        std::iter::from_fn(|| self.next()).collect::<Vec<_>>().join(" ")
    }

    /// The names of what waits, each with its place.
    fn places(&self, elapsed_ms: u64) -> Vec<(&str, u32, u64)> {
        let named = |(id, place): (JobId, Place)| (self.names[&id].as_str(), place.ahead, place.wait_ms);
        self.queue.places(elapsed_ms).map(named).collect()
    }
}

#[test]
fn clients_take_turns() {
    let table = [
        (&["a 1 a1", "a 1 a2", "a 1 a3", "b 1 b1", "b 1 b2"][..], "a1 b1 a2 b2 a3"),
        (&["a 4 a1", "b 1 b1", "a 4 a2", "c 3 c1", "b 1 b2"], "a1 b1 c1 a2 b2"),
        (&["a 4 a1", "a 2 a2", "a 1 a3", "a 2 a4"], "a3 a2 a4 a1"),
        (&["a 3 a1", "b 1 b1", "a 1 a2"], "a2 b1 a1"),
    ];
    for (asks, order) in table {
        assert_eq!(Fixture::with(asks).rest(), order, "{asks:?}");
    }
}

#[test]
fn who_comes_while_one_is_served_comes_before_its_next() {
    let mut fixture = Fixture::with(&["a 1 a1", "a 1 a2", "b 1 b1", "b 1 b2"]);
    assert_eq!(fixture.start().as_deref(), Some("a1"));
    fixture.ask("c 1 c1");
    assert_eq!(fixture.rest(), "b1 c1 a2 b2");
}

#[test]
fn stopping_what_is_at_work_is_no_way_to_the_front() {
    let mut fixture = Fixture::new(BOUNDS);
    let first = fixture.ask("a 1 a1");
    fixture.ask("a 1 a2");
    fixture.start();
    fixture.ask("b 1 b1");
    assert!(matches!(fixture.queue.leave(first), Left::Unwanted(_)));
    fixture.ask("a 1 a0");
    assert_eq!(fixture.rest(), "b1 a2 a0");
}

#[test]
fn leaving_and_asking_again_is_no_way_to_the_front_either() {
    let mut fixture = Fixture::new(BOUNDS);
    let first = fixture.ask("a 1 a1");
    fixture.ask("b 1 b1");
    assert!(matches!(fixture.queue.leave(first), Left::Forgotten(_)));
    fixture.ask("a 1 a2");
    assert_eq!(fixture.rest(), "b1 a2");
}

#[test]
fn the_same_is_measured_once_and_is_a_turn_of_all_who_asked() {
    let table = [
        (&["a 1 x", "b 1 x", "b 1 y", "a 1 z"][..], "x z y"),
        // It comes in b's turn, though c asked for other things first, and then it is d's turn.
        (&["a 1 a1", "b 1 x", "c 1 c1", "c 1 x", "d 1 d1"], "a1 x d1 c1"),
        // Within the client that joined it stands where that client asked for it.
        (&["a 1 a1", "a 1 x", "b 1 b1", "b 1 x"], "a1 b1 x"),
        (&["a 1 x", "a 1 x", "a 1 y"], "x y"),
    ];
    for (asks, order) in table {
        assert_eq!(Fixture::with(asks).rest(), order, "{asks:?}");
    }
}

#[test]
fn one_joins_what_is_at_work_and_has_had_its_turn() {
    let mut fixture = Fixture::with(&["a 1 x", "b 1 b1"]);
    fixture.start();
    let first = fixture.try_ask("c 1 x", 1_000, 0).unwrap();
    assert!(first.joined);
    fixture.ask("c 1 c1");
    fixture.ask("d 1 d1");
    assert_eq!(fixture.rest(), "b1 d1 c1");
}

#[test]
fn a_job_goes_with_the_last_who_wants_it() {
    let mut fixture = Fixture::new(BOUNDS);
    let [first, second] = ["a 1 x", "b 1 x"].map(|ask| fixture.ask(ask));
    assert_eq!(fixture.queue.leave(first), Left::Stays);
    let Left::Forgotten(forgotten) = fixture.queue.leave(second) else { panic!("nobody waits for it") };
    assert_eq!(fixture.names[&forgotten], "x");
    assert_eq!(fixture.start(), None);
    assert!(fixture.queue.is_empty());

    let [first, second] = ["a 1 y", "b 1 y"].map(|ask| fixture.ask(ask));
    let running = fixture.queue.start().unwrap();
    assert_eq!(fixture.queue.leave(second), Left::Stays);
    assert_eq!(fixture.queue.leave(first), Left::Unwanted(running));
    assert_eq!(fixture.queue.leave(first), Left::Gone, "once is enough");
    let again = fixture.try_ask("a 1 y", 1_000, 0).unwrap();
    assert!(!again.joined && again.job != running, "what is being stopped gives no answer");
    assert_eq!(fixture.queue.start(), None, "it is still at work");
    assert_eq!(fixture.queue.finish(), Some(running));
    assert!(fixture.try_ask("b 1 y", 1_000, 0).unwrap().joined, "the new one keeps its key");
    assert_eq!(fixture.queue.start(), Some(again.job));
}

#[test]
fn a_place_is_how_many_come_first_and_what_they_take() {
    let mut fixture = Fixture::with(&["a 1 a1", "a 1 a2"]);
    fixture.try_ask("b 1 b1", 300, 0).unwrap();
    assert_eq!(fixture.places(0), [("a1", 0, 0), ("b1", 1, 1_000), ("a2", 2, 1_300)]);
    fixture.start();
    assert_eq!(fixture.places(400), [("b1", 1, 600), ("a2", 2, 900)]);
    assert_eq!(fixture.places(5_000), [("b1", 1, 0), ("a2", 2, 300)], "it takes longer than expected");
    assert_eq!(fixture.queue.load(400), Load { running: 1, waiting: 2, clients: 2, wait_ms: 1_900 });
    assert_eq!(Queue::new(BOUNDS).load(0), Load::default());
}

#[test]
fn as_many_clients_wait_as_there_may() {
    let mut fixture = Fixture::new(Bounds { clients: 2, ..BOUNDS });
    fixture.try_ask("a 1 x", 2_000, 0).unwrap();
    fixture.ask("b 1 y");
    fixture.start();
    let refused = fixture.try_ask("c 1 x", 1, 300).unwrap_err();
    assert_eq!(refused, Refused::Crowded { clients: 2, retry_after: 2 });
    assert_eq!(refused.to_string(), "2 clients wait already, as many as this runner takes: try again in 2 s",);
    fixture.ask("b 1 x");
    fixture.queue.finish();
    fixture.ask("c 1 z");
}

#[test]
fn a_client_waits_for_no_more_than_it_may() {
    let mut fixture = Fixture::new(Bounds { client_ms: 3_000, ..BOUNDS });
    fixture.ask("a 1 a1");
    fixture.try_ask("a 2 a2", 2_000, 0).unwrap();
    fixture.try_ask("b 2 b1", 3_000, 0).unwrap();
    fixture.start();
    // What is at work ends in 0.6 s, then comes b's, and then a's second.
    let full = |retry_after| Refused::Full { waiting_ms: 3_000, client_ms: 3_000, retry_after };
    assert_eq!(fixture.try_ask("a 1 a3", 1_000, 400), Err(full(1)));
    assert_eq!(fixture.try_ask("a 1 a3", 1_001, 400), Err(full(6)));
    assert_eq!(fixture.try_ask("a 1 a1", 1, 400), Err(full(1)), "joining counts as much");
    assert_eq!(full(6).retry_after(), Some(6));
    assert_eq!(
        full(6).to_string(),
        "you wait for about 3 s of measuring already, and 3 s is the most for one client: wait for some of it or cancel \
         some, and try again in 6 s",
    );
    fixture.queue.finish();
    fixture.ask("a 1 a3");
}

#[test]
fn what_can_never_fit_is_refused_for_good() {
    let mut fixture = Fixture::new(Bounds { client_ms: 3_000, ..BOUNDS });
    let refused = fixture.try_ask("a 1 x", 3_001, 0).unwrap_err();
    assert_eq!(refused, Refused::Long { cost_ms: 3_001, client_ms: 3_000 });
    assert_eq!(refused.retry_after(), None);
    assert_eq!(
        refused.to_string(),
        "this takes about 4 s, and 3 s is the most for one client: ask for a lower priority, fewer functions, or less \
         time a point",
    );
    assert!(fixture.queue.is_empty());
    fixture.try_ask("a 1 x", 3_000, 0).unwrap();
}

#[test]
fn asks_for_next_to_nothing_are_bounded_too() {
    let mut fixture = Fixture::new(Bounds { client_ms: 10, ..BOUNDS });
    let taken = (0..100).filter(|_| fixture.try_ask("a 1 x", 0, 0).is_ok()).count();
    assert_eq!(taken, 10);
}

#[test]
fn nothing_is_left_of_what_is_cleared() {
    let mut fixture = Fixture::with(&["a 1 x", "b 2 y", "b 1 z"]);
    let before = fixture.ask("c 1 x");
    fixture.start();
    fixture.queue.clear();
    assert!(fixture.queue.is_empty());
    assert_eq!(fixture.queue.finish(), None);
    let after = fixture.ask("c 1 x");
    assert!(after > before, "ids are not used again");
    assert_eq!(fixture.queue.leave(before), Left::Gone);
    assert_eq!(fixture.rest(), "x");
}
