//! The results of a cell, wherever they come from: a measurement in progress, a notebook, or a runner's archive.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::messages::quality_report::Badge;
use yew::prelude::*;

use super::Output;
use super::claims::{MoreClaims, headline};
use super::comparisons::Comparisons;
use super::conclusions::use_conclusions;
use super::panel::{PanelChoice, Side, SidePanel};
use super::plot::{Readout, drawn_view};
use super::quality::{Quality, badge_mark, causes};
use super::ranking::{Ranking, RowCommands};
use benchbook_notebook::view::{CellView, ViewAction};
use benchbook_report::ranking::MachineRanking;
use benchbook_report::results::Results;
use benchbook_report::shown_trace::ShownTrace;

#[derive(PartialEq, Properties)]
pub(crate) struct ResultViewProps {
    pub(crate) results: Results,
    pub(crate) view: CellView,
    /// Whether more points follow.
    #[prop_or_default]
    pub(crate) is_measuring: bool,
    /// Whether the settings of the cell have changed since the measurement.
    #[prop_or_default]
    pub(crate) is_outdated: bool,
    /// The progress, and the button that measures or stops; empty if the cell cannot be measured here.
    #[prop_or_default]
    pub(crate) run: Html,
    /// The precision of the point that is being measured.
    #[prop_or_default]
    pub(crate) forecast: Html,
    /// What Measure will do, in the place of the plot before the first measurement.
    #[prop_or_default]
    pub(crate) plan: Html,
    /// Notes above the results.
    #[prop_or_default]
    pub(crate) notes: Html,
    /// The controls, if the cell has any.
    #[prop_or_default]
    pub(crate) setup: Option<Html>,
    /// The documentation of the function, if it is known.
    #[prop_or_default]
    pub(crate) about: Option<Html>,
    /// The panel next to the plot; `None` leaves the choice to this component.
    #[prop_or_default]
    pub(crate) panel: Option<PanelChoice>,
    /// Adds a function to the comparison, if that is possible.
    #[prop_or_default]
    pub(crate) on_add: Option<Callback<()>>,
    /// The commands of each ranked function, if the cell can be changed.
    #[prop_or_default]
    pub(crate) row_commands: Option<RowCommands>,
    pub(crate) on_present: Callback<ViewAction>,
}

/// The answer and the run in a bar that stays in view; then plot, table and samples next to the ranking; then the quality.
#[component]
pub(crate) fn ResultView(props: &ResultViewProps) -> Html {
    let ResultViewProps { results, is_measuring, .. } = props;
    let is_measuring = *is_measuring;
    let shown = results.shown();
    let (rankings, reports, conclusions) = use_conclusions(results, &shown, &props.view, is_measuring);
    let view = drawn_view(&props.view, &shown, &rankings, is_measuring);
    // A zoom and a scale of ratios need the choice of ratios, which are otherwise shown only as long as curves are close.
    let on_present = {
        let (on_present, fixes_ratios) =
            (props.on_present.clone(), view.is_relative() && props.view.relative.is_none());
        Callback::from(move |action: ViewAction| {
            if fixes_ratios && matches!(action, ViewAction::Zoom(Some(_)) | ViewAction::YScale(_)) {
                on_present.emit(ViewAction::Relative(true));
            }
            on_present.emit(action);
        })
    };
    let own_panel = use_state_eq(SidePanel::default);
    let panel = props.panel.clone().unwrap_or_else(|| {
        let chosen = own_panel.setter();
        let on_open = Callback::from(move |panel| chosen.set(panel));
        PanelChoice::new(*own_panel, false, results, on_open)
    });
    let note_count = reports.iter().map(|(_, report)| report.causes.len()).sum::<usize>() + conclusions.origins.len();
    let notes = html! {
        <>
            { props.forecast.clone() }
            { causes(&reports) }
            <ul class="result-origins">{ for conclusions.origins.iter().map(|line| html! { <li data-test="result-origin">{ line }</li> }) }</ul>
        </>
    };
    let mut panels: Vec<(SidePanel, Html)> = Vec::new();
    panels.extend(props.setup.clone().map(|setup| (SidePanel::Setup, setup)));
    panels.extend(props.about.clone().map(|about| (SidePanel::About, about)));
    if !shown.is_empty() {
        let comparisons = html! {
            <Comparisons results={results.clone()} shown={shown.clone()} rankings={Rc::clone(&rankings)} conclusions={Rc::clone(&conclusions)}
                view={view.clone()} {is_measuring} on_present={on_present.clone()} />
        };
        panels.extend([(SidePanel::Comparisons, comparisons), (SidePanel::Notes, notes)]);
    }
    let panel_button =
        |of: SidePanel, test: &'static str, text: String| panel.button(of, classes!("link"), test, text.into());
    html! {
        <>
            <div class="run-bar">
                { headline(&conclusions.claims, is_measuring) }
                // The notes give the focus back to their own button.
                <span>
                    if let Some(badge @ (Badge::Noisy | Badge::Rough)) = conclusions.badge.filter(|_| !is_measuring) {
                        <button class="plain" data-test="badge-of-answer" onclick={panel.toggle(SidePanel::Notes)}>
                            { badge_mark(badge) }
                        </button>
                    }
                </span>
                { props.run.clone() }
            </div>
            <MoreClaims conclusions={Rc::clone(&conclusions)} shown={shown.clone()} />
            { props.notes.clone() }
            <CellBody results={results.clone()} shown={shown.clone()} rankings={Rc::clone(&rankings)} view={view.clone()} is_outdated={props.is_outdated} plan={props.plan.clone()}
                panel={panel.clone()} {panels} on_add={props.on_add.clone()} row_commands={props.row_commands.clone()} on_present={on_present.clone()} />
            { for conclusions.problems.iter().map(|problem| html! {
                <p class="problem-note inset" role="alert" data-test="problem">{ problem }</p>
            }) }
            <div class="cell-foot">
                <Quality shown={shown.clone()} {reports} {is_measuring} />
                if !shown.is_empty() {
                    { panel_button(SidePanel::Notes, "open-notes", format!("Notes ({note_count})")) }
                    { panel_button(SidePanel::Comparisons, "open-comparisons", format!("All comparisons ({})", conclusions.verdicts.len())) }
                    if let Some(origin) = conclusions.origins.last() {
                        <span class="origin">{ origin }</span>
                    }
                }
            </div>
        </>
    }
}

#[derive(PartialEq, Properties)]
struct CellBodyProps {
    results: Results,
    shown: Vec<ShownTrace>,
    rankings: Rc<Vec<MachineRanking>>,
    view: CellView,
    is_outdated: bool,
    /// What is in the place of the plot before the first measurement.
    plan: Html,
    panel: PanelChoice,
    /// The panels but the ranking.
    panels: Vec<(SidePanel, Html)>,
    on_add: Option<Callback<()>>,
    row_commands: Option<RowCommands>,
    on_present: Callback<ViewAction>,
}

/// The plot, and the column whose ranking and figures follow the cursor: only this is rendered again when the cursor moves.
#[component]
fn CellBody(props: &CellBodyProps) -> Html {
    let CellBodyProps { results, shown, rankings, view, on_present, .. } = props;
    let cursor = use_state_eq(|| None::<AxisValue>);
    let on_cursor = {
        let cursor = cursor.setter();
        use_callback((), move |x: Option<AxisValue>, ()| cursor.set(x))
    };
    let ranking = html! {
        <>
            if rankings.is_empty() {
                <p class="soft placeholder">{ "Measure to rank the functions." }</p>
            } else {
                <Ranking shown={shown.clone()} rankings={Rc::clone(rankings)} ranked_at={view.ranked_at.clone()} cursor={(*cursor).clone()}
                    on_present={on_present.clone()} commands={props.row_commands.clone()} />
            }
            if let Some(on_add) = &props.on_add {
                <button class="plain" data-test="add-to-comparison" onclick={on_add.reform(|_: MouseEvent| ())}>{ "+ Function" }</button>
            }
        </>
    };
    let reading = html! {
        <Readout shown={shown.clone()} rankings={Rc::clone(rankings)} view={view.clone()} x={(*cursor).clone()} />
    };
    let panels: Vec<(SidePanel, Html)> =
        [(SidePanel::Ranking, ranking)].into_iter().chain(props.panels.clone()).collect();
    html! {
        <div class="cell-body">
            if shown.is_empty() {
                <div class="out empty">{ props.plan.clone() }</div>
            } else {
                <Output results={results.clone()} shown={shown.clone()} rankings={Rc::clone(rankings)} view={view.clone()} is_outdated={props.is_outdated}
                    on_present={on_present.clone()} {on_cursor} />
            }
            <Side choice={props.panel.clone()} {panels} {reading} />
        </div>
    }
}
