//! The notebook that is shown: its cells, with buttons between them to insert others.

mod cell_menu;
mod collapsed_measurement;
mod empty;
mod machine_cards;
mod notebook_cell;
mod notices;
pub(crate) mod outline;
mod pinpoint;
mod stored_cell;
mod text_cell;

use std::rc::Rc;

use yew::prelude::*;

use crate::components::sharing::send_results::send_results;
use crate::effects::measure::commands::Commands;
use crate::state::notebook::{NotebookAction, OpenNotebook};
use crate::state::{PageAction, State};
use empty::EmptyNotebook;
use machine_cards::machine_cards;
use notebook_cell::NotebookCell;
use notices::notices_view;

/// The title for the document outline, then the cells.
pub(super) fn notebook_view(
    state: &State,
    notebook: &OpenNotebook,
    commands: &Commands,
    act: &Callback<PageAction>,
) -> Html {
    let cells = &notebook.document.cells;
    html! {
        <>
            <h1 class="visually-hidden">{ notebook.document.shown_title() }</h1>
            { notices_view(&notebook.notices, act) }
            if cells.is_empty() && !notebook.is_reading {
                <EmptyNotebook suites={state.suites.clone()} {act} />
            }
            // An element of their own: among other elements, Yew ignores their keys.
            <div>{ for cells.iter().enumerate().map(|(index, cell)| html! {
                // Two notebooks may contain cells with the same identifier.
                <div key={format!("{}/{}", notebook.id, cell.id)}>
                    if !notebook.is_reading {
                        { insert_bar(index, act) }
                    }
                    { cell_view(state, notebook, index, commands, act) }
                </div>
            }) }</div>
            if notebook.is_measured_by_readers() {
                { send_results(&notebook.document, |machine| state.is_this_browser(machine)) }
            }
            if notebook.is_reading {
                { machine_cards(&notebook.document) }
            } else {
                { insert_bar(cells.len(), act) }
            }
        </>
    }
}

/// The cell at an index.
pub(super) fn cell_view(
    state: &State,
    notebook: &OpenNotebook,
    index: usize,
    commands: &Commands,
    act: &Callback<PageAction>,
) -> Html {
    let cell = &notebook.document.cells[index];
    let context = Rc::new(state.cell_context(notebook, index));
    html! { <NotebookCell {cell} live={notebook.live(&cell.id).cloned()} {context} {act} on_measure={&commands.measure} on_stop={&commands.stop} /> }
}

/// Buttons that insert a cell at an index.
fn insert_bar(index: usize, act: &Callback<PageAction>) -> Html {
    let text = act.reform(move |_: MouseEvent| PageAction::Notebook(NotebookAction::InsertText(index)));
    let measurement = act.reform(move |_: MouseEvent| PageAction::Notebook(NotebookAction::InsertMeasurement(index)));
    html! {
        <div class="insert" data-test="insert" data-index={index.to_string()}>
            <button class="plain" data-test="insert-text" onclick={text}>{ "+ Text" }</button>
            <button class="plain" data-test="insert-measurement" onclick={measurement}>{ "+ Measurement" }</button>
        </div>
    }
}
