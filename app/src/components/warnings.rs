//! Failures and warnings under the plot: one line with the most serious warning, and the others behind it.

use yew::prelude::*;

use crate::state::shown_trace::ShownTrace;
use crate::state::trace::Trace;
use benchbook_host::messages::failures::{FailedPart, FailedPoint, failures};
use benchbook_host::messages::warnings::{
    CurvePoint, CurveWarning, Severity, SharedWarning, curve_warnings, shared_warnings,
};

#[derive(PartialEq, Properties)]
pub(crate) struct WarningsProps {
    pub(crate) shown: Vec<ShownTrace>,
    /// Whether more points follow. Until the last one, failures are not read out.
    pub(crate) is_measuring: bool,
}

#[component]
pub(crate) fn Warnings(props: &WarningsProps) -> Html {
    let has_names = props.shown.len() > 1;
    let failed = props.shown.iter().map(|shown| (&shown.label, failures_of(&shown.trace)));
    let failed: Vec<_> = failed.filter(|(_, failures)| !failures.is_empty()).collect();
    let warnings = shared_warnings(props.shown.iter().map(|shown| (shown.label.clone(), warnings_of(&shown.trace))));
    html! {
        <>
            if !failed.is_empty() {
                <div class="warn failed" role={(!props.is_measuring).then_some("alert")}>
                    { for failed.into_iter().map(|(name, failures)| html! {
                        <p data-test="problem">
                            if has_names { <b>{ format!("{name}: ") }</b> }
                            { failures.join(" ") }
                        </p>
                    }) }
                </div>
            }
            if let Some((worst, others)) = warnings.split_first() {
                <div class="warn" data-test="warnings">
                    { summarized(worst, others, has_names) }
                </div>
            }
        </>
    }
}

fn failures_of(trace: &Trace) -> Vec<String> {
    let readings = trace.curve.readings();
    let measurements = readings.iter().filter_map(|reading| {
        let (priority, failure) = reading.failure()?;
        let part = if reading.measured().is_some() { FailedPart::Priority(priority) } else { FailedPart::Everything };
        Some(FailedPoint { x: &reading.x, part, failure })
    });
    let first_calls = readings.iter().filter_map(|reading| {
        let failure = reading.measured()?.first_calls.as_ref()?.failure.as_ref()?;
        Some(FailedPoint { x: &reading.x, part: FailedPart::FirstCalls, failure })
    });
    failures(measurements.chain(first_calls))
}

fn warnings_of(trace: &Trace) -> Vec<CurveWarning> {
    let points = trace.curve.readings().iter().filter_map(|reading| {
        Some(CurvePoint { x: reading.x.number(), measured: reading.measured()?, slow_first: reading.slow_first() })
    });
    curve_warnings(points, &trace.setup.axis_heading())
}

/// The worst warning on one line, which opens to its details and to the other warnings if there are any.
fn summarized(worst: &SharedWarning, others: &[SharedWarning], has_names: bool) -> Html {
    let details = worst.warning.details;
    if others.is_empty() && details.is_empty() {
        return html! { <p>{ line(worst, has_names) }</p> };
    }
    let label = match others.len() {
        0 => "Details".to_owned(),
        count => format!("{count} more"),
    };
    html! {
        <details>
            <summary>{ line(worst, has_names) }{ " " }<span class="more">{ label }</span></summary>
            if !details.is_empty() {
                <p>{ details }</p>
            }
            if !others.is_empty() {
                <ul>
                    { for others.iter().map(|other| html! {
                        <li>{ line(other, has_names) }{ " " }<small>{ other.warning.details }</small></li>
                    }) }
                </ul>
            }
        </details>
    }
}

fn line(shared: &SharedWarning, has_names: bool) -> Html {
    let SharedWarning { curves, warning } = shared;
    let class = match warning.kind.severity() {
        Severity::Unreliable => "badge unreliable",
        Severity::Noisy => "badge noisy",
        Severity::Note => "badge",
    };
    html! {
        <>
            <span {class}>{ warning.kind.severity().label() }</span>{ " " }
            if has_names {
                <b>{ curves.join(", ") }{ ": " }</b>
            }
            { &warning.text }
        </>
    }
}
