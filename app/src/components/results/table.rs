//! The figures as a table: a group of rows per axis value, with a row per function.

use std::rc::Rc;

use benchbook_host::analyze::stability::Stability;
use benchbook_host::messages::stability::{StabilityMark, stability_mark};
use benchbook_host::messages::verdicts::{ratio_and_interval, statistic_name, withheld_reason};
use benchbook_host::metric::{Metric, MetricValue, NoisyValue, WASM_INSTRUCTIONS};
use benchbook_host::response::{MeasuredPoint, TwoLevelTimes};
use benchbook_host::units::{TimeUnit, axis_value, plus_minus, under};
use yew::prelude::*;

use super::ranking::has_ratios;
use crate::components::widgets::copy::CopyButton;
use benchbook_notebook::curve::Reading;
use benchbook_report::comparison::RatioToFastest;
use benchbook_report::ranking::MachineRanking;
use benchbook_report::shown_trace::ShownTrace;
use benchbook_report::table_rows::{FIGURES, TextColumn, metrics_of, repeatability_columns, rows, times};
use benchbook_report::table_text::as_text;
use benchbook_report::wasm_counts::{ClassColumn, class_columns, counts_column, rounded};

#[derive(PartialEq, Properties)]
pub(crate) struct TableProps {
    /// All curves; not empty.
    pub(crate) shown: Vec<ShownTrace>,
    pub(crate) rankings: Rc<Vec<MachineRanking>>,
}

#[component]
pub(crate) fn Table(props: &TableProps) -> Html {
    let TableProps { shown, rankings } = props;
    let (unit, is_comparison) = (unit_for(shown), shown.len() > 1);
    let has_axis = has_axis(shown);
    let (repeatability, readings) = (repeatability_columns(shown), rows(shown));
    // Points may have two counts, or none and a reason.
    let metrics = metrics_of(shown).into_iter().filter(|metric| **metric != WASM_INSTRUCTIONS).collect();
    let further =
        FurtherColumns { repeatability, metrics, counts: counts_column(shown), classes: class_columns(shown) };
    let heading = shown.first().map(|first| first.trace.setup.axis_heading()).unwrap_or_default();
    let text = {
        let (shown, rankings) = (shown.clone(), Rc::clone(rankings));
        Callback::from(move |()| as_text(&shown, &rankings))
    };
    html! {
        <>
            <div class="scroll" tabindex="0" role="region" aria-label="Figures">
                <table data-test="table">
                    <thead>
                        <tr>
                            if has_axis {
                                <th scope="col">{ heading }</th>
                            }
                            if is_comparison || !has_axis {
                                <th scope="col" class="text">{ "function" }</th>
                            }
                            if has_ratios(rankings) {
                                <th scope="col">{ "× fastest" }</th>
                            }
                            { for FIGURES.map(|name| html! { <th scope="col">{ format!("{name} [{}]", unit.symbol()) }</th> }) }
                            <th scope="col">{ "precision" }</th>
                            { for further.repeatability.iter().map(|column| html! { <th scope="col" data-test="repeatability-column">{ column.heading }</th> }) }
                            <th scope="col">{ "samples" }</th>
                            <th scope="col">{ "priority" }</th>
                            { for further.metrics.iter().map(|metric| html! { <th scope="col" data-test="metric-column">{ metric.title }</th> }) }
                            { for further.counts.map(|_| html! { <th scope="col" data-test="metric-column">{ WASM_INSTRUCTIONS.title }</th> }) }
                            { for further.classes.iter().map(|class| html! { <th scope="col" data-test="class-column">{ class.heading }</th> }) }
                        </tr>
                    </thead>
                    { for readings.chunk_by(|(_, one), (_, other)| one.x == other.x).map(|group| html! {
                        <tbody>{ for group.iter().enumerate().map(|(index, (ordinal, reading))| {
                            let heading = if index == 0 { group_heading(reading, group.len()) } else { html! {} };
                            row(shown, *ordinal, reading, heading, rankings, unit, &further)
                        }) }</tbody>
                    }) }
                </table>
            </div>
            if readings.iter().any(|(_, reading)| reading.measured().is_some_and(|it| it.two_levels().is_some())) {
                <p class="hints">{ format!("{TWO_LEVELS} the times switch between two levels; Samples shows them.") }</p>
            }
            { for marks(shown).into_iter().map(|StabilityMark { mark, meaning }| html! {
                <p class="hints">{ format!("{mark} {meaning}.") }</p>
            }) }
            <CopyButton {text} test="copy-table" label="Copy table" />
        </>
    }
}

/// The mark of points whose times switch between two levels.
const TWO_LEVELS: &str = "⇅";

/// The marks of the points, each once.
fn marks(shown: &[ShownTrace]) -> Vec<StabilityMark> {
    let is_shown = |stability| {
        rows(shown).iter().any(|(_, reading)| reading.measured().is_some_and(|it| it.summary.stability == stability))
    };
    let all = [Stability::NotSettled, Stability::Unknown];
    all.into_iter().filter(|stability| is_shown(*stability)).filter_map(stability_mark).collect()
}

/// A unit for the middle of the column: its ends may differ by orders of magnitude.
fn unit_for(shown: &[ShownTrace]) -> TimeUnit {
    let means = rows(shown).into_iter().filter_map(|(_, reading)| Some(reading.measured()?.summary.mean));
    let positive: Vec<f64> = means.filter(|mean| *mean > 0.0).map(f64::ln).collect();
    let middle = positive.iter().sum::<f64>() / positive.len().max(1) as f64;
    TimeUnit::for_largest(middle.exp())
}

/// The columns that only some results have.
struct FurtherColumns {
    repeatability: Vec<TextColumn>,
    metrics: Vec<&'static Metric>,
    counts: Option<TextColumn>,
    classes: Vec<ClassColumn>,
}

fn row(
    all: &[ShownTrace],
    ordinal: usize,
    reading: &Reading,
    heading: Html,
    rankings: &[MachineRanking],
    unit: TimeUnit,
    further: &FurtherColumns,
) -> Html {
    let shown = &all[ordinal];
    let trace = &shown.trace;
    let (measured, failure) = (reading.measured(), reading.failure());
    let attribute =
        |column: usize| measured.and_then(|measured| times(measured)[column]).map(|value| value.to_string());
    let reason = failure.map(|(_, failure)| failure.reason.clone());
    html! {
        <tr data-path={trace.path.clone()} data-x={reading.x.to_string()} data-priority={reading.priority().number().to_string()}
            data-machine={trace.setup.target_name()} data-failed={reason.clone().filter(|_| measured.is_none())}
            data-mean={attribute(0)} data-sd={attribute(1)} data-q1={attribute(2)} data-median={attribute(3)} data-q3={attribute(4)}>
            { heading }
            { function_cell(all, shown) }
            if has_ratios(rankings) {
                { ratio_cell(RatioToFastest::of(rankings, ordinal, &reading.x)) }
            }
            if let Some(measured) = measured {
                { figures(measured, unit, &further.repeatability) }
            } else {
                <td class="reason" colspan={(7 + further.repeatability.len()).to_string()}>{ reason.clone() }</td>
            }
            <td>
                { reading.priority().number() }
                if let (Some(_), Some((priority, _))) = (measured, failure) {
                    <span class="reason" title={reason}>{ format!(" ({} failed)", priority.number()) }</span>
                }
            </td>
            { for further.metrics.iter().map(|metric| html! { <td>{ metric_value(metric, measured) }</td> }) }
            { for further.counts.map(|column| html! { <td>{ column.text(measured) }</td> }) }
            { for further.classes.iter().map(|class| html! { <td>{ class.per_call(measured).map(rounded) }</td> }) }
        </tr>
    }
}

/// The value of a metric with its unit, or its upper bound; empty if the point does not have it.
pub(super) fn metric_value(metric: &Metric, measured: Option<&MeasuredPoint>) -> String {
    match measured.and_then(metric.value) {
        Some(MetricValue::Noisy(NoisyValue { mean: value, .. }) | MetricValue::Exact(value)) => {
            metric.unit.format(value)
        }
        Some(MetricValue::UpperBound { bound, .. }) => under(metric.unit.format(bound)),
        None => String::new(),
    }
}

/// Whether a point has an axis value.
fn has_axis(shown: &[ShownTrace]) -> bool {
    shown.iter().flat_map(|shown| shown.trace.curve.readings()).any(|reading| !reading.x.is_absent())
}

/// The axis value, next to all rows that have it; nothing without an axis.
fn group_heading(reading: &Reading, rows: usize) -> Html {
    match (reading.x.is_absent(), rows) {
        (true, _) => html! {},
        (false, 1) => html! { <th scope="row">{ axis_value(&reading.x) }</th> },
        (false, _) => html! { <th scope="rowgroup" rowspan={rows.to_string()}>{ axis_value(&reading.x) }</th> },
    }
}

/// The function, unless there is only one. Without an axis, it is the header of the row.
fn function_cell(all: &[ShownTrace], shown: &ShownTrace) -> Html {
    let label = format!("{}{}", shown.label, if shown.is_separate { " (measured separately)" } else { "" });
    match (has_axis(all), all.len()) {
        (false, _) => html! { <th scope="row" class="text">{ label }</th> },
        (true, 1) => html! {},
        (true, _) => html! { <td class="text">{ label }</td> },
    }
}

/// The ratio to the fastest with its interval; its tooltip names the statistic, or why there is no ratio.
fn ratio_cell(to_fastest: Option<RatioToFastest>) -> Html {
    let (text, title) = match to_fastest {
        Some(RatioToFastest::Fastest) => ("1".to_owned(), None),
        Some(RatioToFastest::Known(known, statistic)) => {
            let (ratio, interval) = ratio_and_interval(known.ratio, known.interval);
            (format!("{ratio} ({interval})"), Some(format!("Ratio of {}", statistic_name(statistic))))
        }
        Some(RatioToFastest::Unavailable(reason)) => {
            ("unavailable".to_owned(), Some(withheld_reason(reason).to_owned()))
        }
        None => (String::new(), None),
    };
    html! { <td {title}>{ text }</td> }
}

fn figures(measured: &MeasuredPoint, unit: TimeUnit, repeatability: &[TextColumn]) -> Html {
    let summary = &measured.summary;
    let times = match measured.upper_bound() {
        // A reader would take a figure that is indistinguishable from zero literally.
        Some(bound) => html! {
            <>
                <td title="Upper bound: the mean's interval contains 0">
                    { under(unit.digits(bound)) }
                </td>
                { for times(measured).into_iter().skip(1).map(|_| html! { <td>{ "–" }</td> }) }
            </>
        },
        None => html! {
            { for times(measured).map(|time| html! {
                <td>{ time.map_or_else(|| "unavailable".to_owned(), |time| unit.digits(time)) }</td>
            }) }
        },
    };
    html! {
        <>
            { times }
            <td>{ summary.relative_half_width.map(plus_minus).unwrap_or_default() }</td>
            { for repeatability.iter().map(|column| html! { <td>{ column.text(Some(measured)) }</td> }) }
            <td>
                { summary.n }
                if let Some(TwoLevelTimes { low, high, .. }) = measured.two_levels() {
                    <span title={format!("Two levels: {} and {}", unit.format(low), unit.format(high))}>{ format!(" {TWO_LEVELS}") }</span>
                }
                if let Some(StabilityMark { mark, meaning }) = stability_mark(summary.stability) {
                    <span title={meaning}>{ format!(" {mark}") }</span>
                }
            </td>
        </>
    }
}
