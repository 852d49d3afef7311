//! The inputs of a slot: made from seeds, kept where calls only borrow them.

use crate::entry::stage;
use crate::memory;
use crate::workload::{Hook, Prepared};
use benchbook_contract::protocol::{MAX_BATCH_BYTES, Stage};
use benchbook_contract::rng::seeded;

/// The most inputs that are kept for calls that borrow, where each is made on its own: enough that one is not typical by
/// chance, few enough to make.
const KEPT: usize = 16;

/// The most rounds that are kept where several calls are prepared together: one would be learnt by heart by the branch
/// predictor.
const KEPT_ROUNDS: usize = 64;

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
    /// Makes a first round, to learn how many calls there are in one.
    ///
    /// # Errors
    /// Where a `Calls` prepared no call.
    pub(crate) fn new(prepared: Prepared<I>, seed: u64) -> Result<Self, String> {
        let mut inputs = Self { prepared, seed, kept: Vec::new(), kept_number: None, round: 1 };
        let mut first = Vec::new();
        inputs.make_round(0, 0, &mut first);
        inputs.round = first.len();
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
            let mut kept = std::mem::take(&mut self.kept);
            kept.clear();
            let most = if self.round == 1 { KEPT } else { KEPT_ROUNDS };
            let before = memory::live_bytes();
            for index in 0..most {
                self.make_round(number, index, &mut kept);
                let behind_pointers = (memory::live_bytes() - before).max(0) as u64;
                let bytes = behind_pointers + (kept.len() * size_of::<I>()) as u64;
                // One more round of the same size must fit too.
                if bytes + bytes / (index as u64 + 1) > MAX_BATCH_BYTES {
                    break;
                }
            }
            self.kept = kept;
            self.kept_number = Some(number);
        }
        &mut self.kept
    }

    /// An input for each of `calls` calls. Those of batch 0 begin as the kept ones do, whatever the function.
    pub(crate) fn own(&mut self, number: u32, batch: u32, calls: usize) -> Vec<I> {
        stage::enter(Stage::Generator);
        let mut inputs = Vec::with_capacity(calls + self.round - 1);
        let first = batch as usize * calls.div_ceil(self.round);
        for index in first.. {
            if inputs.len() >= calls {
                break;
            }
            self.make_round(number, index, &mut inputs);
        }
        inputs
    }

    /// Appends the round `index` of the inputs `number`: it depends on these two and the slot's seed alone.
    fn make_round(&mut self, number: u32, index: usize, inputs: &mut Vec<I>) {
        let mut rng = seeded([self.seed, u64::from(number), index as u64]);
        (self.prepared.make)(&mut rng, inputs);
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
