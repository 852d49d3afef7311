//! The menu of a cell.

use benchbook_notebook::id::Id;
use yew::prelude::*;

use crate::components::widgets::menu::use_menu;
use crate::state::notebook::NotebookAction;

#[derive(PartialEq, Properties)]
pub(crate) struct CellMenuProps {
    pub(crate) id: Id,
    /// The index of the cell, and the number of cells.
    pub(crate) position: (usize, usize),
    /// Whether the cell has a title.
    pub(crate) can_rename: bool,
    pub(crate) on_action: Callback<NotebookAction>,
    pub(crate) on_rename: Callback<()>,
}

#[component]
pub(crate) fn CellMenu(props: &CellMenuProps) -> Html {
    let menu = use_menu();
    let entry = |test: &'static str, label: &'static str, is_disabled: bool, act: Callback<()>| {
        menu.entry(test, label.into(), is_disabled, act)
    };
    let (index, count) = props.position;
    let id = || props.id.clone();
    let change = |action: NotebookAction| props.on_action.reform(move |()| action.clone());
    html! {
        <details class="menu cell-menu" data-test="cell-menu" ref={menu.node.clone()} onkeydown={menu.onkeydown.clone()}>
            <summary aria-label="Cell">{ "⋯" }</summary>
            <div class="card">
                <ul>
                    if props.can_rename {
                        { entry("rename", "Rename", false, props.on_rename.clone()) }
                    }
                    { entry("move-up", "Move up", index == 0, change(NotebookAction::Move(id(), index.saturating_sub(1)))) }
                    { entry("move-down", "Move down", index + 1 >= count, change(NotebookAction::Move(id(), index + 1))) }
                    { entry("duplicate", "Duplicate", false, change(NotebookAction::Duplicate(id()))) }
                    { entry("delete", "Delete", false, change(NotebookAction::Remove(id()))) }
                </ul>
            </div>
        </details>
    }
}
