//! Converts measurements to the plot's chart, and to its text and data attributes.

use benchbook_chart::{
    AxisScale, AxisSpec, Chart, Content, Crossing, CrossingLabel, CurveSeries, Curves, Font, Palette, PlotPoint,
    PointOutcome, PointStats, Quartiles, Unit, View,
};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::compare::ranking::{RankedPair, StatedCrossover};
use benchbook_host::messages::answer::MAX_CROSSOVERS;
use benchbook_host::messages::at::crossover_place;
use benchbook_host::metric::{Metric, MetricUnit, MetricValue, NoisyValue, TIME};
use benchbook_host::response::{Failure, FailureKind};

use super::positions::Positions;
use super::relative;
use super::stage::stage;
use crate::components::widgets::interactive_chart::{SnapPoints, TYPEFACE};
use benchbook_notebook::curve::Reading;
use benchbook_notebook::view::CellView;
use benchbook_report::ranking::MachineRanking;
use benchbook_report::shown_trace::ShownTrace;

/// The chart of these series in this view, and the view that shows everything.
pub(super) fn chart(
    shown: &[ShownTrace],
    (series, crossings): (Vec<CurveSeries>, Vec<Crossing>),
    positions: &Positions,
    view: &CellView,
    palette: Palette,
    density: f64,
) -> (Chart, View) {
    let is_relative = view.is_relative();
    let (x, mut y) = axes(shown, positions, view, &series);
    if is_relative {
        y = relative::axis(&series, view.y_scale.map(AxisScale::from));
    }
    let curves = Curves {
        series,
        crossings,
        limit: view.limit.filter(|_| *view.metric() == TIME && !is_relative).map(|limit| limit.0),
        show_mean: !is_relative && shows_mean(shown, view),
        show_median: is_relative || !view.hides_median(),
        show_samples: view.show_samples && !is_relative,
    };
    let full_view = curves.fit(&x, &y);
    // The zoom may come from a link, so it is untrusted.
    let zoom = view.zoom.and_then(|zoom| View::from_parts(zoom.x(), zoom.y(), x.scale, y.scale));
    let chart = Chart {
        view: zoom.unwrap_or(full_view),
        content: Content::Curves(curves),
        x,
        y,
        palette,
        font: Font::canvas(TYPEFACE),
        density,
    };
    (chart, full_view)
}

/// The most curves whose means are drawn by default: more would hide each other.
const MOST_MEANS: usize = 2;

/// Whether to draw the means.
pub(super) fn shows_mean(shown: &[ShownTrace], view: &CellView) -> bool {
    view.show_mean.unwrap_or(shown.len() <= MOST_MEANS || view.hides_median())
}

/// Whether the view hides a curve, because of its function or its machine.
pub(super) fn is_hidden(one: &ShownTrace, shown: &[ShownTrace], view: &CellView) -> bool {
    view.hidden_functions.contains(&one.trace.path) || view.hidden_machines.contains(&machine_name(one, shown))
}

/// The curves that the view does not hide.
pub(super) fn visible(shown: &[ShownTrace], view: &CellView) -> Vec<ShownTrace> {
    shown.iter().filter(|one| !is_hidden(one, shown, view)).cloned().collect()
}

/// The names of the machines that measured these curves, each once.
pub(super) fn machines(shown: &[ShownTrace]) -> Vec<String> {
    let mut machines: Vec<String> = Vec::new();
    for name in shown.iter().map(|one| machine_name(one, shown)) {
        if !machines.contains(&name) {
            machines.push(name);
        }
    }
    machines
}

/// The name of the machine that measured a curve, as in the curve's label: different from the first one's if it is another machine.
pub(super) fn machine_name(one: &ShownTrace, shown: &[ShownTrace]) -> String {
    let machine = &one.trace.setup.machine;
    shown.first().map_or_else(|| machine.name.clone(), |first| machine.name_next_to(&first.trace.setup.machine))
}

/// The crossovers that the answer of each machine names, if both curves are visible. The first one has a label: that of the runner, if it measured,
/// too.
pub(super) fn crossings(shown: &[ShownTrace], rankings: &[MachineRanking], view: &CellView) -> Vec<Crossing> {
    let is_visible = |ordinal: usize| !is_hidden(&shown[ordinal], shown, view);
    let of_machine = |ranking: &MachineRanking| {
        let is_shown = |pair: &RankedPair| {
            [pair.baseline, pair.other].into_iter().all(|function| is_visible(ranking.ordinals[function]))
        };
        let named =
            ranking.ranking.leading_crossovers().into_iter().filter(|(pair, _)| is_shown(pair)).take(MAX_CROSSOVERS);
        let crossing = |(pair, crossover): (&RankedPair, StatedCrossover)| {
            let Interval { low, high } = crossover.range;
            Crossing { x: crossover.root, low, high, label: Some(crossing_label(&ranking.names, pair, &crossover)) }
        };
        named.map(crossing).collect::<Vec<_>>()
    };
    let mut all: Vec<Crossing> = rankings.iter().flat_map(of_machine).collect();
    for other in all.iter_mut().skip(1) {
        other.label = None;
    }
    all
}

fn crossing_label(names: &[String], pair: &RankedPair, crossover: &StatedCrossover) -> CrossingLabel {
    let (baseline, other) = (&names[pair.baseline], &names[pair.other]);
    let (faster, slower) = if crossover.other_wins_above { (other, baseline) } else { (baseline, other) };
    let short = crossover_place(crossover, "");
    CrossingLabel { text: format!("{faster} overtakes {slower} {short}"), short }
}

/// One series per trace, with its raw samples on request.
pub(super) fn series(
    shown: &[ShownTrace],
    positions: &Positions,
    metric: &Metric,
    with_samples: bool,
) -> Vec<CurveSeries> {
    shown.iter().map(|shown| one_series(shown, positions, metric, with_samples)).collect()
}

fn one_series(shown: &ShownTrace, positions: &Positions, metric: &Metric, with_samples: bool) -> CurveSeries {
    let curve = &shown.trace.curve;
    let points = curve.readings().iter().filter_map(|reading| {
        let point = PlotPoint::new(positions.position(&reading.x)?, outcome(reading, metric)?);
        Some(match reading.measured() {
            Some(measured) if with_samples => point.with_samples(metric.samples(measured).into_iter().collect()),
            _ => point,
        })
    });
    let mut series = CurveSeries::new(&shown.label, shown.hue, stage(shown), points.collect());
    series.dashed = shown.is_elsewhere;
    series
}

/// The positions of all points.
pub(super) fn snap_points(series: &[CurveSeries]) -> SnapPoints {
    series.iter().flat_map(CurveSeries::points).map(|point| point.x).collect()
}

/// The outcome of a point; `None` if it was measured, but does not have the metric.
fn outcome(reading: &Reading, metric: &Metric) -> Option<PointOutcome> {
    let Some(measured) = reading.measured() else {
        return Some(match reading.failure() {
            Some((_, Failure { kind: FailureKind::Skipped, .. })) => PointOutcome::Skipped,
            _ => PointOutcome::Failed,
        });
    };
    Some(match (metric.value)(measured)? {
        MetricValue::UpperBound { bound, estimate } => PointOutcome::UpperBound { bound, stats: stats(&estimate) },
        MetricValue::Noisy(value) => {
            PointOutcome::Measured { stats: stats(&value), stability: measured.summary.stability }
        }
        MetricValue::Exact(value) => {
            // Equal quartiles, so that the value is drawn even if the means are hidden.
            let quartiles = Some(Quartiles { q1: value, median: value, q3: value });
            PointOutcome::Measured {
                stats: PointStats { mean: value, sd: 0.0, quartiles },
                stability: Stability::Settled,
            }
        }
    })
}

fn stats(value: &NoisyValue) -> PointStats {
    let quartiles = value.quartiles.map(|[q1, median, q3]| Quartiles { q1, median, q3 });
    PointStats { mean: value.mean, sd: value.sd, quartiles }
}

/// The axes. The vertical scale follows the data until the user chooses one.
fn axes(shown: &[ShownTrace], positions: &Positions, view: &CellView, series: &[CurveSeries]) -> (AxisSpec, AxisSpec) {
    let x = positions.axis(shown, view.x_scale.map(AxisScale::from));
    let scale = view.y_scale.map_or_else(|| scale_of(series), AxisScale::from);
    let metric = view.metric();
    let y = match metric.unit {
        MetricUnit::Nanoseconds => AxisSpec { title: metric.title.to_owned(), ..AxisSpec::time_per_call(scale) },
        unit => {
            let unit = Unit::Named(unit.symbol().to_owned());
            AxisSpec { title: metric.title.to_owned(), unit, scale, range: None }
        }
    };
    (x, y)
}

/// Linear within one decade, else logarithmic.
fn scale_of(series: &[CurveSeries]) -> AxisScale {
    let values = series.iter().flat_map(CurveSeries::points).filter_map(|point| match point.outcome {
        PointOutcome::UpperBound { bound, .. } => Some(bound),
        PointOutcome::Measured { stats, .. } => Some(stats.quartiles.map_or(stats.mean, |quartiles| quartiles.median)),
        PointOutcome::Failed | PointOutcome::Skipped => None,
    });
    let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    if low > 0.0 && high / low >= 10.0 { AxisScale::Log } else { AxisScale::Linear }
}

/// The text alternative of the plot.
pub(super) fn description(shown: &[ShownTrace], chart: &Chart) -> String {
    let names: Vec<&str> = shown.iter().map(|shown| shown.label.as_str()).collect();
    let count = chart.series().iter().map(|series| series.points().len()).sum::<usize>();
    let by = if chart.x.title.is_empty() { String::new() } else { format!(" by {}", chart.x.title) };
    let points = if count == 1 { "1 point".to_owned() } else { format!("{count} points") };
    format!("{} of {}{by}: {points}. The table lists their values.", chart.y.title, names.join(", "))
}

#[cfg(test)]
mod tests {
    use benchbook_host::analyze::blocks::RunTimes;
    use benchbook_host::analyze::statistics::{Basis, Summary, summarize};
    use benchbook_host::response::MeasuredPoint;

    use super::*;

    #[test]
    fn draws_the_figures_of_the_summary() {
        let times: Vec<f64> = (0..40).map(|index| 100.0 + f64::from(index * index % 17)).collect();
        let blocks = vec![1; times.len()];
        let runs = [RunTimes::without_overhead(&times, &blocks)];
        let summary = summarize(&Basis::of(&runs, 40)).expect("there are samples");
        let Summary { mean, sd, q1, median, q3, .. } = summary.clone();
        let drawn = |summary| match (TIME.value)(&MeasuredPoint::new(summary, Vec::new())) {
            Some(MetricValue::Noisy(value)) => stats(&value),
            other => panic!("{other:?}"),
        };

        let with_quartiles = drawn(summary.clone());
        let quartiles = with_quartiles.quartiles.map(|Quartiles { q1, median, q3 }| [q1, median, q3]);
        assert_eq!((with_quartiles.mean, with_quartiles.sd), (mean, sd));
        assert_eq!(quartiles.map(|quartiles| quartiles.map(Some)), Some([q1, median, q3]));
        assert!(drawn(Summary { median: None, ..summary }).quartiles.is_none());
    }
}
