//! The list of suites and their functions.

use std::rc::Rc;

use benchbook::catalog::Function;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::state::{Action, LoadedSuite, SuiteId};

#[derive(PartialEq, Properties)]
pub(crate) struct SidebarProps {
    pub(crate) suites: Vec<Rc<LoadedSuite>>,
    /// What is searched for.
    pub(crate) search: String,
    /// Suite and path of the chosen function.
    pub(crate) chosen: Option<(SuiteId, String)>,
    pub(crate) on_action: Callback<Action>,
}

#[component]
pub(crate) fn Sidebar(props: &SidebarProps) -> Html {
    let oninput = props
        .on_action
        .reform(|event: InputEvent| Action::Search(event.target_unchecked_into::<HtmlInputElement>().value()));
    html! {
        <nav aria-label="Functions">
            <input type="search" placeholder="Find a function" aria-label="Find a function" value={props.search.clone()} {oninput} />
            { for props.suites.iter().map(|suite| suite_list(props, suite)) }
        </nav>
    }
}

fn suite_list(props: &SidebarProps, loaded: &LoadedSuite) -> Html {
    let suite = &loaded.suite;
    let wanted = props.search.to_lowercase();
    let mut module = None;
    let mut rows = Vec::new();
    for function in suite.functions.iter().filter(|function| matches(function, &wanted)) {
        let (path, name) = split(&function.path);
        if module != Some(path) {
            if !path.is_empty() {
                rows.push(html! { <li class="module">{ path }</li> });
            }
            module = Some(path);
        }
        rows.push(row(props, loaded.id, function, name));
    }
    html! {
        <section>
            <h2>{ format!("{} {}", suite.name, suite.version) }</h2>
            if rows.is_empty() {
                <p class="empty">{ "No function matches." }</p>
            }
            <ul>{ for rows }</ul>
        </section>
    }
}

fn row(props: &SidebarProps, suite: SuiteId, function: &Function, name: &str) -> Html {
    let chosen = props.chosen.as_ref().is_some_and(|(of, path)| *of == suite && *path == function.path);
    let path = function.path.clone();
    let onclick = props.on_action.reform(move |_: MouseEvent| Action::Choose(suite, path.clone()));
    let count = function.generators.len();
    html! {
        <li>
            <button class={classes!("function", chosen.then_some("on"))} aria-current={chosen.then_some("true")}
                data-test="function" data-path={function.path.clone()} {onclick}>
                <span>{ name }</span>
                if function.native {
                    <small title="Only a native runner can measure it">{ "native" }</small>
                } else {
                    <small title={format!("{count} {}", if count == 1 { "generator" } else { "generators" })}>{ count }</small>
                }
            </button>
        </li>
    }
}

fn matches(function: &Function, wanted: &str) -> bool {
    wanted.is_empty() || function.path.to_lowercase().contains(wanted) || function.docs.to_lowercase().contains(wanted)
}

/// The module of a path, and the name within it.
pub(super) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once("::").unwrap_or(("", path))
}
