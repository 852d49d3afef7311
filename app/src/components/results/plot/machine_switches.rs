//! The switches that hide the curves of a machine.

use yew::prelude::*;

use benchbook_notebook::view::ViewAction;

/// A switch for each machine whose curves the cell has; empty for a single machine. `hidden`: those whose curves are hidden.
pub(super) fn machine_switches(machines: &[String], hidden: &[String], on_present: &Callback<ViewAction>) -> Html {
    let switch = |machine: &String| {
        let is_shown = !hidden.contains(machine);
        let onchange = {
            let machine = machine.clone();
            on_present.reform(move |_: Event| ViewAction::ShowMachine(machine.clone(), !is_shown))
        };
        html! {
            <li><label>
                <input type="checkbox" checked={is_shown} {onchange} data-test="show-machine" data-machine={machine.clone()} />
                { machine }
            </label></li>
        }
    };
    html! { { for machines.iter().filter(|_| machines.len() > 1).map(switch) } }
}
