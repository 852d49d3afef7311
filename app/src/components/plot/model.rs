//! From what was measured to the chart that shows it, and what a script or a screen reader gets of it.

use benchbook::analyze::crossover::Crossover;
use benchbook::parameter::{self, Argument};
use benchbook::quality::Priority;
use benchbook::response::{Failure, FailureKind, Measured};

use super::super::board::Stops;
use crate::chart::{
    AxisSpec, Chart, Content, Crossing, Curves, Figures, Font, Mark, Palette, PlotPoint, Quartiles, Scale, Series,
    Unit, View, Weight, Window,
};
use crate::settings::presentation::Presentation;
use crate::state::comparison::FunctionComparison;
use crate::state::curve::Reading;
use crate::state::shown_trace::ShownTrace;

/// The page's own typeface.
pub(in crate::components) const TYPEFACE: &str = "system-ui, -apple-system, \"Segoe UI\", Roboto, sans-serif";

/// The chart of these series, looked at in this way, and what of the plane there is to be seen.
pub(super) fn chart(
    shown: &[ShownTrace],
    (series, crossings): (Vec<Series>, Vec<Crossing>),
    presentation: &Presentation,
    palette: Palette,
    density: f64,
) -> (Chart, View) {
    let (x, y) = axes(shown, presentation);
    let whole = View::fit(&series, &x, &y);
    // It may have come from a link, and then from anywhere.
    let zoom = presentation.zoom.and_then(|View { x: across, y: up }| {
        View::from_parts([across.low, across.high], [up.low, up.high], x.scale, y.scale)
    });
    let chart = Chart {
        view: zoom.unwrap_or(whole),
        content: Content::Curves(Curves {
            series,
            crossings,
            show_mean: !presentation.hide_mean,
            show_median: !presentation.hide_median,
            show_samples: presentation.show_samples,
        }),
        x,
        y,
        palette,
        font: Font::canvas(TYPEFACE),
        density,
    };
    (chart, whole)
}

/// Where functions that were measured together overtake each other.
pub(super) fn crossings(versus: &[FunctionComparison]) -> Vec<Crossing> {
    let all = versus.iter().flat_map(|one| &one.crossovers);
    all.map(|Crossover { x, interval, .. }| Crossing { x: *x, low: interval.low, high: interval.high }).collect()
}

/// A series for each trace, with its raw samples where they are asked for.
pub(super) fn series(shown: &[ShownTrace], with_samples: bool) -> Vec<Series> {
    shown.iter().map(|shown| one_series(shown, with_samples)).collect()
}

fn one_series(shown: &ShownTrace, with_samples: bool) -> Series {
    let curve = &shown.trace.curve;
    let points = curve.readings().iter().map(|reading| {
        let point = PlotPoint::new(reading.x, mark(reading));
        match reading.measured().filter(|_| with_samples) {
            Some(measured) => point.with_samples(measured.counted().collect()),
            None => point,
        }
    });
    let weight = match curve.priority() {
        Some(Priority::LAST) => Weight::Final,
        Some(priority) => Weight::Preliminary(priority.number()),
        None => Weight::Preliminary(1),
    };
    let mut series = Series::new(&shown.label, shown.hue, weight, points.collect());
    series.unpaired = shown.unpaired || shown.is_sketch;
    series
}

/// What there is to read.
pub(super) fn stops(series: &[Series]) -> Stops {
    series.iter().flat_map(Series::points).map(|point| point.x).collect()
}

fn mark(reading: &Reading) -> Mark {
    let Some(measured) = reading.measured() else {
        return match reading.failure() {
            Some((_, Failure { kind: FailureKind::Skipped, .. })) => Mark::Skipped,
            _ => Mark::Failed,
        };
    };
    let figures = figures(measured);
    match measured.upper_bound() {
        Some(bound) => Mark::Under { bound, figures },
        None if measured.summary.steady => Mark::Settled(figures),
        None => Mark::Unsettled(figures),
    }
}

fn figures(measured: &Measured) -> Figures {
    let summary = &measured.summary;
    let quartiles = match (summary.q1, summary.median, summary.q3) {
        (Some(q1), Some(median), Some(q3)) => Some(Quartiles { q1, median, q3 }),
        _ => None,
    };
    Figures { mean: summary.mean, sd: summary.sd, quartiles }
}

/// The axes of what was measured last; what is drawn beside it has the same plane, whatever its own parameter is called.
fn axes(shown: &[ShownTrace], presentation: &Presentation) -> (AxisSpec, AxisSpec) {
    let setup = shown.first().map(|first| &first.trace.setup);
    let numeric = setup.and_then(|setup| setup.axis_numeric());
    let usual = match numeric.map(|numeric| numeric.scale) {
        Some(parameter::Scale::Log) => Scale::Log,
        _ => Scale::Linear,
    };
    let range = match setup.and_then(|setup| setup.arguments.get(&setup.axis)) {
        Some(Argument::Range(range)) => Some(Window { low: range.low, high: range.high }),
        _ => None,
    };
    let title = setup.map(|setup| setup.axis_heading());
    let unit = numeric.and_then(|numeric| numeric.unit.clone()).unwrap_or_default();
    let scale = presentation.x_scale.unwrap_or(usual);
    let x = AxisSpec { title: title.unwrap_or_default(), unit: Unit::Named(unit), scale, range };
    // Times over a log axis grow by ratios too.
    let scale = presentation.y_scale.unwrap_or(scale);
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

/// The crossings that are drawn: `x low high` each.
pub(super) fn crossings_of(chart: &Chart) -> String {
    let Content::Curves(curves) = &chart.content else { return String::new() };
    let told = |Crossing { x, low, high }: &Crossing| format!("{x} {low} {high}");
    curves.crossings.iter().map(told).collect::<Vec<_>>().join(";")
}

/// The plot in words.
pub(super) fn described(shown: &[ShownTrace], chart: &Chart) -> String {
    let names: Vec<&str> = shown.iter().map(|shown| shown.label.as_str()).collect();
    let count = chart.series().iter().map(|series| series.points().len()).sum::<usize>();
    format!("Time a call of {} against {}: {count} points; the table has the figures", names.join(", "), chart.x.title)
}
