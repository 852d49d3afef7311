//! What is read of a point: the figures of every curve there.

use benchbook::units::{self, Nanos, TimeUnit};
use yew::prelude::*;

use crate::state::curve::Reading;
use crate::state::shown_trace::ShownTrace;

/// What is known at an axis value, a line each.
pub(super) fn told(shown: &[ShownTrace], x: f64) -> Vec<Html> {
    let unit = shown.first().map(|first| first.trace.setup.axis_unit()).unwrap_or_default();
    let at = format!("{} {unit}", units::number(x));
    let mut told = vec![html! { { at.trim_end() } }];
    for shown_one in shown {
        let readings = shown_one.trace.curve.readings();
        let Some(reading) = readings.iter().find(|reading| reading.x == x) else { continue };
        if shown.len() > 1 {
            // Another generator varies something else.
            let other = shown_one.trace.setup.axis_unit();
            let of_what = if other == unit { String::new() } else { format!(" ({} {other})", units::number(x)) };
            told.push(html! { <b>{ format!("{}{of_what}", shown_one.label) }</b> });
        }
        told.extend(lines(reading).into_iter().map(|line| html! { { line } }));
    }
    told
}

fn lines(reading: &Reading) -> Vec<String> {
    let Some(measured) = reading.measured() else {
        let reason = reading.failure().map(|(_, failure)| failure.reason.clone()).unwrap_or_default();
        return vec![format!("failed: {reason}")];
    };
    let summary = &measured.summary;
    let counts = format!("{} samples · priority {}", units::count(u64::from(summary.n)), reading.priority().number());
    if let Some(bound) = measured.upper_bound() {
        return vec![counts, format!("under {}", Nanos(bound))];
    }
    let time = TimeUnit::for_largest(summary.mean + summary.sd);
    let mut lines = vec![counts, format!("mean {} ± {}", time.digits(summary.mean), time.format(summary.sd))];
    if let (Some(q1), Some(median), Some(q3)) = (summary.q1, summary.median, summary.q3) {
        lines.push(format!("median {} ({} … {})", time.format(median), time.digits(q1), time.digits(q3)));
    }
    if !summary.steady {
        lines.push("never settled while warming up".to_owned());
    }
    lines
}
