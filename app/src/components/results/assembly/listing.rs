//! The instructions of a function, with the lines of the source that they are from.

use std::rc::Rc;

use benchbook_assembly::{Instruction, ListingRow, left_out, source_line};
use benchbook_host::units::count;
use benchbook_notebook::view::{AssemblyView, ViewAction};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use super::model::CodeModel;

#[derive(PartialEq, Properties)]
pub(super) struct InstructionTableProps {
    pub(super) model: Rc<CodeModel>,
    pub(super) view: AssemblyView,
    pub(super) on_present: Callback<ViewAction>,
}

/// A row for each instruction. Clicking its offset marks it, and links open at the marked one. One offset is a tab stop; arrow keys move to the others.
#[component]
pub(super) fn InstructionTable(props: &InstructionTableProps) -> Html {
    let InstructionTableProps { model, view, on_present } = props;
    let table = use_node_ref();
    // Links open here.
    use_effect_with((), {
        let table = table.clone();
        move |()| {
            let Some(table) = table.cast::<Element>() else { return };
            let marked =
                table.query_selector("tr.marked").ok().flatten().and_then(|row| row.dyn_into::<HtmlElement>().ok());
            // Only the listing is scrolled: a notebook with a mark opens at its top.
            if let (Some(marked), Some(listing)) = (marked, table.parent_element()) {
                listing.set_scroll_top(marked.offset_top() - listing.client_height() / 2);
            }
        }
    });
    let rows = model.listing.rows(&model.path, view.shows_around);
    let first = rows.iter().find_map(|row| match row {
        ListingRow::Instruction(instruction) => Some(instruction.offset),
        _ => None,
    });
    let is_shown = |offset: &u64| {
        rows.iter().any(|row| matches!(row, ListingRow::Instruction(instruction) if instruction.offset == *offset))
    };
    let marked = view.marked.filter(is_shown);
    let stop = marked.or(first);
    let row = |row: &ListingRow<'_>| match row {
        ListingRow::Source { place, function } => html! {
            <tr class="source"><td colspan="3">{ source_line(place, *function) }</td></tr>
        },
        ListingRow::LeftOut(number) => {
            html! { <tr class="source"><td colspan="3">{ left_out(*number, count) }</td></tr> }
        }
        ListingRow::Instruction(instruction) => {
            let offset = instruction.offset;
            let is_marked = marked == Some(offset);
            let bars = "│".repeat(instruction.depth as usize);
            let onclick = {
                let view = view.clone();
                let marked = (!is_marked).then_some(offset);
                on_present.reform(move |_: MouseEvent| ViewAction::Assembly(AssemblyView { marked, ..view.clone() }))
            };
            html! {
                <tr class={is_marked.then_some("marked")}>
                    <th scope="row"><button class="link" tabindex={if stop == Some(offset) { "0" } else { "-1" }} aria-pressed={is_marked.to_string()}
                        data-test="assembly-line" data-offset={offset.to_string()} title="Mark this instruction. Links then open here." {onclick}>{ format!("{offset:x}") }</button></th>
                    <td class="loops">{ bars }</td>
                    <td><code>{ instruction_text(instruction) }</code></td>
                </tr>
            }
        }
    };
    html! {
        <div class="scroll code-listing" role="region" aria-label="Instructions">
            <table data-test="assembly-listing" ref={table} onkeydown={Callback::from(|event| move_focus(&event))}>
                <tbody>{ for rows.iter().map(row) }</tbody>
            </table>
        </div>
    }
}

/// The text with its label, the name of what it calls, and its comment.
fn instruction_text(instruction: &Instruction) -> Html {
    let Instruction { label, text, comment, calls, .. } = instruction;
    let (before, called) = match calls.as_deref().and_then(|name| Some((text.strip_suffix(name)?, name))) {
        Some((before, name)) => (before, Some(name)),
        None => (text.as_str(), None),
    };
    html! {
        <>
            if let Some(label) = label { <span class="soft">{ format!(".L{label}: ") }</span> }
            { before }
            if let Some(called) = called { <b>{ called }</b> }
            if let Some(comment) = comment { <span class="soft">{ format!("  ; {comment}") }</span> }
        </>
    }
}

/// Moves the focus to the instruction before or after that with the focus, or to the first or last one.
fn move_focus(event: &KeyboardEvent) {
    let row = event.target().and_then(|target| target.dyn_into::<Element>().ok()?.closest("tr").ok()?);
    let Some((row, body)) = row.and_then(|row| Some((row.clone(), row.parent_element()?))) else { return };
    let next: fn(&Element) -> Option<Element> = match event.key().as_str() {
        "ArrowDown" | "Home" => Element::next_element_sibling,
        "ArrowUp" | "End" => Element::previous_element_sibling,
        _ => return,
    };
    let start = match event.key().as_str() {
        "Home" => body.first_element_child(),
        "End" => body.last_element_child(),
        _ => next(&row),
    };
    let button =
        |row: &Element| row.query_selector("button").ok()?.and_then(|button| button.dyn_into::<HtmlElement>().ok());
    let found = std::iter::successors(start, next).find_map(|row| button(&row));
    if let Some(button) = found {
        event.prevent_default();
        // A button of the page can be focused.
        let _ = button.focus();
    }
}
