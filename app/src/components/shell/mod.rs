//! The page: its state, the effects that connect it to the browser, and its layout.

mod builds;
mod contents;
mod embedded;
mod function_list;
mod header;
mod keys;
mod landmarks;
mod machine_card;
mod page_keys;
mod runner;
mod self_test;
mod sidebar;
mod update;

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use web_sys::File;
use yew::prelude::*;

use super::history::{HistoryView, use_history};
use super::notebook::notebook_view;
use super::sharing::{ShareMenu, Sharing, address_of, use_share};
use super::start::Start;
use crate::components::history::archive::{archive_view, use_archive};
use crate::components::notebook::outline;
use crate::components::start::library::LibraryView;
use crate::components::start::notebook_files::{runner_notebooks, use_notebook_files};
use crate::components::start::open_suite::OpenSuite;
use crate::components::start::suite_notes::{failed_suites, own_suite_notes};
use crate::components::widgets::code::with_code;
use crate::components::widgets::copy::CopyButton;
use crate::components::widgets::help::{Help, OnHelp, Topic};
use crate::effects::browser;
use crate::effects::browser::address::use_address;
use crate::effects::browser::focus;
use crate::effects::browser::latest::LatestState;
use crate::effects::browser::title::{title_of, use_title};
use crate::effects::documents::files::{read_all, use_dropped_files};
use crate::effects::documents::standalone;
use crate::effects::measure::commands::{Commands, use_commands};
use crate::effects::runner::run_control::RunControl;
use crate::effects::runner::use_runner;
use crate::effects::storage::{StorageHandle, use_storage};
use crate::effects::suites::own_suites::{OwnSuiteCommands, use_own_suites};
use crate::effects::suites::{use_rebuilt_suites, use_site};
use crate::state::page_address::PageAddress;
use crate::state::{PageAction, Shown, State};
use builds::build_notes;
use embedded::embedded_view;
use header::{Header, HeaderNotebook};
use landmarks::Landmarks;
use page_keys::{KeyTargets, use_page_keys};
use runner::{RunnerChip, RunnerChipProps};
use self_test::{SelfTestView, use_self_test};
use sidebar::Sidebar;
use update::UpdateNote;

#[component]
pub(crate) fn App() -> Html {
    let state = use_reducer(|| match standalone::own_content() {
        Some(content) => State::standalone(content),
        None if browser::is_embedded() => State::embedded(browser::random(), browser::identity()),
        None => State::new(browser::random(), browser::identity()),
    });
    // The same callback as long as the page lives, so that a change of state does not render every component that takes it.
    let act = {
        let dispatcher = state.dispatcher();
        use_callback((), move |action: PageAction, ()| dispatcher.dispatch(action))
    };
    let help = use_state_eq(|| None::<Topic>);
    let on_help = {
        let help = help.clone();
        use_callback((), move |topic: Option<Topic>, ()| help.set(topic))
    };
    let landmarks = use_memo((), |()| Landmarks::default());
    let runs = use_memo((), |()| RunControl::default());
    let hosts = use_site(state.is_standalone, &act);
    let latest = LatestState::new(&state);
    let commands = use_commands(&state, &latest, &hosts, &runs, &act);
    let storage = use_storage(&state, &latest, &act);
    let own_commands = use_own_suites(&state, &hosts, &storage, &act);
    let start_self_test = use_self_test(&hosts, &runs, &act);
    let address = state.address();
    let share = use_share(&latest);
    use_dropped_files(&own_commands.open_file, &act);
    use_notebook_files(&state, &act);
    use_runner(&state.runner, &runs, &act);
    use_rebuilt_suites(&state, &hosts, &act);
    use_archive(&state, &act);
    use_history(&state, &act);
    use_address(address.clone(), state.followed, state.is_standalone, &act);
    use_title(title_of(&state));
    let targets = KeyTargets {
        commands: commands.clone(),
        landmarks: Rc::clone(&landmarks),
        help: *help,
        on_help: on_help.clone(),
        on_share: share.on_share.clone(),
        act: act.clone(),
    };
    use_page_keys(&state, targets);
    let on_help_topic = use_memo(on_help.clone(), |on_help| OnHelp(on_help.reform(Some)));
    if state.is_embedded {
        return html! {
            <ContextProvider<OnHelp> context={OnHelp::clone(&on_help_topic)}>
                { embedded_view(&state, &commands, &act) }
            </ContextProvider<OnHelp>>
        };
    }
    let skip = {
        let main = landmarks.main.clone();
        Callback::from(move |_: MouseEvent| focus::on(&main))
    };
    let site_config = state.site_config.as_deref();
    let runner = RunnerChipProps::new(&state, landmarks.runner.clone(), act.reform(PageAction::Runner));
    html! {
        <ContextProvider<OnHelp> context={OnHelp::clone(&on_help_topic)}>
            <button class="skip" data-test="skip" onclick={skip}>{ "Skip to the content" }</button>
            <Header title={site_config.map(|config| config.title.clone()).unwrap_or_default()}
                notebook={state.notebook().map(|notebook| HeaderNotebook::of(notebook, state.is_standalone))} is_standalone={state.is_standalone} act={act.clone()}
                clock={state.clock()} is_loading={state.is_loading()} runner={html! { if !state.is_standalone { <RunnerChip ..runner /> } }} share={share_view(&state, &address, &share, &act)}
                landmarks={Landmarks::clone(&landmarks)} can_stop={state.is_measuring_or_queued()} on_stop={commands.stop.clone()}
                on_home={act.reform(|()| PageAction::Home)} on_help={on_help.reform(|()| Some(Topic::Keys))} />
            <div class="shell">
                <Sidebar suites={state.suites.clone()} failed={state.unloaded_suites()} own={state.own_suites.clone()} own_commands={own_commands.clone()} search={state.search.clone()} search_field={landmarks.search.clone()} contents={landmarks.contents.clone()}
                    outline={state.notebook().map(outline::entries)} current={state.current().map(|id| id.cell)}
                    is_reading={state.notebook().is_some_and(|notebook| notebook.is_reading)}
                    compared={state.cell().map(|cell| cell.compared()).unwrap_or_default()}
                    chosen={state.cell().map(|cell| cell.function_id())} measuring={state.measuring().map(|(_, cell)| cell.function_id())}
                    on_action={act.clone()} />
                <main tabindex="-1" ref={landmarks.main.clone()}>
                    <UpdateNote is_busy={state.is_busy()} />
                    { build_notes(&state.rebuilding, state.function_before(), &act) }
                    { for state.problems.iter().chain(&state.link_problems).map(|problem| html! {
                        <p class="problem-note" role="alert" data-test="problem">{ with_code(problem) }</p>
                    }) }
                    if let Some(bug) = browser::known_bug() {
                        <p class="problem-note" role="status" data-test="browser-bug">{ bug }</p>
                    }
                    { failed_suites(&state) }
                    { own_suite_notes(&state.own_suites, &own_commands, &act) }
                    { main_view(&state, &commands, &start_self_test, &storage, &own_commands, &act) }
                </main>
            </div>
            if state.own_suites.is_dialog_open {
                <OpenSuite own={state.own_suites.clone()} commands={own_commands} act={act.clone()} />
            }
            if let Some(topic) = *help {
                <Help {topic} dialog={landmarks.help.clone()}
                    qualities={site_config.map(|config| config.qualities.clone()).unwrap_or_default()}
                    on_close={on_help.reform(|()| None)} />
            }
        </ContextProvider<OnHelp>>
    }
}

/// The archive, a history, the self-test, the notebook, or the start view.
fn main_view(
    state: &State,
    commands: &Commands,
    start_self_test: &Callback<()>,
    storage: &Rc<StorageHandle>,
    own_commands: &OwnSuiteCommands,
    act: &Callback<PageAction>,
) -> Html {
    match &state.shown {
        Shown::Archive(archive) => return archive_view(archive, &state.runner, &act.reform(PageAction::Archive)),
        Shown::History(history) => {
            return html! { <HistoryView history={history.clone()} status={state.history_status().map(str::to_owned)} source={state.history_source()} builds={state.builds_of_history()} on_action={act.reform(PageAction::History)} /> };
        }
        Shown::SelfTest => {
            return html! { <SelfTestView test={state.self_test.clone()} on_start={start_self_test} on_stop={&commands.stop} /> };
        }
        Shown::Notebook(_) | Shown::Start => {}
    }
    if let Some(notebook) = state.notebook() {
        return notebook_view(state, notebook, commands, act);
    }
    html! {
        <Start suites={state.suites.clone()} config={state.site_config.clone()} is_loading={state.is_start_loading()} has_problems={!state.problems.is_empty() || !state.failed_suites.is_empty()}
            is_complete={state.is_start_complete()} on_example={&commands.measure_link} on_action={act}>
            <LibraryView library={state.library.clone()} {storage} open_suite={&own_commands.open_file} {act} />
            { runner_notebooks(&state.runner_notebooks, &state.runner.name) }
        </Start>
    }
}

/// The Share menu of a notebook, or a button that copies a link to the archive, to a history or to the self-test.
fn share_view(state: &State, address: &PageAddress, share: &Sharing, act: &Callback<PageAction>) -> Html {
    if let Some(notebook) = state.notebook() {
        let Sharing { outcome, on_share, on_close } = share.clone();
        let act = act.clone();
        let on_results = (!notebook.is_reading).then(|| {
            Callback::from(move |files: Vec<File>| {
                let act = act.clone();
                spawn_local(async move {
                    let (notebooks, damaged) = read_all(&files).await;
                    act.emit(PageAction::AddReaderResults(notebooks, damaged));
                });
            })
        });
        let embed = state.embeddable_cell();
        return html! { <ShareMenu is_standalone={state.is_standalone} {embed} {outcome} {on_share} {on_results} {on_close} /> };
    }
    let PageAddress::At(address) = address else { return html! {} };
    let link = address.link();
    html! { <CopyButton text={Callback::from(move |()| address_of(&link))} test="share" label="Copy link" class="small secondary" /> }
}
