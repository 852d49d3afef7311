//! The raw samples of one point: in measurement order, as a histogram, and as text.

mod histogram;
mod point;
mod sequence;
mod text;

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::analyze::statistics::Summary;
use benchbook_host::metric::{Metric, TIME};
use benchbook_host::response::{MeasuredPoint, Overhead, TwoLevelTimes};
use benchbook_host::units::{Nanos, TimeUnit, axis_value, count, number, percent, significant};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::components::widgets::select_value::use_select_value;
use benchbook_notebook::view::ViewAction;
use benchbook_report::shown_trace::ShownTrace;
use histogram::HistogramView;
use point::PointSamples;
use sequence::SequenceView;
use text::TextView;

#[derive(PartialEq, Properties)]
pub(crate) struct SamplesProps {
    /// The shown traces.
    pub(crate) shown: Vec<ShownTrace>,
    /// The metric of the plot. If it has samples of its own, they are shown.
    pub(crate) metric: &'static Metric,
    /// The index of the trace and the axis value, as text, of the selected point; `None` selects the first point.
    pub(crate) point: Option<(usize, String)>,
    pub(crate) on_present: Callback<ViewAction>,
}

#[component]
pub(crate) fn Samples(props: &SamplesProps) -> Html {
    let points: Vec<(usize, &AxisValue, &Rc<MeasuredPoint>)> = props
        .shown
        .iter()
        .enumerate()
        .flat_map(|(ordinal, shown)| {
            let readings = shown.trace.curve.readings().iter();
            readings.filter_map(move |reading| Some((ordinal, &reading.x, reading.shared()?)))
        })
        .collect();
    let is_chosen = |(ordinal, x, _): &&(usize, &AxisValue, &Rc<MeasuredPoint>)| {
        props.point.as_ref().is_some_and(|(trace, text)| trace == ordinal && *text == x.to_string())
    };
    let chosen = points.iter().find(is_chosen).or(points.first());
    let onchange = {
        let on_present = props.on_present.clone();
        let named: Vec<(String, usize, String)> =
            points.iter().map(|(o, x, _)| (format!("{o} {x}"), *o, x.to_string())).collect();
        Callback::from(move |event: Event| {
            let value = event.target_unchecked_into::<HtmlSelectElement>().value();
            if let Some((_, ordinal, x)) = named.iter().find(|(name, ..)| *name == value) {
                on_present.emit(ViewAction::Point(*ordinal, x.clone()));
            }
        })
    };
    let select = use_select_value(chosen.map(|(ordinal, x, _)| format!("{ordinal} {x}")).unwrap_or_default());
    let point = chosen.map(|(ordinal, _, measured)| PointSamples {
        step_per_call: props.shown[*ordinal].trace.setup.machine.clock.resolution / measured.calls() as f64,
        measured: Rc::clone(measured),
        title: TIME.title,
        ordinal: props.shown[*ordinal].hue,
        functions: props.shown.len(),
    });
    // Memorised, since the views detect another point by its identity.
    let own_point = use_memo((point.clone(), props.metric), |(point, metric)| {
        let point = point.as_ref()?;
        let measured = Rc::new(MeasuredPoint::of_start_up(metric.own_samples?(&point.measured)?));
        let step_per_call = point.step_per_call * point.measured.calls() as f64;
        Some(PointSamples { measured, title: metric.title, step_per_call, ..point.clone() })
    });
    let is_own = own_point.is_some();
    let point = (*own_point).clone().or(point);
    html! {
        <div class="samples" data-test="samples">
            <label>{ if chosen.is_some_and(|(_, x, _)| x.is_absent()) { "Samples of " } else { "Samples at " } }
                <select data-test="point" ref={select} {onchange}>
                    { for points.iter().map(|(ordinal, x, _)| html! {
                        <option value={format!("{ordinal} {x}")} selected={chosen.is_some_and(|(o, c, _)| (o, c) == (ordinal, x))}>
                            { option(x, &props.shown[*ordinal].label, props.shown.len() > 1) }
                        </option>
                    }) }
                </select>
            </label>
            if let Some(point) = point {
                <p data-test="samples-caption">
                    { if is_own { start_up_caption(props.metric, &point.measured) } else { caption(&point.measured) } }
                </p>
                <SequenceView point={point.clone()} />
                <HistogramView point={point.clone()} />
                <TextView {point} />
            } else {
                <p>{ "No point has samples yet." }</p>
            }
        </div>
    }
}

/// The name of a point: its axis value, and its function if there are several or there is no axis.
fn option(x: &AxisValue, label: &str, is_comparison: bool) -> String {
    match (x.is_absent(), is_comparison) {
        (true, _) => label.to_owned(),
        (false, true) => format!("{} · {label}", axis_value(x)),
        (false, false) => axis_value(x),
    }
}

/// The caption for samples of a metric of the start-up, with their mean and standard deviation.
fn start_up_caption(metric: &Metric, measured: &MeasuredPoint) -> String {
    let Summary { n, mean, sd, mean_interval, .. } = measured.summary;
    let mut caption = format!(
        "{}: one sample per fresh process or worker. {} samples count; the first one is a warm-up. Mean: {}, standard \
         deviation: {}.",
        metric.title,
        count(u64::from(n)),
        Nanos(mean),
        Nanos(sd)
    );
    if let Some(Interval { low, high }) = mean_interval {
        caption += &format!(" 95% interval of the mean: {} to {}.", Nanos(low), Nanos(high));
    }
    caption
}

fn caption(measured: &MeasuredPoint) -> String {
    let calls = match measured.calls() {
        1 => "Each sample is one call".to_owned(),
        calls => format!("Each sample is the mean of {} calls", number(calls as f64)),
    };
    let Overhead { per_call, half_width, .. } = measured.overhead();
    let mut blocks = match measured.summary.blocks {
        1 => "1 block".to_owned(),
        several => format!("{} blocks, each with different inputs", count(u64::from(several))),
    };
    if let processes @ 2.. = measured.summary.runs {
        blocks += &format!(", in {processes} processes");
    }
    if let Some(repeats) = measured.repeats().filter(|&repeats| repeats > 1.0) {
        blocks += &format!("; each input is used {} times", significant(repeats, 2));
    }
    let mut caption = format!(
        "{calls}; {blocks}. Loop overhead of {} ± {} per call is subtracted.",
        Nanos(per_call),
        Nanos(half_width)
    );
    if let Some(reference) = measured.runs.iter().find_map(|run| run.reference) {
        caption += &format!(" Reference kernel: {} per call.", Nanos(reference));
    }
    if let Some(TwoLevelTimes { low, high, high_share, new_inputs, .. }) = measured.two_levels() {
        let unit = TimeUnit::for_largest(high);
        caption += &format!(
            " Two levels: {} ({}) and {} ({}).",
            unit.format(low),
            percent(1.0 - high_share),
            unit.format(high),
            percent(high_share)
        );
        if let Some(Interval { low, high }) = new_inputs {
            caption += &format!(" On new inputs: {} to {}.", unit.format(low), unit.format(high));
        }
    }
    if measured.samples().any(|(_, sample)| sample.interrupted) {
        caption += " ◆: interrupted samples.";
    }
    if let Some(mean) = measured.summary.uninterrupted_mean {
        caption += &format!(" Mean without the preemptions that the system reported: {}.", Nanos(mean));
    }
    caption
}
