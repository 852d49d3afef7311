//! The rows and columns of the table.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::axis::distinct_values;
use benchbook_host::messages::another_day::{another_day, at_usual_speed};
use benchbook_host::metric::{METRICS, Metric, TIME};
use benchbook_host::response::MeasuredPoint;

use super::shown_trace::ShownTrace;
use benchbook_notebook::curve::Reading;

/// The columns of times.
pub const FIGURES: [&str; 5] = ["mean", "sd", "q1", "median", "q3"];

/// The figures of a point, in the order of [`FIGURES`], in nanoseconds.
pub fn times(measured: &MeasuredPoint) -> [Option<f64>; 5] {
    let summary = &measured.summary;
    [Some(summary.mean), Some(summary.sd), summary.q1, summary.median, summary.q3]
}

/// All points in the order of the axis, each with the index of its curve. Without an axis, the fastest function is first.
pub fn rows<'s>(shown: &'s [ShownTrace]) -> Vec<(usize, &'s Reading)> {
    let readings = |shown: &'s ShownTrace| shown.trace.curve.readings().iter();
    // The curves may have different points.
    let values = distinct_values(shown.iter().flat_map(readings).map(|reading| &reading.x));
    let at = |x: &'s AxisValue| {
        let all = shown.iter().enumerate();
        let mut rows: Vec<(usize, &Reading)> = all
            .filter_map(|(ordinal, shown)| Some((ordinal, readings(shown).find(|reading| reading.x == *x)?)))
            .collect();
        if x.is_absent() {
            rows.sort_by(|(_, one), (_, other)| typical_time(one).total_cmp(&typical_time(other)));
        }
        rows
    };
    values.into_iter().flat_map(at).collect()
}

/// The time by which points are ranked: the bound if there is only one, or the median, or the mean without one. Failed points are
/// last.
fn typical_time(reading: &Reading) -> f64 {
    let time =
        |measured: &MeasuredPoint| measured.upper_bound().or(measured.summary.median).unwrap_or(measured.summary.mean);
    reading.measured().map_or(f64::INFINITY, time)
}

/// A column of text that only some results have.
#[derive(Clone, Copy, Debug)]
pub struct TextColumn {
    /// Its heading.
    pub heading: &'static str,
    /// The text of a point; `None` if it has none.
    pub(crate) text_of: fn(&MeasuredPoint) -> Option<String>,
}

impl TextColumn {
    /// Whether some point has it.
    pub(crate) fn is_of(&self, shown: &[ShownTrace]) -> bool {
        let mut readings = shown.iter().flat_map(|shown| shown.trace.curve.readings());
        readings.any(|reading| reading.measured().and_then(self.text_of).is_some())
    }

    /// The text of a point; empty if it has none.
    pub fn text(&self, measured: Option<&MeasuredPoint>) -> String {
        measured.and_then(self.text_of).unwrap_or_default()
    }
}

const REPEATABILITY: [TextColumn; 2] = [
    TextColumn { heading: "on another day", text_of: another_day },
    TextColumn { heading: "at the usual speed", text_of: at_usual_speed },
];

/// The columns about another day that some point has.
pub fn repeatability_columns(shown: &[ShownTrace]) -> Vec<TextColumn> {
    REPEATABILITY.into_iter().filter(|column| column.is_of(shown)).collect()
}

/// The metrics that some point has, except the time, which has columns of its own.
pub fn metrics_of(shown: &[ShownTrace]) -> Vec<&'static Metric> {
    let has = |metric: &Metric| {
        let mut readings = shown.iter().flat_map(|shown| shown.trace.curve.readings());
        readings.any(|reading| reading.measured().and_then(metric.value).is_some())
    };
    METRICS.into_iter().filter(|metric| **metric != TIME && has(metric)).collect()
}
