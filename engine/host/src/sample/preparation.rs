//! The preparation of a function at a point: calibration of the batch size, warm-up, and measurement of the empty loop.
//!
//! A pure state machine over the times that a suite reports.

use crate::analyze::stability::Stability;
use crate::quality::Quality;
use crate::response::{ClockCard, Overhead, Sample};
use crate::sample::MAX_WORK;
use crate::sample::calibration::Calibration;
use crate::sample::empty_loop::EmptyLoop;
use crate::sample::typical_batch::typical_batch;
use crate::sample::warm_up::{self, WarmUp, WarmUpState};
use benchbook_contract::protocol::{OpenReply, Samples};

/// The maximum share of a point's time for one batch, and for the measurement of the empty loop.
pub(super) const MAX_BATCH_SHARE: f64 = 0.1;

/// The maximum share of a point's time per message.
const MAX_MESSAGE_SHARE: f64 = 0.125;

/// The approximate share of a point's time that remains for the collection.
const COLLECTION_SHARE: f64 = 0.8;

/// The maximum share of a point's time that the preparation of inputs which calls share is counted as. With a slow
/// generator, a point therefore takes longer, instead of having no time left for samples. Setup of each call counts in full.
pub(super) const MAX_PREPARATION_SHARE: f64 = 0.125;

/// The fewest batches of a shift: a shift by less would only take time from slow functions.
const MIN_SHIFT: f64 = 4.0;

/// The empty loop is measured until its uncertainty, relative to the function's time, is at most this share of the
/// target precision. If its cost exceeds the same share, it is interleaved with the function.
const OVERHEAD_SHARE: f64 = 0.25;

/// Batches to request from the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BatchRequest {
    /// Whether to time the empty loop instead of the function.
    pub(super) empty: bool,
    /// Calls per batch.
    pub(super) calls: u64,
    /// The number of batches.
    pub(super) batches: u32,
}

/// A function that is ready to be sampled, and warm unless a call is too slow for a warm-up.
#[derive(Clone, Debug)]
pub(super) struct PreparedFunction {
    /// Calls per batch.
    pub(super) calls: u64,
    /// The maximum number of calls per batch.
    pub(super) most_calls: u64,
    /// The time of a warm batch in nanoseconds; 0 without a warm-up.
    pub(super) batch: f64,
    /// The time of a batch with its preparation, in nanoseconds.
    pub(super) batch_cost: f64,
    /// The time to prepare a call, in nanoseconds.
    pub(super) setup: f64,
    /// The cost of the empty loop.
    pub(super) overhead: Overhead,
    /// Whether the empty loop's cost is so large that it has to be interleaved with the function. If it were measured
    /// only during the preparation, a drift of the machine would distort the difference.
    pub(super) overhead_matters: bool,
    /// The error of the overhead that does not matter, in nanoseconds per call.
    pub(super) negligible_overhead: f64,
    /// The samples of the warm-up.
    pub(super) warm_up: Vec<Sample>,
    /// Whether the times settled during the warm-up.
    pub(super) stability: Stability,
    /// The time of the preparation so far, in nanoseconds.
    pub(super) spent: f64,
}

impl PreparedFunction {
    /// The time of a call with its preparation, in nanoseconds.
    pub(super) fn call_cost(&self) -> f64 {
        self.batch_cost / self.calls as f64
    }

    /// The time of a call in nanoseconds; with its preparation without a warm-up.
    pub(super) fn call_time(&self) -> f64 {
        if self.batch > 0.0 { self.batch / self.calls as f64 } else { self.call_cost() }
    }

    /// Changes the number of calls per batch. The empty loop was measured with another number, so its timer may have had another share: if that
    /// matters, it is measured again.
    pub(super) fn set_calls(&mut self, calls: u64) {
        let factor = calls as f64 / self.calls as f64;
        let timer = self.overhead.per_call * (1.0 - 1.0 / factor).abs();
        self.overhead_matters |= timer > self.negligible_overhead;
        self.calls = calls;
        self.batch *= factor;
        self.batch_cost *= factor;
        // The warm-up samples have another batch size, so they are not comparable with later ones.
        self.warm_up.clear();
    }
}

/// Prepares a function at one axis value.
#[derive(Clone, Debug)]
pub(super) struct Preparation {
    quality: Quality,
    clock: ClockCard,
    calibration: Calibration,
    empty_loop: Option<EmptyLoop>,
    warm_up: Option<WarmUp>,
    stage: PreparationStage,
    samples: Vec<Sample>,
    /// All time spent so far, in nanoseconds.
    spent: f64,
    /// The time of a call with its preparation in nanoseconds, from the last reply.
    call_cost: f64,
    /// The part of it before the call.
    setup: f64,
    /// The time of a warm batch in nanoseconds.
    batch: f64,
    stability: Stability,
    is_waiting: bool,
    /// The time that is still to be spent on more batches once the function is warm, in nanoseconds.
    shift: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PreparationStage {
    Calibrating,
    WarmingUp,
    Shifting,
    MeasuringEmptyLoop,
    Done,
}

impl Preparation {
    /// Creates the preparation for an opened workload.
    pub(super) fn new(quality: Quality, clock: ClockCard, opened: &OpenReply) -> Self {
        let point = quality.point_nanos();
        let max_batch = MAX_BATCH_SHARE * point;
        // With shorter batches, the collection would reach the maximum number of samples before the time is used up.
        let min_batch = COLLECTION_SHARE * point / f64::from(quality.samples.at_most);
        let goal = clock.shortest_batch(quality.precision).max(min_batch).min(max_batch);
        Self {
            calibration: Calibration::new(goal, max_batch, clock.resolution, opened.round, opened.one_call_per_batch),
            empty_loop: None,
            warm_up: None,
            stage: PreparationStage::Calibrating,
            samples: Vec::new(),
            spent: opened.preparation.min(MAX_PREPARATION_SHARE * point),
            call_cost: 0.0,
            setup: 0.0,
            batch: 0.0,
            stability: Stability::Unknown,
            is_waiting: false,
            shift: 0.0,
            quality,
            clock,
        }
    }

    /// Spends so many nanoseconds on more batches once the function is warm.
    pub(super) fn with_shift(self, nanos: f64) -> Self {
        Self { shift: nanos, ..self }
    }

    /// Returns the next request; `None` until a reply arrives, and when the preparation is done.
    pub(super) fn next_request(&mut self) -> Option<BatchRequest> {
        if self.is_waiting || self.stage == PreparationStage::Done {
            return None;
        }
        self.is_waiting = true;
        let calls = self.calibration.calls();
        Some(match self.stage {
            PreparationStage::Calibrating => BatchRequest { empty: false, calls, batches: self.calibration.batches() },
            PreparationStage::Shifting => {
                let fitting = (self.shift / self.batch_cost().max(1.0)) as u32;
                BatchRequest { empty: false, calls, batches: fitting.clamp(1, self.batches_of_window()) }
            }
            PreparationStage::WarmingUp | PreparationStage::Done => {
                BatchRequest { empty: false, calls, batches: self.batches_of_window() }
            }
            PreparationStage::MeasuringEmptyLoop => {
                let (calls, batches) = self.empty_loop.as_ref().map_or((calls, 1), EmptyLoop::next);
                BatchRequest { empty: true, calls, batches }
            }
        })
    }

    /// Repeats the last request, whose reply was discarded.
    pub(super) fn ask_again(&mut self) {
        self.is_waiting = false;
    }

    /// Handles the reply to a request.
    pub(super) fn handle_samples(&mut self, request: BatchRequest, samples: &Samples) {
        self.is_waiting = false;
        let elapsed = samples.elapsed.iter().sum::<f64>();
        // Only the first message creates the inputs that calls share.
        let is_first = self.call_cost == 0.0;
        let most_preparation =
            if is_first { elapsed.max(MAX_PREPARATION_SHARE * self.quality.point_nanos()) } else { f64::INFINITY };
        self.spent += elapsed + samples.preparation.min(most_preparation);
        if !request.empty {
            self.update_cost(request, samples);
        }
        match self.stage {
            PreparationStage::Calibrating => self.calibrate(samples),
            PreparationStage::WarmingUp => self.warm_up(samples),
            PreparationStage::Shifting => self.spend_shift(samples),
            PreparationStage::MeasuringEmptyLoop => self.measure_empty_loop(samples),
            PreparationStage::Done => {}
        }
    }

    /// Returns the function once it is ready.
    pub(super) fn ready(&self) -> Option<PreparedFunction> {
        let overhead = self.empty_loop.as_ref().map(EmptyLoop::cost).unwrap_or_default();
        let calls = self.calibration.calls();
        let negligible_overhead = OVERHEAD_SHARE * self.quality.precision * self.batch / calls as f64;
        (self.stage == PreparationStage::Done).then(|| PreparedFunction {
            calls,
            most_calls: self.calibration.most(),
            batch: self.batch,
            batch_cost: self.batch_cost(),
            setup: self.setup,
            overhead,
            overhead_matters: self.empty_loop.is_some() && overhead.per_call > negligible_overhead,
            negligible_overhead,
            warm_up: self.samples.clone(),
            stability: self.stability,
            spent: self.spent,
        })
    }

    /// Updates the cost of a call. Limits the weight of interrupted batches: an estimate that is too high would reduce
    /// the number of batches for the rest of the point.
    fn update_cost(&mut self, request: BatchRequest, samples: &Samples) {
        let timed = typical_batch(&samples.elapsed, self.clock.resolution);
        let setup = samples.preparation / f64::from(request.batches);
        self.call_cost = (timed + setup) / request.calls as f64;
        self.setup = setup / request.calls as f64;
    }

    fn calibrate(&mut self, samples: &Samples) {
        self.calibration.add(samples);
        if !self.calibration.is_done() {
            return;
        }
        if self.batch_cost() >= self.quality.point_nanos() / 2.0 {
            // A warm-up would take too long. The empty loop is negligible, or would need the same setup, which takes too long.
            self.keep(samples);
            self.stage = PreparationStage::Done;
        } else {
            self.begin_warm_up();
        }
    }

    fn begin_warm_up(&mut self) {
        self.warm_up = Some(WarmUp::new(self.quality.warm_up, self.clock.resolution));
        self.stage = PreparationStage::WarmingUp;
    }

    fn warm_up(&mut self, samples: &Samples) {
        let Some(warm_up) = &mut self.warm_up else { return };
        self.calibration.bound(samples.held);
        warm_up.add(&samples.elapsed, samples.preparation);
        let WarmUpState::Done(stability) = warm_up.state() else { return self.keep(samples) };
        // If the code became faster during the warm-up, a batch needs more calls, and the larger batches need another
        // warm-up. Samples with another batch size are not comparable with later ones, so discard them.
        self.batch = warm_up.recent();
        let is_out_of_time = self.spent >= self.quality.point_nanos();
        if !is_out_of_time && self.calibration.grow(self.batch, self.batch_cost()) {
            self.samples.clear();
            return self.begin_warm_up();
        }
        self.keep(samples);
        self.stability = stability;
        self.stage = PreparationStage::Shifting;
        if self.shift < MIN_SHIFT * self.batch_cost() {
            self.shift = 0.0;
        }
        self.end_shift();
    }

    fn spend_shift(&mut self, samples: &Samples) {
        self.shift -= samples.elapsed.iter().sum::<f64>() + samples.preparation;
        self.keep(samples);
        self.end_shift();
    }

    /// Continues with the empty loop unless there is time for another batch.
    fn end_shift(&mut self) {
        if self.shift < self.batch_cost() {
            self.begin_empty_loop();
        }
    }

    fn begin_empty_loop(&mut self) {
        let calls = self.calibration.calls();
        let per_call = self.batch.max(self.clock.resolution) / calls as f64;
        let enough = OVERHEAD_SHARE * self.quality.precision * per_call;
        let budget = MAX_BATCH_SHARE * self.quality.point_nanos();
        self.empty_loop = Some(EmptyLoop::new(calls, self.clock.resolution, enough, budget));
        self.stage = PreparationStage::MeasuringEmptyLoop;
    }

    fn measure_empty_loop(&mut self, samples: &Samples) {
        let done = self.empty_loop.as_mut().is_none_or(|empty_loop| {
            empty_loop.add(samples);
            empty_loop.is_done()
        });
        if done {
            self.stage = PreparationStage::Done;
        }
    }

    /// Keeps batches as warm-up samples.
    fn keep(&mut self, samples: &Samples) {
        let batches = (0..).zip(&samples.elapsed);
        self.samples.extend(batches.map(|(batch, &elapsed)| Sample {
            elapsed,
            warm_up: true,
            interrupted: samples.interrupted.contains(&batch),
            inferred: false,
        }));
    }

    /// Returns the number of batches for the next message of the warm-up: those of a window, or fewer if the maximum
    /// work per message or the remaining time does not suffice.
    fn batches_of_window(&self) -> u32 {
        let left = (self.quality.point_nanos() - self.spent).max(0.0);
        let work = MAX_WORK.min(left).min(MAX_MESSAGE_SHARE * self.quality.point_nanos());
        let fitting = work / self.batch_cost().max(1.0);
        (fitting as u32).clamp(1, warm_up::WINDOW as u32)
    }

    /// Returns the time of a batch of the function with its preparation, in nanoseconds.
    fn batch_cost(&self) -> f64 {
        self.call_cost * self.calibration.calls() as f64
    }
}
