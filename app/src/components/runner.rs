//! The runner: how it stands with it, and the choice of another one.

use benchbook::response::MachineKind;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, SubmitEvent};
use yew::prelude::*;

use crate::host::run_control::RunControl;
use crate::host::runner::saved;
use crate::host::runner::watch::Watch;
use crate::state::page::{PageAction, State};
use crate::state::runner::{Runner, RunnerAction, RunnerError, RunnerStatus};

/// Keeps in touch with the runner, as long as it is the same. Where it no longer answers, nothing that was asked of it is
/// waited for: a machine without power ends no stream.
#[hook]
pub(super) fn use_runner(runner: &Runner, runs: &RunControl, act: &Callback<PageAction>) {
    let runs = runs.clone();
    let tell = act.reform(move |action| {
        if let RunnerAction::Failed(RunnerError::Temporary(_)) = action {
            runs.cancel_request();
        }
        PageAction::Runner(action)
    });
    use_effect_with((runner.endpoint.clone(), runner.attempts), move |(reach, _)| {
        let watch = reach.clone().map(|reach| Watch::start(reach, tell));
        move || drop(watch)
    });
}

/// What the chip says, and in which state it is.
fn told(runner: &Runner, is_measuring: bool) -> (&'static str, String) {
    let Runner { busy, name, .. } = runner;
    let (state, doing) = match &runner.status {
        _ if runner.endpoint.is_none() => return ("none", "no runner".to_owned()),
        RunnerStatus::Connecting => return ("connecting", "runner …".to_owned()),
        RunnerStatus::Unreachable(_) => return ("lost", "runner lost".to_owned()),
        RunnerStatus::Rejected(_) => return ("refused", "runner refuses".to_owned()),
        RunnerStatus::Ready if is_measuring => ("measuring", "measuring".to_owned()),
        RunnerStatus::Ready if *busy > 0 => ("busy", format!("{busy} at work or waiting")),
        RunnerStatus::Ready => ("ready", "idle".to_owned()),
    };
    (state, format!("runner {name} · {doing}"))
}

/// The chip in the head of the page.
pub(super) fn runner_chip(state: &State, on_action: &Callback<RunnerAction>) -> Html {
    let runner = &state.runner;
    let step = state.measuring().and_then(|cell| cell.step);
    let (name, told) = told(runner, step.is_some_and(|step| step.kind == MachineKind::Native));
    let named = state.site_config.as_ref().and_then(|config| config.runner.clone());
    let onsubmit = {
        let named = named.clone();
        on_action.reform(move |event: SubmitEvent| {
            event.prevent_default();
            let [address, token] = ["[data-test=runner-address]", "[data-test=runner-token]"].map(typed);
            saved::save(&address, &token, named.as_deref());
            RunnerAction::Chosen(saved::endpoint(named.as_deref()))
        })
    };
    let reach = runner.endpoint.clone().unwrap_or_default();
    let trouble = match &runner.status {
        RunnerStatus::Unreachable(told) | RunnerStatus::Rejected(told) => Some(told),
        RunnerStatus::Connecting | RunnerStatus::Ready => None,
    };
    html! {
        <details class="chip" data-test="runner" data-state={name}>
            <summary><i class={name}></i>{ told }</summary>
            <form class="card" {onsubmit}>
                if let Some(told) = trouble {
                    <p class="wrong" role="status" data-test="runner-trouble">{ told }</p>
                }
                // As values at first: what is being typed would be lost when the page is drawn anew.
                <label>{ "Address" }
                    <input type="text" data-test="runner-address" ~defaultValue={reach.address} autocomplete="off" spellcheck="false" />
                </label>
                <label>{ "Token" }
                    <input type="password" data-test="runner-token" ~defaultValue={reach.token} autocomplete="off" />
                </label>
                <button data-test="runner-connect">{ "Connect" }</button>
                <p><a href="#archive=all" data-test="open-archive">{ "Stored results" }</a></p>
                <p>{ "After a first curve here, Measure goes on there." }</p>
            </form>
        </details>
    }
}

/// What stands in a field.
fn typed(selector: &str) -> String {
    let document = web_sys::window().and_then(|window| window.document());
    let field = document.and_then(|document| document.query_selector(selector).ok().flatten());
    field.map(|field| field.unchecked_into::<HtmlInputElement>().value()).unwrap_or_default()
}
