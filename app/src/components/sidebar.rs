//! The list of suites and their functions.

use std::rc::Rc;

use benchbook::catalog::Function;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::focus;
use crate::state::cell::CellId;
use crate::state::loaded_suite::LoadedSuite;
use crate::state::page::PageAction;

#[derive(PartialEq, Properties)]
pub(crate) struct SidebarProps {
    pub(crate) suites: Vec<Rc<LoadedSuite>>,
    /// What is searched for.
    pub(crate) search: String,
    /// The function that is shown.
    pub(crate) chosen: Option<CellId>,
    /// The function that is being measured.
    pub(crate) measuring: Option<CellId>,
    pub(crate) on_action: Callback<PageAction>,
}

#[component]
pub(crate) fn Sidebar(props: &SidebarProps) -> Html {
    let oninput = props
        .on_action
        .reform(|event: InputEvent| PageAction::Search(event.target_unchecked_into::<HtmlInputElement>().value()));
    let wanted = props.search.trim().to_ascii_lowercase();
    let found: Vec<(&LoadedSuite, Vec<&Function>)> = props
        .suites
        .iter()
        .map(|loaded| (&**loaded, matching(loaded, &wanted)))
        .filter(|(_, functions)| wanted.is_empty() || !functions.is_empty())
        .collect();
    let first = found.iter().find_map(|(loaded, functions)| Some(id_of(loaded, functions.first()?)));
    let onkeydown = {
        let on_action = props.on_action.clone();
        Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "Enter" if !event.ctrl_key() && !event.meta_key() => {
                if let Some(id) = &first {
                    on_action.emit(PageAction::Choose(id.clone()));
                }
            }
            "ArrowDown" => {
                event.prevent_default();
                focus::on("[data-test=function]");
            }
            _ => {}
        })
    };
    html! {
        <nav aria-label="Functions">
            <input type="search" placeholder="Find a function   /" aria-label="Find a function" autocomplete="off" spellcheck="false"
                data-test="search" value={props.search.clone()} {oninput} {onkeydown} />
            <p class="visually-hidden" role="status">{ told(&wanted, &found) }</p>
            <div class="suites">
                if found.is_empty() && !props.suites.is_empty() {
                    <p class="empty">{ "No function matches." }</p>
                }
                { for found.into_iter().map(|(loaded, functions)| suite_list(props, loaded, &functions)) }
            </div>
        </nav>
    }
}

/// What was found, for whoever cannot see the list; empty while nothing is searched.
fn told(wanted: &str, found: &[(&LoadedSuite, Vec<&Function>)]) -> String {
    let count: usize = found.iter().map(|(_, functions)| functions.len()).sum();
    match (wanted.is_empty(), count) {
        (true, _) => String::new(),
        (false, 1) => "1 function matches".to_owned(),
        (false, count) => format!("{count} functions match"),
    }
}

fn suite_list(props: &SidebarProps, loaded: &LoadedSuite, functions: &[&Function]) -> Html {
    let suite = &loaded.suite;
    let mut module = None;
    let mut rows = Vec::new();
    for function in functions {
        if module != Some(function.module()) {
            if !function.module().is_empty() {
                rows.push(html! { <li class="module">{ function.module() }</li> });
            }
            module = Some(function.module());
        }
        rows.push(row(props, loaded, function));
    }
    html! {
        <section key={loaded.id.0}>
            <h2>{ format!("{} {}", suite.name, suite.version) }</h2>
            <ul>{ for rows }</ul>
        </section>
    }
}

fn row(props: &SidebarProps, loaded: &LoadedSuite, function: &Function) -> Html {
    let id = id_of(loaded, function);
    let chosen = props.chosen.as_ref() == Some(&id);
    let measuring = props.measuring.as_ref() == Some(&id);
    let onclick = props.on_action.reform(move |_: MouseEvent| PageAction::Choose(id.clone()));
    let count = function.generators.len();
    html! {
        <li>
            <button class={classes!("function", chosen.then_some("on"))} aria-current={chosen.then_some("true")}
                data-test="function" data-path={function.path.clone()} {onclick}>
                <span>{ function.name() }</span>
                if measuring {
                    <small class="busy" title="It is being measured">{ "measuring" }</small>
                } else if function.native {
                    <small title="Only a native runner can measure it">{ "native" }</small>
                } else {
                    <small title={format!("{count} {}", if count == 1 { "generator" } else { "generators" })}>{ count }</small>
                }
            </button>
        </li>
    }
}

fn id_of(loaded: &LoadedSuite, function: &Function) -> CellId {
    CellId { suite: loaded.id, path: function.path.clone() }
}

/// The functions whose path or docs, or whose suite's name, hold what is `wanted`; those whose path does come first.
fn matching<'a>(loaded: &'a LoadedSuite, wanted: &str) -> Vec<&'a Function> {
    let holds = |text: &str| text.to_ascii_lowercase().contains(wanted);
    let functions = || loaded.suite.functions.iter();
    if wanted.is_empty() || holds(&loaded.suite.name) {
        return functions().collect();
    }
    let (by_path, rest): (Vec<_>, Vec<_>) = functions().partition(|function| holds(&function.path));
    by_path.into_iter().chain(rest.into_iter().filter(|function| holds(&function.docs))).collect()
}
