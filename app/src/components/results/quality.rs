//! The quality of the results: failed points, and for each machine a badge, one sentence, and the causes behind it.

use std::rc::Rc;

use benchbook_host::messages::failures::{FailedPart, FailedPoint, failures};
use benchbook_host::messages::quality_report::{Badge, Cause, QualityReport};
use benchbook_notebook::trace::Trace;
use yew::prelude::*;

use benchbook_report::quality::quality_reports;
use benchbook_report::shown_trace::ShownTrace;

/// The quality of each measurement, with the name of its machine; computed once for each change of the curves.
#[hook]
pub(crate) fn use_quality(shown: &[ShownTrace]) -> Rc<Vec<(String, QualityReport)>> {
    use_memo(shown.to_vec(), |shown| quality_reports(shown))
}

#[derive(PartialEq, Properties)]
pub(crate) struct QualityProps {
    pub(crate) shown: Vec<ShownTrace>,
    pub(crate) reports: Rc<Vec<(String, QualityReport)>>,
    /// Whether more points follow. Until the last one, failures are not announced.
    pub(crate) is_measuring: bool,
}

/// The failed points, and a line for each measurement: a dot, a word, the cause, and what to do about it.
#[component]
pub(crate) fn Quality(props: &QualityProps) -> Html {
    let has_names = props.shown.len() > 1;
    let failed = props.shown.iter().map(|shown| (&shown.label, failures_of(&shown.trace)));
    let failed: Vec<_> = failed.filter(|(_, failures)| !failures.is_empty()).collect();
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
            if !props.reports.is_empty() {
                <div class="qualities">{ for props.reports.iter().map(|(measurement, report)| line(measurement, report, props.reports.len() > 1)) }</div>
            }
        </>
    }
}

/// The name of a badge, in the document and in the outline.
pub(crate) fn badge_name(badge: Badge) -> &'static str {
    match badge {
        Badge::Good => "good",
        Badge::Noisy => "noisy",
        Badge::Rough => "rough",
    }
}

/// A badge as a dot and a word.
pub(crate) fn badge_mark(badge: Badge) -> Html {
    html! { <span class="badge"><i class={classes!("dot", badge_name(badge))}></i>{ badge.label() }</span> }
}

fn line(measurement: &str, report: &QualityReport, has_name: bool) -> Html {
    let QualityReport { badge, line, another_day, causes } = report;
    let name = badge_name(*badge);
    let fix = causes.first().filter(|_| *badge != Badge::Good).map(|cause| cause.fix.as_str()).unwrap_or_default();
    html! {
        <p class="quality" data-test="quality" data-badge={name}>
            <i class={classes!("dot", name)}></i>
            <b>{ badge.label() }</b>
            if has_name {
                <span class="machine">{ measurement }</span>
            }
            <span data-test="quality-line">{ format!("{line} {fix}").trim_end().to_owned() }</span>
            if !another_day.is_empty() {
                <span class="another-day" data-test="another-day">{ format!(" {another_day}") }</span>
            }
        </p>
    }
}

/// The causes of a lower quality, for each measurement.
pub(super) fn causes(reports: &[(String, QualityReport)]) -> Html {
    let table = |(measurement, report): &(String, QualityReport)| {
        html! {
            <>
                <p class="machine">{ measurement }</p>
                <table class="causes">
                    <thead class="visually-hidden">
                        <tr><th scope="col">{ "Cause" }</th><th scope="col">{ "Where" }</th><th scope="col">{ "What to do" }</th></tr>
                    </thead>
                    <tbody>{ for report.causes.iter().map(cause) }</tbody>
                </table>
            </>
        }
    };
    html! { { for reports.iter().filter(|(_, report)| !report.causes.is_empty()).map(table) } }
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
            <td>{ &cause.fix }</td>
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
