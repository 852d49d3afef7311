//! How far a measurement is.

use benchbook::quality::Priority;
use benchbook::response::MachineKind;
use benchbook::sample::collection::Outlook;
use benchbook::sample::measurement::Progress;
use benchbook::units::plus_minus;
use yew::prelude::*;

use super::help::{HelpButton, Topic};
use crate::state::cell::{RunStatus, Step};

#[derive(PartialEq, Properties)]
pub(crate) struct ProgressProps {
    pub(crate) run: RunStatus,
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
            <HelpButton topic={Topic::Priorities} />
            <div class="bar" aria-hidden="true">
                { for Priority::all().map(|priority| html! { <i style={format!("--done:{}%", share(*step, priority) * 100.0)}></i> }) }
            </div>
            // There before there is something to say, lest what is below moves with each point.
            if matches!(run, RunStatus::Queued | RunStatus::QueuedOnRunner(..) | RunStatus::Waiting | RunStatus::Measuring | RunStatus::Paused) {
                <p class="at-work">{ counts(run, *step) }</p>
                <p class="outlook" data-test="outlook">{ outlook(run, *step) }</p>
            }
            if let RunStatus::Failed(reason) = run {
                <p class="problem-note" role="alert" data-test="problem">{ reason }</p>
            }
        </div>
    }
}

fn name(run: &RunStatus) -> &'static str {
    match run {
        RunStatus::Idle => "idle",
        RunStatus::Queued | RunStatus::QueuedOnRunner(..) | RunStatus::Waiting | RunStatus::Paused => "waiting",
        RunStatus::Measuring => "measuring",
        RunStatus::Done => "done",
        RunStatus::Stopped => "stopped",
        RunStatus::Failed(_) => "failed",
    }
}

fn told(run: &RunStatus, step: Option<Step>) -> String {
    let told = match run {
        RunStatus::Idle => "Not measured yet.",
        RunStatus::Queued => "Waiting: another tab of this browser is measuring, and both would disturb each other.",
        RunStatus::QueuedOnRunner(0, _) => "Waiting for the runner.",
        RunStatus::QueuedOnRunner(ahead, wait_ms) => {
            return format!("Waiting for the runner: {ahead} before you, {}.", about(*wait_ms));
        }
        RunStatus::Waiting => "Starting…",
        RunStatus::Measuring => {
            let (priority, kind) =
                step.map_or((Priority::FIRST, MachineKind::Browser), |step| (step.priority, step.kind));
            let place = if kind == MachineKind::Browser { "in this browser" } else { "on the runner" };
            return format!("Priority {} of 4 {place}", priority.number());
        }
        RunStatus::Paused => {
            "Paused: this tab is hidden, and browsers slow down what is hidden. Show it and measuring goes on."
        }
        RunStatus::Done => "Done: priority 4 of 4.",
        RunStatus::Stopped => "Stopped. What was measured stays.",
        RunStatus::Failed(_) => "It cannot go on.",
    };
    told.to_owned()
}

/// How many points are done, and how long the rest takes.
fn counts(run: &RunStatus, step: Option<Step>) -> String {
    at_work(run, step).map_or_else(String::new, |(progress, left_ms)| {
        format!("{} of {} points · {} left", progress.done, progress.of, about(left_ms))
    })
}

fn at_work(run: &RunStatus, step: Option<Step>) -> Option<(Progress, f64)> {
    step.filter(|_| *run == RunStatus::Measuring).and_then(|step| Some((step.progress?, step.left_ms)))
}

/// How precise the point at work is, in a column of its own, and what that means.
fn outlook(run: &RunStatus, step: Option<Step>) -> Html {
    let Some(outlook) = at_work(run, step).and_then(|(progress, _)| progress.outlook) else { return html! {} };
    html! { <><span>{ plus_minus(outlook.reached) }</span>{ prospect(&outlook) }</> }
}

fn prospect(outlook: &Outlook) -> String {
    let Outlook { reached, target, needs_ms, left_ms } = *outlook;
    let aim = plus_minus(target);
    match needs_ms {
        Some(needs_ms) if reached <= target || needs_ms <= left_ms => {
            format!("of {aim}, about {:.1} s left at this point", needs_ms / 1_000.0)
        }
        _ => format!("so far: {aim} is not reachable on this clock in this time"),
    }
}

/// A time as people say it; an estimate has no more digits than it is worth.
fn about(ms: f64) -> String {
    let seconds = ms / 1_000.0;
    match seconds {
        ..=1.5 => "about 1 s".to_owned(),
        ..=10.0 => format!("about {seconds:.0} s"),
        ..=100.0 => format!("about {:.0} s", (seconds / 5.0).ceil() * 5.0),
        _ => format!("about {:.0} min", seconds / 60.0),
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
    use super::{Outlook, about, prospect};

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
            assert_eq!(about(ms), format!("about {told}"));
        }
    }

    #[test]
    fn what_a_point_can_still_reach_is_told() {
        let table = [
            (0.023, Some(430.0), 900.0, "of ± 1.0 %, about 0.4 s left at this point"),
            (0.01, Some(0.0), 0.0, "of ± 1.0 %, about 0.0 s left at this point"),
            (0.023, Some(901.0), 900.0, "so far: ± 1.0 % is not reachable on this clock in this time"),
            (0.023, None, 900.0, "so far: ± 1.0 % is not reachable on this clock in this time"),
        ];
        for (reached, needs_ms, left_ms, told) in table {
            let outlook = Outlook { reached, target: 0.01, needs_ms, left_ms };
            assert_eq!(prospect(&outlook).replace('\u{202f}', " "), told);
        }
    }
}
