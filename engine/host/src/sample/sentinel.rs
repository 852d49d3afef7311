//! The sentinel: kernels of known work, timed between the functions, tell when the machine or the code changes under them.
//!
//! The suite's `reference` is a thousand steps that depend on each other, without memory or branches: what makes it slower
//! makes everything slower, and it takes as long in a browser's quick code as in its good code. `tier` takes several times
//! as long in the quick code. So the first tells of the machine, and the second beside the first of the code.

use crate::analyze::order::median;
use crate::response::Warning;
use crate::sample::MOST_WORK;
use crate::sample::block::Share;
use crate::sample::clock_card::ClockCard;
use crate::sample::typical_batch::typical_batch;
use benchbook_contract::protocol::{Collect, Lane, Samples, Target};

/// Calls and batches before the first point: a browser's good code comes after some hundred entries.
const WARM_UP: (u64, u32) = (100, 10);

/// What a call of the reference kernel takes about, in nanoseconds: 6 000 cycles that cannot overlap.
const ABOUT: f64 = 2_000.0;

/// The shortest batch of a kernel in nanoseconds, and in steps of the clock.
const SHORTEST: f64 = 20_000.0;
const STEPS: f64 = 20.0;

/// Between two batches of the kernel there are so many times its time of other work: it costs a twentieth at most.
const PAUSE: f64 = 20.0;

/// The tier kernel's time as a part of the reference kernel's from which on the code is the quick one: see
/// `engine/src/collect/tier.rs`.
const SLOW_CODE: f64 = 1.5;

/// The part by which the kernel's median may be above the best one, before the machine counts as slower; and a step of the
/// clock.
const SLOWER: f64 = 0.1;

/// The fewest batches of a point that a verdict needs on the machine, and on the code, which is several times as slow.
const FEWEST: usize = 3;
const FEWEST_OF_CODE: usize = 2;

/// The most batches of the kernel in a block.
const MOST: usize = 8;

/// Watches the reference kernel from point to point.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentinel {
    /// How long a batch should last, in nanoseconds.
    batch: f64,
    /// Calls a batch.
    calls: u64,
    /// The part by which the kernel's median may be above the best one on this clock.
    slower: f64,
    is_warm: bool,
    /// The least median of a point so far, in nanoseconds a call.
    best: Option<f64>,
    /// Nanoseconds of other work since the last batch was planned.
    since: f64,
}

impl Sentinel {
    /// A sentinel for a suite that was just started.
    pub fn new(clock: ClockCard) -> Self {
        let batch = f64::max(SHORTEST, STEPS * clock.resolution);
        let slower = SLOWER + clock.resolution / batch;
        let calls = (batch / ABOUT).ceil() as u64;
        Self { batch, calls, slower, is_warm: false, best: None, since: f64::INFINITY }
    }

    /// The same for another process or worker of the suite: its code has to warm up again.
    pub fn of_new_process(self) -> Self {
        Self { is_warm: false, since: f64::INFINITY, ..self }
    }

    /// What to ask for before the first point, once.
    pub(super) fn warm_up(&mut self) -> Vec<Collect> {
        if std::mem::replace(&mut self.is_warm, true) {
            return Vec::new();
        }
        let (calls, batches) = WARM_UP;
        let kernel = |target| Collect { slot: 0, target, calls, batches, inputs: 0, allocations: false };
        vec![kernel(Target::Reference), kernel(Target::Tier)]
    }

    /// Learns from the warm-up how long a call of the kernel takes here; whether the answer is that of the warm-up.
    pub(super) fn learn(&mut self, samples: &Samples) -> bool {
        let is_warm_up = samples.slot == 0 && matches!(samples.target, Target::Reference | Target::Tier);
        let batch = typical_batch(&samples.elapsed, self.batch / STEPS);
        if is_warm_up && samples.target == Target::Reference && batch > 0.0 {
            self.calls = (self.batch * samples.calls as f64 / batch).ceil().max(1.0) as u64;
        }
        is_warm_up
    }

    /// The kernels and their batches that are due among the next `work` nanoseconds of other work.
    pub(super) fn shares(&mut self, work: f64) -> [Share; 2] {
        let batches = self.due(work);
        let share = |target, calls, batches| Share { lane: Lane { target, calls }, batches };
        [share(Target::Reference, self.calls, batches), share(Target::Tier, self.calls, batches.min(1))]
    }

    /// Nanoseconds of a batch of either kernel.
    pub(super) fn batch_cost(&self) -> f64 {
        self.batch
    }

    /// How many batches of the reference kernel to time among the next `work` nanoseconds of other work.
    fn due(&mut self, work: f64) -> usize {
        let pause = PAUSE * self.batch_cost();
        self.since += work;
        if self.since < pause {
            return 0;
        }
        let due = (work / pause) as usize;
        self.since = 0.0;
        due.clamp(1, MOST.min((MOST_WORK / self.batch_cost()) as usize).max(1))
    }

    /// What the kernels' batches among the samples of a point say of it.
    pub(super) fn judge(&mut self, kernels: &Kernels) -> Vec<Warning> {
        let Some(reference) = kernels.level() else { return Vec::new() };
        let mut warnings = Vec::new();
        let tier = median(&kernels.tier).filter(|_| kernels.tier.len() >= FEWEST_OF_CODE);
        let tier = tier.map(|tier| tier / reference).filter(|tier| *tier >= SLOW_CODE);
        warnings.extend(tier.map(|tier| Warning::SlowCode { tier }));
        if kernels.reference.len() >= FEWEST {
            let best = self.best.map_or(reference, |best| best.min(reference));
            self.best = Some(best);
            let by = reference / best - 1.0;
            warnings.extend((by >= self.slower).then_some(Warning::SlowMachine { by }));
        }
        warnings
    }
}

/// Nanoseconds a call of the kernels' batches among the samples of a point.
#[derive(Clone, Debug, Default)]
pub(super) struct Kernels {
    pub(super) reference: Vec<f64>,
    pub(super) tier: Vec<f64>,
}

impl Kernels {
    /// The median of the reference kernel; absent where it was not timed.
    pub(super) fn level(&self) -> Option<f64> {
        median(&self.reference)
    }
}
