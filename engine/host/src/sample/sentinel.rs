//! The sentinel: times kernels between the functions to detect a slower machine or baseline code.
//!
//! The suite's `reference` kernel is a thousand dependent steps without memory accesses or branches. Only a slower machine
//! makes it slower: it takes as long in a browser's baseline code as in optimised code. The `tier` kernel takes several
//! times as long in baseline code. So `reference` measures the machine, and the ratio of the two measures the code.

use crate::analyze::blocks::mean;
use crate::analyze::order::median;
use crate::response::{ClockCard, Warning};
use crate::sample::MAX_WORK;
use crate::sample::block::LaneBatches;
use crate::sample::typical_batch::typical_batch;
use benchbook_contract::protocol::{Collect, Lane, LaneTarget, Samples};

/// Calls per batch, and batches, before the first point: browsers optimise code after some hundred entries.
const WARM_UP: (u64, u32) = (100, 10);

/// The approximate time of a call of the reference kernel in nanoseconds: 6 000 cycles that cannot overlap.
const ABOUT: f64 = 2_000.0;

/// The shortest batch of a kernel in nanoseconds, and in steps of the clock.
const MIN_BATCH: f64 = 20_000.0;
const STEPS: f64 = 20.0;

/// The minimum other work between two batches of the kernel, in batches: the kernel takes at most a twentieth of the time.
const PAUSE: f64 = 20.0;

/// The minimum ratio of the tier kernel's time to the reference kernel's in baseline code: see
/// `engine/suite/src/collect/tier.rs`.
const SLOW_CODE: f64 = 1.5;

/// The relative increase of the kernel's median over the best one from which the machine counts as slower. A clock step is
/// added to it.
const SLOWER: f64 = 0.1;

/// The minimum number of batches at a point for a verdict on the machine, and on the code, whose effect is much larger.
const MIN_REFERENCE_SAMPLES: usize = 3;
const MIN_TIER_SAMPLES: usize = 2;

/// The maximum number of batches of the kernel per block.
const MAX_BATCHES: usize = 8;

/// Observes the kernels from point to point.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentinel {
    /// The desired length of a batch in nanoseconds.
    batch: f64,
    /// Calls per batch.
    calls: u64,
    /// The relative increase from which the machine counts as slower with this clock.
    slower: f64,
    is_warm: bool,
    /// The smallest median of a point so far, in nanoseconds per call.
    best: Option<f64>,
    /// Nanoseconds of other work since the last batch was planned.
    since: f64,
}

impl Sentinel {
    /// Creates a sentinel for a suite that was just started.
    pub fn new(clock: ClockCard) -> Self {
        let batch = f64::max(MIN_BATCH, STEPS * clock.resolution);
        let slower = SLOWER + clock.resolution / batch;
        let calls = (batch / ABOUT).ceil() as u64;
        Self { batch, calls, slower, is_warm: false, best: None, since: f64::INFINITY }
    }

    /// Continues with another process or worker of the suite, whose code has to warm up again.
    pub fn of_new_process(self) -> Self {
        Self { is_warm: false, since: f64::INFINITY, ..self }
    }

    /// Returns the requests for the warm-up, only once.
    pub(super) fn warm_up(&mut self) -> Vec<Collect> {
        if std::mem::replace(&mut self.is_warm, true) {
            return Vec::new();
        }
        let (calls, batches) = WARM_UP;
        let kernel = |target| Collect { slot: 0, target, calls, batches, input_set: 0 };
        vec![kernel(LaneTarget::Reference), kernel(LaneTarget::Tier)]
    }

    /// Takes the time of the kernel from a reply to the warm-up. Returns false for other replies.
    pub(super) fn calibrate(&mut self, samples: &Samples) -> bool {
        let is_warm_up = samples.slot == 0 && matches!(samples.target, LaneTarget::Reference | LaneTarget::Tier);
        let batch = typical_batch(&samples.elapsed, self.batch / STEPS);
        if is_warm_up && samples.target == LaneTarget::Reference && batch > 0.0 {
            self.calls = (self.batch * samples.calls as f64 / batch).ceil().max(1.0) as u64;
        }
        is_warm_up
    }

    /// Returns the batches of the kernels that are due during the next `work` nanoseconds of other work.
    pub(super) fn due_batches(&mut self, work: f64) -> [LaneBatches; 2] {
        let batches = self.due(work);
        let share = |target, calls, batches| LaneBatches { lane: Lane { target, calls }, batches };
        [share(LaneTarget::Reference, self.calls, batches), share(LaneTarget::Tier, self.calls, batches.min(1))]
    }

    /// Returns the lane of the reference kernel.
    pub(super) fn reference_lane(&self) -> Lane {
        Lane { target: LaneTarget::Reference, calls: self.calls }
    }

    /// Returns the time of a batch of either kernel in nanoseconds.
    pub(super) fn batch_cost(&self) -> f64 {
        self.batch
    }

    /// Returns the number of batches of the reference kernel that are due during the next `work` nanoseconds of other work.
    fn due(&mut self, work: f64) -> usize {
        let pause = PAUSE * self.batch_cost();
        self.since += work;
        if self.since < pause {
            return 0;
        }
        let due = (work / pause) as usize;
        self.since = 0.0;
        due.clamp(1, MAX_BATCHES.min((MAX_WORK / self.batch_cost()) as usize).max(1))
    }

    /// Returns the warnings for a point, from the kernels' batches between its samples.
    pub(super) fn observe(&mut self, kernels: &Kernels) -> Vec<Warning> {
        let Some(reference) = kernels.level() else { return Vec::new() };
        let mut warnings = Vec::new();
        let tier = median(&kernels.tier).filter(|_| kernels.tier.len() >= MIN_TIER_SAMPLES);
        let tier = tier.map(|tier| tier / reference).filter(|tier| *tier >= SLOW_CODE);
        warnings.extend(tier.map(|tier| Warning::SlowCode { tier }));
        if kernels.reference.len() >= MIN_REFERENCE_SAMPLES {
            let best = self.best.map_or(reference, |best| best.min(reference));
            self.best = Some(best);
            let by = reference / best - 1.0;
            warnings.extend((by >= self.slower).then_some(Warning::SlowMachine { by }));
        }
        warnings
    }
}

/// The times of the kernels' batches at a point, in nanoseconds per call.
#[derive(Clone, Debug, Default)]
pub(super) struct Kernels {
    pub(super) reference: Vec<f64>,
    pub(super) tier: Vec<f64>,
    /// The number of batches of the reference kernel up to the end of each block.
    ends: Vec<usize>,
}

impl Kernels {
    pub(super) fn end_block(&mut self) {
        self.ends.push(self.reference.len());
    }

    /// Returns how many times as fast the machine became after the first blocks, by the reference kernel; 1 if it was not timed on both
    /// sides.
    pub(super) fn speed_up_after(&self, blocks: usize) -> f64 {
        let end = blocks.checked_sub(1).and_then(|last| self.ends.get(last)).copied().unwrap_or(0);
        let (before, after) = self.reference.split_at(end);
        ratio_of_means(before, after)
    }

    /// Returns how many times as long the reference kernel took in `later` batches; 1 if it was not timed before.
    pub(super) fn slowdown(&self, later: &[f64]) -> f64 {
        ratio_of_means(later, &self.reference)
    }

    /// Returns the median time of the reference kernel; `None` if it was not timed.
    pub(super) fn level(&self) -> Option<f64> {
        median(&self.reference)
    }
}

/// The quotient of two means; 1 if either is absent. Means, since a coarse clock rounds medians to its steps.
fn ratio_of_means(above: &[f64], below: &[f64]) -> f64 {
    mean(above).zip(mean(below)).map_or(1.0, |(above, below)| above / below)
}
