//! What a person aims at in the last priority: two fields that may stay empty.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::settings::precision_target::PrecisionTarget;
use crate::state::cell::CellAction;

/// The two fields, on a line.
pub(super) fn fields(aim: &PrecisionTarget, on_action: &Callback<CellAction>) -> Html {
    let set = |change: fn(&mut PrecisionTarget, String)| {
        let aim = aim.clone();
        on_action.reform(move |event: InputEvent| {
            let mut aim = aim.clone();
            change(&mut aim, event.target_unchecked_into::<HtmlInputElement>().value());
            CellAction::SetPrecisionTarget(aim)
        })
    };
    let field = |test: &'static str, label: &'static str, text: &str, is_wrong: bool, oninput| {
        html! {
            <input class="text" type="text" inputmode="decimal" autocomplete="off" placeholder="usual" aria-label={label}
                aria-describedby="aim-notes" aria-invalid={is_wrong.to_string()} data-test={test} value={text.to_owned()} {oninput} />
        }
    };
    let (precision, time) = (aim.precision().err(), aim.point_ms().err());
    html! {
        <div class="control" role="group" aria-labelledby="aim-label">
            <div class="label"><span id="aim-label">{ "What priority 4 aims at" }</span></div>
            <div class="numbers">
                { "±" }
                { field("aim", "Aim at ± percent", &aim.precision, precision.is_some(), set(|aim, text| aim.precision = text)) }
                { "%" }
                { field("point-time", "Seconds a point", &aim.time, time.is_some(), set(|aim, text| aim.time = text)) }
                <span>{ "s a point" }</span>
            </div>
            <div class="notes" id="aim-notes">
                { for precision.into_iter().chain(time).map(|wrong| html! { <p class="wrong" data-test="problem">{ wrong }</p> }) }
            </div>
        </div>
    }
}
