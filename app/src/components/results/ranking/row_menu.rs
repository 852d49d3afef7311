//! The menu of a ranked function: what the cell can do with it.

use yew::prelude::*;

use crate::components::widgets::menu::use_menu;

/// A command of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowCommand {
    /// Compares the other functions with it.
    MakeBaseline,
    /// Removes it from the comparison.
    Remove,
    /// Adds a cell that measures it alone.
    AddCell,
}

/// The functions that a cell measures next, and the receiver of the commands with the path of a function.
#[derive(Clone, PartialEq)]
pub(crate) struct RowCommands {
    /// The paths, the baseline first.
    pub(crate) functions: Vec<String>,
    pub(crate) on_command: Callback<(RowCommand, String)>,
}

impl RowCommands {
    /// Whether a command applies to a function. The results may have functions that the cell no longer measures.
    fn is_possible(&self, command: RowCommand, path: &str) -> bool {
        let index = self.functions.iter().position(|function| function == path);
        match command {
            RowCommand::MakeBaseline => index.is_some_and(|index| index > 0),
            RowCommand::Remove => index.is_some() && self.functions.len() > 1,
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
        let (close, on_command, path) = (menu.close.clone(), commands.on_command.clone(), path.clone());
        let is_disabled = !commands.is_possible(command, &path);
        let onclick = Callback::from(move |_: MouseEvent| {
            close.emit(());
            on_command.emit((command, path.clone()));
        });
        html! { <li><button class="plain" data-test={test} disabled={is_disabled} {onclick}>{ label }</button></li> }
    };
    html! {
        <details class="menu cell-menu row-menu" data-test="row-menu" ref={menu.node.clone()} onkeydown={menu.onkeydown.clone()}>
            <summary aria-label={format!("More about {name}")}>{ "⋯" }</summary>
            <div class="card">
                <ul>
                    { entry("make-baseline", "Make it the baseline", RowCommand::MakeBaseline) }
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
        let table = [
            (&two, "sort", [false, true, true]),
            (&two, "sort_stable", [true, true, true]),
            (&two, "removed", [false, false, true]),
            (&one, "sort", [false, false, true]),
        ];
        for (commands, path, expected) in table {
            let all = [RowCommand::MakeBaseline, RowCommand::Remove, RowCommand::AddCell];
            assert_eq!(all.map(|command| commands.is_possible(command, path)), expected, "{path}");
        }
    }
}
