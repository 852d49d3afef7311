//! What a function is compared with: measured together with it, or drawn beside it.

use std::rc::Rc;

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::focus;
use super::help::{HelpButton, Topic};
use crate::state::cell::{Cell, CellAction};
use crate::state::trace::Trace;

#[derive(PartialEq, Properties)]
pub(crate) struct CompareProps {
    pub(crate) cell: Rc<Cell>,
    /// What was measured elsewhere and can be drawn beside it.
    pub(crate) candidates: Vec<Trace>,
    pub(crate) on_action: Callback<CellAction>,
}

#[component]
pub(crate) fn CompareView(props: &CompareProps) -> Html {
    let cell = &props.cell;
    let partners = cell.candidates();
    if partners.is_empty() && props.candidates.is_empty() && cell.partners.is_empty() && cell.overlays.is_empty() {
        return html! {};
    }
    let alternatives = partners.iter().filter(|candidate| candidate.is_alternative).count();
    let select = use_node_ref();
    let onclick = {
        let (on_action, candidates, select) = (props.on_action.clone(), props.candidates.clone(), select.clone());
        Callback::from(move |_: MouseEvent| {
            let Some(select) = select.cast::<HtmlSelectElement>() else { return };
            let action = match select.value().split_once(':') {
                Some(("all", _)) => Some(CellAction::AddAlternatives),
                Some(("with", path)) => Some(CellAction::AddPartner(path.to_owned())),
                Some(("beside", place)) => {
                    let trace = place.parse().ok().and_then(|place: usize| candidates.get(place));
                    trace.cloned().map(CellAction::AddOverlay)
                }
                _ => None,
            };
            match action {
                Some(action) => on_action.emit(action),
                // Nothing was chosen: that is what is to be done first.
                None => focus::on("[data-test=compare]"),
            }
        })
    };
    let is_full = !cell.has_room();
    html! {
        <div class="control compare" role="group" aria-labelledby="compare-label">
            <div class="label"><span id="compare-label">{ "Compare with" }</span><HelpButton topic={Topic::Comparing} /></div>
            if !cell.partners.is_empty() || !cell.overlays.is_empty() {
                <ul class="compared">
                    { for cell.partners.iter().map(|partner| {
                        let path = partner.path.clone();
                        compared(&path, "on the same inputs", "partner", &props.on_action, CellAction::RemovePartner(path.clone()))
                    }) }
                    { for cell.overlays.iter().enumerate().map(|(place, trace)| {
                        let told = format!("unpaired: {}", trace.setup.summary());
                        compared(&trace.function.path, &told, "overlay", &props.on_action, CellAction::RemoveOverlay(place))
                    }) }
                </ul>
            }
            // An arrow key chooses at once what a select shows next: so a button says when it is meant.
            <div class="add">
                <select data-test="compare" ref={select} aria-labelledby="compare-label">
                    <option value="">{ if is_full { "A plot holds four functions" } else { "Choose a function…" } }</option>
                    if !is_full && !partners.is_empty() {
                        <optgroup label="Measured together, on the same inputs">
                            if alternatives > 1 {
                                <option value="all:">{ "All that do the same" }</option>
                            }
                            { for partners.iter().map(|candidate| html! {
                                <option value={format!("with:{}", candidate.function.path)}>
                                    { &candidate.function.path }
                                    { if candidate.is_alternative { " (does the same)" } else { "" } }
                                </option>
                            }) }
                        </optgroup>
                    }
                    if !is_full && !props.candidates.is_empty() {
                        <optgroup label="Measured before: unpaired">
                            { for props.candidates.iter().enumerate().map(|(place, trace)| html! {
                                <option value={format!("beside:{place}")}>{ format!("{} · {}", trace.function.path, trace.setup.summary()) }</option>
                            }) }
                        </optgroup>
                    }
                </select>
                <button data-test="compare-add" aria-label="Add to the comparison" {onclick}>{ "Add" }</button>
            </div>
        </div>
    }
}

/// One of those that it is compared with, and the button that ends that.
fn compared(path: &str, told: &str, test: &'static str, on_action: &Callback<CellAction>, remove: CellAction) -> Html {
    let onclick = on_action.reform(move |_: MouseEvent| {
        // The button goes with it, and would take the focus along.
        focus::on("[data-test=compare]");
        remove.clone()
    });
    html! {
        <li data-test={test} data-path={path.to_owned()}>
            <span><code>{ path }</code><small>{ told }</small></span>
            <button aria-label={format!("Do not compare with {path}")} title="Take away" {onclick}>{ "×" }</button>
        </li>
    }
}
