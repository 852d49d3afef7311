//! What was measured: plot, table, samples.

use std::rc::Rc;

use benchbook::catalog::Function;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

use super::plot::Plot;
use super::samples::Samples;
use super::table::Table;
use crate::state::cell::MeasuredCurve;

#[derive(PartialEq, Properties)]
pub(crate) struct OutputProps {
    pub(crate) result: Option<MeasuredCurve>,
    pub(crate) function: Rc<Function>,
    /// Whether the controls say something else by now.
    pub(crate) is_outdated: bool,
}

/// Name and id of each view, in the order of the tabs.
const TABS: [(&str, &str); 3] = [("Plot", "plot"), ("Table", "table"), ("Samples", "samples")];

/// The three views. Those that are not looked at stay in the document, hidden: a table can be read by a script.
#[component]
pub(crate) fn Output(props: &OutputProps) -> Html {
    let tab = use_state_eq(|| 0);
    let Some(result) = &props.result else {
        return html! {
            <div class="out empty"><p>{ "The curve appears here." }</p></div>
        };
    };
    let views = [
        html! { <Plot result={result.clone()} function={props.function.clone()} /> },
        html! { <Table result={result.clone()} function={props.function.clone()} /> },
        html! { <Samples result={result.clone()} /> },
    ];
    let panels = views.into_iter().zip(TABS).enumerate().map(|(index, (view, (_, id)))| {
        html! {
            <div role="tabpanel" id={format!("panel-{id}")} aria-labelledby={format!("tab-{id}")} hidden={*tab != index}>{ view }</div>
        }
    });
    html! {
        <div class="out">
            <div class="tabs" role="tablist">{ for (0..TABS.len()).map(|index| button(&tab, index)) }</div>
            <p class="caption" data-test="caption">
                { result.settings() }
                if props.is_outdated {
                    <b>{ " · the settings have changed since: measure again" }</b>
                }
            </p>
            { for panels }
        </div>
    }
}

/// A tab. As in any row of tabs, the Tab key reaches the chosen one, and the arrow keys the others.
fn button(tab: &UseStateHandle<usize>, index: usize) -> Html {
    let (name, id) = TABS[index];
    let on = **tab == index;
    let onclick = {
        let tab = tab.clone();
        Callback::from(move |_: MouseEvent| tab.set(index))
    };
    let onkeydown = {
        let tab = tab.clone();
        Callback::from(move |event: KeyboardEvent| {
            let next = match event.key().as_str() {
                "ArrowRight" => (index + 1) % TABS.len(),
                "ArrowLeft" => (index + TABS.len() - 1) % TABS.len(),
                "Home" => 0,
                "End" => TABS.len() - 1,
                _ => return,
            };
            event.prevent_default();
            tab.set(next);
            focus(&format!("tab-{}", TABS[next].1));
        })
    };
    html! {
        <button role="tab" id={format!("tab-{id}")} class={on.then_some("on")} aria-selected={on.to_string()}
            aria-controls={format!("panel-{id}")} tabindex={if on { "0" } else { "-1" }}
            data-test={format!("tab-{id}")} {onclick} {onkeydown}>{ name }</button>
    }
}

fn focus(id: &str) {
    let element = web_sys::window().and_then(|window| window.document()).and_then(|page| page.get_element_by_id(id));
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // An element that cannot be focused leaves the focus where it is.
        let _ = element.focus();
    }
}
