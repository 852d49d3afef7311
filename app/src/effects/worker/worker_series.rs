//! The measurement of a request in one worker, or in several fresh workers one after another.
//!
//! Each worker has its own placement of code and data, so the interval over several workers contains the variation between placements.
//! Effects of the page load as a whole are common to all of them.

use benchbook_host::clock_card::ClockCard;
use benchbook_host::quality::{Priority, Quality};
use benchbook_host::request::Plan;
use benchbook_host::response::Point;
use benchbook_host::sample::first_call_series::FirstCallSeries;
use benchbook_host::sample::measurement::{Measurement, Progress};
use benchbook_host::sample::processes::Processes;
use benchbook_host::sample::sentinel::Sentinel;

/// What a measurement needs to know about its suite.
#[derive(Clone, Copy)]
pub(super) struct MeasuredSuite {
    /// The clock of its workers.
    pub(super) clock: ClockCard,
    /// Its version of the contract.
    pub(super) protocol: u32,
}

/// The measurements of a request, each in a worker of its own.
pub(super) struct WorkerSeries {
    plan: Plan,
    quality: Quality,
    suite: MeasuredSuite,
    /// The points that failed at a lower priority.
    failed: Vec<Point>,
    processes: Processes,
    /// The measurement in the current worker.
    measurement: Measurement,
    /// The number of its points that `processes` contains.
    taken: usize,
    /// The number of workers that follow the current one.
    following: u32,
}

impl WorkerSeries {
    /// Creates the measurement in the first worker. `first_slot` is the worker's next unused slot. Points
    /// of `failed` that timed out are skipped.
    pub(super) fn new(
        plan: Plan,
        quality: Quality,
        suite: MeasuredSuite,
        failed: Vec<Point>,
        sentinel: Sentinel,
        first_slot: u32,
    ) -> Self {
        let following = quality.processes - 1;
        let processes = Processes::new(quality.clone(), suite.clock);
        let measurement =
            Self::in_next_worker(&plan, &processes, &failed, suite).with_sentinel(sentinel).with_first_slot(first_slot);
        Self { plan, quality, suite, failed, processes, measurement, taken: 0, following }
    }

    fn in_next_worker(plan: &Plan, processes: &Processes, failed: &[Point], suite: MeasuredSuite) -> Measurement {
        Measurement::new(plan.clone(), processes.share(), suite.clock)
            .of_protocol(suite.protocol)
            .with_first_input_set(processes.first_input_set())
            .in_browser()
            .skipping_timeouts_of(failed)
            .skipping_timeouts_of(processes.last())
            .in_random_order(random_seed())
    }

    pub(super) fn measurement(&self) -> &Measurement {
        &self.measurement
    }

    pub(super) fn measurement_mut(&mut self) -> &mut Measurement {
        &mut self.measurement
    }

    /// Returns the points that were completed since the last call. They are available during the last worker, and combine
    /// all workers.
    pub(super) fn new_points(&mut self) -> Vec<Point> {
        let points = &self.measurement.points()[self.taken..];
        self.taken += points.len();
        points.iter().filter_map(|point| self.processes.add(point).cloned()).collect()
    }

    /// The first calls of a combined point; `None` if they are not requested or the point failed. The first priority has none,
    /// so that its curve appears soon.
    pub(super) fn first_calls(&self, point: &Point) -> Option<FirstCallSeries> {
        let request = self.plan.request();
        let is_due = request.first_calls && request.priority > Priority::FIRST && point.measured().is_some();
        let MeasuredSuite { clock, protocol } = self.suite;
        let (plan, Point { function, x, .. }) = (&self.plan, point);
        is_due.then(|| FirstCallSeries::new(plan.clone(), &self.quality, clock, protocol, function, x))
    }

    /// Returns the progress in all workers.
    pub(super) fn progress(&self) -> Progress {
        self.processes.progress(self.measurement.progress())
    }

    /// Begins the measurement in the next worker once the current one is done; returns `false` if that was the last.
    pub(super) fn begin_next(&mut self) -> bool {
        if self.following == 0 {
            return false;
        }
        self.following -= 1;
        self.processes.end();
        let next = Self::in_next_worker(&self.plan, &self.processes, &self.failed, self.suite);
        self.measurement = next.with_sentinel(self.measurement.sentinel().clone().of_new_process());
        self.taken = 0;
        true
    }

    /// Returns the failed points.
    pub(super) fn failed_points(&self) -> Vec<Point> {
        self.processes.points().iter().filter(|point| point.measured().is_none()).cloned().collect()
    }
}

/// A seed that differs from call to call.
fn random_seed() -> u64 {
    // All bits of the fraction.
    (js_sys::Math::random() * 2_f64.powi(53)) as u64
}
