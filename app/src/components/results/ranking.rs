//! The functions of a measurement in order.

mod row_menu;

use std::rc::Rc;

use benchbook_chart::Palette;
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::messages::answer::{fastest_range, typical_time};
use benchbook_host::messages::lists::with_unit;
use benchbook_host::messages::verdicts::ratio_and_interval;
use benchbook_host::messages::verdicts::withheld_reason;
use benchbook_host::units::{axis_value, plus_minus};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::components::widgets::breakable::breakable;
use crate::components::widgets::interactive_chart::{palette, use_appearance};
use crate::components::widgets::select_value::use_select_value;
use crate::components::widgets::series_mark::series_mark;
use benchbook_notebook::trace::Trace;
use benchbook_notebook::view::ViewAction;
use benchbook_report::comparison::RatioToFastest;
use benchbook_report::ranking::MachineRanking;
use benchbook_report::shown_trace::ShownTrace;
use benchbook_report::wasm_counts::counted;
use row_menu::RowMenu;
pub(crate) use row_menu::{RowCommand, RowCommands};

#[derive(PartialEq, Properties)]
pub(super) struct RankingProps {
    pub(super) shown: Vec<ShownTrace>,
    /// The rankings of the shown traces, at least one.
    pub(super) rankings: Rc<Vec<MachineRanking>>,
    /// The axis value of the table, as text; `None` selects the last at which all functions have figures.
    pub(super) ranked_at: Option<String>,
    /// The axis value under the cursor, which has precedence.
    pub(super) cursor: Option<AxisValue>,
    pub(super) on_present: Callback<ViewAction>,
    /// The commands of each function in the table, if it can be changed.
    pub(super) commands: Option<RowCommands>,
}

/// The rankings of the shown traces, computed once for each change of them.
#[hook]
pub(crate) fn use_rankings(shown: &[ShownTrace]) -> Rc<Vec<MachineRanking>> {
    use_memo(shown.to_vec(), |shown| MachineRanking::all(shown))
}

/// Whether functions were compared with each other.
pub(super) fn has_ratios(rankings: &[MachineRanking]) -> bool {
    rankings.iter().any(|ranking| !ranking.ranking.pairs().is_empty())
}

/// The functions of a machine at one axis value, the fastest first. With several machines, a button for each.
#[component]
pub(super) fn Ranking(props: &RankingProps) -> Html {
    let RankingProps { shown, rankings, cursor, commands, .. } = props;
    let palette = palette(use_appearance(), shown.len());
    let chosen = use_state_eq(|| 0);
    let index = if *chosen < rankings.len() { *chosen } else { 0 };
    let Some(ranking) = rankings.get(index) else { return html! {} };
    let at_cursor =
        cursor.as_ref().and_then(|cursor| ranking.ranking.values().iter().position(|value| value == cursor));
    let value = at_cursor.unwrap_or_else(|| ranking.value_at(props.ranked_at.as_deref()));
    let machine = |(one, ranking): (usize, &MachineRanking)| {
        let chosen = chosen.setter();
        let onclick = Callback::from(move |_: MouseEvent| chosen.set(one));
        html! {
            <button class="small" data-test="rank-machine" aria-pressed={(one == index).to_string()} {onclick}>{ &ranking.setup.machine.name }</button>
        }
    };
    html! {
        <>
            <div class="ranking-bar">
                <AxisValueSelect ranking={ranking.clone()} {value} on_present={props.on_present.clone()} />
                if rankings.len() > 1 {
                    <span class="group" role="group" aria-label="Machine">{ for rankings.iter().enumerate().map(machine) }</span>
                }
            </div>
            <RankingTable shown={shown.clone()} ranking={ranking.clone()} {palette} {value} commands={commands.clone()} />
        </>
    }
}

#[derive(PartialEq, Properties)]
struct RankingTableProps {
    shown: Vec<ShownTrace>,
    ranking: MachineRanking,
    palette: Palette,
    /// The index of the axis value.
    value: usize,
    commands: Option<RowCommands>,
}

/// The functions at one axis value, the fastest first.
#[component]
fn RankingTable(props: &RankingTableProps) -> Html {
    let RankingTableProps { shown, ranking, palette, value, .. } = props;
    let (value, functions) = (*value, ranking.ranking.ranked_at(*value));
    let has_ratios = ranking.names.len() > 1;
    let row = |function: usize| {
        let ShownTrace { trace, hue, .. } = &shown[ranking.ordinals[function]];
        html! {
            <tr data-test="ranked" data-path={trace.path.clone()}>
                <th scope="row">
                    { series_mark(*hue, *palette) }{ breakable(&ranking.names[function]) }
                    <small>{ fastest_range(&ranking.ranking, function) }</small>
                    { for counts(trace, &ranking.ranking.values()[value]).map(|counts| html! { <small data-test="ranked-counts">{ counts }</small> }) }
                </th>
                <td>{ ranking.ranking.time(function, value).map(typical_time) }<small>{ precision(ranking, function, value) }</small></td>
                if has_ratios {
                    { ratio(RatioToFastest::at(ranking, function, value)) }
                }
                { for props.commands.clone().map(|commands| html! {
                    <td class="more"><RowMenu path={trace.path.clone()} name={ranking.names[function].clone()} {commands} /></td>
                }) }
            </tr>
        }
    };
    html! {
        <table class="ranking-table" data-test="ranking">
            <caption class="visually-hidden">{ format!("{} ({})", ranking.setup.machine.name, ranking.setup.target_name()) }</caption>
            <thead>
                <tr>
                    <th scope="col">{ "Function" }</th>
                    <th scope="col">{ "Median" }</th>
                    if has_ratios {
                        <th scope="col" title="Ratio to the fastest, with its 95% interval">{ "Ratio (95%)" }</th>
                    }
                    if props.commands.is_some() {
                        <td class="more"></td>
                    }
                </tr>
            </thead>
            <tbody>{ for functions.iter().map(|&function| row(function)) }</tbody>
        </table>
    }
}

/// The wasm instructions of a call at an axis value, if they were counted.
fn counts(trace: &Trace, x: &AxisValue) -> Option<String> {
    let reading = trace.curve.readings().iter().find(|reading| reading.x == *x)?;
    Some(format!("{} wasm instructions", counted(reading.measured()?)?))
}

/// Half the width of the interval of the typical time, such as `±1.2%`.
fn precision(ranking: &MachineRanking, function: usize, value: usize) -> Option<String> {
    let Interval { low, high } = ranking.ranking.time_interval(function, value)?;
    let time = ranking.ranking.time(function, value)?.order();
    (time > 0.0).then(|| plus_minus((high - low) / 2.0 / time))
}

/// How many times as long a function takes as the fastest one, or why this is unknown.
fn ratio(to_fastest: Option<RatioToFastest>) -> Html {
    match to_fastest {
        Some(RatioToFastest::Fastest) => html! { <td>{ "1 ×" }</td> },
        Some(RatioToFastest::Known(known, _)) => {
            let (ratio, interval) = ratio_and_interval(known.ratio, known.interval);
            html! { <td>{ format!("{ratio} ×") }<small>{ interval }</small></td> }
        }
        Some(RatioToFastest::Unavailable(reason)) => {
            html! { <td class="unavailable">{ "unavailable" }<small>{ withheld_reason(reason) }</small></td> }
        }
        None => html! { <td></td> },
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
            { with_unit("", props.ranking.setup.axis_unit()) }
        </label>
    }
}
