//! The inputs of a slot: created from seeds, and kept if calls only borrow them.

use std::num::NonZero;
use std::thread;

use crate::memory;
use crate::stage;
use crate::workload::{ErasedWorkload, Hook, Throughput};
use benchbook_contract::protocol::{FailureStage, MAX_BATCH_BYTES};
use benchbook_contract::rng::seeded;

/// The maximum number of shared inputs if a round is a single call: so many that an atypical input matters little, and
/// so few that creating them is quick.
const MAX_SHARED_INPUTS: usize = 16;

/// The maximum number of shared rounds if a round has several calls. The branch predictor would learn a single round.
const MAX_SHARED_ROUNDS: usize = 64;

/// An opened workload and its inputs.
pub(crate) struct Inputs<I> {
    workload: ErasedWorkload<I>,
    seed: u64,
    shared: Vec<I>,
    /// The number of the input set in `shared`; absent before the first set is created.
    shared_set: Option<u32>,
    /// The number of inputs in a round.
    round: usize,
}

impl<I> Inputs<I> {
    /// Creates a first round to determine the number of calls per round.
    ///
    /// # Errors
    /// Returns an error if a [`Calls`](crate::Calls) workload has no calls, or if the declared throughput is out of range.
    pub(crate) fn new(workload: ErasedWorkload<I>, seed: u64) -> Result<Self, String> {
        let mut inputs = Self { workload, seed, shared: Vec::new(), shared_set: None, round: 1 };
        inputs.throughput().check()?;
        inputs.check_threads()?;
        let mut first = Vec::new();
        inputs.make_round(0, 0, &mut first);
        inputs.round = first.len();
        if inputs.workload.single_input {
            // It is created only once, since that may take long.
            (inputs.shared, inputs.shared_set) = (first, Some(0));
        }
        match inputs.round {
            0 => Err("the generator prepared no calls: `Calls` needs at least one".to_owned()),
            _ => Ok(inputs),
        }
    }

    pub(crate) fn round(&self) -> usize {
        self.round
    }

    pub(crate) fn one_call_per_batch(&self) -> bool {
        self.workload.one_call_per_batch
    }

    /// The number of threads that make the calls at once.
    pub(crate) fn threads(&self) -> usize {
        self.workload.threads
    }

    /// Checks that each thread can have a core of its own: otherwise, they would take turns.
    fn check_threads(&self) -> Result<(), String> {
        let threads = self.threads();
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        if threads == 0 {
            return Err("the generator requests 0 threads: at least 1 is needed".to_owned());
        }
        if threads > cores {
            return Err(format!(
                "the generator requests {threads} threads, but the suite can use only {cores} cores, where threads would take turns: \
                 choose at most {cores}"
            ));
        }
        Ok(())
    }

    pub(crate) fn throughput(&self) -> Throughput {
        self.workload.throughput
    }

    /// Returns the shared inputs of a set. Calls that only borrow cycle over them. They are whole rounds that together
    /// fit into [`MAX_BATCH_BYTES`], but at least one round. A workload with a single input has it in every set.
    pub(crate) fn shared(&mut self, set: u32) -> &mut [I] {
        let set = if self.workload.single_input { 0 } else { set };
        if self.shared_set != Some(set) {
            stage::enter(FailureStage::Generator);
            let mut shared = std::mem::take(&mut self.shared);
            shared.clear();
            // All threads are to use the same input at the same time.
            let is_single = self.workload.single_input || self.workload.is_contended;
            let max_rounds = match (is_single, self.round) {
                (true, _) => 1,
                (false, 1) => MAX_SHARED_INPUTS,
                (false, _) => MAX_SHARED_ROUNDS,
            };
            let before = memory::live_bytes();
            for index in 0..max_rounds {
                self.make_round(set, index, &mut shared);
                let heap_bytes = (memory::live_bytes() - before).max(0) as u64;
                let bytes = heap_bytes + (shared.len() * size_of::<I>()) as u64;
                // Stop unless another round of the same size fits too.
                if bytes + bytes / (index as u64 + 1) > MAX_BATCH_BYTES {
                    break;
                }
            }
            self.shared = shared;
            self.shared_set = Some(set);
        }
        &mut self.shared
    }

    /// Creates an input for each call of a batch. Batch 0 starts with the same inputs as [`Self::shared`], so that all
    /// functions get the same inputs.
    pub(crate) fn own(&mut self, set: u32, batch: u32, calls: usize) -> Vec<I> {
        stage::enter(FailureStage::Generator);
        let mut inputs = Vec::with_capacity(calls + self.round - 1);
        let first = batch as usize * calls.div_ceil(self.round);
        for index in first.. {
            if inputs.len() >= calls {
                break;
            }
            self.make_round(set, index, &mut inputs);
        }
        inputs
    }

    /// Appends round `index` of an input set. Its random numbers depend only on `set`, `index` and the slot's seed.
    fn make_round(&mut self, set: u32, index: usize, inputs: &mut Vec<I>) {
        let mut rng = seeded([self.seed, u64::from(set), index as u64]);
        (self.workload.make_round)(&mut rng, inputs);
    }

    /// Takes the `after_call` hook, so that it can run while the shared inputs are borrowed. [`Self::return_hook`] puts
    /// it back.
    pub(crate) fn take_hook(&mut self) -> Option<Hook<I>> {
        self.workload.after_call.take()
    }

    pub(crate) fn return_hook(&mut self, hook: Option<Hook<I>>) {
        self.workload.after_call = hook;
    }
}

/// Runs the `after_all` hook when the slot is closed, and when a panic unwinds through it.
impl<I> Drop for Inputs<I> {
    fn drop(&mut self) {
        self.shared.clear();
        if let Some(after_all) = self.workload.after_all.take() {
            stage::enter(FailureStage::Hook);
            after_all();
        }
    }
}
