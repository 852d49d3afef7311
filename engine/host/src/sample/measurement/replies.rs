//! The handling of each kind of reply.

use std::collections::VecDeque;

use rand::RngExt;

use super::Measurement;
use super::stages::hash_of;
use crate::response::{DeclaredWork, Failure, FailureKind};
use crate::sample::current_point::PointStage;
use crate::sample::preparation::Preparation;
use crate::units::is_time;
use benchbook_contract::number::MAX_INTEGER;
use benchbook_contract::protocol::{FailureStage, InterleaveReply, OpenReply, RequestFailure, Samples};
use benchbook_contract::rng::seeded;

impl Measurement {
    pub(super) fn opened(&mut self, opened: &OpenReply) -> bool {
        self.refused = None;
        let preparation = Preparation::new(self.quality.clone(), self.clock, opened);
        let (order_seed, shift_ms, input_set) = (self.order_seed, self.shift_ms, u64::from(self.first_input_set));
        let Some(current) = self.current_of(opened.slot).filter(|current| current.is_opening()) else { return false };
        let mut random = seeded([!order_seed, hash_of(&current.x), input_set]);
        let shifted = || preparation.clone().with_shift(1e6 * shift_ms * random.random::<f64>());
        let preparations = std::iter::repeat_with(shifted).take(current.functions.len()).collect();
        current.stage = PointStage::Preparing { preparations, pending: VecDeque::new(), turn: 0 };
        (current.round, current.one_call_per_batch) = (opened.round, opened.one_call_per_batch);
        current.work = DeclaredWork::of(opened);
        self.unconfirmed = None;
        if opened.round == 0 || !is_time(opened.preparation) {
            self.give_up("the suite opened a round without calls, or reported an invalid time");
        } else if [opened.elements, opened.bytes].into_iter().flatten().any(|amount| !is_amount(amount)) {
            self.give_up("the generator declares an invalid number of elements or bytes: expected 1 to 2^53");
        }
        true
    }

    pub(super) fn samples(&mut self, samples: &Samples) -> bool {
        self.refused = None;
        if self.sentinel.calibrate(samples) {
            return true;
        }
        let taken = self.current_of(samples.slot).map(|current| current.handle_samples(samples));
        self.taken(taken)
    }

    pub(super) fn interleaved(&mut self, interleaved: &InterleaveReply) -> bool {
        self.refused = None;
        let taken = self.current_of(interleaved.slot).map(|current| current.handle_interleaved(interleaved));
        self.taken(taken)
    }

    /// Advances after an expected reply, or gives up the point if the reply is invalid. `None` and `Ok(false)`: the reply
    /// was not expected.
    fn taken(&mut self, taken: Option<Result<bool, String>>) -> bool {
        match taken {
            None | Some(Ok(false)) => false,
            Some(Ok(true)) => {
                self.advance();
                true
            }
            Some(Err(reason)) => {
                self.give_up(&reason);
                true
            }
        }
    }

    pub(super) fn failed(&mut self, failed: RequestFailure) -> bool {
        if failed.stage != FailureStage::Request {
            // A panic in any slot: the suite is about to end.
            return self.failed.replace(failed).is_none();
        }
        if self.unconfirmed.is_some() && failed.slot == self.unconfirmed {
            // The suite could not close the slot. Continue without it.
            self.unconfirmed = None;
            return true;
        }
        // A failure without a slot refers to a message that the suite could not parse.
        let is_of_this_point =
            self.current.as_ref().is_some_and(|current| failed.slot.is_none_or(|slot| slot == current.slot));
        if is_of_this_point && failed.skipped {
            let reason = format!("skipped: {}", failed.reason);
            self.fail_point(&Failure { kind: FailureKind::Skipped, reason });
        } else if is_of_this_point {
            self.give_up(&format!("the suite rejected the request: {}", failed.reason));
        }
        is_of_this_point
    }

    pub(super) fn closed(&mut self, slot: u32) -> bool {
        self.refused = None;
        let is_news = self.closed < slot && slot < self.next_slot;
        self.closed = self.closed.max(slot);
        self.unconfirmed.take_if(|unconfirmed| *unconfirmed == slot);
        is_news
    }
}

/// Whether a generator may declare this number of elements or bytes for a call.
fn is_amount(amount: u64) -> bool {
    (1.0..=MAX_INTEGER).contains(&(amount as f64))
}
