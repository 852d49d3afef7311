//! The setup of a cell on one line, which opens the panel with the controls.

use std::rc::Rc;

use yew::prelude::*;

use crate::components::results::panel::{PanelChoice, SidePanel};
use crate::state::cell::LiveCell;

#[derive(PartialEq, Properties)]
pub(crate) struct ChipsProps {
    pub(crate) cell: Rc<LiveCell>,
    /// The machines that measure, if there is a choice.
    pub(crate) runs_on: Option<String>,
    pub(crate) panel: PanelChoice,
}

/// One button, so that the line is one tab stop.
#[component]
pub(crate) fn Chips(props: &ChipsProps) -> Html {
    let runs_on = props.runs_on.iter().map(|machines| ("runs on".to_owned(), machines.clone()));
    let label = html! {
        <>
            <span class="visually-hidden">{ "Setup: " }</span>
            { for props.cell.chips().into_iter().chain(runs_on).map(|(name, value)| html! { <span class="setup-chip"><b>{ name }</b>{ " " }{ value }</span> }) }
        </>
    };
    props.panel.button(SidePanel::Setup, classes!("setup-chips"), "toggle-controls", label)
}
