//! How far a measurement is.

use benchbook::quality::Priority;
use benchbook::units::plus_minus;
use yew::prelude::*;

use crate::state::cell::{Run, Step};

#[derive(PartialEq, Properties)]
pub(crate) struct ProgressProps {
    pub(crate) run: Run,
    /// The priority at work, or that was at work last.
    pub(crate) step: Option<Step>,
}

#[component]
pub(crate) fn ProgressView(props: &ProgressProps) -> Html {
    let ProgressProps { run, step } = props;
    let done = step.and_then(|step| step.progress).map_or(0, |progress| progress.done);
    html! {
        <div class="progress" data-test="progress" data-state={name(run)} data-points={done.to_string()}
            data-priority={step.map(|step| step.priority.number().to_string())}>
            // What is read out to whoever cannot see it: it changes with the state and the priority, and not with each answer.
            <span role="status">{ told(run, *step) }</span>
            <span>{ counts(run, *step) }</span>
            <div class="bar" aria-hidden="true">
                { for Priority::all().map(|priority| html! { <i style={format!("--done:{}%", share(*step, priority) * 100.0)}></i> }) }
            </div>
            if let Run::Failed(reason) = run {
                <p class="problem-note" role="alert" data-test="problem">{ reason }</p>
            }
        </div>
    }
}

fn name(run: &Run) -> &'static str {
    match run {
        Run::Idle => "idle",
        Run::Waiting => "waiting",
        Run::Measuring => "measuring",
        Run::Done => "done",
        Run::Stopped => "stopped",
        Run::Failed(_) => "failed",
    }
}

fn told(run: &Run, step: Option<Step>) -> String {
    let told = match run {
        Run::Idle => "Not measured yet.",
        Run::Waiting => "Starting…",
        Run::Measuring => {
            let priority = step.map_or(Priority::FIRST, |step| step.priority);
            return format!("Priority {} of 4 in this browser", priority.number());
        }
        Run::Done => "Done: these are the best figures that this browser gives.",
        Run::Stopped => "Stopped. What was measured stays.",
        Run::Failed(_) => "It cannot go on.",
    };
    told.to_owned()
}

/// How many points are done, and how precise the one at work is.
fn counts(run: &Run, step: Option<Step>) -> String {
    let progress = step.and_then(|step| step.progress).filter(|_| *run == Run::Measuring);
    progress.map_or_else(String::new, |progress| {
        let precision = progress.precision.map(|reached| format!(" · {}", plus_minus(reached))).unwrap_or_default();
        format!(" · {} of {} points{precision}", progress.done, progress.of)
    })
}

/// How much of a priority is done, 0 to 1.
fn share(step: Option<Step>, of: Priority) -> f64 {
    match step {
        Some(step) if of < step.priority => 1.0,
        Some(Step { priority, progress: Some(progress) }) if of == priority => {
            progress.done as f64 / progress.of.max(1) as f64
        }
        _ => 0.0,
    }
}
