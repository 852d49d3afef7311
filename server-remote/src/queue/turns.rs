//! Fair queueing: each client has a lane, and the lanes are served in turn.
//!
//! J. Nagle, "On packet switches with infinite storage", RFC 970, 1985: a client with many requests lengthens only its own
//! lane.
//!
//! An address with many clients must not lengthen the wait of others either, so turns are also shared between addresses.
//! P. Goyal, H. Vin and H. Cheng, "Start-time fair queueing", *SIGCOMM* 1996: each turn has a start time, which is one
//! greater than that of the address's previous turn, or the start time of the turn being served if that is greater.
//! Turns are served by ascending start time.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::Arc;

use benchbook_host::quality::Priority;

use super::ids::{JobId, SubscriberId};

/// How many quick jobs in a row may precede other jobs.
const QUICK_IN_A_ROW: u32 = 4;

/// An id that the client chose.
pub(super) type Client = Arc<str>;

/// A request for a job.
#[derive(Clone, Debug)]
pub(super) struct Subscriber {
    pub(super) id: SubscriberId,
    pub(super) client: Client,
    pub(super) address: IpAddr,
    pub(super) priority: Priority,
    /// Whether the job precedes others that are not quick.
    pub(super) is_quick: bool,
}

/// The lanes of the clients, and the order in which they are served.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    /// The lanes of waiting clients.
    lanes: BTreeMap<Client, ClientQueue>,
    /// The waiting clients that are not being served, by position.
    order: BTreeMap<LinePosition, Client>,
    /// The clients that are being served, with their turns. Their next turns come after those of all waiting clients.
    served: BTreeMap<Client, TurnKey>,
    /// The earliest start time of the next turn of each address.
    next_starts: HashMap<IpAddr, u64>,
    /// The start time of the turn being served.
    now: u64,
    /// Greater than the number of every turn so far.
    next_number: u64,
    /// The number of quick jobs that were served since the last other one, while others were waiting.
    quick_in_a_row: u32,
}

/// When a client is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct TurnKey {
    start: u64,
    /// In the order in which turns were assigned.
    number: u64,
}

/// The position of a client in the order of service: quick jobs first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct LinePosition {
    is_slow: bool,
    turn: TurnKey,
}

/// The waiting jobs of a client.
#[derive(Clone, Debug)]
struct ClientQueue {
    /// The address of its latest request.
    address: IpAddr,
    /// Absent while the client is being served.
    position: Option<LinePosition>,
    /// In the order of service: by priority number, then by submission.
    waiting: BTreeMap<(Priority, SubscriberId), WaitingJob>,
}

#[derive(Clone, Copy, Debug)]
struct WaitingJob {
    id: JobId,
    is_quick: bool,
}

impl ClientQueue {
    /// Whether the client's next job is quick.
    fn is_quick(&self) -> bool {
        self.waiting.values().next().is_some_and(|job| job.is_quick)
    }
}

impl Turns {
    /// Adds a request to its client's lane. A client that was not waiting gets the last turn of its address.
    pub(super) fn enqueue(&mut self, subscriber: &Subscriber, id: JobId) {
        let new = || ClientQueue { address: subscriber.address, position: None, waiting: BTreeMap::new() };
        let lane = self.lanes.entry(subscriber.client.clone()).or_insert_with(new);
        lane.address = subscriber.address;
        let job = WaitingJob { id, is_quick: subscriber.is_quick };
        lane.waiting.insert((subscriber.priority, subscriber.id), job);
        self.assign_turn(&subscriber.client);
        self.update_position(&subscriber.client);
    }

    /// Removes a request from its client's lane.
    pub(super) fn remove(&mut self, subscriber: &Subscriber) {
        let Some(lane) = self.lanes.get_mut(&subscriber.client) else { return };
        lane.waiting.remove(&(subscriber.priority, subscriber.id));
        if !lane.waiting.is_empty() {
            return self.update_position(&subscriber.client);
        }
        if let Some(position) = lane.position {
            self.order.remove(&position);
            // An unused turn does not delay the address's next one.
            let address = lane.address;
            self.next_starts.entry(address).and_modify(|next| {
                if *next == position.turn.start + 1 {
                    *next = position.turn.start;
                }
            });
        }
        self.lanes.remove(&subscriber.client);
        self.forget_addresses();
    }

    /// The next job; absent if no client has a turn.
    pub(super) fn next(&self) -> Option<JobId> {
        let first_slow = LinePosition { is_slow: true, turn: TurnKey { start: 0, number: 0 } };
        let slow = self.order.range(first_slow..).next().filter(|_| self.quick_in_a_row >= QUICK_IN_A_ROW);
        let (_, client) = slow.or_else(|| self.order.first_key_value())?;
        self.lanes[client].waiting.values().next().map(|job| job.id)
    }

    /// Whether any client has a turn, or a client that is being served has a quick job, which precedes its other jobs.
    pub(super) fn has_next(&self) -> bool {
        let has_quick = |client: &Client| self.lanes.get(client).is_some_and(ClientQueue::is_quick);
        !self.order.is_empty() || self.served.keys().any(has_quick)
    }

    /// Begins to serve all requests for a job, whichever client's turn it was.
    pub(super) fn serve<'s>(&mut self, subscribers: impl IntoIterator<Item = &'s Subscriber>) {
        let mut first: Option<LinePosition> = None;
        for subscriber in subscribers {
            let position = self.lanes.get(&subscriber.client).and_then(|lane| lane.position);
            first = first.into_iter().chain(position).min();
            self.begin_serving(&subscriber.client);
            self.remove(subscriber);
        }
        if let Some(LinePosition { is_slow, turn }) = first {
            self.now = self.now.max(turn.start);
            let is_slow_waiting = self.order.last_key_value().is_some_and(|(position, _)| position.is_slow);
            self.quick_in_a_row = if is_slow || !is_slow_waiting { 0 } else { self.quick_in_a_row + 1 };
        }
    }

    /// Adds a client to those being served. It has no turn until that ends.
    pub(super) fn begin_serving(&mut self, client: &Client) {
        let position = self.lanes.get_mut(client).and_then(|lane| lane.position.take());
        if let Some(position) = position {
            self.order.remove(&position);
        }
        if !self.served.contains_key(client) {
            let turn = position.map_or_else(|| self.number_turn(self.now), |position| position.turn);
            self.served.insert(client.clone(), turn);
        }
    }

    /// Removes a client from those being served. It has used its turn.
    pub(super) fn stop_serving(&mut self, client: &Client) {
        self.served.remove(client);
        self.assign_turn(client);
    }

    /// Ends the current service. The served clients get new turns only now, so that clients that arrived meanwhile come
    /// first.
    pub(super) fn finish_serving(&mut self) {
        let mut served: Vec<(Client, TurnKey)> = std::mem::take(&mut self.served).into_iter().collect();
        served.sort_unstable_by_key(|(_, turn)| *turn);
        served.iter().for_each(|(client, _)| self.assign_turn(client));
        self.forget_addresses();
    }

    /// Assigns the last turn of its address to a client that is waiting and has none.
    fn assign_turn(&mut self, client: &Client) {
        if self.served.contains_key(client) {
            return;
        }
        let Some(lane) = self.lanes.get(client).filter(|lane| lane.position.is_none()) else { return };
        let (address, is_slow) = (lane.address, !lane.is_quick());
        let start = self.next_starts.get(&address).map_or(self.now, |next| self.now.max(*next));
        self.next_starts.insert(address, start + 1);
        let position = LinePosition { is_slow, turn: self.number_turn(start) };
        self.order.insert(position, client.clone());
        self.lanes.entry(client.clone()).and_modify(|lane| lane.position = Some(position));
    }

    /// Moves a client in the order if its next job is quick and the one before was not, or the other way round.
    fn update_position(&mut self, client: &Client) {
        let Some(lane) = self.lanes.get_mut(client) else { return };
        let is_slow = !lane.is_quick();
        if let Some(old) = lane.position.filter(|position| position.is_slow != is_slow) {
            let new = LinePosition { is_slow, ..old };
            lane.position = Some(new);
            self.order.remove(&old);
            self.order.insert(new, client.clone());
        }
    }

    fn number_turn(&mut self, start: u64) -> TurnKey {
        self.next_number += 1;
        TurnKey { start, number: self.next_number }
    }

    /// Forgets addresses whose last turns are over, once they outnumber the waiting clients.
    fn forget_addresses(&mut self) {
        if self.lanes.is_empty() && self.served.is_empty() {
            self.next_starts.clear();
        } else if self.next_starts.len() > 2 * (self.lanes.len() + self.served.len()) {
            let now = self.now;
            self.next_starts.retain(|_, next| *next > now);
        }
    }

    /// Whether this holds no state of any client.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.lanes.is_empty() && self.order.is_empty() && self.served.is_empty() && self.next_starts.is_empty()
    }
}
