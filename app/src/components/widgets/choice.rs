//! A list to choose from.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::select_value::use_select_value;

#[derive(PartialEq, Properties)]
pub(crate) struct ChoiceProps {
    /// What is chosen.
    pub(crate) label: &'static str,
    /// Whether the label is visible.
    #[prop_or_default]
    pub(crate) is_labelled: bool,
    /// The `data-test` of the list.
    pub(crate) test: &'static str,
    /// The values, with what is shown.
    pub(crate) options: Vec<(String, String)>,
    pub(crate) value: String,
    pub(crate) on_choose: Callback<String>,
}

/// A list to choose from.
#[component]
pub(crate) fn Choice(props: &ChoiceProps) -> Html {
    let ChoiceProps { label, is_labelled, test, options, value, on_choose } = props;
    let select = use_select_value(value.clone());
    let onchange = on_choose.reform(|event: Event| event.target_unchecked_into::<HtmlSelectElement>().value());
    html! {
        <label><span class={(!is_labelled).then_some("visually-hidden")}>{ format!("{label} ") }</span>
            <select data-test={*test} ref={select} {onchange}>
                { for options.iter().map(|(key, name)| html! { <option value={key.clone()} selected={key == value}>{ name }</option> }) }
            </select>
        </label>
    }
}
