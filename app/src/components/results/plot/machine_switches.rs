//! The switches that hide the curves of a machine.

use yew::prelude::*;

use benchbook_notebook::view::ViewAction;

#[derive(PartialEq, Properties)]
pub(super) struct MachineSwitchesProps {
    /// The names of the machines whose curves the cell has.
    pub(super) machines: Vec<String>,
    /// Those whose curves are hidden.
    pub(super) hidden: Vec<String>,
    pub(super) on_present: Callback<ViewAction>,
}

/// A switch for each machine; empty for a single machine.
#[component]
pub(super) fn MachineSwitches(props: &MachineSwitchesProps) -> Html {
    let switch = |machine: &String| {
        let is_shown = !props.hidden.contains(machine);
        let onchange = {
            let machine = machine.clone();
            props.on_present.reform(move |_: Event| ViewAction::ShowMachine(machine.clone(), !is_shown))
        };
        html! {
            <li><label>
                <input type="checkbox" checked={is_shown} {onchange} data-test="show-machine" data-machine={machine.clone()} />
                { machine }
            </label></li>
        }
    };
    html! { { for props.machines.iter().filter(|_| props.machines.len() > 1).map(switch) } }
}
