//! Fair queueing: each client has a lane, and the lanes are served in turn.
//!
//! J. Nagle, "On packet switches with infinite storage", RFC 970, 1985: a client with many requests lengthens only its own
//! lane.

use std::collections::BTreeMap;
use std::sync::Arc;

use benchbook_host::quality::Priority;

use super::ids::{JobId, SubscriberId};

/// An id that the client chose.
pub(super) type Client = Arc<str>;

/// A request for a job.
#[derive(Clone, Debug)]
pub(super) struct Subscriber {
    pub(super) id: SubscriberId,
    pub(super) client: Client,
    pub(super) priority: Priority,
}

/// The lanes of the clients, and the order in which they are served.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    /// The lanes of waiting clients.
    lanes: BTreeMap<Client, ClientQueue>,
    /// The waiting clients that are not being served, by turn.
    line: BTreeMap<u64, Client>,
    /// The clients that are being served, with their turns. Their next turns come after those of all waiting clients.
    served: BTreeMap<Client, u64>,
    /// Greater than every turn so far.
    next_turn: u64,
}

/// The waiting jobs of a client.
#[derive(Clone, Debug, Default)]
struct ClientQueue {
    /// Absent while the client is being served.
    turn: Option<u64>,
    /// In the order of service: by priority number, then by submission.
    waiting: BTreeMap<(Priority, SubscriberId), JobId>,
}

impl Turns {
    /// Adds a request to its client's lane. A client that was not waiting gets the last turn.
    pub(super) fn enqueue(&mut self, subscriber: &Subscriber, job: JobId) {
        let lane = self.lanes.entry(subscriber.client.clone()).or_default();
        lane.waiting.insert((subscriber.priority, subscriber.id), job);
        self.assign_turn(&subscriber.client);
    }

    /// Removes a request from its client's lane.
    pub(super) fn remove(&mut self, subscriber: &Subscriber) {
        let Some(lane) = self.lanes.get_mut(&subscriber.client) else { return };
        lane.waiting.remove(&(subscriber.priority, subscriber.id));
        if lane.waiting.is_empty() {
            if let Some(turn) = lane.turn {
                self.line.remove(&turn);
            }
            self.lanes.remove(&subscriber.client);
        }
    }

    /// The next job; absent if no client has a turn.
    pub(super) fn next(&self) -> Option<JobId> {
        let (_, client) = self.line.first_key_value()?;
        self.lanes[client].waiting.values().next().copied()
    }

    /// Begins to serve all requests for a job, whichever client's turn it was.
    pub(super) fn serve<'s>(&mut self, subscribers: impl IntoIterator<Item = &'s Subscriber>) {
        for subscriber in subscribers {
            self.begin_serving(&subscriber.client);
            self.remove(subscriber);
        }
    }

    /// Adds a client to those being served. It has no turn until that ends.
    pub(super) fn begin_serving(&mut self, client: &Client) {
        let turn = self.lanes.get_mut(client).and_then(|lane| lane.turn.take());
        if let Some(turn) = turn {
            self.line.remove(&turn);
        }
        if !self.served.contains_key(client) {
            let turn = turn.unwrap_or_else(|| self.new_turn());
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
        let mut served: Vec<(Client, u64)> = std::mem::take(&mut self.served).into_iter().collect();
        served.sort_unstable_by_key(|(_, turn)| *turn);
        served.iter().for_each(|(client, _)| self.assign_turn(client));
    }

    /// Assigns the last turn to a client that is waiting and has none.
    fn assign_turn(&mut self, client: &Client) {
        if self.served.contains_key(client) {
            return;
        }
        let turn = self.new_turn();
        if let Some(lane) = self.lanes.get_mut(client).filter(|lane| lane.turn.is_none()) {
            lane.turn = Some(turn);
            self.line.insert(turn, client.clone());
        }
    }

    fn new_turn(&mut self) -> u64 {
        self.next_turn += 1;
        self.next_turn
    }

    /// Whether no trace of any client is left.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.lanes.is_empty() && self.line.is_empty() && self.served.is_empty()
    }
}
