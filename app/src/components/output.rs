//! What was measured: plot, table, samples.

use std::rc::Rc;

use yew::prelude::*;

use super::focus;
use super::plot::Plot;
use super::samples::Samples;
use super::table::Table;
use super::verdict::{differing, verdicts};
use crate::settings::presentation::{PresentationAction, Tab};
use crate::state::cell::{Cell, CellAction};
use crate::state::comparison::FunctionComparison;

#[derive(PartialEq, Properties)]
pub(crate) struct OutputProps {
    pub(crate) cell: Rc<Cell>,
    pub(crate) on_action: Callback<CellAction>,
}

/// The three views. Those that are not looked at stay in the document, hidden: a table can be read by a script.
#[component]
pub(crate) fn Output(props: &OutputProps) -> Html {
    let cell = &props.cell;
    let on_present = props.on_action.reform(CellAction::Present);
    let versus = use_memo(cell.shown(), |shown| FunctionComparison::all(shown));
    let Some(setup) = cell.setup() else {
        return html! {
            <div class="out empty"><p>{ "The curve appears here." }</p></div>
        };
    };
    let (shown, presentation) = (cell.shown(), cell.presentation.clone());
    let view = |tab: Tab| match tab {
        Tab::Plot => html! {
            <>
                <Plot shown={shown.clone()} versus={versus.clone()} presentation={presentation.clone()} on_present={on_present.clone()} />
                { for verdicts(&shown, &versus, cell.is_measuring()).into_iter().map(|told| html! { <p class="verdict" data-test="verdict">{ told }</p> }) }
            </>
        },
        Tab::Table => html! { <Table shown={shown.clone()} versus={versus.clone()} /> },
        Tab::Samples => html! {
            <Samples shown={shown.clone()} point={presentation.point} on_present={on_present.clone()} />
        },
    };
    html! {
        <div class="out">
            <div class="tabs" role="tablist" aria-label="Views">{ for Tab::ALL.map(|tab| button(cell.presentation.tab, tab, &on_present)) }</div>
            <p class="caption" data-test="caption">
                { setup.summary() }
                if cell.is_outdated() {
                    <b>{ " · the settings have changed since: measure again" }</b>
                }
            </p>
            { for differing(&shown, &versus).into_iter().map(|told| html! {
                <p class="problem-note" role="alert" data-test="problem">{ told }</p>
            }) }
            { for Tab::ALL.map(|tab| html! {
                <div role="tabpanel" id={format!("panel-{}", tab.name())} aria-labelledby={format!("tab-{}", tab.name())}
                    hidden={cell.presentation.tab != tab}>{ view(tab) }</div>
            }) }
        </div>
    }
}

fn title(tab: Tab) -> &'static str {
    match tab {
        Tab::Plot => "Plot",
        Tab::Table => "Table",
        Tab::Samples => "Samples",
    }
}

/// A tab. As in any row of tabs, the Tab key reaches the chosen one, and the arrow keys the others.
fn button(chosen: Tab, tab: Tab, on_present: &Callback<PresentationAction>) -> Html {
    let on = chosen == tab;
    let onclick = on_present.reform(move |_: MouseEvent| PresentationAction::Tab(tab));
    let onkeydown = {
        let on_present = on_present.clone();
        Callback::from(move |event: KeyboardEvent| {
            let (place, last) = (tab as usize, Tab::ALL.len() - 1);
            let next = match event.key().as_str() {
                "ArrowRight" => (place + 1) % Tab::ALL.len(),
                "ArrowLeft" => place.checked_sub(1).unwrap_or(last),
                "Home" => 0,
                "End" => last,
                _ => return,
            };
            event.prevent_default();
            on_present.emit(PresentationAction::Tab(Tab::ALL[next]));
            focus::on(&format!("#tab-{}", Tab::ALL[next].name()));
        })
    };
    html! {
        <button role="tab" id={format!("tab-{}", tab.name())} class={on.then_some("on")} aria-selected={on.to_string()}
            aria-controls={format!("panel-{}", tab.name())} tabindex={if on { "0" } else { "-1" }}
            data-test={format!("tab-{}", tab.name())} {onclick} {onkeydown}>{ title(tab) }</button>
    }
}
