//! The menu of a ranked function: what the cell can do with it.

use yew::prelude::*;

use crate::components::widgets::menu::use_menu;

/// A command of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowCommand {
    /// Removes it from the comparison.
    Remove,
    /// Adds a cell that measures it alone.
    AddCell,
}

/// The functions that a cell measures next, and the receiver of the commands with the path of a function.
#[derive(Clone, PartialEq)]
pub(crate) struct RowCommands {
    /// The paths.
    pub(crate) functions: Vec<String>,
    pub(crate) on_command: Callback<(RowCommand, String)>,
}

impl RowCommands {
    /// Whether a command applies to a function. The results may have functions that the cell no longer measures.
    fn is_possible(&self, command: RowCommand, path: &str) -> bool {
        match command {
            RowCommand::Remove => self.functions.iter().any(|function| function == path) && self.functions.len() > 1,
            RowCommand::AddCell => true,
        }
    }
}

#[derive(PartialEq, Properties)]
pub(super) struct RowMenuProps {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) commands: RowCommands,
}

#[component]
pub(super) fn RowMenu(props: &RowMenuProps) -> Html {
    let menu = use_menu();
    let RowMenuProps { path, name, commands } = props;
    let entry = |test: &'static str, label: &'static str, command: RowCommand| {
        let is_disabled = !commands.is_possible(command, path);
        let path = path.clone();
        menu.entry(test, label.into(), is_disabled, commands.on_command.reform(move |()| (command, path.clone())))
    };
    html! {
        <details class="menu cell-menu row-menu" data-test="row-menu" ref={menu.node.clone()} onkeydown={menu.onkeydown.clone()}>
            <summary aria-label={format!("More about {name}")}>{ "⋯" }</summary>
            <div class="card">
                <ul>
                    { entry("remove-function", "Remove from the comparison", RowCommand::Remove) }
                    { entry("measure-alone", "Measure it alone in a new cell", RowCommand::AddCell) }
                </ul>
            </div>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_apply_to_the_functions_that_the_cell_measures_next() {
        let commands = |functions: &[&str]| RowCommands {
            functions: functions.iter().map(ToString::to_string).collect(),
            on_command: Callback::noop(),
        };
        let (two, one) = (commands(&["sort", "sort_stable"]), commands(&["sort"]));
        let table = [(&two, "sort", [true, true]), (&two, "removed", [false, true]), (&one, "sort", [false, true])];
        for (commands, path, expected) in table {
            assert_eq!(
                [RowCommand::Remove, RowCommand::AddCell].map(|command| commands.is_possible(command, path)),
                expected,
                "{path}"
            );
        }
    }
}
