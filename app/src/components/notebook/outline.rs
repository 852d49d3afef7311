//! The outline of the notebook: its cells by title, which can be moved by dragging and by keys.

use benchbook_host::messages::quality_report::Badge;
use benchbook_notebook::cell::Cell;
use benchbook_notebook::id::Id;
use benchbook_report::quality::answer_badge;
use benchbook_report::ranking::MachineRanking;
use benchbook_report::results::Results;
use yew::prelude::*;

use crate::components::results::quality::badge_name;
use crate::components::widgets::docs::plain_text;
use crate::effects::browser::idle::when_idle;
use crate::state::PageAction;
use crate::state::cell::RunStatus;
use crate::state::notebook::{NotebookAction, OpenNotebook};

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OutlineEntry {
    id: Id,
    title: String,
    is_text: bool,
    /// The status of its measurement; empty for a complete measurement, and without one.
    status: &'static str,
    /// The results of a complete measurement, whose quality is shown.
    results: Option<Results>,
}

/// The entries of a notebook in order.
pub(crate) fn entries(notebook: &OpenNotebook) -> Vec<OutlineEntry> {
    let entry = |cell: &Cell| {
        let is_text = cell.measurement().is_none();
        let title = match (is_text, cell.name()) {
            (true, name) if name.is_empty() => "Empty text".to_owned(),
            (true, name) => plain_text(&name),
            (false, name) => name,
        };
        let status = notebook.live(&cell.id).map_or("", |live| match &live.status {
            RunStatus::Failed(_) => "failed",
            RunStatus::Stopped => "stopped",
            RunStatus::Idle | RunStatus::Done => "",
            _ => "measuring",
        });
        let results = || match notebook.live(&cell.id) {
            Some(live) => Some(live.results.clone()),
            None => cell.measurement().map(Results::of),
        };
        let results = status.is_empty().then(results).flatten();
        OutlineEntry { id: cell.id.clone(), title, is_text, status, results }
    };
    notebook.document.cells.iter().map(|cell| entry(cell)).collect()
}

#[derive(PartialEq, Properties)]
pub(crate) struct OutlineProps {
    pub(crate) entries: Vec<OutlineEntry>,
    pub(crate) current: Option<Id>,
    /// Whether the cells cannot be moved.
    pub(crate) is_reading: bool,
    pub(crate) on_action: Callback<PageAction>,
}

#[component]
pub(crate) fn Outline(props: &OutlineProps) -> Html {
    // The cell that is being dragged.
    let dragged = use_state_eq(|| None::<Id>);
    let row = |(index, entry): (usize, &OutlineEntry)| {
        let act = |action: NotebookAction| PageAction::Notebook(action);
        let onclick = {
            let id = entry.id.clone();
            props.on_action.reform(move |_: MouseEvent| act(NotebookAction::Select(id.clone())))
        };
        let onkeydown = {
            let (id, on_action) = (entry.id.clone(), props.on_action.clone());
            Callback::from(move |event: KeyboardEvent| {
                let action = match (event.key().as_str(), event.alt_key()) {
                    ("ArrowUp", true) if index > 0 => NotebookAction::Move(id.clone(), index - 1),
                    ("ArrowDown", true) => NotebookAction::Move(id.clone(), index + 1),
                    ("Delete", false) => NotebookAction::Remove(id.clone()),
                    _ => return,
                };
                event.prevent_default();
                on_action.emit(act(action));
            })
        };
        let ondragstart = {
            let (id, dragged) = (entry.id.clone(), dragged.clone());
            Callback::from(move |event: DragEvent| {
                // Firefox drags only elements with data.
                if let Some(data) = event.data_transfer() {
                    let _ = data.set_data("text/plain", id.as_str());
                }
                dragged.set(Some(id.clone()));
            })
        };
        let ondragover = {
            let is_dragging = dragged.is_some();
            Callback::from(move |event: DragEvent| {
                if is_dragging {
                    event.prevent_default();
                }
            })
        };
        let ondrop = {
            let (on_action, dragged) = (props.on_action.clone(), dragged.clone());
            Callback::from(move |event: DragEvent| {
                event.prevent_default();
                if let Some(id) = &*dragged {
                    on_action.emit(act(NotebookAction::Move(id.clone(), index)));
                }
                dragged.set(None);
            })
        };
        let is_current = props.current.as_ref() == Some(&entry.id);
        html! {
            <li key={entry.id.to_string()} draggable={(!props.is_reading).to_string()} data-test="outline-item" data-id={entry.id.to_string()} {ondragstart} {ondragover} {ondrop}>
                <button class={classes!("function", is_current.then_some("on"))} aria-current={is_current.then_some("true")}
                    title={(!props.is_reading).then_some("Alt ↑ and Alt ↓ move it, Del removes it")} {onclick} {onkeydown}>
                    { icon(entry.is_text) }
                    <span>{ &entry.title }</span>
                    if !entry.status.is_empty() {
                        <small class="busy">{ entry.status }</small>
                    }
                    if let Some(results) = entry.results.clone() {
                        <OutlineQuality {results} />
                    }
                </button>
            </li>
        }
    };
    html! {
        <section class="outline" data-test="outline">
            <h2>{ "Outline" }</h2>
            <ul>{ for props.entries.iter().enumerate().map(row) }</ul>
        </section>
    }
}

/// Lines of text, or a curve between two axes.
fn icon(is_text: bool) -> Html {
    let path = if is_text { "M1 3h12M1 7h12M1 11h7" } else { "M1.5 1v11.5H13M4 9.5 7 6l2 1.5L13 2" };
    html! { <svg class="icon" viewBox="0 0 14 14" aria-hidden="true"><path d={path} /></svg> }
}

#[derive(PartialEq, Properties)]
struct OutlineQualityProps {
    results: Results,
}

/// The quality of the figures behind a cell's answer. It is computed when the browser is idle: a notebook may have a hundred cells, and the
/// plot comes first.
#[component]
fn OutlineQuality(props: &OutlineQualityProps) -> Html {
    let badge = use_state_eq(|| None::<Badge>);
    {
        let badge = badge.setter();
        use_effect_with(props.results.clone(), move |results| {
            let results = results.clone();
            let task = when_idle(move || {
                let shown = results.shown();
                badge.set(answer_badge(&shown, &MachineRanking::all(&shown)));
            });
            move || drop(task)
        });
    }
    html! {
        if let Some(badge) = *badge {
            // The dot leaves more room for the title than the word does.
            <small data-test="outline-quality" data-badge={badge_name(badge)} title={badge.label()}>
                <i class={classes!("dot", badge_name(badge))}></i><span class="visually-hidden">{ badge_name(badge) }</span>
            </small>
        }
    }
}
