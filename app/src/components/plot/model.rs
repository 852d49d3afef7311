//! From what was measured to the chart that shows it, and what a script or a screen reader gets of it.

use benchbook::parameter::{self, Argument};
use benchbook::quality::Priority;
use benchbook::response::Measured;

use super::surface::Looks;
use crate::chart::{
    AxisSpec, Chart, Content, Curves, Figures, Font, Mark, Palette, PlotPoint, Quartiles, Scale, Series, Unit, View,
    Weight, Window,
};
use crate::state::cell::MeasuredCurve;

/// The page's own typeface.
const TYPEFACE: &str = "system-ui, -apple-system, \"Segoe UI\", Roboto, sans-serif";

/// What the plane of a plot is made of: generator, axis and range. Another of these is another plane.
pub(super) fn plane(result: &MeasuredCurve) -> (String, String, Option<Argument>) {
    (result.generator.path.clone(), result.axis.clone(), result.arguments.get(&result.axis).cloned())
}

/// The chart of a function's curve; `show_mean` and `show_median` as in [`Curves`].
pub(super) fn chart(
    result: &MeasuredCurve,
    path: &str,
    zoom: Option<View>,
    (show_mean, show_median): (bool, bool),
    Looks { dark, density }: Looks,
) -> Chart {
    let points = result.curve.readings().iter().map(|reading| match reading.measured() {
        Some(measured) => PlotPoint::new(reading.x, Mark::Settled(figures(measured))),
        None => PlotPoint::new(reading.x, Mark::Failed),
    });
    let weight = match result.curve.priority() {
        Some(Priority::LAST) => Weight::Final,
        Some(priority) => Weight::Preliminary(priority.number()),
        None => Weight::Preliminary(1),
    };
    let series = vec![Series::new(path, 0, weight, points.collect())];
    let (x, y) = axes(result);
    let view = zoom.unwrap_or_else(|| View::fit(&series, &x, &y));
    let palette = if dark { Palette::dark() } else { Palette::light() };
    let content = Content::Curves(Curves { series, show_mean, show_median, show_samples: false });
    Chart { content, x, y, view, palette, font: Font::canvas(TYPEFACE), density }
}

fn figures(measured: &Measured) -> Figures {
    let summary = &measured.summary;
    let quartiles = match (summary.q1, summary.median, summary.q3) {
        (Some(q1), Some(median), Some(q3)) => Some(Quartiles { q1, median, q3 }),
        _ => None,
    };
    Figures { mean: summary.mean, sd: summary.sd, quartiles }
}

fn axes(result: &MeasuredCurve) -> (AxisSpec, AxisSpec) {
    let varied = result.generator.parameter(&result.axis);
    let numeric = varied.and_then(parameter::Parameter::numeric);
    let scale = match numeric.map(|numeric| numeric.scale) {
        Some(parameter::Scale::Log) => Scale::Log,
        _ => Scale::Linear,
    };
    let range = match result.arguments.get(&result.axis) {
        Some(Argument::Range(range)) => Some(Window { low: range.low, high: range.high }),
        _ => None,
    };
    let title =
        varied.map(|varied| varied.description.lines().next().unwrap_or_default().trim_end_matches('.').to_owned());
    let unit = numeric.and_then(|numeric| numeric.unit.clone()).unwrap_or_default();
    let x = AxisSpec { title: title.unwrap_or_default(), unit: Unit::Named(unit), scale, range };
    // Times over a log axis grow by ratios too.
    let y = AxisSpec { title: "Time a call".to_owned(), unit: Unit::Nanoseconds, scale, range: None };
    (x, y)
}

/// The figures that are drawn, so that a script can hold them against the table: `x mean sd q1 median q3` a point, in
/// nanoseconds, and `-` for what is absent.
pub(super) fn figures_of(chart: &Chart) -> String {
    let told = |point: &PlotPoint| {
        let (figures, quartiles) = (point.figures(), point.figures().and_then(|figures| figures.quartiles));
        let values = [
            figures.map(|f| f.mean),
            figures.map(|f| f.sd),
            quartiles.map(|q| q.q1),
            quartiles.map(|q| q.median),
            quartiles.map(|q| q.q3),
        ];
        let mut line = point.x.to_string();
        for value in values {
            line.push(' ');
            line += &value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        }
        line
    };
    chart.series().iter().flat_map(Series::points).map(told).collect::<Vec<_>>().join(";")
}

/// The plot in words.
pub(super) fn described(path: &str, chart: &Chart) -> String {
    let count = chart.series().iter().map(|series| series.points().len()).sum::<usize>();
    format!("Time a call of {path} against {}: {count} points; the table has the figures", chart.x.title)
}
