//! The history of a point: the accepted results and the new one in their order, with the steps between them.

use benchbook_chart::{AxisScale, AxisSpec, Crossing, CrossingLabel, Unit, View, Window};
use benchbook_report::history::build_label;
use maud::Markup;

use super::figure::{LegendEntry, figure};
use super::plot::{LATEST_ACCEPTED, NEW_BUILD, curve, draw, metric_axis};
use super::tables::value_name;
use crate::check::report::change::signed;
use crate::check::report::point::ReportedPoint;
use crate::check::report::series::{ResultSeries, SeriesPoint};

/// The shortest axis relative to the times: noise below does not fill the plot.
const LEAST_SPREAD: f64 = 0.04;
/// The margin above and below the points, relative to the height.
const MARGIN: f64 = 0.1;

/// The history of a point, or both builds; `None` without another result than the new one.
pub(super) fn history_plot(series: &ResultSeries<'_>, point: &ReportedPoint) -> Option<Markup> {
    let points = series.points_at(&point.x);
    if points.len() < 2 {
        return None;
    }
    let last = series.results.len() - 1;
    let position = |point: &SeriesPoint| (point.index + 1) as f64;
    let of = |name, number, is_new: bool| {
        let points = points.iter().filter(|point| (point.index == last) == is_new);
        curve(name, number, points.map(|point| (position(point), *point)))
    };
    let curves = vec![of("accepted", LATEST_ACCEPTED, false), of("this build", NEW_BUILD, true)];
    let x = AxisSpec { title: "Result".to_owned(), unit: Unit::whole(), scale: AxisScale::Linear, range: None };
    let y = metric_axis(point.benchmark.metric, AxisScale::Linear);
    let view = View { x: Window { low: 0.5, high: last as f64 + 1.5 }, y: visible_times(&points) };
    let image = draw(curves, crossings(&points), (x, y), Some(view));
    let place = value_name(series, &point.x);
    let change = point.change.map(|change| format!(", {change}")).unwrap_or_default();
    let title = format!(
        "History{}: {}{change}",
        place.as_ref().map(|place| format!(", {place}")).unwrap_or_default(),
        point.finding.name()
    );
    let others = match series.results[0].accepted {
        Some(_) => "accepted builds".to_owned(),
        None => format!("baseline {}", build_label(&series.results[0].result.build)),
    };
    let legend = [
        LegendEntry { number: NEW_BUILD, text: "this build".to_owned() },
        LegendEntry { number: LATEST_ACCEPTED, text: others },
    ];
    Some(figure(&title, &description(point, place.as_deref(), &points), &image, &legend))
}

/// All points with their bands and a margin. The axis does not start at 0, so that the noise is visible.
fn visible_times(points: &[SeriesPoint]) -> Window {
    let low = points.iter().map(|point| point.mean - point.sd).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(|point| point.mean + point.sd).fold(0.0, f64::max);
    let middle = low.midpoint(high);
    let half = ((high - low) / 2.0 * (1.0 + 2.0 * MARGIN)).max(middle * LEAST_SPREAD / 2.0);
    Window { low: (middle - half).max(0.0), high: middle + half }
}

/// A line between the two results of each step. Only the largest one has a label, since several may overlap.
fn crossings(points: &[SeriesPoint]) -> Vec<Crossing> {
    let largest = points.iter().filter_map(|point| point.step).max_by(|one, other| one.abs().total_cmp(&other.abs()));
    let pairs = points.windows(2).filter_map(|pair| Some((pair[0].index, pair[1].index, pair[1].step?)));
    let crossing = |(before, after, step): (usize, usize, f64)| {
        let (low, high) = ((before + 1) as f64, (after + 1) as f64);
        let label = (Some(step) == largest)
            .then(|| CrossingLabel { text: format!("step: {}", signed(step)), short: signed(step) });
        Crossing { x: low.midpoint(high), low, high, label }
    };
    pairs.map(crossing).collect()
}

fn description(point: &ReportedPoint, place: Option<&str>, points: &[SeriesPoint]) -> String {
    let means = || points.iter().map(|point| point.mean);
    let (least, greatest) = (means().fold(f64::INFINITY, f64::min), means().fold(0.0, f64::max));
    let steps = points.iter().filter_map(|point| {
        let step = point.step?;
        Some(format!(" Step of {} at result {}.", signed(step), point.index + 1))
    });
    format!(
        "The {} of {} builds{}, between {} and {}.{} The table below lists all values.",
        point.benchmark.metric,
        points.len(),
        place.map(|place| format!(" at {place}")).unwrap_or_default(),
        point.benchmark.metric.text(least),
        point.benchmark.metric.text(greatest),
        steps.collect::<String>()
    )
}
