//! The title of the document: what a tab in the background tells.

use benchbook_host::units::percent;
use yew::prelude::*;

use crate::state::State;
use crate::state::cell::{Cell, Run};

/// The name of the page.
const PAGE: &str = "Benchbook";

/// Keeps the title up to date.
#[hook]
pub(super) fn use_title(title: String) {
    use_effect_with(title, |title| {
        if let Some(document) = web_sys::window().and_then(|window| window.document()) {
            document.set_title(title);
        }
    });
}

/// The cell that is being measured comes first, then the one that is shown.
pub(super) fn title_of(state: &State) -> String {
    let told = state.measuring().or(state.cell()).map(|cell| told(cell));
    let notebook = state.notebook.as_ref().map(|notebook| notebook.title.clone()).filter(|title| !title.is_empty());
    told.or(notebook).into_iter().chain([PAGE.to_owned()]).collect::<Vec<_>>().join(" · ")
}

fn told(cell: &Cell) -> String {
    let name = cell.function.name();
    let progress = cell.step.and_then(|step| Some((step.priority, step.progress?)));
    match (&cell.run, progress) {
        (Run::Idle, _) => name.to_owned(),
        (Run::Measuring, Some((priority, progress))) => {
            let share = percent(progress.done as f64 / progress.of.max(1) as f64);
            format!("{}/4 {share} {name}", priority.number())
        }
        (Run::Paused, _) => format!("⏸ {name}"),
        (Run::Queued | Run::Ahead(..) | Run::Waiting | Run::Measuring, _) => format!("… {name}"),
        (Run::Done, _) => format!("✓ {name}"),
        (Run::Stopped, _) => format!("■ {name}"),
        (Run::Failed(_), _) => format!("✗ {name}"),
    }
}
