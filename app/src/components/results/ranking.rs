//! The answer of a measurement: which function is the fastest, in a sentence, and the functions in order.

mod row_menu;
mod sparkline;

use std::rc::Rc;

use benchbook_chart::{Palette, css};
use benchbook_host::messages::answer::{fastest_range, ratio_and_interval, typical_time};
use benchbook_host::messages::lists::with_unit;
use benchbook_host::messages::verdicts::withheld_reason;
use benchbook_host::metric::{ALLOCATIONS, BYTES_PER_SECOND, ELEMENTS_PER_SECOND, Metric};
use benchbook_host::units::axis_value;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::table::metric_value;
use crate::components::widgets::breakable::breakable;
use crate::components::widgets::interactive_chart::{palette, use_appearance};
use crate::components::widgets::select_value::use_select_value;
use crate::components::widgets::series_mark::series_mark;
use benchbook_notebook::view::ViewAction;
use benchbook_report::ranking::{MachineRanking, answers, changes};
use benchbook_report::shown_trace::{ShownTrace, builds_compared};
use row_menu::RowMenu;
pub(crate) use row_menu::{RowCommand, RowCommands};
use sparkline::{sparkline, thumbnail};

#[derive(PartialEq, Properties)]
pub(crate) struct AnswerProps {
    pub(crate) shown: Vec<ShownTrace>,
    /// The rankings of the shown traces.
    pub(crate) rankings: Rc<Vec<MachineRanking>>,
    /// The relative difference up to which times count as the same.
    pub(crate) margin: f64,
    /// The axis value of the table, as text; `None` selects the last at which all functions have figures.
    pub(crate) ranked_at: Option<String>,
    /// Whether to list the functions below the sentence.
    #[prop_or(true)]
    pub(crate) has_table: bool,
    pub(crate) on_present: Callback<ViewAction>,
    /// Adds a function to the comparison, if that is possible.
    #[prop_or_default]
    pub(crate) on_add: Option<Callback<()>>,
    /// The commands of each function in the table, if it can be changed.
    #[prop_or_default]
    pub(crate) row_commands: Option<RowCommands>,
}

/// The rankings of the shown traces, computed once for each change of them.
#[hook]
pub(crate) fn use_rankings(shown: &[ShownTrace]) -> Rc<Vec<MachineRanking>> {
    use_memo(shown.to_vec(), |shown| MachineRanking::all(shown))
}

#[component]
pub(crate) fn Answer(props: &AnswerProps) -> Html {
    let palette = palette(use_appearance(), props.shown.len());
    let mut answers = answers(&props.rankings, props.margin).into_iter();
    let Some(first) = answers.next() else { return html! {} };
    let of_latest = props.rankings.first().map(|latest| changes(&props.shown, latest, props.ranked_at.as_deref()));
    let changes = of_latest.unwrap_or_default();
    let table = props.rankings.first().filter(|first| props.has_table && first.names.len() > 1);
    html! {
        <div class="answer">
            if let Some(builds) = builds_compared(&props.shown) {
                <p class="builds-compared" data-test="builds-compared">{ builds }</p>
            }
            { for changes.iter().map(|change| html! { <p class="sentence" data-test="change">{ with_code(change) }</p> }) }
            <p class="sentence" data-test="answer">{ with_code(&first) }</p>
            { for answers.map(|answer| html! { <p data-test="answer-elsewhere">{ with_code(&answer) }</p> }) }
            if let Some(ranking) = table {
                <RankingTable shown={props.shown.clone()} ranking={ranking.clone()} {palette}
                    ranked_at={props.ranked_at.clone()} on_present={props.on_present.clone()} commands={props.row_commands.clone()} />
            }
            if let Some(on_add) = &props.on_add {
                <button class="plain" data-test="add-to-comparison" onclick={on_add.reform(|_: MouseEvent| ())}>{ "+ Function" }</button>
            }
        </div>
    }
}

#[derive(PartialEq, Properties)]
pub(crate) struct ThumbnailProps {
    pub(crate) shown: Vec<ShownTrace>,
    pub(crate) rankings: Rc<Vec<MachineRanking>>,
}

/// The curves behind the answer, without axes.
#[component]
pub(crate) fn Thumbnail(props: &ThumbnailProps) -> Html {
    let palette = palette(use_appearance(), props.shown.len());
    let colour = |ranking: &MachineRanking, function: usize| {
        props.shown.get(ranking.ordinals[function]).map(|shown| css(palette.mean(shown.hue))).unwrap_or_default()
    };
    let first = props.rankings.first();
    html! { { for first.and_then(|first| thumbnail(&first.ranking, |function| colour(first, function))) } }
}

/// A sentence whose function names, between backticks, are code.
pub(crate) fn with_code(sentence: &str) -> Html {
    let part = |(index, part): (usize, &str)| match index % 2 {
        0 => html! { { part } },
        _ => html! { <code>{ part }</code> },
    };
    html! { { for sentence.split('`').enumerate().map(part) } }
}

#[derive(PartialEq, Properties)]
struct RankingTableProps {
    shown: Vec<ShownTrace>,
    ranking: MachineRanking,
    palette: Palette,
    ranked_at: Option<String>,
    on_present: Callback<ViewAction>,
    commands: Option<RowCommands>,
}

/// The metrics with a column, if a function has them at the axis value.
const COLUMNS: [&Metric; 3] = [&ELEMENTS_PER_SECOND, &BYTES_PER_SECOND, &ALLOCATIONS];

/// The functions at one axis value, the fastest first.
#[component]
fn RankingTable(props: &RankingTableProps) -> Html {
    let RankingTableProps { shown, ranking, palette, .. } = props;
    let value = ranking.value_at(props.ranked_at.as_deref());
    let x = &ranking.ranking.values()[value];
    let functions = ranking.ranking.ranked_at(value);
    let measured = |function: usize| {
        let readings = shown[ranking.ordinals[function]].trace.curve.readings();
        readings.iter().find(|reading| reading.x == *x)?.measured()
    };
    let has = |metric: &&&Metric| functions.iter().any(|&one| measured(one).and_then(metric.value).is_some());
    let metrics: Vec<&Metric> = COLUMNS.iter().filter(has).copied().collect();
    let (has_axis, heading) = (!x.is_absent(), sparkline_heading(ranking));
    let Some(&fastest) = functions.first() else { return html! {} };
    let row = |function: usize| {
        let time = ranking.ranking.time(function, value).map(typical_time);
        let ShownTrace { trace, hue, .. } = &shown[ranking.ordinals[function]];
        let colour = format!("color:{}", css(palette.mean(*hue)));
        html! {
            <tr data-test="ranked" data-path={trace.path.clone()}>
                <th scope="row">
                    { series_mark(*hue, *palette) }{ breakable(&ranking.names[function]) }
                    if function == 0 {
                        <span class="tag wide" title="The function that the others are compared with in the plot and in the table">{ "baseline" }</span>
                    }
                </th>
                if heading.is_some() {
                    <td class="wide left">{ sparkline(&ranking.ranking, function, colour) }</td>
                }
                <td>{ time }</td>
                { ratio(ranking, function, fastest, value) }
                <td class="wide range">{ fastest_range(&ranking.ranking, function) }</td>
                { for metrics.iter().map(|metric| html! { <td class="wide">{ metric_value(metric, measured(function)) }</td> }) }
                { for props.commands.clone().map(|commands| html! {
                    <td class="more"><RowMenu path={trace.path.clone()} name={ranking.names[function].clone()} {commands} /></td>
                }) }
            </tr>
        }
    };
    html! {
        <table class="ranking" data-test="ranking">
            <caption>
                <AxisValueSelect ranking={ranking.clone()} {value} on_present={props.on_present.clone()} />
                { format!("{} ({})", ranking.setup.machine.name, ranking.setup.target_name()) }
            </caption>
            <thead>
                <tr>
                    <th scope="col">{ "Function" }</th>
                    if let Some(heading) = &heading {
                        <th scope="col" class="wide left"><span class="visually-hidden">{ "Time from " }</span>{ heading }</th>
                    }
                    <th scope="col">{ "Median" }</th>
                    <th scope="col">{ "Ratio to fastest " }<small>{ "(95 % interval)" }</small></th>
                    <th scope="col" class="wide">{ if has_axis { "Fastest range" } else { "Fastest" } }</th>
                    { for metrics.iter().map(|metric| html! { <th scope="col" class="wide">{ metric.title }</th> }) }
                    if props.commands.is_some() {
                        <td class="more"></td>
                    }
                </tr>
            </thead>
            <tbody>{ for functions.iter().map(|&function| row(function)) }</tbody>
        </table>
    }
}

/// The heading of the sparklines; `None` without a line: on an axis without order, and for a single value.
fn sparkline_heading(ranking: &MachineRanking) -> Option<String> {
    let [first, .., last] = ranking.ranking.values() else { return None };
    first.number().zip(last.number())?;
    Some(format!("{} to {}", axis_value(first), with_unit(&axis_value(last), ranking.setup.axis_unit())))
}

/// How many times as long a function takes as the fastest one, or why this is unknown.
fn ratio(ranking: &MachineRanking, function: usize, fastest: usize, value: usize) -> Html {
    if function == fastest {
        return html! { <td>{ "1 ×" }</td> };
    }
    if let Some(known) = ranking.ranking.ratio(function, fastest, value) {
        let (ratio, interval) = ratio_and_interval(known.ratio, known.interval);
        return html! { <td>{ format!("{ratio} × ") }<small>{ format!("({interval})") }</small></td> };
    }
    let reason = ranking.ranking.ratio_at(function, fastest, value).and_then(|at| at.withheld).map(withheld_reason);
    html! {
        <td class="withheld">
            if let Some(reason) = reason {
                { "withheld " }<small>{ format!("({reason})") }</small>
            }
        </td>
    }
}

#[derive(PartialEq, Properties)]
struct AxisValueSelectProps {
    ranking: MachineRanking,
    /// The index of the shown axis value.
    value: usize,
    on_present: Callback<ViewAction>,
}

/// The axis value of the ranking; nothing without an axis.
#[component]
fn AxisValueSelect(props: &AxisValueSelectProps) -> Html {
    let values = props.ranking.ranking.values();
    let select = use_select_value(values[props.value].to_string());
    if values[props.value].is_absent() {
        return html! {};
    }
    let onchange = props
        .on_present
        .reform(|event: Event| ViewAction::RankAt(event.target_unchecked_into::<HtmlSelectElement>().value()));
    html! {
        <label>
            { "At " }
            <select ref={select} data-test="rank-at" {onchange}>
                { for values.iter().enumerate().map(|(index, value)| html! {
                    <option value={value.to_string()} selected={index == props.value}>{ axis_value(value) }</option>
                }) }
            </select>
            { format!("{}, ", with_unit("", props.ranking.setup.axis_unit())) }
        </label>
    }
}
