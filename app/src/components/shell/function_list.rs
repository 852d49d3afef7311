//! The functions of a suite by module, in the sidebar. All lists together are one tab stop: the arrow keys move in them.

use benchbook_chart::Palette;
use benchbook_contract::catalog::Function;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::components::widgets::series_mark::series_mark;
use crate::effects::browser::focus;
use crate::state::PageAction;
use crate::state::suites::loaded_suite::{FunctionId, LoadedSuite};

/// What the rows of all lists have in common.
pub(super) struct FunctionRows<'a> {
    /// The functions that the current cell compares, in the order of their colours; empty for a single one.
    pub(super) compared: &'a [FunctionId],
    /// The function of the current cell.
    pub(super) chosen: Option<&'a FunctionId>,
    /// The function that is being measured.
    pub(super) measuring: Option<&'a FunctionId>,
    /// The function that the tab key leads to, and the reference for the first button.
    pub(super) tab_stop: Option<&'a FunctionId>,
    pub(super) first: Option<&'a FunctionId>,
    pub(super) first_button: &'a NodeRef,
    pub(super) is_search: bool,
    pub(super) palette: Palette,
    pub(super) on_action: &'a Callback<PageAction>,
}

impl FunctionRows<'_> {
    /// The functions of a suite, in this order. Those of a module can be collapsed; a search shows all.
    pub(super) fn list(&self, loaded: &LoadedSuite, functions: &[&Function]) -> Html {
        let group = |functions: &[&Function]| {
            let rows = functions.iter().map(|function| self.row(loaded, function));
            let Some(first) = functions.first() else { return html! {} };
            // Once the module is collapsed, the tab key leads to its name.
            let has_tab_stop = functions.iter().any(|one| self.tab_stop.is_some_and(|stop| stop.path == one.path));
            match first.module() {
                "" => html! { { for rows } },
                // A module may have several groups.
                module => html! {
                    <li key={format!("{} {}", first.path, self.is_search)}>
                        <details open=true>
                            <summary class="module" tabindex={if has_tab_stop { "0" } else { "-1" }} data-row="module">{ module }</summary>
                            <ul>{ for rows }</ul>
                        </details>
                    </li>
                },
            }
        };
        let groups = functions.chunk_by(|one, other| one.module() == other.module());
        html! { <ul>{ for groups.map(group) }</ul> }
    }

    fn row(&self, loaded: &LoadedSuite, function: &Function) -> Html {
        let id = FunctionId { suite: loaded.id, path: function.path.clone() };
        let is_chosen = self.chosen == Some(&id);
        let button = if self.first == Some(&id) { self.first_button.clone() } else { NodeRef::default() };
        let tab_index = if self.tab_stop == Some(&id) { "0" } else { "-1" };
        let add = {
            let id = id.clone();
            self.on_action.reform(move |_: MouseEvent| PageAction::Add(id.clone()))
        };
        let hue = self.compared.iter().position(|compared| *compared == id);
        let is_measuring = self.measuring == Some(&id);
        let onclick = self.on_action.reform(move |_: MouseEvent| PageAction::Choose(id.clone()));
        html! {
            <li class="entry">
                <button class={classes!("function", is_chosen.then_some("on"))} ref={button} aria-current={is_chosen.then_some("true")} tabindex={tab_index}
                    data-row="function" data-test="function" data-path={function.path.clone()} {onclick}>
                    <span>{ function.name() }</span>
                    if is_measuring {
                        <small class="busy">{ "measuring" }</small>
                    } else if let Some(hue) = hue {
                        <small data-test="in-cell">{ series_mark(hue, self.palette) }{ "in cell" }</small>
                    } else if function.native {
                        <small title="Requires a native runner">{ "native" }</small>
                    }
                </button>
                <button class="add" tabindex="-1" data-test="add-function" aria-label={format!("Add a cell with {}", function.name())} title="Add a cell" onclick={add}>{ "+" }</button>
            </li>
        }
    }
}

/// The path of the function whose row contains an element.
pub(super) fn path_at(element: &Element) -> Option<String> {
    element.closest("[data-row=function]").ok()??.get_attribute("data-path")
}

/// Moves the focus within the lists: up and down between the rows in view, to the first and the last, right into a module or to the button that
/// adds a cell, and left back out. Returns whether the key did any of that.
pub(super) fn handle_key(lists: &Element, key: &str) -> bool {
    let focused = web_sys::window().and_then(|window| window.document()?.active_element());
    let Some(focused) = focused.filter(|focused| lists.contains(Some(focused))) else { return false };
    let row = match focused.matches("[data-row]") {
        Ok(true) => Some(focused.clone()),
        // The button that adds a cell follows its row.
        _ => focused.previous_element_sibling().filter(|before| before.has_attribute("data-row")),
    };
    let Some(row) = row else { return false };
    let rows = rows_in_view(lists);
    let index = rows.iter().position(|one| *one == row);
    let module = row.closest("details").ok().flatten();
    let is_module = row.get_attribute("data-row").as_deref() == Some("module");
    let is_open = module.as_ref().is_some_and(|module| module.has_attribute("open"));
    let to = match key {
        "ArrowDown" => index.and_then(|index| rows.get(index + 1)).cloned(),
        "ArrowUp" => index.and_then(|index| rows.get(index.checked_sub(1)?)).cloned(),
        "Home" => rows.first().cloned(),
        "End" => rows.last().cloned(),
        "ArrowRight" if is_module => {
            set_open(module.as_ref(), true);
            None
        }
        "ArrowRight" => row.next_element_sibling(),
        "ArrowLeft" if focused != row => Some(row),
        "ArrowLeft" if is_module && is_open => {
            set_open(module.as_ref(), false);
            None
        }
        "ArrowLeft" => module.and_then(|module| module.first_element_child()),
        _ => return false,
    };
    focus::on_element(to);
    true
}

fn set_open(module: Option<&Element>, is_open: bool) {
    if let Some(module) = module {
        // Fails only if the name of the attribute is invalid.
        let _ = module.toggle_attribute_with_force("open", is_open);
    }
}

/// The rows that are not in a collapsed module.
fn rows_in_view(lists: &Element) -> Vec<Element> {
    let Ok(all) = lists.query_selector_all("[data-row]") else { return Vec::new() };
    let rows = (0..all.length()).filter_map(|index| all.item(index)?.dyn_into::<HtmlElement>().ok());
    rows.map(Element::from).filter(|row| !matches!(row.closest("details:not([open]) > ul"), Ok(Some(_)))).collect()
}
