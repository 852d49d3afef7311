//! How much other programs interfered with measurements, according to the samples.

use crate::analyze::order::{quantile, sorted};
use crate::response::{MeasuredPoint, Run};

/// The interference with some measurements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InterferenceTally {
    /// The counted samples.
    pub samples: u64,
    /// Those that were interrupted.
    pub interrupted: u64,
    /// The time of all samples in nanoseconds.
    pub elapsed: f64,
    /// The time by which interrupted samples exceed the median of their run, in nanoseconds.
    pub lost: f64,
    /// The median times of the reference kernel in nanoseconds, one per run that timed it.
    pub references: Vec<f64>,
}

impl InterferenceTally {
    /// Adds the samples of a point.
    pub fn add(&mut self, point: &MeasuredPoint) {
        point.runs.iter().for_each(|run| self.add_run(run));
    }

    fn add_run(&mut self, run: &Run) {
        let counted = || run.samples.iter().filter(|sample| !sample.warm_up);
        let times: Vec<f64> = counted().map(|sample| sample.elapsed).collect();
        let Some(median) = quantile(&sorted(&times), 0.5) else { return };
        self.samples += times.len() as u64;
        self.elapsed += times.iter().sum::<f64>();
        for sample in counted().filter(|sample| sample.interrupted) {
            self.interrupted += 1;
            self.lost += (sample.elapsed - median).max(0.0);
        }
        self.references.extend(run.reference);
    }

    /// The share of the time that was lost to interruptions.
    pub fn lost_share(&self) -> f64 {
        if self.elapsed > 0.0 { self.lost / self.elapsed } else { 0.0 }
    }

    /// How much slower the reference kernel was in the slowest tenth of the runs than in the fastest tenth: 0.1 is 10%.
    /// `None` if no run timed it.
    pub fn speed_variation(&self) -> Option<f64> {
        let references = sorted(&self.references);
        match (quantile(&references, 0.1), quantile(&references, 0.9)) {
            (Some(fast), Some(slow)) if fast > 0.0 => Some(slow / fast - 1.0),
            _ => None,
        }
    }
}
