//! What a reader should know before believing the figures, gathered over the points.

mod gathered;

use benchbook::units::number;
use yew::prelude::*;

use crate::state::shown_trace::ShownTrace;
use crate::state::trace::Trace;

/// Sentences about failures; the words often differ by a number alone.
const MOST_FAILURES: usize = 3;

#[derive(PartialEq, Properties)]
pub(crate) struct WarningsProps {
    pub(crate) shown: Vec<ShownTrace>,
    /// Whether more is to come: until then it is not read out each time that it grows.
    pub(crate) is_measuring: bool,
}

#[component]
pub(crate) fn Warnings(props: &WarningsProps) -> Html {
    let failed = told(&props.shown, |trace| {
        let mut failures = failures(trace);
        let more = failures.len().saturating_sub(MOST_FAILURES);
        failures.truncate(MOST_FAILURES);
        failures.extend((more > 0).then(|| format!("And {more} more: the table tells each.")));
        failures
    });
    let warned = told(&props.shown, |trace| gathered::sentences(trace.curve.readings(), &trace.setup.axis_heading()));
    let item = |sentence: String| html! { <li>{ sentence }</li> };
    html! {
        <>
            if !failed.is_empty() {
                <div class="warn failed" role={(!props.is_measuring).then_some("alert")}>
                    { for failed.into_iter().map(|(name, told)| html! { <p data-test="problem">{ name }{ told.join(" ") }</p> }) }
                </div>
            }
            if !warned.is_empty() {
                <div class="warn" data-test="warnings">
                    { for warned.into_iter().map(|(name, told)| html! { <>{ name }<ul>{ for told.into_iter().map(item) }</ul></> }) }
                </div>
            }
        </>
    }
}

/// The sentences about each trace that there is something to say of, with its name where there are several.
fn told(shown: &[ShownTrace], told: impl Fn(&Trace) -> Vec<String>) -> Vec<(Html, Vec<String>)> {
    let name = |one: &ShownTrace| {
        if shown.len() > 1 {
            html! { <b>{ format!("{}: ", one.label) }</b> }
        } else {
            html! {}
        }
    };
    let all = shown.iter().map(|one| (name(one), told(&one.trace)));
    all.filter(|(_, told)| !told.is_empty()).collect()
}

/// One sentence for each reason, with the axis values that it struck. Where there are figures all the same, it names the
/// priority that has none.
fn failures(trace: &Trace) -> Vec<String> {
    let mut reasons: Vec<(Option<u8>, &str, Vec<String>)> = Vec::new();
    for reading in trace.curve.readings() {
        let Some((priority, failure)) = reading.failure() else { continue };
        let beside_figures = reading.measured().map(|_| priority.number());
        let x = number(reading.x);
        let same = |(beside, reason, _): &&mut (_, &str, _)| *beside == beside_figures && *reason == failure.reason;
        match reasons.iter_mut().find(same) {
            Some((_, _, values)) => values.push(x),
            None => reasons.push((beside_figures, &failure.reason, vec![x])),
        }
    }
    let sentence = |(beside_figures, reason, values): (Option<u8>, &str, Vec<String>)| {
        let values = values.join(", ");
        match beside_figures {
            None => format!("No figures at {values}: {reason}."),
            Some(priority) => format!("Priority {priority} failed at {values}, and earlier figures stay: {reason}."),
        }
    };
    reasons.into_iter().map(sentence).collect()
}
