//! A notebook without cells: search for a function, or compare alternatives.

use std::rc::Rc;

use benchbook_contract::catalog::{Function, name_of};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::components::widgets::interactive_chart::{palette, use_appearance};
use crate::components::widgets::series_mark::series_mark;
use crate::state::PageAction;
use crate::state::suites::group::{Group, groups};
use crate::state::suites::loaded_suite::{FunctionId, LoadedSuite};

/// The most groups, and the most functions that a search lists.
const MAX_GROUPS: usize = 6;
const MAX_FOUND: usize = 8;

#[derive(PartialEq, Properties)]
pub(super) struct EmptyNotebookProps {
    pub(super) suites: Vec<Rc<LoadedSuite>>,
    pub(super) act: Callback<PageAction>,
}

/// Searches for a function, or compares a group of alternatives. Text cells come from the bar below.
#[component]
pub(super) fn EmptyNotebook(props: &EmptyNotebookProps) -> Html {
    let query = use_state_eq(String::new);
    let oninput = {
        let query = query.setter();
        Callback::from(move |event: InputEvent| query.set(event.target_unchecked_into::<HtmlInputElement>().value()))
    };
    let groups: Vec<Group> = groups(&props.suites).take(MAX_GROUPS).collect();
    let palette = palette(use_appearance(), groups.iter().map(|group| group.functions.len()).max().unwrap_or_default());
    let found = found(&props.suites, query.trim());
    let listed = &found[..found.len().min(MAX_FOUND)];
    let choose = |id: &FunctionId| {
        let id = id.clone();
        props.act.reform(move |_: MouseEvent| PageAction::Choose(id.clone()))
    };
    let compare = |id: &FunctionId| {
        let id = id.clone();
        props.act.reform(move |_: MouseEvent| PageAction::AddGroup(id.clone()))
    };
    html! {
        <section class="begin" data-test="empty-notebook">
            <h2>{ "What do you want to measure?" }</h2>
            <p class="soft">{ "Choose a function, or a group that takes the same input. The first curve takes about a second." }</p>
            <input type="search" aria-label="Name of a function" placeholder="Name of a function" autocomplete="off" spellcheck="false" data-test="empty-search" value={(*query).clone()} {oninput} />
            // Always rendered, so that screen readers announce its changes.
            <p class="soft" role="status">{ count(&query, &found, props.suites.is_empty()) }</p>
            if !query.trim().is_empty() {
                <ul class="found">
                    { for listed.iter().map(|id| html! { <li><button class="plain" data-test="found-function" onclick={choose(id)}><code>{ &id.path }</code></button></li> }) }
                </ul>
            }
            if !groups.is_empty() {
                <h3>{ "Groups with the same input" }</h3>
                <ul class="cards">
                    { for groups.iter().map(|group| html! {
                        <li class="alternatives">
                            <b dir="auto">{ capitalized(&group.work) }</b>
                            <ul>{ for group.functions.iter().enumerate().map(|(hue, id)| html! { <li>{ series_mark(hue, palette) }<code>{ name_of(&id.path) }</code></li> }) }</ul>
                            <button data-test="compare-group" onclick={compare(&group.functions[0])}>{ format!("Compare {}", group.functions.len()) }</button>
                        </li>
                    }) }
                </ul>
            }
            <p class="soft">{ "Or start with text that asks the question. You can also drop a notebook or a " }<code>{ ".wasm" }</code>{ " suite on this page." }</p>
        </section>
    }
}

/// What a search has found, in words; nothing without a search.
fn count(query: &str, found: &[FunctionId], has_no_suites: bool) -> String {
    match found.len() {
        _ if query.trim().is_empty() => String::new(),
        0 if has_no_suites => "No suite is loaded yet.".to_owned(),
        0 => "No function has this name.".to_owned(),
        1 => "1 function".to_owned(),
        count if count > MAX_FOUND => format!("The first {MAX_FOUND} functions"),
        count => format!("{count} functions"),
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The first functions whose path contains `query`: one more than is listed if there are others.
fn found(suites: &[Rc<LoadedSuite>], query: &str) -> Vec<FunctionId> {
    let query = query.to_ascii_lowercase();
    let has_query = |function: &&Function| function.path.to_ascii_lowercase().contains(&query);
    let of_suite = |loaded: &'_ Rc<LoadedSuite>| {
        let functions = loaded.suite.functions.iter().filter(has_query);
        functions.map(|function| FunctionId { suite: loaded.id, path: function.path.clone() }).collect::<Vec<_>>()
    };
    suites.iter().flat_map(of_suite).take(MAX_FOUND + 1).collect()
}
