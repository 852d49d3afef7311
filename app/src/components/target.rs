//! The fields for precision and time of the last priority, which may stay empty, and the switch for first calls.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::settings::measuring_options::MeasuringOptions;
use crate::state::cell::CellAction;

/// The switch that also measures first calls.
pub(super) fn first_calls_switch(target: &MeasuringOptions, on_action: &Callback<CellAction>) -> Html {
    let next = MeasuringOptions { first_calls: !target.first_calls, ..target.clone() };
    let onchange = on_action.reform(move |_: Event| CellAction::SetMeasuringOptions(next.clone()));
    html! {
        <div class="control">
            <div class="label"><span id="first-calls-label">{ "Also measure first calls" }</span></div>
            <input class="switch" type="checkbox" role="switch" aria-labelledby="first-calls-label"
                data-test="first-calls" checked={target.first_calls} {onchange} />
        </div>
    }
}

/// The two fields, on one line.
pub(super) fn target_fields(target: &MeasuringOptions, on_action: &Callback<CellAction>) -> Html {
    let set = |change: fn(&mut MeasuringOptions, String)| {
        let target = target.clone();
        on_action.reform(move |event: InputEvent| {
            let mut target = target.clone();
            change(&mut target, event.target_unchecked_into::<HtmlInputElement>().value());
            CellAction::SetMeasuringOptions(target)
        })
    };
    let field = |test: &'static str, label: &'static str, text: &str, is_invalid: bool, oninput| {
        html! {
            <input class="text" type="text" inputmode="decimal" autocomplete="off" placeholder="default" aria-label={label}
                aria-describedby="target-notes" aria-invalid={is_invalid.to_string()} data-test={test} value={text.to_owned()} {oninput} />
        }
    };
    let (precision, time) = (target.precision().err(), target.point_ms().err());
    html! {
        <div class="control" role="group" aria-labelledby="target-label">
            <div class="label"><span id="target-label">{ "Target at priority 4" }</span></div>
            <div class="numbers">
                <span>{ "±" }</span>
                { field("aim", "Precision target in percent", &target.precision, precision.is_some(), set(|target, text| target.precision = text)) }
                <span>{ "% in" }</span>
                { field("point-time", "Seconds per point", &target.time, time.is_some(), set(|target, text| target.time = text)) }
                <span>{ "s" }</span>
            </div>
            <div class="notes" id="target-notes">
                { for precision.into_iter().chain(time).map(|problem| html! { <p class="wrong" data-test="problem">{ problem }</p> }) }
            </div>
        </div>
    }
}
