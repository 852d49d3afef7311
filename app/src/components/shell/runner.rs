//! The chip of the native runner: its state, and the form that connects to another one.

use benchbook_host::response::MachineKind;
use web_sys::{HtmlInputElement, SubmitEvent};
use yew::prelude::*;

use crate::effects::runner::saved;
use crate::state::State;
use crate::state::machines::runner::{RunnerAction, RunnerState, RunnerStatus};

#[derive(PartialEq, Properties)]
pub(crate) struct RunnerChipProps {
    pub(crate) runner: RunnerState,
    /// The runner that `notebook.json` names.
    pub(crate) default_address: Option<String>,
    /// Whether the runner measures for this page.
    pub(crate) is_measuring: bool,
    pub(super) details: NodeRef,
    pub(crate) on_action: Callback<RunnerAction>,
}

impl RunnerChipProps {
    pub(super) fn new(state: &State, details: NodeRef, on_action: Callback<RunnerAction>) -> Self {
        let step = state.measuring().and_then(|(_, cell)| cell.step.as_ref());
        Self {
            runner: state.runner.clone(),
            default_address: state.site_config.as_ref().and_then(|notebook| notebook.runner.clone()),
            is_measuring: step.is_some_and(|step| step.kind == MachineKind::Native),
            details,
            on_action,
        }
    }

    /// The class of the chip's dot, and the chip's text.
    fn status(&self) -> (Option<&'static str>, String) {
        let (connected, failed) = (Some("connected"), Some("failed"));
        let RunnerState { busy, name, .. } = &self.runner;
        let activity = match &self.runner.status {
            _ if self.runner.endpoint.is_none() => return (None, "Connect a runner".to_owned()),
            RunnerStatus::Connecting => return (None, "runner …".to_owned()),
            RunnerStatus::Unreachable(_) => return (failed, "runner unreachable".to_owned()),
            RunnerStatus::Rejected(_) => return (failed, "runner unavailable".to_owned()),
            RunnerStatus::Ready if self.is_measuring => "measuring".to_owned(),
            RunnerStatus::Ready if *busy > 0 => format!("{busy} queued or running"),
            RunnerStatus::Ready => "idle".to_owned(),
        };
        (connected, format!("{name} · {activity}"))
    }
}

#[component]
pub(crate) fn RunnerChip(props: &RunnerChipProps) -> Html {
    let (address, token) = (use_node_ref(), use_node_ref());
    let (class, text) = props.status();
    let onsubmit = {
        let (address, token) = (address.clone(), token.clone());
        let default_address = props.default_address.clone();
        props.on_action.reform(move |event: SubmitEvent| {
            event.prevent_default();
            saved::save(&value_of(&address), &value_of(&token), default_address.as_deref());
            RunnerAction::Chosen(saved::endpoint(default_address.as_deref()))
        })
    };
    let reach = props.runner.endpoint.clone().unwrap_or_default();
    let trouble = match &props.runner.status {
        RunnerStatus::Unreachable(reason) | RunnerStatus::Rejected(reason) => Some(reason),
        RunnerStatus::Connecting | RunnerStatus::Ready => None,
    };
    let counters = props.runner.counters.as_ref().filter(|_| props.runner.status == RunnerStatus::Ready);
    html! {
        <details class="chip" ref={props.details.clone()} data-test="runner">
            <summary><i {class}></i>{ text }</summary>
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
                if let Some(counters) = counters {
                    <p data-test="runner-counters">{ format!("Hardware counters: {}", counters.summary()) }</p>
                    if let Some(fix) = &counters.fix {
                        <p><code>{ fix }</code></p>
                    }
                }
                <p>{ "This browser measures a first curve; the runner continues." }</p>
            </form>
        </details>
    }
}

fn value_of(field: &NodeRef) -> String {
    field.cast::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default()
}
