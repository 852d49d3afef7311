//! Connects the keys of the page to its commands.

use std::rc::Rc;

use yew::prelude::*;

use super::keys::{KeyCommand, KeyContext, use_keys};
use super::landmarks::Landmarks;
use crate::components::sharing::ShareAction;
use crate::components::widgets::help::Topic;
use crate::effects::measure::commands::Commands;
use crate::state::notebook::NotebookAction;
use crate::state::{PageAction, State};

/// What the keys act on.
pub(super) struct KeyTargets {
    pub(super) commands: Commands,
    pub(super) landmarks: Rc<Landmarks>,
    /// The topic of the help; `None` if it is closed.
    pub(super) help: Option<Topic>,
    pub(super) on_help: Callback<Option<Topic>>,
    pub(super) on_share: Callback<ShareAction>,
    pub(super) act: Callback<PageAction>,
}

#[hook]
pub(super) fn use_page_keys(state: &State, targets: KeyTargets) {
    let context = KeyContext {
        is_measuring: state.is_busy(),
        is_dialog_open: state.own_suites.is_dialog_open,
        is_help_open: targets.help.is_some(),
    };
    let landmarks = Landmarks::clone(&targets.landmarks);
    let has_notebook = state.notebook().is_some();
    let is_reading = state.notebook().is_some_and(|notebook| notebook.is_reading);
    let can_measure = !is_reading && state.cell().is_some_and(|cell| state.can_measure(cell));
    let current = state.current().filter(|_| can_measure);
    let on_command = Callback::from(move |command| {
        let KeyTargets { commands, landmarks, help, on_help, on_share, act } = &targets;
        match command {
            KeyCommand::FindFunction => landmarks.find_function(),
            KeyCommand::ToggleHelp if help.is_none() => on_help.emit(Some(Topic::Keys)),
            KeyCommand::ToggleHelp => landmarks.close_help(),
            KeyCommand::Measure => current.iter().for_each(|current| commands.measure.emit(current.clone())),
            KeyCommand::MeasureAll => act.emit(PageAction::MeasureAll),
            KeyCommand::Share(action) if has_notebook => on_share.emit(action),
            KeyCommand::Share(_) => {}
            KeyCommand::Undo => act.emit(PageAction::Notebook(NotebookAction::Undo)),
            KeyCommand::Redo => act.emit(PageAction::Notebook(NotebookAction::Redo)),
            KeyCommand::Stop => commands.stop.emit(()),
            KeyCommand::CloseCard => landmarks.close_card(),
        }
    });
    use_keys(context, landmarks, on_command);
}
