//! The choice of the difference from which on times count as different.

use benchbook_host::units::exact_percent;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::components::widgets::select_value::use_select_value;
use benchbook_notebook::view::{Margin, ViewAction};

#[derive(PartialEq, Properties)]
pub(super) struct MarginSelectProps {
    pub(super) margin: Margin,
    pub(super) on_present: Callback<ViewAction>,
}

#[component]
pub(super) fn MarginSelect(props: &MarginSelectProps) -> Html {
    let select = use_select_value(props.margin.name());
    let onchange = {
        let on_present = props.on_present.clone();
        Callback::from(move |event: Event| {
            let name = event.target_unchecked_into::<HtmlSelectElement>().value();
            if let Some(margin) = Margin::from_name(&name) {
                on_present.emit(ViewAction::Margin(margin));
            }
        })
    };
    html! {
        <label class="margin">{ "Differences matter from " }
            <select data-test="margin" ref={select} {onchange}>
                { for Margin::ALL.map(|margin| html! {
                    <option value={margin.name()} selected={margin == props.margin}>
                        { exact_percent(margin.ratio()) }
                    </option>
                }) }
            </select>
        </label>
    }
}
