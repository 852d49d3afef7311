//! The choice of the measurement and of the axis value of a history.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::name_of;
use benchbook_host::units::axis_value;
use benchbook_notebook::trace::describe;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::components::widgets::select_value::use_select_value;
use crate::state::machines::function_history::HistoryMeasurement;

#[derive(PartialEq, Properties)]
pub(super) struct MeasurementSelectProps {
    pub(super) measurements: Rc<Vec<HistoryMeasurement>>,
    /// The index of the shown one.
    pub(super) chosen: usize,
    pub(super) on_choose: Callback<usize>,
}

/// A list of the measurements; only its label if there is one.
#[component]
pub(super) fn MeasurementSelect(props: &MeasurementSelectProps) -> Html {
    let MeasurementSelectProps { measurements, chosen, on_choose } = props;
    let select = use_select_value(chosen.to_string());
    let onchange = on_choose
        .reform(|event: Event| event.target_unchecked_into::<HtmlSelectElement>().value().parse().unwrap_or_default());
    let only = measurements.first().filter(|_| measurements.len() == 1);
    html! {
        <div>
            if let Some(only) = only {
                { label(only) }
            } else {
                <label>{ "Measurement " }
                    <select data-test="history-measurement" ref={select} {onchange}>
                        { for measurements.iter().enumerate().map(|(index, measurement)| html! {
                            <option value={index.to_string()} selected={index == *chosen}>{ label(measurement) }</option>
                        }) }
                    </select>
                </label>
            }
        </div>
    }
}

/// `Time per call · keys · size 1 000 to 100 000, spread Sorted`
fn label(measurement: &HistoryMeasurement) -> String {
    let metric = measurement.metric.title();
    let arguments = measurement.arguments.iter().map(|(name, argument)| format!("{name} {}", describe(argument)));
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let parts = [metric, name_of(&measurement.generator), &arguments];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

#[derive(PartialEq, Properties)]
pub(super) struct HistoryValueSelectProps {
    /// The name of the parameter.
    pub(super) name: String,
    pub(super) values: Vec<AxisValue>,
    pub(super) chosen: AxisValue,
    /// Receives the value as text.
    pub(super) on_choose: Callback<String>,
}

/// A list of the axis values; empty without an axis.
#[component]
pub(super) fn HistoryValueSelect(props: &HistoryValueSelectProps) -> Html {
    let HistoryValueSelectProps { name, values, chosen, on_choose } = props;
    let select = use_select_value(chosen.to_string());
    let onchange = on_choose.reform(|event: Event| event.target_unchecked_into::<HtmlSelectElement>().value());
    html! {
        <div>
            if values.len() > 1 {
                <label>{ format!("{name} ") }
                    <select data-test="history-at" ref={select} {onchange}>
                        { for values.iter().map(|value| html! {
                            <option value={value.to_string()} selected={value == chosen}>{ axis_value(value) }</option>
                        }) }
                    </select>
                </label>
            }
        </div>
    }
}
