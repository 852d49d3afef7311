//! The raw samples of one point: in the order taken, as a histogram, and as text.

mod histogram;
mod in_order;
mod text;

use std::rc::Rc;

use benchbook::response::{Measured, Overhead};
use benchbook::units::{Nanos, count, number};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::chart::{Centre, View};
use crate::components::chosen::use_chosen;
use crate::settings::presentation::PresentationAction;
use crate::state::shown_trace::ShownTrace;
use histogram::HistogramView;
use in_order::InOrderView;
use text::TextView;

#[derive(PartialEq, Properties)]
pub(crate) struct SamplesProps {
    /// All that is shown.
    pub(crate) shown: Vec<ShownTrace>,
    /// Which of them, and the axis value; absent: the first.
    pub(crate) point: Option<(usize, f64)>,
    pub(crate) on_present: Callback<PresentationAction>,
}

/// One point as its views take it. Two are equal where their figures were measured at once.
#[derive(Clone)]
struct PointSamples {
    measured: Rc<Measured>,
    /// In which colours, and how many traces are shown.
    ordinal: usize,
    functions: usize,
    /// The resolution of the clock, in nanoseconds a call.
    resolution: f64,
}

impl PartialEq for PointSamples {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.measured, &other.measured)
            && (self.ordinal, self.functions) == (other.ordinal, other.functions)
    }
}

impl PointSamples {
    fn centre(&self) -> Centre {
        let summary = &self.measured.summary;
        Centre { ordinal: self.ordinal, mean: Some(summary.mean), median: summary.median }
    }
}

/// The visible part of a chart of one point, and what changes it; another point is seen whole.
#[hook]
fn use_zoom(point: &PointSamples) -> (Option<View>, Callback<Option<View>>) {
    let zoom = use_state_eq(|| None::<View>);
    {
        let zoom = zoom.clone();
        use_effect_with(point.clone(), move |_| zoom.set(None));
    }
    let set = zoom.setter();
    (*zoom, Callback::from(move |view| set.set(view)))
}

#[component]
pub(crate) fn Samples(props: &SamplesProps) -> Html {
    let points: Vec<(usize, f64, &Rc<Measured>)> = props
        .shown
        .iter()
        .enumerate()
        .flat_map(|(ordinal, shown)| {
            let readings = shown.trace.curve.readings().iter();
            readings.filter_map(move |reading| Some((ordinal, reading.x, reading.shared()?)))
        })
        .collect();
    let chosen = points.iter().find(|(ordinal, x, _)| Some((*ordinal, *x)) == props.point).or(points.first());
    let onchange = {
        let on_present = props.on_present.clone();
        let named: Vec<(String, usize, f64)> = points.iter().map(|(o, x, _)| (format!("{o} {x}"), *o, *x)).collect();
        Callback::from(move |event: Event| {
            let value = event.target_unchecked_into::<HtmlSelectElement>().value();
            if let Some((_, ordinal, x)) = named.iter().find(|(name, ..)| *name == value) {
                on_present.emit(PresentationAction::Point(*ordinal, *x));
            }
        })
    };
    let select = use_chosen(chosen.map(|(ordinal, x, _)| format!("{ordinal} {x}")).unwrap_or_default());
    let point = chosen.map(|(ordinal, _, measured)| PointSamples {
        resolution: props.shown[*ordinal].trace.setup.machine.clock.resolution / measured.calls() as f64,
        measured: Rc::clone(measured),
        ordinal: props.shown[*ordinal].hue,
        functions: props.shown.len(),
    });
    html! {
        <div class="samples" data-test="samples">
            <label>{ "Samples at " }
                <select data-test="point" ref={select} {onchange}>
                    { for points.iter().map(|(ordinal, x, _)| html! {
                        <option value={format!("{ordinal} {x}")} selected={chosen.is_some_and(|(o, c, _)| (o, c) == (ordinal, x))}>
                            { number(*x) }
                            if props.shown.len() > 1 {
                                { format!(" · {}", props.shown[*ordinal].label) }
                            }
                        </option>
                    }) }
                </select>
            </label>
            if let Some(point) = point {
                <p>{ caption(&point.measured) }</p>
                <InOrderView point={point.clone()} />
                <HistogramView point={point.clone()} />
                <TextView {point} />
            } else {
                <p>{ "No point has samples yet." }</p>
            }
        </div>
    }
}

fn caption(measured: &Measured) -> String {
    let calls = match measured.calls() {
        1 => "A sample is one call".to_owned(),
        calls => format!("A sample is the mean of {} calls", number(calls as f64)),
    };
    let Overhead { per_call, half_width, .. } = measured.overhead();
    let blocks = count(u64::from(measured.summary.blocks));
    let mut caption = format!(
        "{calls}, in {blocks} blocks of inputs of their own; the empty loop's {} ± {} a call are subtracted.",
        Nanos(per_call),
        Nanos(half_width)
    );
    if let Some(reference) = measured.runs.iter().find_map(|run| run.reference) {
        caption += &format!(" The reference kernel took {} a call meanwhile.", Nanos(reference));
    }
    if measured.samples().any(|(_, sample)| sample.interrupted) {
        caption += " ◆ marks what something else interrupted.";
    }
    caption
}
