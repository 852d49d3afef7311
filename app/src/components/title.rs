//! The title of the document, which shows the progress of a tab in the background.

use benchbook_contract::catalog::name_of;
use benchbook_host::units::percent;
use yew::prelude::*;

use crate::state::cell::{LiveCell, RunStatus};
use crate::state::page::State;

const PAGE: &str = "Benchbook";

/// Updates the title of the document.
#[hook]
pub(super) fn use_title(title: String) {
    use_effect_with(title, |title| {
        if let Some(document) = web_sys::window().and_then(|window| window.document()) {
            document.set_title(title);
        }
    });
}

/// The title for the self-test or the history if it is shown; otherwise the cell that is being measured or the current one, then the title of the
/// notebook, or of the site.
pub(super) fn title_of(state: &State) -> String {
    if state.is_self_test_shown {
        return format!("Self-test · {PAGE}");
    }
    if let Some(history) = &state.history {
        return format!("History of {} · {PAGE}", name_of(history.function().1));
    }
    let cell = state.measuring().map(|(_, cell)| cell).or(state.cell()).map(|cell| title_of_cell(cell));
    let titles = [
        state.notebook().map(|notebook| notebook.document.title.clone()),
        state.site_config.as_ref().map(|config| config.title.clone()),
    ];
    let title = titles.into_iter().flatten().find(|title| !title.is_empty());
    cell.into_iter().chain(title).chain([PAGE.to_owned()]).collect::<Vec<_>>().join(" · ")
}

fn title_of_cell(cell: &LiveCell) -> String {
    let name = cell.function.name();
    let progress = cell.step.as_ref().and_then(|step| Some((step.priority, step.progress.as_ref()?)));
    match (&cell.status, progress) {
        (RunStatus::Idle, _) => name.to_owned(),
        (RunStatus::Measuring, Some((priority, progress))) => {
            let share = percent(progress.done as f64 / progress.total.max(1) as f64);
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
