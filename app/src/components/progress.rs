//! How far a measurement is.

use benchbook::quality::Priority;
use benchbook::units::plus_minus;
use yew::prelude::*;

use crate::state::cell::Run;

#[derive(PartialEq, Properties)]
pub(crate) struct ProgressProps {
    pub(crate) run: Run,
    /// Points done.
    pub(crate) points: usize,
    /// The priority of what is shown, where something is.
    pub(crate) result: Option<Priority>,
}

#[component]
pub(crate) fn ProgressView(props: &ProgressProps) -> Html {
    let (state, text) = told(&props.run);
    let priority = match &props.run {
        Run::Measuring { priority, .. } => Some(*priority),
        _ => props.result,
    };
    html! {
        <div class="progress" data-test="progress" data-state={state} data-points={props.points.to_string()}
            data-priority={priority.map(|priority| priority.number().to_string())}>
            <span role="status">{ text }</span>
            <div class="bar" aria-hidden="true">
                { for Priority::all().map(|step| html! { <i style={format!("--done:{}%", share(&props.run, step) * 100.0)}></i> }) }
            </div>
        </div>
    }
}

/// The state's name and what it means.
fn told(run: &Run) -> (&'static str, String) {
    match run {
        Run::Idle => ("idle", "Not measured yet.".to_owned()),
        Run::Waiting => ("waiting", "Starting…".to_owned()),
        Run::Measuring { priority, progress } => {
            let mut text = format!("Priority {} of 4 in this browser", priority.number());
            if let Some(progress) = progress {
                text += &format!(" · {} of {} points", progress.done, progress.of);
                text += &progress.precision.map(|reached| format!(" · {}", plus_minus(reached))).unwrap_or_default();
            }
            ("measuring", text)
        }
        Run::Done => ("done", "Done: these are the best figures that this browser gives.".to_owned()),
        Run::Stopped => ("stopped", "Stopped. What was measured stays.".to_owned()),
        Run::Failed(reason) => ("failed", format!("It cannot go on. {reason}")),
    }
}

/// How much of a priority is done, 0 to 1.
fn share(run: &Run, step: Priority) -> f64 {
    match run {
        Run::Done => 1.0,
        Run::Measuring { priority, .. } if step < *priority => 1.0,
        Run::Measuring { priority, progress: Some(progress) } if step == *priority => {
            progress.done as f64 / progress.of.max(1) as f64
        }
        _ => 0.0,
    }
}
