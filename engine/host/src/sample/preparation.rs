//! The approach: what comes before the samples of a function that count.
//!
//! A pure state machine over the times that a suite reports: calibrate the batch, warm up, measure the empty loop.

use crate::quality::Quality;
use crate::response::{Overhead, Sample};
use crate::sample::MOST_WORK;
use crate::sample::calibration::Calibration;
use crate::sample::clock_card::ClockCard;
use crate::sample::empty_loop::EmptyLoop;
use crate::sample::typical_batch::typical_batch;
use crate::sample::warm_up::{self, WarmUp, WarmUpState};
use benchbook_contract::protocol::{Opened, Samples};

/// The part of a point's time that a batch may take, and that the empty loop may take.
const TENTH: f64 = 0.1;

/// The part of a point's time that is asked for at once.
const EIGHTH: f64 = 0.125;

/// The part of a point's time that is about left for samples that count.
const COLLECTING: f64 = 0.8;

/// The most of a point's time that one preparation is charged: a slow generator makes a point take longer, and does not
/// leave it without samples.
pub(super) const MOST_PREPARATION: f64 = 0.125;

/// The part of the target precision that the empty loop's uncertainty may use up, and that its cost may be beside the
/// function's before both are timed in turn.
const QUARTER: f64 = 0.25;

/// What to ask of the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BatchRequest {
    /// The empty loop, or the function.
    pub(super) empty: bool,
    /// Calls a batch.
    pub(super) calls: u64,
    /// Number of batches.
    pub(super) batches: u32,
}

/// A function that is ready to be sampled, warm where that was possible.
#[derive(Clone, Debug)]
pub(super) struct PreparedFunction {
    /// Calls a batch.
    pub(super) calls: u64,
    /// The most calls that a batch may have.
    pub(super) most_calls: u64,
    /// Nanoseconds of a batch once it was warm; 0 where it did not warm up.
    pub(super) batch: f64,
    /// The same with its preparation.
    pub(super) batch_cost: f64,
    /// What the empty loop costs.
    pub(super) overhead: Overhead,
    /// Whether the empty loop's cost is so much beside the function's that they must be timed in turn: a machine that
    /// drifts between the two would show in the difference.
    pub(super) overhead_matters: bool,
    /// The samples of the warm-up.
    pub(super) warm_up: Vec<Sample>,
    /// Whether the warm-up settled.
    pub(super) settled: bool,
    /// Nanoseconds that it took to come so far.
    pub(super) spent: f64,
}

/// Leads one function at one axis value up to its first sample that counts.
#[derive(Clone, Debug)]
pub(super) struct Preparation {
    quality: Quality,
    clock: ClockCard,
    calibration: Calibration,
    empty_loop: Option<EmptyLoop>,
    warm_up: Option<WarmUp>,
    stage: PreparationStage,
    samples: Vec<Sample>,
    /// Nanoseconds spent so far, on everything.
    spent: f64,
    /// Nanoseconds of a call of the function with its preparation, from the last answer.
    call_cost: f64,
    /// Nanoseconds of a batch once it was warm.
    batch: f64,
    settled: bool,
    is_waiting: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PreparationStage {
    Calibrating,
    WarmingUp,
    MeasuringEmptyLoop,
    Done,
}

impl Preparation {
    /// For an opened workload.
    pub(super) fn new(quality: Quality, clock: ClockCard, opened: &Opened) -> Self {
        let point = quality.point_nanos();
        let tenth = TENTH * point;
        // So long that the most samples last as long as there is time for them.
        let lasting = COLLECTING * point / f64::from(quality.samples.at_most);
        let goal = clock.shortest_batch(quality.precision).max(lasting).min(tenth);
        Self {
            calibration: Calibration::new(goal, tenth, opened.round, opened.one_call_a_batch),
            empty_loop: None,
            warm_up: None,
            stage: PreparationStage::Calibrating,
            samples: Vec::new(),
            spent: opened.preparation.min(MOST_PREPARATION * point),
            call_cost: 0.0,
            batch: 0.0,
            settled: false,
            is_waiting: false,
            quality,
            clock,
        }
    }

    /// What to ask now; absent while an answer must come first, and when it is done.
    pub(super) fn next_request(&mut self) -> Option<BatchRequest> {
        if self.is_waiting || self.stage == PreparationStage::Done {
            return None;
        }
        self.is_waiting = true;
        let calls = self.calibration.calls();
        Some(match self.stage {
            PreparationStage::Calibrating => BatchRequest { empty: false, calls, batches: self.calibration.batches() },
            PreparationStage::WarmingUp | PreparationStage::Done => {
                BatchRequest { empty: false, calls, batches: self.batches_of_window() }
            }
            PreparationStage::MeasuringEmptyLoop => {
                let (calls, batches) = self.empty_loop.as_ref().map_or((calls, 1), EmptyLoop::next);
                BatchRequest { empty: true, calls, batches }
            }
        })
    }

    /// Learns from the answer to the ask.
    pub(super) fn take(&mut self, ask: BatchRequest, samples: &Samples) {
        self.is_waiting = false;
        let elapsed = samples.elapsed.iter().sum::<f64>();
        let most_preparation = elapsed.max(MOST_PREPARATION * self.quality.point_nanos());
        self.spent += elapsed + samples.preparation.min(most_preparation);
        if !ask.empty {
            self.learn_cost(ask, samples);
        }
        match self.stage {
            PreparationStage::Calibrating => self.calibrate(samples),
            PreparationStage::WarmingUp => self.warm_up(samples),
            PreparationStage::MeasuringEmptyLoop => self.measure_empty_loop(samples),
            PreparationStage::Done => {}
        }
    }

    /// The function, once it is ready.
    pub(super) fn ready(&self) -> Option<PreparedFunction> {
        let overhead = self.empty_loop.as_ref().map(EmptyLoop::cost).unwrap_or_default();
        let calls = self.calibration.calls();
        (self.stage == PreparationStage::Done).then(|| PreparedFunction {
            calls,
            most_calls: self.calibration.most(),
            batch: self.batch,
            batch_cost: self.batch_cost(),
            overhead,
            overhead_matters: self.empty_loop.is_some()
                && overhead.per_call * calls as f64 > QUARTER * self.quality.precision * self.batch,
            warm_up: self.samples.clone(),
            settled: self.settled,
            spent: self.spent,
        })
    }

    /// A batch that something interrupted must not count: it would make the function's batches rare for the whole point.
    fn learn_cost(&mut self, ask: BatchRequest, samples: &Samples) {
        let timed = typical_batch(&samples.elapsed, self.clock.resolution);
        let batch = timed + samples.preparation / f64::from(ask.batches);
        self.call_cost = batch / ask.calls as f64;
    }

    fn calibrate(&mut self, samples: &Samples) {
        self.calibration.take(samples);
        if !self.calibration.is_done() {
            return;
        }
        let least = samples.elapsed.iter().copied().fold(f64::INFINITY, f64::min);
        if least >= self.quality.point_nanos() / 2.0 {
            // A batch that takes so long is long beside the empty loop, and nobody waits for it to warm up.
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
        warm_up.take(&samples.elapsed, samples.preparation);
        let state = warm_up.state();
        if state == WarmUpState::WarmingUp {
            return self.keep(samples);
        }
        // The code may have become faster while it warmed up: then a batch wants more calls, and they their warm-up.
        // The samples so far had other batches; they say nothing beside those that follow.
        self.batch = warm_up.recent();
        let is_out_of_time = self.spent >= self.quality.point_nanos();
        if !is_out_of_time && self.calibration.grow(self.batch, self.batch_cost()) {
            self.samples.clear();
            return self.begin_warm_up();
        }
        self.keep(samples);
        self.settled = state == WarmUpState::Settled;
        self.begin_empty_loop();
    }

    fn begin_empty_loop(&mut self) {
        let calls = self.calibration.calls();
        let per_call = self.batch.max(self.clock.resolution) / calls as f64;
        let enough = QUARTER * self.quality.precision * per_call;
        let budget = TENTH * self.quality.point_nanos();
        self.empty_loop = Some(EmptyLoop::new(calls, self.clock.resolution, enough, budget));
        self.stage = PreparationStage::MeasuringEmptyLoop;
    }

    fn measure_empty_loop(&mut self, samples: &Samples) {
        let done = self.empty_loop.as_mut().is_none_or(|empty_loop| {
            empty_loop.take(samples);
            empty_loop.is_done()
        });
        if done {
            self.stage = PreparationStage::Done;
        }
    }

    fn keep(&mut self, samples: &Samples) {
        let batches = (0..).zip(&samples.elapsed);
        self.samples.extend(batches.map(|(batch, &elapsed)| Sample {
            elapsed,
            warm_up: true,
            interrupted: samples.interrupted.contains(&batch),
        }));
    }

    /// A window of batches, or as many as fit the work that is asked for at once and the time that is left.
    fn batches_of_window(&self) -> u32 {
        let left = (self.quality.point_nanos() - self.spent).max(0.0);
        let work = MOST_WORK.min(left).min(EIGHTH * self.quality.point_nanos());
        let fitting = work / self.batch_cost().max(1.0);
        (fitting as u32).clamp(1, warm_up::WINDOW as u32)
    }

    /// Nanoseconds of a batch of the function, with its preparation.
    fn batch_cost(&self) -> f64 {
        self.call_cost * self.calibration.calls() as f64
    }
}
