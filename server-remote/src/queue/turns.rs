//! Whose turn it is: every client has a lane of its own, and the lanes are served in turn.
//!
//! J. Nagle, "On packet switches with infinite storage", RFC 970, 1985: then one who asks for much makes his own queue
//! longer, and nobody else's.

use std::collections::BTreeMap;
use std::sync::Arc;

use benchbook_host::quality::Priority;

use super::{JobId, SubscriberId};

/// Who asks: an id that the client chose.
pub(super) type Client = Arc<str>;

/// One who asked for a job.
#[derive(Clone, Debug)]
pub(super) struct Subscriber {
    pub(super) id: SubscriberId,
    pub(super) client: Client,
    pub(super) priority: Priority,
}

/// What clients wait for, and in which order they are served.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    /// The clients that wait.
    lanes: BTreeMap<Client, Lane>,
    /// Those of them that are not being served, in the order of their turns.
    line: BTreeMap<u64, Client>,
    /// The clients that are being served, with the turns that they had: their next comes after that of all who wait now.
    served: BTreeMap<Client, u64>,
    /// Greater than every turn so far.
    next: u64,
}

/// What one client waits for, and its turn; absent while it is being served.
#[derive(Clone, Debug, Default)]
struct Lane {
    turn: Option<u64>,
    /// In the order in which it is served: lower priority numbers first, then as asked.
    waits: BTreeMap<(Priority, SubscriberId), JobId>,
}

impl Turns {
    /// The subscriber waits. A client that did not wait before goes behind those that do.
    pub(super) fn wait(&mut self, subscriber: &Subscriber, job: JobId) {
        let lane = self.lanes.entry(subscriber.client.clone()).or_default();
        lane.waits.insert((subscriber.priority, subscriber.id), job);
        self.stand(&subscriber.client);
    }

    /// The subscriber no longer waits.
    pub(super) fn forget(&mut self, subscriber: &Subscriber) {
        let Some(lane) = self.lanes.get_mut(&subscriber.client) else { return };
        lane.waits.remove(&(subscriber.priority, subscriber.id));
        if lane.waits.is_empty() {
            if let Some(turn) = lane.turn {
                self.line.remove(&turn);
            }
            self.lanes.remove(&subscriber.client);
        }
    }

    /// What is served next; absent where nobody waits whose turn could come.
    pub(super) fn next(&self) -> Option<JobId> {
        let (_, client) = self.line.first_key_value()?;
        self.lanes[client].waits.values().next().copied()
    }

    /// Serves everybody who waited for a job, whoever's turn it was.
    pub(super) fn serve<'s>(&mut self, subscribers: impl IntoIterator<Item = &'s Subscriber>) {
        for subscriber in subscribers {
            self.join(&subscriber.client);
            self.forget(subscriber);
        }
    }

    /// The client is being served too. Until that ends it has no turn.
    pub(super) fn join(&mut self, client: &Client) {
        let turn = self.lanes.get_mut(client).and_then(|lane| lane.turn.take());
        if let Some(turn) = turn {
            self.line.remove(&turn);
        }
        if !self.served.contains_key(client) {
            let turn = turn.unwrap_or_else(|| self.fresh());
            self.served.insert(client.clone(), turn);
        }
    }

    /// The client leaves what is being served: that was its turn.
    pub(super) fn part(&mut self, client: &Client) {
        self.served.remove(client);
        self.stand(client);
    }

    /// What was being served is done. Turns are given only now, so that whoever came meanwhile comes before the next of
    /// those who were served.
    pub(super) fn end(&mut self) {
        let mut served: Vec<(Client, u64)> = std::mem::take(&mut self.served).into_iter().collect();
        served.sort_unstable_by_key(|(_, turn)| *turn);
        served.iter().for_each(|(client, _)| self.stand(client));
    }

    /// Gives the client the last turn, where it waits and has none.
    fn stand(&mut self, client: &Client) {
        if self.served.contains_key(client) {
            return;
        }
        let turn = self.fresh();
        if let Some(lane) = self.lanes.get_mut(client).filter(|lane| lane.turn.is_none()) {
            lane.turn = Some(turn);
            self.line.insert(turn, client.clone());
        }
    }

    fn fresh(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Whether nothing is left of anybody.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.lanes.is_empty() && self.line.is_empty() && self.served.is_empty()
    }
}
