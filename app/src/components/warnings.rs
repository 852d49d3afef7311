//! What a reader should know before believing the figures, gathered over the points.

use benchbook::response::Warning;
use benchbook::units::{Nanos, number, plus_minus};
use yew::prelude::*;

use crate::state::compare::Shown;
use crate::state::trace::Trace;

/// Sentences about failures; the words often differ by a number alone.
const MOST_FAILURES: usize = 3;

#[derive(PartialEq, Properties)]
pub(crate) struct WarningsProps {
    pub(crate) shown: Vec<Shown>,
    /// Whether more is to come: until then it is not read out each time that it grows.
    pub(crate) is_measuring: bool,
}

#[component]
pub(crate) fn Warnings(props: &WarningsProps) -> Html {
    let failed = paragraphs(&props.shown, |trace| {
        let mut failures = failures(trace);
        let more = failures.len().saturating_sub(MOST_FAILURES);
        failures.truncate(MOST_FAILURES);
        failures.extend((more > 0).then(|| format!("And {more} more: the table tells each.")));
        failures
    });
    let warned = paragraphs(&props.shown, sentences);
    html! {
        <>
            if !failed.is_empty() {
                <div class="warn failed" role={(!props.is_measuring).then_some("alert")}>
                    { for failed.into_iter().map(|told| html! { <p data-test="problem">{ told }</p> }) }
                </div>
            }
            if !warned.is_empty() {
                <div class="warn" data-test="warnings">{ for warned.into_iter().map(|told| html! { <p>{ told }</p> }) }</div>
            }
        </>
    }
}

/// What is told of each trace, under its name where there are several.
fn paragraphs(shown: &[Shown], told: impl Fn(&Trace) -> Vec<String>) -> Vec<Html> {
    let of_one = |one: &Shown| {
        let told = told(&one.trace);
        (!told.is_empty()).then(|| {
            html! {
                <>
                    if shown.len() > 1 {
                        <b>{ format!("{}: ", one.label) }</b>
                    }
                    { told.join(" ") }
                </>
            }
        })
    };
    shown.iter().filter_map(of_one).collect()
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

/// What the points' warnings come to.
#[derive(Default)]
struct Gathered {
    batched_up_to: Option<(f64, u64)>,
    left_out: (u32, u32),
    imprecise: (usize, f64),
    unsettled: usize,
    short: usize,
    under: Option<(usize, f64)>,
    one_call: bool,
    points: usize,
}

fn gather(trace: &Trace) -> Gathered {
    let mut gathered = Gathered::default();
    for reading in trace.curve.readings() {
        let Some(measured) = reading.measured() else { continue };
        gathered.points += 1;
        gathered.left_out.1 += measured.summary.n;
        for warning in &measured.warnings {
            gathered.add(reading.x, warning);
        }
    }
    gathered
}

impl Gathered {
    fn add(&mut self, x: f64, warning: &Warning) {
        match warning {
            Warning::Batched { calls } => {
                let most = self.batched_up_to.map_or(0, |(_, most)| most);
                self.batched_up_to = Some((x, most.max(*calls)));
            }
            Warning::SevereOutliers { left_out, .. } => self.left_out.0 += left_out,
            Warning::Imprecise { reached, .. } => {
                self.imprecise.0 += 1;
                self.imprecise.1 = self.imprecise.1.max(reached.unwrap_or(0.0));
            }
            Warning::Unsettled => self.unsettled += 1,
            Warning::ShortBatches { .. } => self.short += 1,
            Warning::UnderResolution { under } => {
                let (count, most) = self.under.unwrap_or((0, 0.0));
                self.under = Some((count + 1, most.max(*under)));
            }
            Warning::OneCallABatch => self.one_call = true,
        }
    }
}

fn sentences(trace: &Trace) -> Vec<String> {
    let gathered = gather(trace);
    let points = gathered.points;
    let mut sentences = Vec::new();
    if let Some((x, calls)) = gathered.batched_up_to {
        let axis = trace.setup.axis_heading();
        let calls = number(calls as f64);
        sentences.push(format!(
            "Batched: where {axis} is at most {}, a sample is the mean of up to {calls} calls.",
            number(x)
        ));
    }
    if gathered.one_call {
        sentences.push("Calls disturb each other here, so each is timed on its own.".to_owned());
    }
    if let (left_out @ 1.., of) = gathered.left_out {
        sentences.push(format!(
            "{left_out} of {of} samples lie beyond the outer fences and are left out of mean and sd; intervals, median and quartiles count them."
        ));
    }
    if let (count @ 1.., worst) = gathered.imprecise {
        let reached = if worst > 0.0 { format!(", {} at worst", plus_minus(worst)) } else { String::new() };
        sentences
            .push(format!("{count} of {points} points did not reach the precision aimed at in their time{reached}."));
    }
    if let count @ 1.. = gathered.unsettled {
        sentences.push(format!("{count} of {points} points never settled while warming up: something else is at work on this machine, or in the function."));
    }
    if let count @ 1.. = gathered.short {
        sentences.push(format!(
            "At {count} of {points} points a batch is too short for this clock: median and quartiles are withheld."
        ));
    }
    if let Some((count, under)) = gathered.under {
        sentences.push(format!(
            "At {count} of {points} points the cost cannot be told from none: it is under {}.",
            Nanos(under)
        ));
    }
    sentences
}
