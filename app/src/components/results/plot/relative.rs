//! The relative plot: how many times as long each function takes as the first one of its measurement.

use benchbook_chart::{AxisScale, AxisSpec, CurveSeries, Palette, PlotPoint};
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::comparison::RatioAt;
use benchbook_host::messages::answer::ratio_and_interval;
use yew::prelude::*;

use super::positions::Positions;
use super::readout_table::{CurveFigures, readout_table};
use super::stage::stage;
use crate::components::results::ratios::{ratio_axis, ratio_point};
use benchbook_report::comparison::FunctionComparison;
use benchbook_report::shown_trace::ShownTrace;

/// A series for each compared function: the ratios with their intervals. The baselines have the ratio 1 everywhere. Overlays have no
/// ratios.
pub(super) fn series(
    shown: &[ShownTrace],
    comparisons: &[FunctionComparison],
    positions: &Positions,
) -> Vec<CurveSeries> {
    let one = |(ordinal, shown): (usize, &ShownTrace)| {
        let comparison = comparisons.iter().find(|comparison| comparison.ordinal == ordinal);
        let points = match comparison {
            Some(comparison) => ratio_points(&comparison.ratios, positions),
            None if comparisons.iter().any(|comparison| comparison.baseline == ordinal) => baseline(shown, positions),
            None => return None,
        };
        let mut series = CurveSeries::new(&shown.label, shown.hue, stage(shown), points);
        series.unpaired = shown.is_sketch;
        Some(series)
    };
    shown.iter().enumerate().filter_map(one).collect()
}

fn ratio_points(ratios: &[RatioAt], positions: &Positions) -> Vec<PlotPoint> {
    let point = |at: &RatioAt| Some(ratio_point(positions.position(&at.x)?, at.ratio?, at.interval));
    ratios.iter().filter_map(point).collect()
}

fn baseline(shown: &ShownTrace, positions: &Positions) -> Vec<PlotPoint> {
    let readings = shown.trace.curve.readings().iter().filter(|reading| reading.measured().is_some());
    readings.filter_map(|reading| Some(ratio_point(positions.position(&reading.x)?, 1.0, None))).collect()
}

/// The vertical axis. `scale`: the scale that the user chose, if any.
pub(super) fn axis(shown: &[ShownTrace], series: &[CurveSeries], scale: Option<AxisScale>) -> AxisSpec {
    let baseline = shown.first().map(|first| first.name.as_str()).unwrap_or_default();
    ratio_axis(format!("Time relative to {baseline}"), series, scale)
}

/// The readout at an axis value: the ratio of each function.
pub(super) fn readout(
    shown: &[ShownTrace],
    visible: &[ShownTrace],
    comparisons: &[FunctionComparison],
    x: &AxisValue,
    palette: Palette,
) -> Html {
    let ratio = |index: usize| {
        // Comparisons refer to all curves, also to hidden ones.
        let ordinal = shown.iter().position(|one| *one == visible[index]).unwrap_or(index);
        if comparisons.iter().any(|comparison| comparison.baseline == ordinal) {
            return vec!["1 ×".to_owned()];
        }
        let at = comparisons.iter().find(|comparison| comparison.ordinal == ordinal).and_then(|one| one.at(x));
        let ratio = at.and_then(|at| Some(ratio_and_interval(at.ratio?, at.interval?)));
        ratio.map(|(ratio, interval)| format!("{ratio} × ({interval})")).into_iter().collect()
    };
    readout_table(visible, x, palette, &CurveFigures { headings: &["ratio"], of: &ratio })
}
