//! The sampler: one function at one axis value, from the first try to enough samples.
//!
//! A pure state machine over the times that a suite reports: calibrate the batch, warm up, measure the empty loop,
//! collect until the precision is reached or the time is spent.

use crate::analyze::statistics::{Basis, Running, summarize};
use crate::protocol::{Opened, Samples};
use crate::quality::Quality;
use crate::response::{Measured, Sample};
use crate::sample::MOST_WORK;
use crate::sample::calibration::Calibration;
use crate::sample::circumstances::Circumstances;
use crate::sample::clock_card::ClockCard;
use crate::sample::overhead::Overhead;
use crate::sample::warm_up::{self, WarmUp, Warmth};

/// Batches of fewer resolutions than this are too short for quartiles: the steps of the clock would show in them.
const QUARTILE_RESOLUTIONS: f64 = 10.0;

/// The part of a point's time that a batch may take, and that the empty loop may take.
const TENTH: f64 = 0.1;

/// The part of a point's time that is asked for at once while collecting: each ask has other inputs.
const EIGHTH: f64 = 0.125;

/// The most of a point's time that one preparation is charged: a slow generator makes a point take longer, and does not
/// leave it without samples.
const MOST_PREPARATION: f64 = 0.125;

/// The fewest different inputs of a point that counts as precise: an interval over one says nothing of the others.
const FEWEST_INPUTS: u32 = 4;

/// The part of the target precision that the empty loop's uncertainty may use up.
const QUARTER: f64 = 0.25;

/// What to ask of the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The empty loop, or the function.
    pub empty: bool,
    /// Calls a batch.
    pub calls: u64,
    /// Number of batches.
    pub batches: u32,
    /// Which inputs.
    pub inputs: u32,
}

/// Decides what to ask next for one function at one axis value, and when it is enough.
#[derive(Clone, Debug)]
pub struct Sampler {
    quality: Quality,
    clock: ClockCard,
    one_call_a_batch: bool,
    calibration: Calibration,
    overhead: Option<Overhead>,
    warm_up: Option<WarmUp>,
    stage: Stage,
    /// Times a call, overhead included: of the samples that count.
    running: Running,
    samples: Vec<Sample>,
    /// Nanoseconds spent so far, on everything.
    spent: f64,
    /// Mean nanoseconds of a call of the function with its preparation, from the last answer.
    call_cost: f64,
    steady: bool,
    /// Asked for and not answered: asks, and their batches.
    outstanding: u32,
    outstanding_batches: u32,
    /// The inputs of the next ask.
    inputs: u32,
    /// Answers while collecting: each was of other inputs.
    inputs_seen: u32,
    /// Samples that were asked for.
    asked: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Calibrating,
    Warming,
    Emptying,
    Collecting,
    Done,
}

impl Sampler {
    /// A sampler for an opened workload.
    pub fn new(quality: Quality, clock: ClockCard, opened: &Opened) -> Self {
        let tenth = TENTH * quality.point_nanos();
        let goal = clock.shortest_batch(quality.precision).min(tenth);
        Self {
            calibration: Calibration::new(goal, tenth, opened.round, opened.one_call_a_batch),
            one_call_a_batch: opened.one_call_a_batch,
            overhead: None,
            warm_up: None,
            stage: Stage::Calibrating,
            running: Running::default(),
            samples: Vec::new(),
            spent: opened.preparation.min(MOST_PREPARATION * quality.point_nanos()),
            call_cost: 0.0,
            steady: false,
            outstanding: 0,
            outstanding_batches: 0,
            inputs: 0,
            inputs_seen: 0,
            asked: 0,
            quality,
            clock,
        }
    }

    /// What to ask now; absent while an answer must come first, and when it is enough.
    ///
    /// While samples are collected a second ask goes out before the first is answered, so that the suite never idles;
    /// not where the first will use up the time.
    pub fn next_ask(&mut self) -> Option<Ask> {
        let may_ask = match self.stage {
            Stage::Done => false,
            Stage::Collecting => self.outstanding == 0 || (self.outstanding == 1 && self.has_time_for_another()),
            Stage::Calibrating | Stage::Emptying | Stage::Warming => self.outstanding == 0,
        };
        if !may_ask {
            return None;
        }
        let calls = self.calibration.calls();
        let ask = match self.stage {
            Stage::Calibrating => Ask { empty: false, calls, batches: self.calibration.batches(), inputs: 0 },
            Stage::Emptying => {
                let (calls, batches) = self.overhead.as_ref().map_or((calls, 1), Overhead::next);
                Ask { empty: true, calls, batches, inputs: 0 }
            }
            Stage::Warming => Ask { empty: false, calls, batches: self.batches_of(warm_up::WINDOW as u32), inputs: 0 },
            Stage::Collecting | Stage::Done => {
                let inputs = self.inputs;
                self.inputs += 1;
                let batches = self.batches_of(self.quality.samples.at_most.saturating_sub(self.asked));
                self.asked += batches;
                Ask { empty: false, calls, batches, inputs }
            }
        };
        self.outstanding += 1;
        self.outstanding_batches += ask.batches;
        Some(ask)
    }

    /// Learns from the answer to the oldest ask that was not answered.
    pub fn take(&mut self, ask: Ask, samples: &Samples) {
        self.outstanding -= 1;
        self.outstanding_batches -= ask.batches;
        let elapsed = samples.elapsed.iter().sum::<f64>();
        let cost = elapsed + samples.preparation;
        let most_preparation = elapsed.max(MOST_PREPARATION * self.quality.point_nanos());
        self.spent += elapsed + samples.preparation.min(most_preparation);
        if !ask.empty {
            self.call_cost = cost / f64::from(ask.batches) / ask.calls as f64;
        }
        match self.stage {
            Stage::Calibrating => self.calibrate(samples),
            Stage::Emptying => self.measure_overhead(samples),
            Stage::Warming => self.warm_up(samples),
            Stage::Collecting => self.collect(samples),
            // The second of two asks, after the first was enough: more samples do no harm.
            Stage::Done => self.keep(samples),
        }
    }

    /// Whether there is enough, and nothing outstanding.
    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done && self.outstanding == 0
    }

    /// The relative half-width reached so far; absent before there is one.
    pub fn precision(&self) -> Option<f64> {
        let resolution = self.clock.resolution / self.calibration.calls() as f64;
        let interval = self.running.uncertain_mean_interval(resolution, self.overhead_half_width())?;
        let half = (interval.high - interval.low) / 2.0;
        let mean = self.running.mean()? - self.overhead_per_call();
        (mean.abs() > half).then(|| half / mean.abs())
    }

    /// The figures; absent where not a single sample was taken.
    pub fn measured(self) -> Option<Measured> {
        let calls = self.calibration.calls();
        let overhead = self.overhead_per_call();
        let per_call = |sample: &Sample| sample.elapsed / calls as f64 - overhead;
        let times: Vec<f64> = self.samples.iter().filter(|sample| !sample.warm_up).map(per_call).collect();
        let summary = summarize(&Basis {
            times: &times,
            calls: calls * times.len() as u64,
            resolution: self.clock.resolution / calls as f64,
            overhead: self.overhead_half_width(),
            quartiles_withheld: self.batch() < QUARTILE_RESOLUTIONS * self.clock.resolution,
            steady: self.steady,
        })?;
        let warnings = Circumstances {
            target: self.quality.precision,
            calls,
            batch: self.batch(),
            resolution: self.clock.resolution,
            one_call_a_batch: self.one_call_a_batch,
        }
        .warnings(&summary);
        Some(Measured { summary, samples: self.samples, calls, overhead, warnings })
    }

    fn calibrate(&mut self, samples: &Samples) {
        self.calibration.take(samples);
        if !self.calibration.is_done() {
            return;
        }
        let least = samples.elapsed.iter().copied().fold(f64::INFINITY, f64::min);
        if least >= self.quality.point_nanos() / 2.0 {
            // A batch that takes so long is long beside the empty loop, and nobody waits for it to warm up.
            self.keep_as_warm_up(samples);
            self.stage = Stage::Collecting;
        } else {
            self.begin_warm_up();
        }
    }

    fn measure_overhead(&mut self, samples: &Samples) {
        let done = self.overhead.as_mut().is_none_or(|overhead| {
            overhead.take(samples);
            overhead.is_done()
        });
        if done {
            self.stage = Stage::Collecting;
        }
    }

    fn begin_overhead(&mut self, batch: f64) {
        let calls = self.calibration.calls();
        let per_call = batch.max(self.clock.resolution) / calls as f64;
        let enough = QUARTER * self.quality.precision * per_call;
        let budget = TENTH * self.quality.point_nanos();
        self.overhead = Some(Overhead::new(calls, self.clock.resolution, enough, budget));
        self.stage = Stage::Emptying;
    }

    fn begin_warm_up(&mut self) {
        self.warm_up = Some(WarmUp::new(self.quality.warm_up, self.clock.resolution));
        self.stage = Stage::Warming;
    }

    fn warm_up(&mut self, samples: &Samples) {
        let Some(warm_up) = &mut self.warm_up else { return };
        self.calibration.bound(samples.held);
        warm_up.take(&samples.elapsed, samples.preparation);
        let warmth = warm_up.warmth();
        if warmth == Warmth::Warming {
            return self.keep_as_warm_up(samples);
        }
        // The code may have become faster while it warmed up: then a batch wants more calls, and they their warm-up.
        // The samples so far had other batches; they say nothing beside those that follow.
        let mean = warm_up.recent_mean();
        if !self.is_out_of_time() && self.calibration.grow(mean, self.batch_cost()) {
            self.samples.clear();
            return self.begin_warm_up();
        }
        self.keep_as_warm_up(samples);
        self.steady = warmth == Warmth::Settled;
        self.begin_overhead(mean);
    }

    fn collect(&mut self, samples: &Samples) {
        self.keep(samples);
        let n = self.running.n();
        self.inputs_seen += 1;
        let precise = n >= self.quality.samples.at_least
            && self.inputs_seen >= FEWEST_INPUTS
            && self.precision().is_some_and(|precision| precision <= self.quality.precision);
        if precise || self.spent >= self.time_for(n) || n >= self.quality.samples.at_most {
            self.stage = Stage::Done;
        }
    }

    /// The nanoseconds that may be spent where there are `n` samples. Few are better than none at any price: a slow
    /// function gets twice the time for its fewest.
    fn time_for(&self, n: u32) -> f64 {
        let factor = if n >= self.quality.samples.at_least { 1.0 } else { 2.0 };
        factor * self.quality.point_nanos()
    }

    /// Whether there will be time left when all that was asked for is answered.
    fn has_time_for_another(&self) -> bool {
        let expected = self.spent + f64::from(self.outstanding_batches) * self.batch_cost();
        expected < self.time_for(self.running.n() + self.outstanding_batches)
    }

    fn keep_as_warm_up(&mut self, samples: &Samples) {
        self.samples.extend(samples.elapsed.iter().map(|&elapsed| Sample { elapsed, warm_up: true }));
    }

    fn keep(&mut self, samples: &Samples) {
        for &elapsed in &samples.elapsed {
            self.running.push(elapsed / samples.calls as f64);
            self.samples.push(Sample { elapsed, warm_up: false });
        }
    }

    fn is_out_of_time(&self) -> bool {
        self.spent >= self.quality.point_nanos()
    }

    /// As many batches as fit the work that is asked for at once and the time that is left, at most `most`.
    fn batches_of(&self, most: u32) -> u32 {
        let left = (self.quality.point_nanos() - self.spent).max(0.0);
        let work = MOST_WORK.min(left).min(EIGHTH * self.quality.point_nanos());
        let fitting = work / self.batch_cost().max(1.0);
        (fitting as u32).clamp(1, most.max(1))
    }

    /// Nanoseconds of a batch of the function, with its preparation.
    fn batch_cost(&self) -> f64 {
        self.call_cost * self.calibration.calls() as f64
    }

    fn overhead_per_call(&self) -> f64 {
        self.overhead.as_ref().map_or(0.0, Overhead::per_call)
    }

    fn overhead_half_width(&self) -> f64 {
        self.overhead.as_ref().map_or(0.0, Overhead::half_width)
    }

    /// Mean nanoseconds of a batch that counts.
    fn batch(&self) -> f64 {
        self.running.mean().unwrap_or(0.0) * self.calibration.calls() as f64
    }
}
