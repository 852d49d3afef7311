//! The setup of a cell on one line, which opens the panel with the controls.

use yew::prelude::*;

use crate::components::results::panel::{PanelChoice, SidePanel};
use crate::state::cell::LiveCell;

/// One button, so that the line is one tab stop. `runs_on`: the machines that measure, if there is a choice.
pub(crate) fn chips(cell: &LiveCell, runs_on: Option<String>, panel: &PanelChoice) -> Html {
    let runs_on = runs_on.iter().map(|machines| ("runs on".to_owned(), machines.clone()));
    let label = html! {
        <>
            <span class="visually-hidden">{ "Setup: " }</span>
            { for cell.chips().into_iter().chain(runs_on).map(|(name, value)| html! { <span class="setup-chip"><b>{ name }</b>{ " " }{ value }</span> }) }
        </>
    };
    panel.button(SidePanel::Setup, classes!("setup-chips"), "toggle-controls", label)
}
