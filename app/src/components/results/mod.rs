//! The results of a cell: plot, table, samples, profile, code.

pub(crate) mod assembly;
pub(crate) mod claims;
mod comparisons;
mod conclusions;
mod export_menu;
mod growth;
mod largest;
mod machines;
mod margin;
pub(crate) mod missing;
pub(crate) mod panel;
pub(crate) mod plot;
pub(crate) mod profile;
pub(crate) mod quality;
pub(crate) mod ranking;
mod ratio_distribution;
mod ratios;
mod reproduction;
pub(crate) mod result_view;
mod samples;
mod sources;
mod table;
pub(crate) mod thumbnail;

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use yew::prelude::*;

use crate::components::widgets::unique_id::use_unique_id;
use crate::effects::browser::focus;
use assembly::{AssemblyTab, use_code};
use benchbook_host::alternative::build_id;
use benchbook_host::metric::WASM_INSTRUCTIONS;
use benchbook_host::response::SuiteCard;
use benchbook_notebook::view::{CellView, Tab, ViewAction};
use benchbook_report::ranking::MachineRanking;
use benchbook_report::results::Results;
use benchbook_report::shown_trace::ShownTrace;
use benchbook_report::wasm_counts::{WHAT_COUNTS_ARE_NOT, notes};
use export_menu::ExportMenu;
use plot::metric_select::Counting;
use plot::{DrawnPlot, Plot};
use profile::{ProfileTab, use_profile};
use samples::Samples;
use table::Table;

#[derive(PartialEq, Properties)]
pub(crate) struct OutputProps {
    /// Results with at least one measurement.
    pub(crate) results: Results,
    pub(crate) shown: Vec<ShownTrace>,
    pub(crate) rankings: Rc<Vec<MachineRanking>>,
    pub(crate) view: CellView,
    /// Whether the settings of the cell have changed since the measurement.
    pub(crate) is_outdated: bool,
    pub(crate) on_present: Callback<ViewAction>,
    /// Receives the axis value under the cursor of the plot.
    pub(crate) on_cursor: Callback<Option<AxisValue>>,
}

/// The views as tabs. The panels of the other tabs remain in the document, hidden.
#[component]
pub(crate) fn Output(props: &OutputProps) -> Html {
    let OutputProps { results, shown, rankings, view, is_outdated, on_present, .. } = props;
    let buttons = use_memo((), |()| Tab::ALL.map(|_| NodeRef::default()));
    let id = use_unique_id("output");
    let drawn = use_memo((), |()| DrawnPlot::default());
    let profile = use_profile(results, view);
    let code = use_code(results, view);
    let content = |tab: Tab| match tab {
        Tab::Plot => html! {
            <Plot drawn={DrawnPlot::clone(&drawn)} shown={shown.clone()} rankings={Rc::clone(rankings)} view={view.clone()}
                on_present={on_present.clone()} on_cursor={props.on_cursor.clone()} />
        },
        Tab::Table => html! { <Table shown={shown.clone()} rankings={Rc::clone(rankings)} /> },
        Tab::Samples => html! {
            <Samples shown={shown.clone()} metric={view.metric()} point={view.point.clone()} on_present={on_present.clone()} />
        },
        Tab::Profile => html! {
            <ProfileTab profile={profile.clone()} view={view.profile.clone()} build={build_name(results)} on_present={on_present.clone()} />
        },
        Tab::Assembly => html! {
            <AssemblyTab code={code.clone()} view={view.assembly.clone()} on_present={on_present.clone()} />
        },
    };
    html! {
        <div class="out">
            <div class="tabs" role="tablist" aria-label="Views">{ for Tab::ALL.map(|tab| button(view.tab, tab, &id, &buttons, on_present)) }</div>
            <ExportMenu results={results.clone()} margin={view.margin.ratio()} ranked_at={view.ranked_at.clone()}
                plot={DrawnPlot::clone(&drawn)} profile={profile.model.clone()} />
            { for Tab::ALL.map(|tab| html! {
                <div role="tabpanel" data-test={format!("panel-{}", tab.name())} id={format!("{id}-panel-{}", tab.name())} aria-labelledby={format!("{id}-tab-{}", tab.name())}
                    hidden={view.tab != tab}>{ content(tab) }</div>
            }) }
            <div>
                if *view.metric() == WASM_INSTRUCTIONS && !matches!(view.tab, Tab::Profile | Tab::Assembly) {
                    <AboutCounts shown={shown.clone()} on_present={on_present.clone()} />
                }
            </div>
            <p class="caption" data-test="caption">
                { results.setup().map(|setup| setup.summary()) }
                if results.hidden() > 0 {
                    { format!(" · without the {} oldest results of other machines and builds", results.hidden()) }
                }
                if *is_outdated {
                    <b>{ " · Settings changed. Measure again." }</b>
                }
            </p>
        </div>
    }
}

#[derive(PartialEq, Properties)]
struct AboutCountsProps {
    shown: Vec<ShownTrace>,
    on_present: Callback<ViewAction>,
}

/// Notes on the counts, what counts are not, and a button that counts the points that are not counted.
#[component]
fn AboutCounts(props: &AboutCountsProps) -> Html {
    let counting = use_context::<Counting>();
    let onclick = props.on_present.reform(|_: MouseEvent| ViewAction::Metric(&WASM_INSTRUCTIONS));
    html! {
        <>
            if counting == Some(Counting::Possible) {
                <p class="hints" data-test="uncounted">{ "Some points are not counted. " }
                    <button class="link" data-test="count" {onclick}>{ "Count them" }</button>
                </p>
            }
            { for notes(&props.shown).into_iter().map(|note| html! { <p class="hints" data-test="count-note">{ note }</p> }) }
            <p class="hints" data-test="counts">{ WHAT_COUNTS_ARE_NOT }</p>
        </>
    }
}

/// The build of the last measurement: `demo 0.1.0, build 8f2d1a0c`.
fn build_name(results: &Results) -> String {
    let of_suite =
        |suite: &SuiteCard| format!("{} {}, build {}", suite.name, suite.version, build_id(&suite.fingerprint));
    results.setup().map(|setup| of_suite(&setup.suite)).unwrap_or_default()
}

fn title(tab: Tab) -> &'static str {
    match tab {
        Tab::Plot => "Plot",
        Tab::Table => "Table",
        Tab::Samples => "Samples",
        Tab::Profile => "Profile",
        Tab::Assembly => "Assembly",
    }
}

/// A tab. As usual in tab lists, the Tab key reaches the chosen tab, and the arrow keys the others.
fn button(
    chosen: Tab,
    tab: Tab,
    id: &str,
    buttons: &Rc<[NodeRef; Tab::ALL.len()]>,
    on_present: &Callback<ViewAction>,
) -> Html {
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
