//! The readout of the plot: the statistics of each curve at an axis value.

use std::rc::Rc;

use benchbook_chart::Palette;
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::messages::stability::stability_mark;
use benchbook_host::metric::{Metric, TIME};
use benchbook_host::response::FailureKind;
use benchbook_host::units::{self, Nanos, TimeUnit};
use yew::prelude::*;

use super::model;
use super::readout_table::{CurveFigures, readout_table};
use super::relative;
use crate::components::widgets::interactive_chart::{palette, readout_lines, use_appearance};
use benchbook_notebook::curve::Reading;
use benchbook_notebook::view::CellView;
use benchbook_report::ranking::MachineRanking;
use benchbook_report::shown_trace::ShownTrace;

#[derive(PartialEq, Properties)]
pub(crate) struct ReadoutProps {
    /// The shown traces.
    pub(crate) shown: Vec<ShownTrace>,
    pub(crate) rankings: Rc<Vec<MachineRanking>>,
    /// The view as it is drawn.
    pub(crate) view: CellView,
    /// The axis value under the cursor of the plot.
    pub(crate) x: Option<AxisValue>,
}

/// The figures of all visible curves under the cursor; empty without one.
#[component]
pub(crate) fn Readout(props: &ReadoutProps) -> Html {
    let ReadoutProps { shown, rankings, view, x } = props;
    let palette = palette(use_appearance(), shown.len());
    let visible = model::visible(shown, view);
    let content = x.as_ref().map(|x| match view.is_relative() {
        true => relative::readout(shown, &visible, rankings, x, palette),
        false => readout(&visible, view.metric(), x, palette),
    });
    html! {
        <div class="reading-space" aria-live="polite">
            { for content.map(|content| html! { <div class="reading" data-test="reading">{ content }</div> }) }
        </div>
    }
}

/// The readout at an axis value: everything about a single curve, or the typical values of several.
fn readout(shown: &[ShownTrace], metric: &Metric, x: &AxisValue, palette: Palette) -> Html {
    let reading = |curve: usize| shown[curve].trace.curve.readings().iter().find(|reading| reading.x == *x);
    if shown.len() > 1 {
        let figures = |curve: usize| reading(curve).map(|reading| figures(reading, metric)).unwrap_or_default();
        let headings: &[&str] = if *metric == TIME { &["median", "mean ± sd"] } else { &[metric.title] };
        return readout_table(shown, x, palette, &CurveFigures { headings, of: &figures });
    }
    let unit = shown.first().map(|first| first.trace.setup.axis_unit()).unwrap_or_default();
    let at = format!("{} {unit}", units::axis_value(x));
    let mut lines = Vec::new();
    if !x.is_absent() {
        lines.push(at.trim_end().to_owned());
    }
    if let Some(reading) = shown.first().and_then(|_| reading(0)) {
        lines.extend(metric_line(reading, metric));
        lines.extend(point_lines(reading));
    }
    readout_lines(lines.into_iter().map(|line| html! { { line } }))
}

/// The median, and the mean with the standard deviation; or the value of another metric; or what happened to the point.
fn figures(reading: &Reading, metric: &Metric) -> Vec<String> {
    let Some(measured) = reading.measured() else {
        let is_skipped = reading.failure().is_some_and(|(_, failure)| failure.kind == FailureKind::Skipped);
        return vec![if is_skipped { "skipped" } else { "failed" }.to_owned()];
    };
    if *metric != TIME {
        let value = (metric.value)(measured).and_then(|value| value.centre());
        return value.map(|value| metric.unit.format(value)).into_iter().collect();
    }
    let summary = &measured.summary;
    if let Some(bound) = measured.upper_bound() {
        return vec![units::under(Nanos(bound))];
    }
    let time = TimeUnit::for_largest(summary.mean + summary.sd);
    let median =
        summary.median.map_or_else(|| format!("mean {}", Nanos(summary.mean)), |median| Nanos(median).to_string());
    vec![median, format!("{} ± {}", time.digits(summary.mean), time.format(summary.sd))]
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
        return vec![counts, units::under(Nanos(bound))];
    }
    let time = TimeUnit::for_largest(summary.mean + summary.sd);
    let mut lines = vec![counts, format!("mean {} ± {}", time.digits(summary.mean), time.format(summary.sd))];
    if let (Some(q1), Some(median), Some(q3)) = (summary.q1, summary.median, summary.q3) {
        lines.push(format!("median {} ({} … {})", time.format(median), time.digits(q1), time.digits(q3)));
    }
    if let Some(mean) = summary.uninterrupted_mean {
        lines.push(format!("mean without interrupted batches {}", time.format(mean)));
    }
    lines.extend(stability_mark(summary.stability).map(|mark| mark.meaning.to_owned()));
    lines
}
