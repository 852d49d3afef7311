//! The quality of the results: failed points, and for each machine a badge, one sentence, and the causes behind it.

use benchbook_host::messages::failures::{FailedPart, FailedPoint, failures};
use benchbook_host::messages::quality_report::{Badge, Cause, QualityReport};
use benchbook_notebook::trace::Trace;
use yew::prelude::*;

use benchbook_report::quality::quality_reports;
use benchbook_report::shown_trace::ShownTrace;

#[derive(PartialEq, Properties)]
pub(crate) struct QualityProps {
    pub(crate) shown: Vec<ShownTrace>,
    /// Whether more points follow. Until the last one, failures are not announced.
    pub(crate) is_measuring: bool,
    /// Whether to show one line for each machine, without the causes.
    #[prop_or_default]
    pub(crate) is_brief: bool,
}

#[component]
pub(crate) fn Quality(props: &QualityProps) -> Html {
    let has_names = props.shown.len() > 1;
    let failed = props.shown.iter().map(|shown| (&shown.label, failures_of(&shown.trace)));
    let failed: Vec<_> = failed.filter(|(_, failures)| !failures.is_empty()).collect();
    let reports = use_memo(props.shown.clone(), |shown| quality_reports(shown));
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
            if !reports.is_empty() {
                <div class="qualities">{ for reports.iter().map(|(measurement, report)| view(measurement, report, props.is_brief)) }</div>
            }
        </>
    }
}

/// The name of a badge, in the document and in the outline.
pub(crate) fn badge_name(badge: Badge) -> &'static str {
    match badge {
        Badge::Good => "good",
        Badge::Noisy => "noisy",
        Badge::Unreliable => "unreliable",
    }
}

fn view(measurement: &str, report: &QualityReport, is_brief: bool) -> Html {
    let QualityReport { badge, line, causes } = report;
    let name = badge_name(*badge);
    let summary = html! {
        <>
            <span class={classes!("badge", name)}>{ badge.label() }</span>
            <span class="machine">{ measurement }</span>
            <span data-test="quality-line">{ line }</span>
        </>
    };
    if causes.is_empty() || is_brief {
        return html! { <div class="quality" data-test="quality" data-badge={name}>{ summary }</div> };
    }
    html! {
        <details class="quality" data-test="quality" data-badge={name}>
            <summary>{ summary }<span class="more">{ format!("Details ({})", causes.len()) }</span></summary>
            <table class="causes">
                <thead class="visually-hidden">
                    <tr><th scope="col">{ "Cause" }</th><th scope="col">{ "Where" }</th><th scope="col">{ "What to do" }</th></tr>
                </thead>
                <tbody>{ for causes.iter().map(cause) }</tbody>
            </table>
        </details>
    }
}

/// What happened, where, and what to do.
fn cause(cause: &Cause) -> Html {
    html! {
        <tr data-test="cause">
            <th scope="row">
                { &cause.problem }
                if !cause.explanation.is_empty() {
                    <small>{ " " }{ cause.explanation }</small>
                }
            </th>
            <td class="location">{ &cause.location }</td>
            <td>{ &cause.remedy }</td>
        </tr>
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
