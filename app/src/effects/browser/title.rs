//! The title of the document, which shows the progress of a tab in the background.

use benchbook_contract::catalog::name_of;
use benchbook_host::sample::measurement::Progress;
use benchbook_host::units::percent;
use yew::prelude::*;

use crate::state::cell::{LiveCell, RunStatus};
use crate::state::{Shown, State};

/// The title if there is no better one.
pub(crate) const PAGE: &str = "Benchbook";

/// Updates the title of the document.
#[hook]
pub(crate) fn use_title(title: String) {
    use_effect_with(title, |title| {
        if let Some(document) = web_sys::window().and_then(|window| window.document()) {
            document.set_title(title);
        }
    });
}

/// The title for the self-test or the history if it is shown; otherwise the cell that is being measured or the current one, then the title of the
/// notebook, or of the site.
pub(crate) fn title_of(state: &State) -> String {
    match &state.shown {
        Shown::SelfTest => return format!("Self-test · {PAGE}"),
        Shown::History(history) => return format!("History of {} · {PAGE}", name_of(history.function().1)),
        Shown::Start | Shown::Notebook(_) | Shown::Archive(_) => {}
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
            format!("{}/4 {} {name}", priority.number(), rounded_share(progress))
        }
        (RunStatus::Paused, _) => format!("⏸ {name}"),
        (
            RunStatus::Queued
            | RunStatus::QueuedOnRunner(..)
            | RunStatus::Waiting
            | RunStatus::Measuring
            | RunStatus::Counting { .. },
            _,
        ) => format!("… {name}"),
        (RunStatus::Done, _) => format!("✓ {name}"),
        (RunStatus::Stopped, _) => format!("■ {name}"),
        (RunStatus::Failed(_), _) => format!("✗ {name}"),
    }
}

/// The completed share, rounded down to tens of percent. Chromium draws its whole window for each new title, which takes processor time
/// from the measurement.
fn rounded_share(progress: &Progress) -> String {
    let tenths = (progress.done * 10).checked_div(progress.total).unwrap_or_default();
    percent(tenths as f64 / 10.0)
}

#[cfg(test)]
mod tests {
    use benchbook_contract::axis_value::AxisValue;

    use super::*;

    #[test]
    fn the_share_is_rounded_down_to_tens() {
        let share = |done, total| rounded_share(&Progress { done, total, x: AxisValue::Absent, forecast: None });
        assert_eq!([share(0, 33), share(3, 33), share(4, 33), share(32, 33)], ["0%", "0%", "10%", "90%"]);
        assert_eq!(share(33, 33), "100%");
        assert_eq!(share(0, 0), "0%");
    }
}
