//! A measurement that can pause between points.

use crate::clock_card::ClockCard;
use crate::response::Point;
use crate::sample::measurement::Measurement;
use crate::sample::processes::Processes;
use crate::sample::sentinel::Sentinel;

use super::measurement_task::MeasurementTask;

/// A measurement between two of its points. Its suite does not run; it continues in a fresh process.
#[derive(Clone, Debug)]
pub struct PausedMeasurement {
    pub(super) processes: Processes,
    pub(super) sentinel: Sentinel,
    /// The measurement of the current process; absent between two of them.
    pub(super) current: Option<Measurement>,
}

impl PausedMeasurement {
    /// A measurement before its first point.
    pub(super) fn new(task: &MeasurementTask<'_>, clock: ClockCard) -> Self {
        let processes = Processes::new(task.quality.clone(), clock);
        Self { processes, sentinel: Sentinel::new(clock), current: None }
    }

    /// The complete points so far.
    pub fn points(&self) -> &[Point] {
        self.processes.points()
    }

    /// The share of the points that are still to be measured, 0 to 1.
    pub fn remaining_share(&self) -> f64 {
        let of_process = self.current.as_ref().map_or(0.0, |current| {
            let progress = current.progress();
            progress.done as f64 / progress.total.max(1) as f64
        });
        1.0 - self.processes.finished_share(of_process)
    }
}
