//! The readout of the plot: the statistics of each curve at an axis value.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::messages::stability::stability_mark;
use benchbook_host::metric::{Metric, TIME};
use benchbook_host::units::{self, Nanos, TimeUnit};
use yew::prelude::*;

use benchbook_notebook::curve::Reading;
use benchbook_report::shown_trace::ShownTrace;

/// The lines of the readout at an axis value.
pub(super) fn lines(shown: &[ShownTrace], metric: &Metric, x: &AxisValue) -> Vec<Html> {
    let unit = shown.first().map(|first| first.trace.setup.axis_unit()).unwrap_or_default();
    let at = format!("{} {unit}", units::axis_value(x));
    let mut lines = Vec::new();
    if !x.is_absent() {
        lines.push(html! { { at.trim_end() } });
    }
    for shown_one in shown {
        let readings = shown_one.trace.curve.readings();
        let Some(reading) = readings.iter().find(|reading| reading.x == *x) else { continue };
        if shown.len() > 1 {
            // The axis of another generator may have another unit.
            let own_unit = shown_one.trace.setup.axis_unit();
            let value =
                if own_unit == unit { String::new() } else { format!(" ({} {own_unit})", units::axis_value(x)) };
            lines.push(html! { <b>{ format!("{}{value}", shown_one.label) }</b> });
        }
        lines.extend(metric_line(reading, metric).map(|line| html! { { line } }));
        lines.extend(point_lines(reading).into_iter().map(|line| html! { { line } }));
    }
    lines
}

/// The value of a metric other than the time, which has lines of its own.
fn metric_line(reading: &Reading, metric: &Metric) -> Option<String> {
    let value = (metric.value)(reading.measured().filter(|_| *metric != TIME)?)?.centre()?;
    Some(format!("{}: {}", metric.title, metric.unit.format(value)))
}

/// The lines about one point.
fn point_lines(reading: &Reading) -> Vec<String> {
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
    if let Some(mean) = summary.uninterrupted_mean {
        lines.push(format!("mean without preempted batches {}", time.format(mean)));
    }
    lines.extend(stability_mark(summary.stability).map(|mark| mark.meaning.to_owned()));
    lines
}
