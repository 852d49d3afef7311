//! The results of a cell: plot, table, samples.

mod cell_footer;
mod export_menu;
mod growth;
mod largest;
mod machines;
mod margin;
mod plot;
pub(crate) mod quality;
pub(crate) mod ranking;
mod ratio_distribution;
mod ratios;
mod reproduction;
pub(crate) mod result_view;
mod samples;
mod table;

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::metric::TIME;
use yew::prelude::*;

use crate::components::widgets::unique_id::use_unique_id;
use crate::effects::browser::focus;
use benchbook_host::messages::verdicts::{different_outputs, verdicts};
use benchbook_notebook::curve::Reading;
use benchbook_notebook::view::{CellView, Tab, ViewAction};
use benchbook_report::comparison::{FunctionComparison, compared_pairs};
use benchbook_report::ranking::MachineRanking;
use benchbook_report::results::Results;
use benchbook_report::shown_trace::ShownTrace;
use export_menu::ExportMenu;
use growth::Growth;
use largest::LargestSentences;
use machines::Machines;
use margin::MarginSelect;
use plot::{DrawnPlot, Plot};
use ratio_distribution::RatiosOnMachines;
use samples::Samples;
use table::Table;

#[derive(PartialEq, Properties)]
pub(crate) struct OutputProps {
    pub(crate) results: Results,
    /// The rankings of the shown traces.
    pub(crate) rankings: Rc<Vec<MachineRanking>>,
    pub(crate) view: CellView,
    /// Whether more points follow.
    pub(crate) is_measuring: bool,
    /// Whether the settings of the cell have changed since the measurement.
    pub(crate) is_outdated: bool,
    pub(crate) on_present: Callback<ViewAction>,
}

/// The three views as tabs. The panels of the other tabs remain in the document, hidden.
#[component]
pub(crate) fn Output(props: &OutputProps) -> Html {
    let OutputProps { results, rankings, view, is_measuring, is_outdated, on_present } = props;
    let is_measuring = *is_measuring;
    let buttons = use_memo((), |()| Tab::ALL.map(|_| NodeRef::default()));
    let id = use_unique_id("output");
    let drawn = use_memo((), |()| DrawnPlot::default());
    let shown = results.shown();
    let comparisons = use_memo(Rc::clone(rankings), |rankings| FunctionComparison::all(rankings));
    let Some(setup) = results.setup() else {
        return html! {
            <div class="out empty"><p>{ "Not measured yet." }</p></div>
        };
    };
    let pairs = compared_pairs(&shown, &comparisons);
    let content = |tab: Tab| match tab {
        Tab::Plot => html! {
            <>
                <Plot drawn={DrawnPlot::clone(&drawn)} shown={shown.clone()} comparisons={comparisons.clone()} view={view.clone()} on_present={on_present.clone()} />
                { for verdicts(&pairs, setup.axis_unit(), view.margin.ratio(), is_measuring).into_iter().map(|verdict| html! {
                    <p class="verdict" data-test="verdict">{ verdict }</p>
                }) }
                <Growth shown={shown.clone()} metric={view.metric()} {is_measuring} />
                if let Some(limit) = view.limit.filter(|_| *view.metric() == TIME) {
                    <LargestSentences shown={shown.clone()} {limit} {is_measuring} />
                }
                <Machines shown={shown.clone()} {is_measuring} />
                <RatiosOnMachines results={results.clone()} x={chosen_value(rankings, view)} margin={view.margin.ratio()} {is_measuring} />
                if has_ratio_of_one_process(&shown, &comparisons) {
                    <p class="hints" data-test="one-process">
                        { "Some ratios come from one process; another process may give different ratios. Measure up to priority 4." }
                    </p>
                }
                if !pairs.is_empty() {
                    <MarginSelect margin={view.margin} on_present={on_present.clone()} />
                }
            </>
        },
        Tab::Table => html! { <Table shown={shown.clone()} comparisons={comparisons.clone()} /> },
        Tab::Samples => html! {
            <Samples shown={shown.clone()} metric={view.metric()} point={view.point.clone()} on_present={on_present.clone()} />
        },
    };
    html! {
        <div class="out">
            <div class="output-bar">
                <div class="tabs" role="tablist" aria-label="Views">{ for Tab::ALL.map(|tab| button(view.tab, tab, &id, &buttons, on_present)) }</div>
                <ExportMenu results={results.clone()} margin={view.margin.ratio()} ranked_at={view.ranked_at.clone()}
                    plot={DrawnPlot::clone(&drawn)} />
            </div>
            <p class="caption" data-test="caption">
                { setup.summary() }
                if results.hidden() > 0 {
                    { format!(" · without the {} oldest results of other machines and builds", results.hidden()) }
                }
                if *is_outdated {
                    <b>{ " · Settings changed. Measure again." }</b>
                }
            </p>
            { for different_outputs(&pairs).into_iter().map(|problem| html! {
                <p class="problem-note" role="alert" data-test="problem">{ problem }</p>
            }) }
            { for Tab::ALL.map(|tab| html! {
                <div role="tabpanel" data-test={format!("panel-{}", tab.name())} id={format!("{id}-panel-{}", tab.name())} aria-labelledby={format!("{id}-tab-{}", tab.name())}
                    hidden={view.tab != tab}>{ content(tab) }</div>
            }) }
        </div>
    }
}

/// The axis value of the ranking.
fn chosen_value(rankings: &[MachineRanking], view: &CellView) -> Option<AxisValue> {
    let first = rankings.first()?;
    Some(first.ranking.values()[first.value_at(view.ranked_at.as_deref())].clone())
}

/// Whether a ratio is from a single process.
fn has_ratio_of_one_process(shown: &[ShownTrace], comparisons: &[FunctionComparison]) -> bool {
    comparisons.iter().any(|comparison| {
        let is_one = |reading: &Reading| {
            let has_ratio = comparison.at(&reading.x).is_some_and(|at| at.ratio.is_some());
            has_ratio && reading.measured().is_some_and(|measured| measured.summary.runs == 1)
        };
        shown.get(comparison.ordinal).is_some_and(|other| other.trace.curve.readings().iter().any(is_one))
    })
}

fn title(tab: Tab) -> &'static str {
    match tab {
        Tab::Plot => "Plot",
        Tab::Table => "Table",
        Tab::Samples => "Samples",
    }
}

/// A tab. As usual in tab lists, the Tab key reaches the chosen tab, and the arrow keys the others.
fn button(chosen: Tab, tab: Tab, id: &str, buttons: &Rc<[NodeRef; 3]>, on_present: &Callback<ViewAction>) -> Html {
    let on = chosen == tab;
    let onclick = on_present.reform(move |_: MouseEvent| ViewAction::Tab(tab));
    let onkeydown = {
        let (on_present, buttons) = (on_present.clone(), Rc::clone(buttons));
        Callback::from(move |event: KeyboardEvent| {
            let (index, last) = (tab as usize, Tab::ALL.len() - 1);
            let next = match event.key().as_str() {
                "ArrowRight" => (index + 1) % Tab::ALL.len(),
                "ArrowLeft" => index.checked_sub(1).unwrap_or(last),
                "Home" => 0,
                "End" => last,
                _ => return,
            };
            event.prevent_default();
            on_present.emit(ViewAction::Tab(Tab::ALL[next]));
            focus::on(&buttons[next]);
        })
    };
    html! {
        <button role="tab" ref={buttons[tab as usize].clone()} id={format!("{id}-tab-{}", tab.name())} class={on.then_some("on")} aria-selected={on.to_string()}
            aria-controls={format!("{id}-panel-{}", tab.name())} tabindex={if on { "0" } else { "-1" }}
            data-test={format!("tab-{}", tab.name())} {onclick} {onkeydown}>{ title(tab) }</button>
    }
}
