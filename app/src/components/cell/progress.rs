//! The progress of a measurement.

use benchbook_host::quality::Priority;
use benchbook_host::response::MachineKind;
use benchbook_host::sample::collection::PrecisionForecast;
use benchbook_host::sample::measurement::Progress;
use benchbook_host::units::plus_minus;
use yew::prelude::*;

use crate::components::widgets::date::date;
use crate::components::widgets::help::{HelpButton, Topic};
use crate::state::cell::{PriorityStep, RunStatus};

#[derive(PartialEq, Properties)]
pub(crate) struct ProgressProps {
    pub(crate) run: RunStatus,
    /// The current priority, or the last one.
    pub(crate) step: Option<PriorityStep>,
    /// When the results that the cell already has were measured, in milliseconds since 1970.
    pub(crate) earlier: Option<f64>,
    /// When and where the results were measured, if the runner had stored them.
    #[prop_or_default]
    pub(crate) stored: Option<String>,
}

#[component]
pub(crate) fn ProgressView(props: &ProgressProps) -> Html {
    let (run, step) = (&props.run, props.step.as_ref());
    let done = step.and_then(|step| step.progress.as_ref()).map_or(0, |progress| progress.done);
    html! {
        <div class="progress" data-test="progress" data-state={name(run)} data-points={done.to_string()}
            data-priority={step.map(|step| step.priority.number().to_string())}>
            // Read out by screen readers, so it changes with the state and the priority only, not with each point.
            <span role="status">{ match &props.stored { Some(stored) => format!("Done: {stored}."), None => status(run, step, props.earlier) } }</span>
            <HelpButton topic={Topic::Priorities} />
            // Rendered even while empty, so that nothing below moves with each point.
            if matches!(run, RunStatus::Queued | RunStatus::QueuedOnRunner(..) | RunStatus::Waiting | RunStatus::Measuring | RunStatus::Counting { .. } | RunStatus::Paused) {
                <span class="counts">{ counts(run, step) }</span>
            }
            <div class="bar" aria-hidden="true">
                { for Priority::all().map(|priority| html! { <i style={format!("--done:{}%", share(step, priority) * 100.0)}></i> }) }
            </div>
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
        RunStatus::Counting { .. } => "counting",
        RunStatus::Done => "done",
        RunStatus::Stopped => "stopped",
        RunStatus::Failed(_) => "failed",
    }
}

fn status(run: &RunStatus, step: Option<&PriorityStep>, earlier: Option<f64>) -> String {
    let status = match run {
        RunStatus::Idle => {
            return earlier
                .map_or_else(|| "Not measured yet.".to_owned(), |earlier| format!("Measured on {}.", date(earlier)));
        }
        RunStatus::Queued => "Waiting: another tab is measuring.",
        RunStatus::QueuedOnRunner(0, _) => "Waiting for the runner.",
        RunStatus::QueuedOnRunner(ahead, wait_ms) => {
            return format!("Waiting for the runner: {ahead} ahead of you, {}.", about(*wait_ms));
        }
        RunStatus::Waiting => "Starting…",
        RunStatus::Measuring => {
            let (priority, kind) =
                step.map_or((Priority::FIRST, MachineKind::Browser), |step| (step.priority, step.kind));
            let machine = if kind == MachineKind::Browser { "" } else { " on the runner" };
            return format!("Refining {} of 4{machine}", priority.number());
        }
        RunStatus::Counting { .. } => "Counting wasm instructions",
        RunStatus::Paused => "Paused: browsers slow down hidden tabs. Show this tab to continue.",
        RunStatus::Done => "Measured.",
        RunStatus::Stopped => "Stopped. The points so far remain.",
        RunStatus::Failed(_) => "The measurement failed.",
    };
    status.to_owned()
}

/// The number of completed points, and the time left.
fn counts(run: &RunStatus, step: Option<&PriorityStep>) -> String {
    if let RunStatus::Counting { done, total } = run {
        return format!("{done} of {total} points");
    }
    current(run, step).map_or_else(String::new, |(progress, left_ms)| {
        format!("{} of {} points · {} left", progress.done, progress.total, about(left_ms))
    })
}

fn current<'s>(run: &RunStatus, step: Option<&'s PriorityStep>) -> Option<(&'s Progress, f64)> {
    step.filter(|_| *run == RunStatus::Measuring).and_then(|step| Some((step.progress.as_ref()?, step.left_ms)))
}

/// The precision of the current point so far, in a fixed column, and whether it will reach its target; empty between points.
pub(super) fn forecast(run: &RunStatus, step: Option<&PriorityStep>) -> Html {
    let forecast = current(run, step).and_then(|(progress, _)| progress.forecast);
    html! {
        <p class="forecast" data-test="forecast">
            if let Some(forecast) = forecast {
                { "Current point: " }<span>{ plus_minus(forecast.reached) }</span>{ prospect(&forecast) }
            }
        </p>
    }
}

fn prospect(forecast: &PrecisionForecast) -> String {
    let PrecisionForecast { reached, target, needs_ms, left_ms } = *forecast;
    let target_text = plus_minus(target);
    match needs_ms {
        Some(needs_ms) if reached <= target || needs_ms <= left_ms => {
            format!("(target {target_text}), about {:.1} s left for this point", needs_ms / 1_000.0)
        }
        _ => format!("(target {target_text}, out of reach in this time)"),
    }
}

/// An estimated time, rounded to the digits that an estimate deserves.
pub(crate) fn about(ms: f64) -> String {
    let seconds = ms / 1_000.0;
    match seconds {
        ..=1.5 => "about 1 s".to_owned(),
        ..=10.0 => format!("about {seconds:.0} s"),
        ..=100.0 => format!("about {:.0} s", (seconds / 5.0).ceil() * 5.0),
        _ => format!("about {:.0} min", seconds / 60.0),
    }
}

/// The completed share of a priority, 0 to 1.
fn share(step: Option<&PriorityStep>, priority: Priority) -> f64 {
    match step {
        Some(step) if priority < step.priority => 1.0,
        Some(PriorityStep { priority: current, progress: Some(progress), .. }) if *current == priority => {
            progress.done as f64 / progress.total.max(1) as f64
        }
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{PrecisionForecast, about, prospect};

    #[test]
    fn rounds_the_time_left_as_an_estimate() {
        let table = [
            (0.0, "1 s"),
            (2_400.0, "2 s"),
            (10_000.0, "10 s"),
            (41_000.0, "45 s"),
            (99_000.0, "100 s"),
            (200_000.0, "3 min"),
        ];
        for (ms, expected) in table {
            assert_eq!(about(ms), format!("about {expected}"));
        }
    }

    #[test]
    fn reports_whether_a_point_can_reach_its_target() {
        let table = [
            (0.023, Some(430.0), 900.0, "(target ±1.0%), about 0.4 s left for this point"),
            (0.01, Some(0.0), 0.0, "(target ±1.0%), about 0.0 s left for this point"),
            (0.023, Some(901.0), 900.0, "(target ±1.0%, out of reach in this time)"),
            (0.023, None, 900.0, "(target ±1.0%, out of reach in this time)"),
        ];
        for (reached, needs_ms, left_ms, expected) in table {
            let forecast = PrecisionForecast { reached, target: 0.01, needs_ms, left_ms };
            assert_eq!(prospect(&forecast).replace('\u{202f}', " "), expected);
        }
    }
}
