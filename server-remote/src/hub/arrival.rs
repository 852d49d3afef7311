//! One who is here and has not asked yet: whether the answer is stored is looked up first.

use super::{Hub, Refused, Subscription};
use crate::queue::Ask;

/// One who is here and may ask. Until it does its client may take that back already.
#[derive(Debug)]
pub struct Arrival<W> {
    hub: Hub<W>,
    id: ArrivalId,
}

/// Ids are never used again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct ArrivalId(pub(super) u64);

impl<W> Arrival<W> {
    pub(super) fn new(hub: Hub<W>, id: ArrivalId) -> Self {
        Self { hub, id }
    }

    /// Asks, for the client that arrived. Where the same is asked for already, that job's log is read from its beginning, and
    /// `work` is not needed.
    ///
    /// # Errors
    /// Where it is beyond the bounds, where its client took it back, and where the hub is closed.
    pub fn ask(self, ask: Ask, work: W) -> Result<Subscription<W>, Refused> {
        self.hub.ask(self.id, ask, work)
    }
}

impl<W> Drop for Arrival<W> {
    fn drop(&mut self) {
        self.hub.lock().arrived.remove(&self.id);
    }
}
