//! The options of the measurement: precision and time of the last priority, which may stay empty, the switch for first calls, and
//! the machines.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::components::widgets::unique_id::use_unique_id;
use crate::state::cell::action::{CellAction, SetupEdit};
use benchbook_notebook::measuring_options::{MeasuringOptions, RunOn};

#[derive(PartialEq, Properties)]
pub(crate) struct TargetProps {
    pub(crate) target: MeasuringOptions,
    pub(crate) on_action: Callback<CellAction>,
}

/// The switch that also measures first calls.
#[component]
pub(crate) fn FirstCallsSwitch(props: &TargetProps) -> Html {
    let TargetProps { target, on_action } = props;
    let next = MeasuringOptions { first_calls: !target.first_calls, ..target.clone() };
    let onchange = on_action.reform(move |_: Event| CellAction::Edit(SetupEdit::SetOptions(next.clone())));
    html! {
        <div class="control">
            <div class="label"><span>{ FIRST_CALLS }</span></div>
            <input class="switch" type="checkbox" role="switch" aria-label={FIRST_CALLS}
                data-test="first-calls" checked={target.first_calls} {onchange} />
        </div>
    }
}

/// The label of the switch.
const FIRST_CALLS: &str = "Also measure first calls";

#[derive(PartialEq, Properties)]
pub(crate) struct RunOnProps {
    pub(crate) options: MeasuringOptions,
    /// The name of the runner.
    pub(crate) runner: String,
    pub(crate) on_action: Callback<CellAction>,
}

/// The machines that measure all priorities.
#[component]
pub(crate) fn RunOnBoxes(props: &RunOnProps) -> Html {
    let label = use_unique_id("run-on");
    let run_on = props.options.run_on;
    let check_box = |test: &'static str, text: String, checked: bool, next: RunOn| {
        let options = MeasuringOptions { run_on: next, ..props.options.clone() };
        let onchange = props.on_action.reform(move |_: Event| CellAction::Edit(SetupEdit::SetOptions(options.clone())));
        html! { <label><input type="checkbox" data-test={test} {checked} {onchange} />{ text }</label> }
    };
    html! {
        <div class="control" role="group" aria-labelledby={label.to_string()}>
            <div class="label"><span id={label.to_string()}>{ "Run on" }</span></div>
            <div class="boxes">
                { check_box("run-on-runner", format!("{}, native", props.runner), run_on != RunOn::Browser, run_on.toggle_runner()) }
                { check_box("run-on-browser", "This browser".to_owned(), run_on != RunOn::Runner, run_on.toggle_browser()) }
            </div>
            if run_on == RunOn::Runner {
                <p class="soft">{ "The first curve comes from this browser." }</p>
            }
        </div>
    }
}

/// The two fields, on one line.
#[component]
pub(crate) fn TargetFields(props: &TargetProps) -> Html {
    let TargetProps { target, on_action } = props;
    let (label, notes) = (use_unique_id("target"), use_unique_id("target-notes"));
    let set = |change: fn(&mut MeasuringOptions, String)| {
        let target = target.clone();
        on_action.reform(move |event: InputEvent| {
            let mut target = target.clone();
            change(&mut target, event.target_unchecked_into::<HtmlInputElement>().value());
            CellAction::Edit(SetupEdit::SetOptions(target))
        })
    };
    let field = |test: &'static str, label: &'static str, text: &str, is_invalid: bool, oninput| {
        html! {
            <input class="text" type="text" inputmode="decimal" autocomplete="off" placeholder="default" aria-label={label}
                aria-describedby={notes.to_string()} aria-invalid={is_invalid.to_string()} data-test={test} value={text.to_owned()} {oninput} />
        }
    };
    let (precision, time) = (target.precision().err(), target.point_ms().err());
    html! {
        <div class="control" role="group" aria-labelledby={label.to_string()}>
            <div class="label"><span id={label.to_string()}>{ "Stop refining at" }</span></div>
            <div class="numbers">
                <span>{ "±" }</span>
                { field("aim", "Precision target in percent", &target.precision, precision.is_some(), set(|target, text| target.precision = text)) }
                <span>{ "% or" }</span>
                { field("point-time", "Seconds per point", &target.time, time.is_some(), set(|target, text| target.time = text)) }
                <span>{ "s a point" }</span>
            </div>
            <div class="notes" id={notes.to_string()}>
                { for precision.into_iter().chain(time).map(|problem| html! { <p class="wrong" data-test="problem">{ problem }</p> }) }
            </div>
        </div>
    }
}
