//! The title of the document: what a tab in the background tells.

use benchbook::units::percent;
use yew::prelude::*;

use crate::state::cell::{Cell, RunStatus};
use crate::state::page::State;

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
    let notebook = state.site_config.as_ref().map(|notebook| notebook.title.clone()).filter(|title| !title.is_empty());
    told.or(notebook).into_iter().chain([PAGE.to_owned()]).collect::<Vec<_>>().join(" · ")
}

fn told(cell: &Cell) -> String {
    let name = cell.function.name();
    let progress = cell.step.and_then(|step| Some((step.priority, step.progress?)));
    match (&cell.status, progress) {
        (RunStatus::Idle, _) => name.to_owned(),
        (RunStatus::Measuring, Some((priority, progress))) => {
            let share = percent(progress.done as f64 / progress.of.max(1) as f64);
            format!("{}/4 {share} {name}", priority.number())
        }
        (RunStatus::Paused, _) => format!("⏸ {name}"),
        (RunStatus::Queued | RunStatus::QueuedOnRunner(..) | RunStatus::Waiting | RunStatus::Measuring, _) => {
            format!("… {name}")
        }
        (RunStatus::Done, _) => format!("✓ {name}"),
        (RunStatus::Stopped, _) => format!("■ {name}"),
        (RunStatus::Failed(_), _) => format!("✗ {name}"),
    }
}
