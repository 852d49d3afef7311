//! The outline of the notebook, and the list of suites and their functions.

use std::rc::Rc;

use benchbook_contract::catalog::Function;
use benchbook_notebook::id::Id;
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

use super::contents;
use super::contents::{CONTENTS_ID, sheet_head};
use super::function_list::{FunctionRows, handle_key, path_at};
use crate::components::notebook::outline::{Outline, OutlineEntry};
use crate::components::start::suite_notes::{failed_suite, origin, unusable_suites};
use crate::components::widgets::interactive_chart::{palette, use_appearance};
use crate::effects::browser::focus;
use crate::effects::suites::own_suites::OwnSuiteCommands;
use crate::state::PageAction;
use crate::state::notebook::NotebookAction;
use crate::state::suites::loaded_suite::{FunctionId, LoadedSuite, SuiteId};
use crate::state::suites::own_suites::{OwnSuiteAction, OwnSuites};

#[derive(PartialEq, Properties)]
pub(crate) struct SidebarProps {
    pub(crate) suites: Vec<Rc<LoadedSuite>>,
    /// The suites of the site that cannot be loaded: their address and the reason.
    pub(crate) failed: Vec<(SuiteId, String, String)>,
    pub(crate) own: OwnSuites,
    pub(super) own_commands: OwnSuiteCommands,
    /// The text in the search field.
    pub(crate) search: String,
    pub(crate) search_field: NodeRef,
    /// The sidebar itself, which is a sheet on a narrow screen.
    pub(crate) contents: NodeRef,
    /// The cells of the notebook; absent if none is shown.
    pub(crate) outline: Option<Vec<OutlineEntry>>,
    pub(crate) current: Option<Id>,
    /// Whether the notebook is shown without controls: then there is no list of functions.
    pub(crate) is_reading: bool,
    /// The function of the current cell.
    pub(crate) chosen: Option<FunctionId>,
    /// The functions that the current cell compares, in the order of their colours; empty for a single one.
    pub(crate) compared: Vec<FunctionId>,
    /// The function that is being measured.
    pub(crate) measuring: Option<FunctionId>,
    pub(crate) on_action: Callback<PageAction>,
}

#[component]
pub(crate) fn Sidebar(props: &SidebarProps) -> Html {
    let on_action =
        use_callback((props.on_action.clone(), props.contents.clone()), |action: PageAction, (on_action, contents)| {
            let is_choice = matches!(
                action,
                PageAction::Choose(_)
                    | PageAction::Add(_)
                    | PageAction::Notebook(NotebookAction::Select(_))
                    | PageAction::OwnSuites(_)
            );
            if is_choice {
                contents::close(contents);
            }
            on_action.emit(action);
        });
    let palette = palette(use_appearance(), props.compared.len());
    let oninput = props
        .on_action
        .reform(|event: InputEvent| PageAction::Search(event.target_unchecked_into::<HtmlInputElement>().value()));
    let query = props.search.trim().to_ascii_lowercase();
    let matches: Vec<(&LoadedSuite, Vec<&Function>)> = props
        .suites
        .iter()
        .map(|loaded| (&**loaded, matching(loaded, &query)))
        .filter(|(_, functions)| query.is_empty() || !functions.is_empty())
        .collect();
    let first_button = use_node_ref();
    let lists = use_node_ref();
    // The function that had the focus last.
    let focused = use_state_eq(|| None::<FunctionId>);
    let onfocusin = {
        let focused = focused.setter();
        let suites: Vec<SuiteId> = props.suites.iter().map(|loaded| loaded.id).collect();
        Callback::from(move |event: FocusEvent| {
            let Some(target) = event.target_dyn_into::<Element>() else { return };
            let section =
                target.closest("section").ok().flatten().and_then(|section| section.get_attribute("data-suite"));
            let suite = section.and_then(|section| suites.iter().find(|id| section_name(**id) == section));
            if let (Some(path), Some(suite)) = (path_at(&target), suite) {
                focused.set(Some(FunctionId { suite: *suite, path }));
            }
        })
    };
    let on_list_key = {
        let lists = lists.clone();
        Callback::from(move |event: KeyboardEvent| {
            let is_modified = event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key();
            if !is_modified && lists.cast::<Element>().is_some_and(|lists| handle_key(&lists, &event.key())) {
                event.prevent_default();
            }
        })
    };
    let first = matches.iter().find_map(|(loaded, functions)| Some(id_of(loaded, functions.first()?)));
    let onkeydown = {
        let (on_action, first, first_button) = (on_action.clone(), first.clone(), first_button.clone());
        Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "Enter" if !event.ctrl_key() && !event.meta_key() => {
                if let Some(id) = &first {
                    on_action.emit(PageAction::Choose(id.clone()));
                }
            }
            "ArrowDown" => {
                event.prevent_default();
                focus::on(&first_button);
            }
            _ => {}
        })
    };
    let count = match_count(&query, &matches);
    let is_listed = |id: &FunctionId| {
        matches.iter().any(|(loaded, functions)| {
            loaded.id == id.suite && functions.iter().any(|function| function.path == id.path)
        })
    };
    let tab_stop =
        [(*focused).as_ref(), props.chosen.as_ref()].into_iter().flatten().find(|id| is_listed(id)).or(first.as_ref());
    let rows = FunctionRows {
        compared: &props.compared,
        chosen: props.chosen.as_ref(),
        measuring: props.measuring.as_ref(),
        tab_stop,
        first: first.as_ref(),
        first_button: &first_button,
        is_search: !query.is_empty(),
        palette,
        on_action: &on_action,
    };
    let section = |(loaded, functions): &(&LoadedSuite, Vec<&Function>)| {
        let origin = loaded.id.is_own().then(|| origin(loaded, &props.own, &props.own_commands));
        let section = html! {
            <section key={section_name(loaded.id)} data-suite={section_name(loaded.id)}>
                <h2>{ format!("{} {}", loaded.suite.name, loaded.suite.version) }</h2>
                { for origin }
                { rows.list(loaded, functions) }
            </section>
        };
        (loaded.id, section)
    };
    let mut sections: Vec<(SuiteId, Html)> = matches.iter().map(section).collect();
    if query.is_empty() {
        sections.extend(props.failed.iter().map(|(id, address, problem)| failed_suite(*id, address, problem)));
        sections.sort_by_key(|(id, _)| *id);
    }
    let on_open = on_action.reform(|_: MouseEvent| PageAction::OwnSuites(OwnSuiteAction::ShowDialog(true)));
    html! {
        <nav aria-label="Notebook and functions" id={CONTENTS_ID} popover="auto" data-test="contents-sheet" ref={props.contents.clone()}>
            { sheet_head() }
            if let Some(entries) = props.outline.clone() {
                <Outline {entries} current={props.current.clone()} is_reading={props.is_reading} on_action={on_action.clone()} />
            }
            if !props.is_reading {
                <input type="search" placeholder="Find a function   /" aria-label="Find a function" autocomplete="off" spellcheck="false"
                    ref={props.search_field.clone()} data-test="search" value={props.search.clone()} {oninput} {onkeydown} />
                <p class="visually-hidden" role="status">{ count }</p>
                <div class="suites" ref={lists} {onfocusin} onkeydown={on_list_key}>
                    if sections.is_empty() && !props.suites.is_empty() {
                        <p class="empty">{ "No function matches." }</p>
                    }
                    { for sections.into_iter().map(|(_, section)| section) }
                    if query.is_empty() {
                        { unusable_suites(&props.own, &props.own_commands) }
                    }
                    <button class="plain" data-test="open-suite" onclick={on_open}>{ "+ Open a .wasm suite" }</button>
                </div>
            }
        </nav>
    }
}

/// The number of matches, for screen readers; empty without a query.
fn match_count(query: &str, matches: &[(&LoadedSuite, Vec<&Function>)]) -> String {
    let count: usize = matches.iter().map(|(_, functions)| functions.len()).sum();
    match (query.is_empty(), count) {
        (true, _) => String::new(),
        (false, 1) => "1 function matches".to_owned(),
        (false, count) => format!("{count} functions match"),
    }
}

/// Identifies the section of a suite.
fn section_name(id: SuiteId) -> String {
    format!("{id:?}")
}

fn id_of(loaded: &LoadedSuite, function: &Function) -> FunctionId {
    FunctionId { suite: loaded.id, path: function.path.clone() }
}

/// The functions whose path or docs, or whose suite's name, contain the query. Functions with a matching path come first, and those without
/// a module before the others, so that none seems to belong to the module above it.
fn matching<'a>(loaded: &'a LoadedSuite, query: &str) -> Vec<&'a Function> {
    let contains_query = |text: &str| text.to_ascii_lowercase().contains(query);
    let is_whole_suite = query.is_empty() || contains_query(&loaded.suite.name);
    let has_path = |function: &Function| is_whole_suite || contains_query(&function.path);
    let functions = loaded.suite.functions.iter();
    let mut matching: Vec<&Function> =
        functions.filter(|function| has_path(function) || contains_query(&function.docs)).collect();
    matching.sort_by_key(|function| (!has_path(function), !function.module().is_empty()));
    matching
}
