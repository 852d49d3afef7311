//! What a reader should know before believing the figures, gathered over the points.

use benchbook::response::Warning;
use benchbook::units::{Nanos, number, plus_minus};
use yew::prelude::*;

use crate::state::cell::MeasuredCurve;

/// Sentences about failures; the words often differ by a number alone.
const MOST_FAILURES: usize = 3;

#[derive(PartialEq, Properties)]
pub(crate) struct WarningsProps {
    pub(crate) result: MeasuredCurve,
}

#[component]
pub(crate) fn Warnings(props: &WarningsProps) -> Html {
    let mut failures = failures(&props.result);
    let more = failures.len().saturating_sub(MOST_FAILURES);
    failures.truncate(MOST_FAILURES);
    let sentences = sentences(&props.result);
    html! {
        <>
            if !failures.is_empty() {
                <div class="warn failed" role="alert">
                    { for failures.into_iter().map(|sentence| html! { <p data-test="problem">{ sentence }</p> }) }
                    if more > 0 {
                        <p>{ format!("And {more} more: the table tells each.") }</p>
                    }
                </div>
            }
            if !sentences.is_empty() {
                <div class="warn" data-test="warnings">{ sentences.join(" ") }</div>
            }
        </>
    }
}

/// One sentence for each reason, with the axis values that it struck. Where there are figures all the same, it names the
/// priority that has none.
fn failures(result: &MeasuredCurve) -> Vec<String> {
    let mut reasons: Vec<(Option<u8>, &str, Vec<String>)> = Vec::new();
    for reading in result.curve.readings() {
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

fn gather(result: &MeasuredCurve) -> Gathered {
    let mut gathered = Gathered::default();
    for reading in result.curve.readings() {
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

fn sentences(result: &MeasuredCurve) -> Vec<String> {
    let gathered = gather(result);
    let points = gathered.points;
    let mut sentences = Vec::new();
    if let Some((x, calls)) = gathered.batched_up_to {
        let axis = result.axis_heading();
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
