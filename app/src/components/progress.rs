//! How far a measurement is.

use benchbook::quality::Priority;
use benchbook::units::plus_minus;
use yew::prelude::*;

use super::help::{HelpButton, Topic};
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
            <HelpButton topic={Topic::Priorities} />
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
        Run::Queued | Run::Waiting => "waiting",
        Run::Measuring => "measuring",
        Run::Done => "done",
        Run::Stopped => "stopped",
        Run::Failed(_) => "failed",
    }
}

fn told(run: &Run, step: Option<Step>) -> String {
    let told = match run {
        Run::Idle => "Not measured yet.",
        Run::Queued => "Waiting: another tab of this browser is measuring, and both would disturb each other.",
        Run::Waiting => "Starting…",
        Run::Measuring => {
            let priority = step.map_or(Priority::FIRST, |step| step.priority);
            return format!("Priority {} of 4 in this browser", priority.number());
        }
        Run::Done => "Done: priority 4 of 4.",
        Run::Stopped => "Stopped. What was measured stays.",
        Run::Failed(_) => "It cannot go on.",
    };
    told.to_owned()
}

/// How many points are done, how precise the one at work is, and how long the rest takes.
fn counts(run: &Run, step: Option<Step>) -> String {
    let known = step.filter(|_| *run == Run::Measuring).and_then(|step| Some((step.progress?, step.left_ms)));
    known.map_or_else(String::new, |(progress, left_ms)| {
        let precision = progress.precision.map(|reached| format!(" · {}", plus_minus(reached))).unwrap_or_default();
        format!(" · {} of {} points{precision} · {}", progress.done, progress.of, left(left_ms))
    })
}

/// A time as people say it; an estimate has no more digits than it is worth.
fn left(ms: f64) -> String {
    let seconds = ms / 1_000.0;
    match seconds {
        ..=1.5 => "about 1 s left".to_owned(),
        ..=10.0 => format!("about {seconds:.0} s left"),
        ..=100.0 => format!("about {:.0} s left", (seconds / 5.0).ceil() * 5.0),
        _ => format!("about {:.0} min left", seconds / 60.0),
    }
}

/// How much of a priority is done, 0 to 1.
fn share(step: Option<Step>, of: Priority) -> f64 {
    match step {
        Some(step) if of < step.priority => 1.0,
        Some(Step { priority, progress: Some(progress), .. }) if of == priority => {
            progress.done as f64 / progress.of.max(1) as f64
        }
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::left;

    #[test]
    fn the_time_left_is_told_as_an_estimate() {
        let table = [
            (0.0, "1 s"),
            (2_400.0, "2 s"),
            (10_000.0, "10 s"),
            (41_000.0, "45 s"),
            (99_000.0, "100 s"),
            (200_000.0, "3 min"),
        ];
        for (ms, told) in table {
            assert_eq!(left(ms), format!("about {told} left"));
        }
    }
}
