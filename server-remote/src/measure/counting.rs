//! Counts the wasm instructions of measured points, in turns of their own.

use std::time::{Duration, Instant};

use benchbook_count::{CountStep, Counter, PlanCounter};
use benchbook_host::child::StopHandle;
use benchbook_host::response::Point;

use crate::hub::RunningJob;
use crate::measure::planned_request::PlannedRequest;

/// The time that counting a point is expected to take before one was counted.
const INITIAL_ESTIMATE: Duration = Duration::from_millis(100);

/// The counting of the points of a measurement, after all of them were measured.
#[derive(Clone, Debug)]
pub(crate) struct Counting {
    counter: PlanCounter,
    /// All points, those that were counted with their counts.
    points: Vec<Point>,
    total: usize,
    /// The duration of all turns so far.
    elapsed: Duration,
}

impl Counting {
    /// Counts these points, which were measured for this request.
    pub(crate) fn new(request: &PlannedRequest, points: Vec<Point>) -> Self {
        let counter = PlanCounter::of_measured(request.plan.clone(), &points);
        let total = counter.remaining();
        Self { counter, points, total, elapsed: Duration::ZERO }
    }

    /// All points, those that were counted with their counts.
    pub(crate) fn into_points(self) -> Vec<Point> {
        self.points
    }

    /// The expected time until all points are counted, in milliseconds.
    pub(crate) fn remaining_ms(&self) -> u64 {
        let left = self.counter.remaining();
        let done = self.total - left;
        let each = self.elapsed.checked_div(done as u32).unwrap_or(INITIAL_ESTIMATE);
        each.as_millis() as u64 * left as u64
    }

    /// Counts until `should_pause` returns true after a count, or `stop` ends it. Reports each point. Returns whether all points are counted.
    pub(crate) fn run_turn<W>(
        &mut self,
        job: &RunningJob<W>,
        request: &PlannedRequest,
        stop: &StopHandle,
        should_pause: impl Fn() -> bool,
    ) -> bool {
        let start = Instant::now();
        let module = request.suite.counting_module().map(|module| module.to_vec()).unwrap_or_default();
        // It ends with this turn, so that no process is left while others measure.
        let mut child = Counter::new(module, request.suite.native.settings().clone(), stop.clone());
        job.report_counting(self.total - self.counter.remaining(), self.total);
        let mut is_complete = true;
        while let Some(step) = self.counter.step() {
            match step {
                CountStep::Count(open) => {
                    let counts = child.count(&open);
                    if stop.is_stopped() {
                        return false;
                    }
                    self.counter.observe(counts);
                    if should_pause() {
                        is_complete = false;
                        break;
                    }
                }
                CountStep::Counted(counts) => {
                    if let Some(point) = counts.add_to(&mut self.points) {
                        job.report_point(point.clone());
                    }
                    job.report_counting(self.total - self.counter.remaining(), self.total);
                }
            }
        }
        self.elapsed += start.elapsed();
        is_complete
    }
}
