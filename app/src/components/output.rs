//! What was measured: plot, table, samples.

use std::rc::Rc;

use benchbook::catalog::Function;
use yew::prelude::*;

use super::plot::Plot;
use super::samples::Samples;
use super::table::Table;
use crate::state::cell::MeasuredCurve;

#[derive(PartialEq, Properties)]
pub(crate) struct OutputProps {
    pub(crate) result: Option<MeasuredCurve>,
    pub(crate) function: Rc<Function>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tab {
    Plot,
    Table,
    Samples,
}

const TABS: [(Tab, &str); 3] = [(Tab::Plot, "Plot"), (Tab::Table, "Table"), (Tab::Samples, "Samples")];

/// The three views. Those that are not looked at stay in the document, hidden: a table can be read by a script.
#[component]
pub(crate) fn Output(props: &OutputProps) -> Html {
    let tab = use_state(|| Tab::Plot);
    let buttons = TABS.map(|(of, name)| {
        let onclick = {
            let tab = tab.clone();
            Callback::from(move |_: MouseEvent| tab.set(of))
        };
        let on = *tab == of;
        html! {
            <button role="tab" class={on.then_some("on")} aria-selected={on.to_string()} data-test={format!("tab-{}", name.to_lowercase())} {onclick}>{ name }</button>
        }
    });
    let Some(result) = &props.result else {
        return html! {
            <div class="out empty"><p>{ "Press Measure: the curve appears here." }</p></div>
        };
    };
    html! {
        <div class="out">
            <div class="tabs" role="tablist">{ for buttons }</div>
            <div role="tabpanel" hidden={*tab != Tab::Plot}><Plot result={result.clone()} function={props.function.clone()} /></div>
            <div role="tabpanel" hidden={*tab != Tab::Table}><Table result={result.clone()} function={props.function.clone()} /></div>
            <div role="tabpanel" hidden={*tab != Tab::Samples}><Samples result={result.clone()} /></div>
        </div>
    }
}
