//! The curves on both sides of a step, overlaid, with the ratio at each axis value.

use std::rc::Rc;

use benchbook_chart::{
    AxisScale, AxisSpec, CurveSeries, CurveStage, Curves, PlotPoint, PointOutcome, PointStats, Unit, Window,
};
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::history::{AcceptedResult, CheckedMetric, SidesPoint};
use benchbook_host::units::axis_value;
use benchbook_report::history::{axis_name, build_label, day_in_words, sides_ratio};
use yew::prelude::*;

use super::build_offer::build_offer;
use super::chart::{MarkedChart, metric_axis};
use crate::components::widgets::interactive_chart::{palette, readout_lines, use_appearance};
use crate::components::widgets::series_mark::series_mark;
use crate::effects::browser::focus;
use crate::state::machines::runner_builds::BuildOffer;

/// The factor between the ends of the axis from which on it is logarithmic: on a linear one, the lesser values would be close
/// together.
const LOG_RANGE: f64 = 20.0;

#[derive(PartialEq, Properties)]
pub(super) struct SidesProps {
    pub(super) before: AcceptedResult,
    pub(super) after: AcceptedResult,
    /// Whether the runner can measure both builds; absent without a runner.
    pub(super) offer: Option<BuildOffer>,
    /// The fragment of the link to the history without a step.
    pub(super) close: String,
}

#[component]
pub(super) fn Sides(props: &SidesProps) -> Html {
    let SidesProps { before, after, offer, close } = props;
    let section = use_node_ref();
    let appearance = use_appearance();
    {
        let section = section.clone();
        // Not only when it appears: the user may open another step.
        use_effect_with(after.id(), move |_| focus::bring_into_view(&section));
    }
    let points = use_memo((before.clone(), after.clone()), |(before, after)| SidesPoint::all(before, after));
    let curves = use_memo((before.clone(), after.clone()), |(before, after)| curves(before, after));
    let axes = axes(after);
    let readout = {
        let (points, names, values) = (Rc::clone(&points), names(before, after), values(after));
        let metric = after.result.benchmark.metric;
        Callback::from(move |position: f64| readout(metric, &points, &names, &values, position))
    };
    let palette = palette(appearance, 2);
    let [old, new] = names(before, after);
    let title = format!("{} to {}", build_label(&before.result.build), build_label(&after.result.build));
    html! {
        <section class="sides" ref={section} aria-label="Before and after the step" data-test="history-sides">
            <div class="sides-head">
                <h2>{ title }</h2>
                <a href={format!("#{close}")} data-test="close-sides">{ "Close" }</a>
            </div>
            <p data-test="sides-answer">{ answer(&points, after) }</p>
            { for offer.iter().map(|offer| html! { <p data-test="sides-builds">{ build_offer(offer) }{ builds_in_words(offer) }</p> }) }
            <div class="legend">
                <ul class="series">
                    { for [&old, &new].into_iter().enumerate().map(|(index, name)| html! { <li>{ series_mark(index, palette) }{ name }</li> }) }
                </ul>
            </div>
            <MarkedChart curves={Rc::clone(&curves)} {axes} label={format!("{}, {old} and {new}. The table below lists the ratios.", after.result.benchmark.metric.title())}
                {readout} test="sides-plot" />
            { ratio_table(&points, after) }
            <p class="hints">{ "Ratios of the means with 95% intervals, from the variation between processes (Welch). Everything else that changed between the two days is part of the ratio." }</p>
        </section>
    }
}

/// The builds behind the link, since the names of both results may be commits.
fn builds_in_words(offer: &BuildOffer) -> Html {
    match offer {
        BuildOffer::Compared(_, builds) => {
            html! { <span class="soft">{ format!(": {builds}, interleaved") }</span> }
        }
        BuildOffer::Unavailable(_) => html! {},
    }
}

/// The names of both results.
fn names(before: &AcceptedResult, after: &AcceptedResult) -> [String; 2] {
    let name = |side: &str, accepted: &AcceptedResult| {
        let result = &accepted.result;
        format!("{side} {} ({})", build_label(&result.build), day_in_words(result.measured))
    };
    [name("before:", before), name("after:", after)]
}

/// The greatest change as a sentence.
fn answer(points: &[SidesPoint], after: &AcceptedResult) -> String {
    let distance = |point: &SidesPoint| point.ratio.ln().abs();
    let Some(point) = points.iter().max_by(|one, other| distance(one).total_cmp(&distance(other))) else {
        return "The two results have no axis value in common.".to_owned();
    };
    let name = axis_name(&after.result.benchmark.arguments);
    let at = name.map(|name| format!(" at {name} {}", axis_value(&point.x))).unwrap_or_default();
    let most = if points.len() > 1 { "The greatest change is" } else { "The change is" };
    let metric = after.result.benchmark.metric;
    let ratio = if point.ratio.is_finite() { format!(", a ratio of {}", sides_ratio(point)) } else { String::new() };
    format!("{most}{at}: {} instead of {}{ratio}.", metric.text(point.after), metric.text(point.before))
}

/// The axis values of the later result, in its order.
fn values(after: &AcceptedResult) -> Vec<AxisValue> {
    after.result.points.iter().map(|point| point.x.clone()).collect()
}

/// The ends of an axis of numbers; `None` for categories.
fn number_range(after: &AcceptedResult) -> Option<Window> {
    let numbers: Vec<f64> = values(after).iter().map(AxisValue::number).collect::<Option<_>>()?;
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (low < high).then_some(Window { low, high })
}

fn axes(after: &AcceptedResult) -> (AxisSpec, AxisSpec) {
    let metric = after.result.benchmark.metric;
    let title = axis_name(&after.result.benchmark.arguments).unwrap_or_default().to_owned();
    match number_range(after) {
        Some(range) => {
            let is_log = range.low > 0.0 && range.high >= LOG_RANGE * range.low;
            let scale = if is_log { AxisScale::Log } else { AxisScale::Linear };
            let unit = Unit::of_values(values(after).iter().filter_map(AxisValue::number));
            let x = AxisSpec { title, unit, scale, range: Some(range) };
            (x, metric_axis(metric, scale))
        }
        None => {
            let x = AxisSpec::categories(title, values(after).iter().map(axis_value).collect());
            (x, metric_axis(metric, AxisScale::Linear))
        }
    }
}

/// The position of an axis value.
fn position(after: &AcceptedResult, x: &AxisValue) -> Option<f64> {
    match number_range(after) {
        Some(_) => x.number(),
        None => values(after).iter().position(|value| value == x).map(|index| index as f64),
    }
}

fn curves(before: &AcceptedResult, after: &AcceptedResult) -> Curves {
    let names = names(before, after);
    let series = [before, after].into_iter().zip(names).enumerate().map(|(ordinal, (accepted, name))| {
        let points = accepted.result.points.iter().filter_map(|point| {
            let count = point.means.len() as f64;
            let mean = point.means.iter().sum::<f64>() / count;
            let squares = point.means.iter().map(|process| (process - mean).powi(2)).sum::<f64>();
            let sd = if count > 1.0 { (squares / (count - 1.0)).sqrt() } else { 0.0 };
            let stats = PointStats { mean, sd, quartiles: None };
            let outcome = PointOutcome::Measured { stats, stability: Stability::Settled };
            Some(PlotPoint::new(position(after, &point.x)?, outcome))
        });
        CurveSeries::new(name, ordinal, CurveStage::Final, points.collect())
    });
    Curves {
        series: series.collect(),
        crossings: Vec::new(),
        limit: None,
        show_mean: true,
        show_median: true,
        show_samples: false,
    }
}

/// The lines of the readout at a position: both means and their ratio.
fn readout(
    metric: CheckedMetric,
    points: &[SidesPoint],
    [old, new]: &[String; 2],
    values: &[AxisValue],
    position: f64,
) -> Html {
    let is_at = |point: &&SidesPoint| match point.x.number() {
        Some(number) if number == position => true,
        _ => values.get(position.round() as usize) == Some(&point.x) && point.x.number().is_none(),
    };
    let Some(point) = points.iter().find(is_at) else { return html! {} };
    let lines = [
        axis_value(&point.x),
        format!("{old}: {}", metric.text(point.before)),
        format!("{new}: {}", metric.text(point.after)),
        format!("Ratio: {}", sides_ratio(point)),
    ];
    readout_lines(lines.into_iter().filter(|line| !line.is_empty()).map(|line| html! { { line } }))
}

fn ratio_table(points: &[SidesPoint], after: &AcceptedResult) -> Html {
    let name = axis_name(&after.result.benchmark.arguments);
    let metric = after.result.benchmark.metric;
    html! {
        <div class="scroll" tabindex="0" role="region" aria-label="Ratios on both sides of the step">
            <table data-test="sides-table">
                <thead>
                    <tr>
                        <th scope="col">{ name.unwrap_or("measurement") }</th>
                        <th scope="col">{ "before" }</th>
                        <th scope="col">{ "after" }</th>
                        <th scope="col">{ "after ÷ before" }</th>
                    </tr>
                </thead>
                <tbody>{ for points.iter().map(|point| html! {
                    <tr data-x={point.x.to_string()} data-ratio={point.ratio.to_string()}>
                        <th scope="row">{ if point.x.is_absent() { "all".to_owned() } else { axis_value(&point.x) } }</th>
                        <td>{ metric.text(point.before) }</td>
                        <td>{ metric.text(point.after) }</td>
                        <td>{ sides_ratio(point) }</td>
                    </tr>
                }) }</tbody>
            </table>
        </div>
    }
}
