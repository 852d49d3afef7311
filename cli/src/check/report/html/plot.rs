//! Plots of the page as SVG.

use benchbook_chart::{
    AxisScale, AxisSpec, Chart, Content, Crossing, CurveSeries, CurveStage, Curves, Font, Palette, PlotPoint,
    PointOutcome, PointStats, Unit, View, svg,
};
use benchbook_host::analyze::stability::Stability;
use benchbook_host::history::CheckedMetric;

use crate::check::report::series::SeriesPoint;

/// The size in pixels. On a phone it is hardly reduced, so that the labels remain readable; on a wide screen, two plots are next to
/// each other.
const SIZE: (u32, u32) = (440, 250);

/// The ratio of the values of an axis from which on it is logarithmic.
const LOG_RANGE: f64 = 10.0;

/// The number of a series: it selects the colour and the marker.
pub(super) const NEW_BUILD: usize = 0;
/// The number of the latest accepted result.
pub(super) const LATEST_ACCEPTED: usize = 1;
/// The number of all earlier results together; those between have the numbers between.
pub(super) const EARLIEST_ACCEPTED: usize = 3;

/// Draws series on these axes. `view`: the visible part; `None` for everything, with an axis of times that starts at 0.
pub(super) fn draw(
    series: Vec<CurveSeries>,
    steps: Vec<Crossing>,
    (x, y): (AxisSpec, AxisSpec),
    view: Option<View>,
) -> String {
    let curves =
        Curves { series, crossings: steps, limit: None, show_mean: true, show_median: true, show_samples: false };
    let chart = Chart {
        view: view.unwrap_or_else(|| curves.fit(&x, &y)),
        content: Content::Curves(curves),
        x,
        y,
        palette: palette(),
        font: Font::canvas("system-ui, sans-serif"),
        density: 1.0,
    };
    svg(&chart, SIZE)
}

/// The palette that plots are drawn with. The style sheet replaces its colours on dark screens.
pub(super) fn palette() -> Palette {
    Palette::light().comparing()
}

/// A series of points with a band of ± their standard deviation.
pub(super) fn curve(name: &str, number: usize, points: impl Iterator<Item = (f64, SeriesPoint)>) -> CurveSeries {
    let points = points.map(|(x, SeriesPoint { mean, sd, .. })| {
        let stats = PointStats { mean, sd, quartiles: None };
        PlotPoint::new(x, PointOutcome::Measured { stats, stability: Stability::Settled })
    });
    CurveSeries::new(name, number, CurveStage::Final, points.collect())
}

/// The axis of a metric.
pub(super) fn metric_axis(metric: CheckedMetric, scale: AxisScale) -> AxisSpec {
    let unit = if metric.is_exact() { Unit::whole() } else { Unit::Nanoseconds };
    AxisSpec { title: metric.title().to_owned(), unit, scale, range: None }
}

/// The scale of an axis that shows these values.
pub(super) fn scale_of(values: &[f64]) -> AxisScale {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(0.0, f64::max);
    if least > 0.0 && greatest >= LOG_RANGE * least { AxisScale::Log } else { AxisScale::Linear }
}
