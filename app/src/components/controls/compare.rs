//! The comparison: functions interleaved with the cell's own, and curves of other measurements in the same plot.

use std::rc::Rc;

use benchbook_host::alternative::Alternative;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::components::widgets::date::date;
use crate::components::widgets::help::{HelpButton, Topic};
use crate::components::widgets::unique_id::use_unique_id;
use crate::effects::browser::focus;
use crate::effects::browser::new_id;
use crate::state::cell::LiveCell;
use crate::state::cell::action::{CellAction, OverlayAction, SetupEdit};
use crate::state::notebook::retention::overlay_details;
use benchbook_notebook::trace::Trace;
use benchbook_report::build_names::short_builds;

#[derive(PartialEq, Properties)]
pub(crate) struct CompareProps {
    pub(crate) cell: Rc<LiveCell>,
    /// Curves of other measurements that can be drawn in the same plot.
    pub(crate) candidates: Vec<Trace>,
    pub(crate) on_action: Callback<CellAction>,
    /// The field that chooses a function.
    pub(crate) select: NodeRef,
}

#[component]
pub(crate) fn CompareView(props: &CompareProps) -> Html {
    let (cell, label, select) = (&props.cell, use_unique_id("compare"), props.select.clone());
    let partners = cell.candidates();
    if partners.is_empty()
        && props.candidates.is_empty()
        && cell.partners.is_empty()
        && cell.results.overlays.is_empty()
    {
        return html! {};
    }
    let alternatives = partners.iter().filter(|candidate| candidate.is_alternative).count();
    let onclick = {
        let (on_action, candidates, select) = (props.on_action.clone(), props.candidates.clone(), select.clone());
        Callback::from(move |_: MouseEvent| {
            let Some(element) = select.cast::<HtmlSelectElement>() else { return };
            let action = match element.value().split_once(':') {
                Some(("all", _)) => Some(CellAction::Edit(SetupEdit::AddAlternatives)),
                Some(("with", path)) => Some(CellAction::Edit(SetupEdit::AddPartner(path.to_owned()))),
                Some(("overlay", index)) => {
                    let trace = index.parse().ok().and_then(|index: usize| candidates.get(index));
                    trace.map(|trace| CellAction::Overlay(OverlayAction::Add(new_id(), trace.clone())))
                }
                _ => None,
            };
            match action {
                Some(action) => on_action.emit(action),
                // The user must first choose an option.
                None => focus::on(&select),
            }
        })
    };
    let (is_full, overlaid) = (!cell.has_room(), cell.results.overlaid());
    html! {
        <div class="control compare" role="group" aria-labelledby={label.to_string()}>
            <div class="label"><span id={label.to_string()}>{ "Compare with" }</span><HelpButton topic={Topic::Comparing} /></div>
            if !cell.partners.is_empty() || !cell.results.overlays.is_empty() {
                <ul class="compared">
                    { for cell.partners.iter().map(|partner| {
                        let remove = CellAction::Edit(SetupEdit::RemoveFunction(partner.path.clone()));
                        compared(props, &select, [&partner.path, "same inputs", "partner"], remove)
                    }) }
                    { for overlaid.iter().zip(overlay_details(&overlaid, date)).enumerate().map(|(index, (trace, details))| {
                        let note = format!("measured separately: {details}");
                        compared(props, &select, [&trace.path, &note, "overlay"], CellAction::Overlay(OverlayAction::Remove(index)))
                    }) }
                </ul>
            }
            // An arrow key chooses an option immediately, so a button confirms the choice.
            <div class="add">
                <select data-test="compare" ref={select.clone()} aria-labelledby={label.to_string()}>
                    <option value="">{ if is_full { "At most four functions" } else { "Choose a function…" } }</option>
                    if !is_full && !partners.is_empty() {
                        <optgroup label="Same inputs, interleaved">
                            if alternatives > 1 {
                                <option value="all:">{ "All alternatives" }</option>
                            }
                            { for partners.iter().map(|candidate| html! {
                                <option value={format!("with:{}", candidate.function.path)}>
                                    { &candidate.function.path }
                                    { if candidate.is_alternative { " (alternative)" } else { "" } }
                                </option>
                            }) }
                        </optgroup>
                    }
                    if !is_full && !props.candidates.is_empty() {
                        <optgroup label="Earlier, measured separately">
                            { for props.candidates.iter().zip(overlay_details(&props.candidates, date)).enumerate().map(|(index, (trace, details))| html! {
                                <option value={format!("overlay:{index}")}>{ format!("{} · {details}", trace.path) }</option>
                            }) }
                        </optgroup>
                    }
                </select>
                <button data-test="compare-add" aria-label="Add to comparison" {onclick}>{ "Add" }</button>
            </div>
        </div>
    }
}

/// A compared function with a note, and the button that removes it. `data_test` names the entry in the document.
fn compared(props: &CompareProps, select: &NodeRef, [path, note, data_test]: [&str; 3], remove: CellAction) -> Html {
    let select = select.clone();
    let onclick = props.on_action.reform(move |_: MouseEvent| {
        // The button disappears, and would lose the focus.
        focus::on(&select);
        remove.clone()
    });
    let Alternative { path: function, build } = Alternative::parse(path);
    let build = build.map(|build| format!("build {}, ", short_builds(&[build]).concat())).unwrap_or_default();
    html! {
        <li data-test={data_test.to_owned()} data-path={path.to_owned()}>
            <span><code>{ function }</code><small>{ format!("{build}{note}") }</small></span>
            <button aria-label={format!("Remove {function} ({build}{note})")} title="Remove" {onclick}>{ "×" }</button>
        </li>
    }
}
