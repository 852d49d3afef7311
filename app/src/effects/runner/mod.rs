//! The connection to a runner, over HTTP.

pub(crate) mod error;
pub(crate) mod request;
pub(crate) mod run_control;
pub(crate) mod saved;
mod watch;

use yew::prelude::*;

use crate::state::PageAction;
use crate::state::machines::runner::{RunnerAction, RunnerError, RunnerState};
use run_control::RunControl;
use watch::RunnerWatch;

/// Watches the chosen runner. If it no longer responds, open requests to it are given up: a machine that loses power never
/// closes its streams.
#[hook]
pub(crate) fn use_runner(runner: &RunnerState, run_control: &RunControl, act: &Callback<PageAction>) {
    let run_control = run_control.clone();
    let on_action = act.reform(move |action| {
        if let RunnerAction::Failed(RunnerError::Temporary(_)) = action {
            run_control.cancel_request();
        }
        PageAction::Runner(action)
    });
    use_effect_with((runner.endpoint.clone(), runner.attempts), move |(reach, _)| {
        let watch = reach.clone().map(|reach| RunnerWatch::start(reach, on_action));
        move || drop(watch)
    });
}
