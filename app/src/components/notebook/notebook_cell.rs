//! A cell of a notebook: its head with the commands of the cell, and its content.

use std::cell::RefCell;
use std::rc::Rc;

use benchbook_contract::catalog::name_of;
use benchbook_notebook::cell::{Cell, CellContent, MeasurementCell};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::cell_menu::CellMenu;
use super::collapsed_measurement::CollapsedMeasurement;
use super::pinpoint::PinpointCell;
use super::stored_cell::StoredCell;
use super::text_cell::TextCell;
use crate::components::cell::chips::chips;
use crate::components::cell::run_controls::RunControls;
use crate::components::cell::{Measurement, documentation};
use crate::components::results::panel::{PanelChoice, SidePanel};
use crate::components::results::result_view::ResultView;
use crate::components::widgets::breakable::breakable;
use crate::components::widgets::deferred::{Deferral, use_deferred};
use crate::components::widgets::unique_id::use_unique_id;
use crate::effects::browser::focus;
use crate::state::PageAction;
use crate::state::cell::action::{CellAction, SetupEdit};
use crate::state::cell::{CellId, LiveCell};
use crate::state::notebook::NotebookAction;
use crate::state::notebook::cell_context::CellContext;
use crate::state::suites::loaded_suite::FunctionId;
use benchbook_report::results::Results;

#[derive(PartialEq, Properties)]
pub(crate) struct NotebookCellProps {
    pub(crate) cell: Rc<Cell>,
    /// Its controls and its measurement; absent for text, and if its function is not in a loaded suite.
    pub(crate) live: Option<Rc<LiveCell>>,
    pub(crate) context: Rc<CellContext>,
    pub(crate) act: Callback<PageAction>,
    pub(crate) on_measure: Callback<CellId>,
    pub(crate) on_stop: Callback<()>,
}

#[component]
pub(crate) fn NotebookCell(props: &NotebookCellProps) -> Html {
    let context = &props.context;
    let (section, title_id) = (use_node_ref(), use_unique_id("cell-title"));
    let is_renaming = use_state_eq(|| false);
    let on_notebook = {
        let act = props.act.clone();
        use_callback((), move |action: NotebookAction, ()| act.emit(PageAction::Notebook(action)))
    };
    let on_action = use_callback((props.act.clone(), context.id.clone()), |action: CellAction, (act, id)| {
        act.emit(PageAction::Cell(id.clone(), action));
    });
    let on_compare_builds = use_callback((props.act.clone(), context.id.clone()), |builds: [String; 2], (act, id)| {
        act.emit(PageAction::CompareTwoBuilds(id.clone(), builds));
    });
    let on_measure = use_callback((props.on_measure.clone(), context.id.clone()), |(), (on_measure, id)| {
        on_measure.emit(id.clone());
    });
    let panel = use_panel(props.live.as_deref(), !context.is_reading);
    let on_add_cell = use_callback(
        (props.act.clone(), props.live.as_ref().map(|live| live.suite.id)),
        |path: String, (act, suite)| {
            if let Some(suite) = *suite {
                act.emit(PageAction::Add(FunctionId { suite, path }));
            }
        },
    );
    // Whether the user selected the cell by a click or the focus inside it: it must not move under the pointer.
    let is_selected_inside = use_mut_ref(|| false);
    use_view_of_new_cell(&section, context.is_current, &is_selected_inside);
    use_focus_on_rejection(&section, props.live.as_ref().map_or(0, |live| live.rejections), &panel);
    let cell_id = &context.id.cell;
    let select = {
        let (on_notebook, id, is_current) = (on_notebook.clone(), cell_id.clone(), context.is_current);
        move || {
            if !is_current {
                is_selected_inside.replace(true);
                on_notebook.emit(NotebookAction::Select(id.clone()));
            }
        }
    };
    let onfocusin = {
        let select = select.clone();
        Callback::from(move |_: FocusEvent| select())
    };
    let onpointerdown = Callback::from(move |_: PointerEvent| select());
    let is_collapsed = props.cell.is_collapsed;
    let on_collapse = {
        let id = cell_id.clone();
        on_notebook.reform(move |_: MouseEvent| NotebookAction::SetCollapsed(id.clone(), !is_collapsed))
    };
    let on_rename = {
        let is_renaming = is_renaming.clone();
        Callback::from(move |()| is_renaming.set(true))
    };
    let is_text = matches!(props.cell.content, CellContent::Text(_));
    let Deferral { has_content, is_near } =
        use_deferred(&section, context.is_current || is_text || is_collapsed, !context.is_loading);
    let can_run = !context.is_reading || context.is_measured_by_readers;
    let run = props.live.as_ref().filter(|_| can_run).map(|live| html! {
        <RunControls cell={live} context={Rc::clone(context)} on_measure={on_measure.clone()} on_stop={props.on_stop.clone()} />
    });
    let content = match (&props.cell.content, &props.live) {
        _ if !has_content => html! {},
        (CellContent::Text(text), _) => html! {
            <TextCell id={cell_id.clone()} text={text.clone()} name={props.cell.name()} {is_collapsed} is_reading={context.is_reading} on_action={on_notebook.clone()} />
        },
        (CellContent::Measurement(measurement), _) if !is_collapsed && let Some(document) = &measurement.pinpoint => {
            let id = cell_id.clone();
            let on_found = on_notebook.reform(move |found| NotebookAction::SetPinpoint(id.clone(), found));
            html! { <PinpointCell document={document.clone()} {on_found} /> }
        }
        (CellContent::Measurement(measurement), live) if is_collapsed => {
            let margin = measurement.setup.view.margin.ratio();
            let (results, summary) = match live {
                Some(live) => (live.results.clone(), live.summary()),
                None => summarized(measurement),
            };
            html! { <CollapsedMeasurement {results} {summary} {margin} run={run.unwrap_or_default()} is_measuring={live.as_ref().is_some_and(|live| live.is_measuring())} /> }
        }
        (CellContent::Measurement(_), Some(live)) if context.is_reading => html! {
            <ResultView results={live.results.clone()} view={live.view.clone()} is_measuring={live.is_measuring()} run={run.unwrap_or_default()}
                plan={if context.is_measured_by_readers { documentation(live, context.source.as_deref()) } else { html! {} }}
                panel={panel.clone()} about={context.is_measured_by_readers.then(|| documentation(live, context.source.as_deref()))}
                notes={html! { <p class="setup-line">{ live.summary() }</p> }} on_present={on_action.reform(|value| CellAction::Edit(SetupEdit::View(value)))} />
        },
        (CellContent::Measurement(_), Some(live)) => html! {
            <Measurement cell={live} context={Rc::clone(context)} run={run.unwrap_or_default()} panel={panel.clone()} {on_compare_builds} {on_action} {on_add_cell} />
        },
        (CellContent::Measurement(measurement), None) => html! {
            <StoredCell measurement={(**measurement).clone()} is_reading={context.is_reading || context.is_loading} />
        },
    };
    let is_pinpoint = props.cell.measurement().is_some_and(|measurement| measurement.pinpoint.is_some());
    let has_setup = !is_collapsed && !context.is_reading && !is_pinpoint;
    let has_about = |_: &&Rc<LiveCell>| !is_collapsed && can_run && !is_pinpoint;
    let path = props.cell.measurement().and_then(|measurement| measurement.setup.functions.first().cloned());
    html! {
        // A group, since landmarks must have different names.
        <section role="group" class={classes!("cell", if is_text { "text" } else { "measurement" }, context.is_current.then_some("current"), context.is_reading.then_some("read-only"), is_near.then_some("near"), (!has_content).then_some("pending"))} ref={section}
            data-test={if is_text { "text-cell" } else { "cell" }} data-path={path} data-id={cell_id.to_string()}
            data-current={context.is_current.then_some("true")} aria-labelledby={title_id.to_string()} {onfocusin} {onpointerdown}>
            <div class="cell-bar">
                <button class="plain fold" aria-expanded={(!is_collapsed).to_string()} aria-label={if is_collapsed { "Expand" } else { "Collapse" }}
                    data-test="collapse" onclick={on_collapse}>{ if is_collapsed { "▸" } else { "▾" } }</button>
                { title(props, &title_id, &is_renaming, &on_notebook) }
                if let Some(live) = props.live.as_ref().filter(|_| has_setup) {
                    { chips(live, context.runs_on(), &panel) }
                }
                if let Some(live) = props.live.as_ref().filter(has_about) {
                    // Before the first measurement, the documentation is in the place of the plot.
                    { panel.button(SidePanel::About, classes!("plain", "open-about", live.results.is_empty().then_some("unseen")), "open-about", "Docs".into()) }
                }
                if let Some(stale) = &context.stale {
                    <span class="stale" data-test="stale" title={stale.clone()}>{ "Stale" }<span class="visually-hidden">{ format!(": {stale}") }</span></span>
                }
                if let Some(history) = &context.history {
                    <a class="history-link" data-test="open-history" href={format!("#{history}")}>{ "History" }</a>
                }
                if !context.is_reading {
                    <CellMenu id={cell_id.clone()} position={context.position} can_rename={!is_text} on_action={on_notebook} {on_rename} />
                }
            </div>
            if let (Some(stale), false) = (&context.stale, is_collapsed) {
                <p class="stale-note">{ stale }</p>
            }
            { content }
        </section>
    }
}

/// The title as a heading, or as a field while the user renames the cell.
fn title(
    props: &NotebookCellProps,
    title_id: &str,
    is_renaming: &UseStateHandle<bool>,
    on_notebook: &Callback<NotebookAction>,
) -> Html {
    let Some(measurement) = props.cell.measurement() else {
        return html! { <span class="visually-hidden" id={title_id.to_owned()}>{ "Text" }</span> };
    };
    if !**is_renaming {
        return html! { <h2 class="path" dir="auto" id={title_id.to_owned()}>{ heading(measurement, props.live.as_deref()) }</h2> };
    }
    let oninput = {
        let id = props.context.id.cell.clone();
        on_notebook.reform(move |event: InputEvent| {
            NotebookAction::SetCellTitle(id.clone(), event.target_unchecked_into::<HtmlInputElement>().value())
        })
    };
    let end = {
        let (is_renaming, on_notebook) = (is_renaming.clone(), on_notebook.clone());
        move || {
            is_renaming.set(false);
            on_notebook.emit(NotebookAction::EndStep);
        }
    };
    let onblur = {
        let end = end.clone();
        Callback::from(move |_: FocusEvent| end())
    };
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "Enter" | "Escape") {
            event.prevent_default();
            end();
        }
    });
    html! {
        <input class="text plain rename" type="text" dir="auto" id={title_id.to_owned()} aria-label="Title of the cell" data-test="cell-title" autofocus=true
            placeholder={props.cell.name()} value={measurement.title.clone()} {oninput} {onblur} {onkeydown} />
    }
}

/// The title, or else the path of the function, with the names of those that it is compared with.
fn heading(measurement: &MeasurementCell, live: Option<&LiveCell>) -> Html {
    if !measurement.title.is_empty() {
        return html! { <span class="words">{ &measurement.title }</span> };
    }
    let setup = &measurement.setup;
    let functions = setup.distinct_functions();
    let Some((&first, others)) = functions.split_first() else { return html! { "Measurement" } };
    let suite = live.map_or(setup.suite.as_str(), |live| &live.suite.suite.name);
    let (module, name) = first.rsplit_once("::").unwrap_or(("", first));
    let prefix = if module.is_empty() { format!("{suite}::") } else { format!("{suite}::{module}::") };
    html! {
        <>
            <i>{ breakable(&prefix) }</i>{ breakable(name) }
            { for others.iter().map(|other| html! { <><i>{ ", " }</i>{ breakable(name_of(other)) }</> }) }
        </>
    }
}

/// The results of a cell whose function is not in a loaded suite, and their setup on one line.
fn summarized(measurement: &MeasurementCell) -> (Results, String) {
    let results = Results::of(measurement);
    let summary = results.setup().map(|setup| setup.summary()).unwrap_or_default();
    (results, summary)
}

/// Scrolls to a cell when it becomes the current one, unless it is in view.
#[hook]
fn use_view_of_new_cell(section: &NodeRef, is_current: bool, is_selected_inside: &Rc<RefCell<bool>>) {
    let (section, is_selected_inside) = (section.clone(), Rc::clone(is_selected_inside));
    use_effect_with(is_current, move |is_current| {
        if *is_current && !is_selected_inside.replace(false) {
            focus::bring_into_view(&section);
        }
    });
}

/// Shows and focuses the first invalid field when a request is rejected, but not when the user returns to such a cell later.
#[hook]
fn use_focus_on_rejection(section: &NodeRef, rejections: u32, panel: &PanelChoice) {
    let (seen, is_pending) = (use_mut_ref(|| rejections), use_mut_ref(|| false));
    let (section, on_open) = (section.clone(), panel.on_open.clone());
    use_effect_with((rejections, panel.open), move |&(rejections, open)| {
        if seen.replace(rejections) != rejections {
            is_pending.replace(true);
            on_open.emit(SidePanel::Setup);
        }
        // The field can be focused once its panel is open.
        if open == SidePanel::Setup && is_pending.replace(false) {
            focus::on_first(&section, "[aria-invalid=true]");
        }
    });
}

/// The panel next to the plot: what the user chose, or else the controls until the first measurement, then the ranking.
#[hook]
fn use_panel(live: Option<&LiveCell>, has_setup: bool) -> PanelChoice {
    let chosen = use_state_eq(|| None::<SidePanel>);
    let is_measuring = live.is_some_and(LiveCell::is_measuring);
    {
        let chosen = chosen.clone();
        use_effect_with(is_measuring, move |is_measuring| {
            if *is_measuring && *chosen == Some(SidePanel::Setup) {
                chosen.set(None);
            }
        });
    }
    let on_open = {
        let chosen = chosen.setter();
        use_callback((), move |panel: SidePanel, ()| chosen.set(Some(panel)))
    };
    let is_blank = live.is_some_and(LiveCell::is_blank);
    let default = if is_blank { SidePanel::Setup } else { SidePanel::Ranking };
    let none = Results::default();
    PanelChoice::new(chosen.unwrap_or(default), has_setup, live.map_or(&none, |live| &live.results), on_open)
}
