//! The mean over the accepted builds at one axis value, a series for each class of machines, with marked steps.

use std::rc::Rc;

use benchbook_chart::{
    AxisScale, AxisSpec, Crossing, CrossingLabel, CurveSeries, CurveStage, Curves, PlotPoint, PointOutcome, PointStats,
    Unit, Window,
};
use benchbook_host::analyze::stability::Stability;
use benchbook_host::history::{CheckedMetric, HistoryPoint};
use benchbook_report::history::{build_label, change_in_words, day, day_in_words, machine_details};
use yew::prelude::*;

use super::chart::{ChartMark, MarkedChart, metric_axis};
use crate::components::widgets::interactive_chart::{palette, readout_lines, use_appearance};
use crate::components::widgets::series_mark::series_mark;

/// The space above and below the points, relative to their range.
const MARGIN: f64 = 0.2;

/// The least height of the vertical axis relative to its middle: with less, the noise of an unchanged function would fill the plot.
const LEAST_HEIGHT: f64 = 0.1;

/// A series at the shown axis value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShownSeries {
    /// Its name among the others.
    pub(super) label: String,
    /// The oldest first.
    pub(super) points: Vec<HistoryPoint>,
}

/// A result, its series, and its position in the plot.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlacedPoint {
    /// The number among the results of all series, from 1 for the oldest.
    pub(super) number: usize,
    /// The index of its series.
    pub(super) series: usize,
    pub(super) point: HistoryPoint,
}

impl PlacedPoint {
    /// The results of all series, the oldest first.
    pub(super) fn all(shown: &[ShownSeries]) -> Vec<Self> {
        let points =
            shown.iter().enumerate().flat_map(|(series, shown)| shown.points.iter().map(move |point| (series, point)));
        let mut points: Vec<(usize, &HistoryPoint)> = points.collect();
        points.sort_by(|(_, one), (_, other)| one.accepted.result.measured.total_cmp(&other.accepted.result.measured));
        let placed = points.into_iter().zip(1..);
        placed.map(|((series, point), number)| Self { number, series, point: point.clone() }).collect()
    }
}

#[derive(PartialEq, Properties)]
pub(super) struct OverBuildsProps {
    pub(super) shown: Vec<ShownSeries>,
    /// The axis value in words; empty without an axis.
    pub(super) at: String,
    pub(super) metric: CheckedMetric,
    /// Returns the fragment of the link to a step.
    pub(super) link_to: Callback<String, String>,
}

#[component]
pub(super) fn OverBuilds(props: &OverBuildsProps) -> Html {
    let OverBuildsProps { shown, at, metric, link_to } = props;
    let appearance = use_appearance();
    let placed = use_memo(shown.clone(), |shown| PlacedPoint::all(shown));
    let curves = use_memo((Rc::clone(&placed), shown.clone()), |(placed, shown)| curves(placed, shown));
    let y = metric_axis(*metric, AxisScale::Linear);
    let readout = {
        let (placed, shown) = (Rc::clone(&placed), shown.clone());
        Callback::from(move |position: f64| readout(&placed, &shown, position))
    };
    let marks: Vec<ChartMark> = placed.iter().filter_map(|placed| mark(placed, link_to)).collect();
    let palette = palette(appearance, shown.len());
    let place = if at.is_empty() { String::new() } else { format!(" at {at}") };
    let label = format!(
        "Mean{place} of {} accepted results, with {} steps. The table below lists them.",
        placed.len(),
        marks.len()
    );
    html! {
        <div class="over-builds">
            <div class="legend">
                if shown.len() > 1 {
                    <ul class="series">
                        { for shown.iter().enumerate().map(|(index, series)| html! { <li>{ series_mark(index, palette) }{ &series.label }</li> }) }
                    </ul>
                }
            </div>
            <MarkedChart curves={Rc::clone(&curves)} axes={(axis(placed.len()), y)} y_range={y_range(&placed)} {label} {readout} {marks} test="history-plot" />
            <p class="hints">{ format!("Mean{place} ± standard deviation of the processes. The vertical axis does not start at zero. Steps are marked: open one to compare the curves before and after it.") }</p>
        </div>
    }
}

/// The range of the vertical axis. It shows changes rather than the distance from zero.
fn y_range(placed: &[PlacedPoint]) -> Option<Window> {
    let edges = placed.iter().flat_map(|PlacedPoint { point, .. }| {
        let sd = point.sd.unwrap_or(0.0);
        [point.mean - sd, point.mean + sd]
    });
    let (low, high) =
        edges.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), edge| (low.min(edge), high.max(edge)));
    let (middle, half) = (f64::midpoint(low, high), (high - low) * (0.5 + MARGIN));
    let half = half.max(LEAST_HEIGHT * middle / 2.0);
    (low <= high && half > 0.0).then(|| Window { low: (middle - half).max(0.0), high: middle + half })
}

/// The horizontal axis: the numbers of the results.
fn axis(count: usize) -> AxisSpec {
    AxisSpec {
        title: "Accepted result, oldest first".to_owned(),
        unit: Unit::whole(),
        scale: AxisScale::Linear,
        range: Some(Window { low: 1.0, high: count as f64 }),
    }
}

fn curves(placed: &[PlacedPoint], shown: &[ShownSeries]) -> Curves {
    let series = shown.iter().enumerate().map(|(index, series)| {
        let of_series = placed.iter().filter(|placed| placed.series == index);
        let points = of_series.map(|PlacedPoint { number, point, .. }| {
            let stats = PointStats { mean: point.mean, sd: point.sd.unwrap_or(0.0), quartiles: None };
            PlotPoint::new(*number as f64, PointOutcome::Measured { stats, stability: Stability::Settled })
        });
        CurveSeries::new(series.label.as_str(), index, CurveStage::Final, points.collect())
    });
    let last = placed.iter().rev().find(|placed| placed.point.step.is_some()).map(|placed| placed.number);
    Curves {
        series: series.collect(),
        crossings: placed.iter().filter_map(|placed| step_line(placed, last)).collect(),
        limit: None,
        show_mean: true,
        show_median: true,
        show_samples: false,
    }
}

/// The vertical line at a step; the latest one has a label.
fn step_line(placed: &PlacedPoint, last: Option<usize>) -> Option<Crossing> {
    let result = &placed.point.accepted.result;
    let change = change_in_words(result.benchmark.metric, placed.point.step?.change());
    let text = format!("{change} with {}", build_label(&result.build));
    let label = (last == Some(placed.number)).then_some(CrossingLabel { text, short: change });
    let x = placed.number as f64;
    Some(Crossing { x, low: x, high: x, label })
}

/// The link to a step.
fn mark(PlacedPoint { number, point, .. }: &PlacedPoint, link_to: &Callback<String, String>) -> Option<ChartMark> {
    let step = point.step?;
    let result = &point.accepted.result;
    let (change, build) = (change_in_words(result.benchmark.metric, step.change()), build_label(&result.build));
    Some(ChartMark {
        x: *number as f64,
        link: link_to.emit(point.accepted.id()),
        is_slower: step.change() > 0.0,
        label: format!("{change} with {build} on {}", day_in_words(result.measured)),
    })
}

/// The lines of the readout at a result.
fn readout(placed: &[PlacedPoint], shown: &[ShownSeries], position: f64) -> Html {
    let Some(PlacedPoint { series, point, .. }) = placed.iter().find(|placed| placed.number as f64 == position) else {
        return html! {};
    };
    let HistoryPoint { accepted, mean, sd, step } = point;
    let (result, acceptance) = (&accepted.result, &accepted.accepted);
    let metric = result.benchmark.metric;
    let deviation = sd.map(|sd| format!(" ± {}", metric.text(sd))).unwrap_or_default();
    let mut lines = vec![
        html! { <><b>{ build_label(&result.build) }</b>{ format!(" · {}", day(result.measured)) }</> },
        html! { { format!("{}{deviation}", metric.text(*mean)) } },
    ];
    lines.extend(step.map(|step| html! { { format!("Step: {}", change_in_words(metric, step.change())) } }));
    let machine = if shown.len() > 1 { shown[*series].label.clone() } else { machine_details(&result.machine) };
    lines.push(html! { { machine } });
    let by = [acceptance.by.as_str(), &acceptance.note].into_iter().filter(|text| !text.is_empty());
    lines.push(html! { { by.collect::<Vec<_>>().join(": ") } });
    readout_lines(lines)
}
