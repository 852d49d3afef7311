//! The results of a benchmark over time.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::history::{Acceptance, AcceptedResult, CheckedResult, axis_values};

/// The results of a benchmark on a class of machines: the accepted ones, the oldest first, and then that of the current check, if any.
#[derive(Debug)]
pub(super) struct ResultSeries<'a> {
    pub(super) results: Vec<SeriesResult<'a>>,
}

/// A result of a series.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeriesResult<'a> {
    pub(super) result: &'a CheckedResult,
    /// Absent if the result is that of the current check.
    pub(super) accepted: Option<&'a Acceptance>,
}

/// A result at one axis value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SeriesPoint {
    /// The index of the result in the series.
    pub(super) index: usize,
    /// The mean of the processes' means, in the unit of the metric per call.
    pub(super) mean: f64,
    /// The standard deviation of the processes' means; 0 for a single process.
    pub(super) sd: f64,
    /// The relative change of the level, if it changed at this accepted result.
    pub(super) step: Option<f64>,
}

impl<'a> From<&'a AcceptedResult> for SeriesResult<'a> {
    fn from(accepted: &'a AcceptedResult) -> Self {
        Self { result: &accepted.result, accepted: Some(&accepted.accepted) }
    }
}

impl<'a> ResultSeries<'a> {
    /// The axis values of all results, in the order of their first occurrence.
    pub(super) fn axis_values(&self) -> Vec<&'a AxisValue> {
        axis_values(self.results.iter().map(|one| one.result))
    }

    /// The results at an axis value, with the steps between the accepted ones.
    pub(super) fn points_at(&self, x: &AxisValue) -> Vec<SeriesPoint> {
        let at_x = self.results.iter().enumerate().filter_map(|(index, one)| {
            let means = one.result.means_at(x).filter(|means| !means.is_empty())?;
            let (mean, sd) = mean_and_sd(means);
            Some(SeriesPoint { index, mean, sd, step: None })
        });
        let mut points: Vec<SeriesPoint> = at_x.collect();
        // A new result would hide a recent step: it may be an outlier.
        let is_accepted = |point: &&SeriesPoint| self.results[point.index].accepted.is_some();
        let means: Vec<f64> = points.iter().take_while(is_accepted).map(|point| point.mean).collect();
        let metric = self.results.first().map(|one| one.result.benchmark.metric);
        for step in metric.map(|metric| metric.steps(&means)).unwrap_or_default() {
            points[step.index].step = Some(step.change());
        }
        points
    }
}

/// The mean and the standard deviation of the means of processes, at least one.
fn mean_and_sd(means: &[f64]) -> (f64, f64) {
    let count = means.len() as f64;
    let mean = means.iter().sum::<f64>() / count;
    let squares: f64 = means.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0)).sqrt())
}
