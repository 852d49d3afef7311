//! The inputs of a slot: made from seeds, kept where calls only borrow them.

use crate::entry::{allocator, stage};
use crate::protocol::{HELD_BYTES, Stage};
use crate::rng::seeded;
use crate::workload::{Hook, Prepared};

/// The most inputs that are kept for calls that borrow: enough that one is not typical by chance, few enough to make.
const KEPT: usize = 16;

/// An opened workload and the inputs made from it.
pub(crate) struct Inputs<I> {
    prepared: Prepared<I>,
    seed: u64,
    kept: Vec<I>,
    /// The number that `kept` was made for.
    kept_number: Option<u32>,
    /// Inputs that one call of `make` gives.
    round: usize,
}

impl<I> Inputs<I> {
    /// Makes the inputs number 0.
    ///
    /// # Errors
    /// Where a `Calls` prepared no call.
    pub(crate) fn new(prepared: Prepared<I>, seed: u64) -> Result<Self, String> {
        let mut inputs = Self { prepared, seed, kept: Vec::new(), kept_number: None, round: 1 };
        let mut rng = seeded([seed, 0, 0]);
        (inputs.prepared.make)(&mut rng, &mut inputs.kept);
        inputs.round = inputs.kept.len();
        match inputs.round {
            0 => Err("the generator prepared no call: `Calls` needs at least one".to_owned()),
            _ => Ok(inputs),
        }
    }

    pub(crate) fn round(&self) -> usize {
        self.round
    }

    pub(crate) fn one_call_a_batch(&self) -> bool {
        self.prepared.one_call_a_batch
    }

    /// The inputs `number`, which calls borrow in turn: whole rounds that fit the cache together, but at least one.
    pub(crate) fn kept(&mut self, number: u32) -> &mut [I] {
        if self.kept_number != Some(number) {
            stage::enter(Stage::Generator);
            self.kept.clear();
            let before = allocator::live_bytes();
            let mut rng = seeded([self.seed, u64::from(number), 0]);
            loop {
                (self.prepared.make)(&mut rng, &mut self.kept);
                let bytes_a_round = (allocator::live_bytes() - before) / self.rounds_kept();
                let fits = (allocator::live_bytes() - before + bytes_a_round) as u64 <= HELD_BYTES;
                if !fits || self.kept.len() + self.round > KEPT {
                    break;
                }
            }
            self.kept_number = Some(number);
        }
        &mut self.kept
    }

    fn rounds_kept(&self) -> i64 {
        (self.kept.len() / self.round).max(1) as i64
    }

    /// An input for each of `calls` calls: the same for the same number and batch, whatever the function.
    pub(crate) fn own(&mut self, number: u32, batch: u32, calls: usize) -> Vec<I> {
        stage::enter(Stage::Generator);
        let mut rng = seeded([self.seed, u64::from(number), u64::from(batch) + 1]);
        let mut inputs = Vec::with_capacity(calls + self.round - 1);
        while inputs.len() < calls {
            (self.prepared.make)(&mut rng, &mut inputs);
        }
        inputs
    }

    /// Takes the hook for single calls out, so that it can run over kept inputs; [`Self::return_hook`] puts it back.
    pub(crate) fn take_hook(&mut self) -> Option<Hook<I>> {
        self.prepared.after_call.take()
    }

    pub(crate) fn return_hook(&mut self, hook: Option<Hook<I>>) {
        self.prepared.after_call = hook;
    }
}

/// The last hook runs when the slot closes, and also when a panic unwinds through it.
impl<I> Drop for Inputs<I> {
    fn drop(&mut self) {
        self.kept.clear();
        if let Some(after_all) = self.prepared.after_all.take() {
            stage::enter(Stage::Hook);
            after_all();
        }
    }
}
