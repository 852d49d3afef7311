//! The chip of the native runner: its state, and the form that connects to another one.

use benchbook_host::response::MachineKind;
use web_sys::{HtmlInputElement, SubmitEvent};
use yew::prelude::*;

use crate::host::press::Presses;
use crate::host::runner::known;
use crate::host::runner::watch::Watch;
use crate::state::runner::{Runner, RunnerAction, Standing, Trouble};
use crate::state::{Action, State};

/// Watches the chosen runner. If it no longer responds, open requests to it are given up: a machine that loses power never
/// closes its streams.
#[hook]
pub(super) fn use_runner(runner: &Runner, presses: &Presses, act: &Callback<Action>) {
    let presses = presses.clone();
    let on_action = act.reform(move |action| {
        if let RunnerAction::Failed(Trouble::Passing(_)) = action {
            presses.give_up_asking();
        }
        Action::Runner(action)
    });
    use_effect_with((runner.reach.clone(), runner.attempts), move |(reach, _)| {
        let watch = reach.clone().map(|reach| Watch::start(reach, on_action));
        move || drop(watch)
    });
}

#[derive(PartialEq, Properties)]
pub(crate) struct RunnerChipProps {
    pub(crate) runner: Runner,
    /// The runner that `notebook.json` names.
    pub(crate) default_address: Option<String>,
    /// Whether the runner measures for this page.
    pub(crate) is_measuring: bool,
    pub(super) details: NodeRef,
    pub(crate) on_action: Callback<RunnerAction>,
}

impl RunnerChipProps {
    pub(super) fn new(state: &State, details: NodeRef, on_action: Callback<RunnerAction>) -> Self {
        let step = state.measuring().and_then(|cell| cell.step);
        Self {
            runner: state.runner.clone(),
            default_address: state.notebook.as_ref().and_then(|notebook| notebook.runner.clone()),
            is_measuring: step.is_some_and(|step| step.kind == MachineKind::Native),
            details,
            on_action,
        }
    }

    /// The state as the chip names it in the document, and its text.
    fn status(&self) -> (&'static str, String) {
        let Runner { busy, name, .. } = &self.runner;
        let (state, activity) = match &self.runner.standing {
            _ if self.runner.reach.is_none() => return ("none", "no runner".to_owned()),
            Standing::Connecting => return ("connecting", "runner …".to_owned()),
            Standing::Lost(_) => return ("lost", "runner lost".to_owned()),
            Standing::Refused(_) => return ("refused", "runner unavailable".to_owned()),
            Standing::Ready if self.is_measuring => ("measuring", "measuring".to_owned()),
            Standing::Ready if *busy > 0 => ("busy", format!("{busy} queued or running")),
            Standing::Ready => ("ready", "idle".to_owned()),
        };
        (state, format!("{name} · {activity}"))
    }
}

#[component]
pub(crate) fn RunnerChip(props: &RunnerChipProps) -> Html {
    let (address, token) = (use_node_ref(), use_node_ref());
    let (state, text) = props.status();
    let onsubmit = {
        let (address, token) = (address.clone(), token.clone());
        let default_address = props.default_address.clone();
        props.on_action.reform(move |event: SubmitEvent| {
            event.prevent_default();
            known::remember(&value_of(&address), &value_of(&token), default_address.as_deref());
            RunnerAction::Chosen(known::reach(default_address.as_deref()))
        })
    };
    let reach = props.runner.reach.clone().unwrap_or_default();
    let trouble = match &props.runner.standing {
        Standing::Lost(reason) | Standing::Refused(reason) => Some(reason),
        Standing::Connecting | Standing::Ready => None,
    };
    html! {
        <details class="chip" ref={props.details.clone()} data-test="runner" data-state={state}>
            <summary><i class={state}></i>{ text }</summary>
            <form class="card" {onsubmit}>
                if let Some(reason) = trouble {
                    <p class="wrong" role="status" data-test="runner-trouble">{ reason }</p>
                }
                // Default values: a rendering of the page does not overwrite text that is being typed.
                <label>{ "Address" }
                    <input type="text" ref={address} data-test="runner-address" ~defaultValue={reach.address} autocomplete="off" spellcheck="false" />
                </label>
                <label>{ "Token" }
                    <input type="password" ref={token} data-test="runner-token" ~defaultValue={reach.token} autocomplete="off" />
                </label>
                <button data-test="runner-connect">{ "Connect" }</button>
                <p><a href="#archive=all" data-test="open-archive">{ "Stored results" }</a></p>
                <p>{ "After a first curve in this browser, the runner continues." }</p>
            </form>
        </details>
    }
}

fn value_of(field: &NodeRef) -> String {
    field.cast::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default()
}
