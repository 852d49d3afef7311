//! The raw samples of one point, as text.

use benchbook::response::Measured;
use benchbook::units::{Nanos, number};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::state::cell::MeasuredCurve;

#[derive(PartialEq, Properties)]
pub(crate) struct SamplesProps {
    pub(crate) result: MeasuredCurve,
}

#[component]
pub(crate) fn Samples(props: &SamplesProps) -> Html {
    let chosen = use_state(|| None::<f64>);
    let points: Vec<_> =
        props.result.curve.readings().iter().filter_map(|reading| Some((reading.x, reading.measured()?))).collect();
    let shown = points.iter().find(|(x, _)| Some(*x) == *chosen).or(points.first());
    let onchange = {
        let chosen = chosen.clone();
        Callback::from(move |event: Event| {
            let value = event.target_unchecked_into::<HtmlSelectElement>().value();
            chosen.set(value.parse().ok());
        })
    };
    html! {
        <div class="samples" data-test="samples">
            <label>{ "Samples at " }
                <select {onchange}>
                    { for points.iter().map(|(x, _)| html! { <option value={x.to_string()} selected={shown.is_some_and(|(s, _)| s == x)}>{ number(*x) }</option> }) }
                </select>
            </label>
            if let Some((_, measured)) = shown {
                <p>{ format!(
                    "{} calls a sample; the empty loop costs {} a call and is subtracted from the figures, not from these samples. One line a sample, nanoseconds a call; w marks warming up.",
                    measured.calls, Nanos(measured.overhead)
                ) }</p>
                <textarea readonly=true rows="12" aria-label="Raw samples" value={lines(measured)} />
            }
        </div>
    }
}

fn lines(measured: &Measured) -> String {
    let calls = measured.calls as f64;
    let line = |sample: &benchbook::response::Sample| {
        format!("{}{}\n", sample.elapsed / calls, if sample.warm_up { " w" } else { "" })
    };
    measured.samples.iter().map(line).collect()
}
