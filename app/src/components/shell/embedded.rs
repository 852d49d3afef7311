//! The page as a frame of another page: one cell, with a link to the whole page.

use yew::prelude::*;

use crate::components::notebook::cell_view;
use crate::components::widgets::code::with_code;
use crate::effects::browser;
use crate::effects::browser::title::PAGE;
use crate::effects::measure::commands::Commands;
use crate::state::{PageAction, State};

/// The current cell of the notebook, or a sentence if the address names no cell.
pub(super) fn embedded_view(state: &State, commands: &Commands, act: &Callback<PageAction>) -> Html {
    let problems = state.problems.iter().chain(&state.link_problems).chain(state.failed_suites.values());
    let cell = state.notebook().and_then(|notebook| {
        let index = notebook.document.index(notebook.current.as_ref()?)?;
        Some(cell_view(state, notebook, index, commands, act))
    });
    let heading = state.cell().map_or(PAGE, |cell| cell.function.name());
    html! {
        <main class="embedded">
            <h1 class="visually-hidden">{ heading }</h1>
            { for problems.map(|problem| html! { <p class="problem-note" role="alert" data-test="problem">{ with_code(problem) }</p> }) }
            if let Some(bug) = browser::known_bug() {
                <p class="problem-note" role="status" data-test="browser-bug">{ bug }</p>
            }
            if let Some(cell) = cell {
                { cell }
            } else if state.is_loading() || state.is_opening_link() {
                <p role="status">{ "Loading…" }</p>
            } else {
                <p role="status">{ "The address of this frame names no cell." }</p>
            }
            <p class="embedded-foot">
                if let Some(clock) = state.clock() {
                    <span data-test="clock-note">{ browser::clock_note(clock) }</span>
                }
                <a href={browser::address_outside_frame()} target="_blank" data-test="open-outside">{ "Open in Benchbook" }</a>
            </p>
        </main>
    }
}
