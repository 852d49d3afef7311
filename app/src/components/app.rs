//! The page: its state, the effects that connect it to the browser, and its layout.

use std::rc::Rc;

use yew::prelude::*;

use super::address::use_address;
use super::archive::{archive_view, use_archive};
use super::cell::CellView;
use super::commands::{Commands, use_commands};
use super::focus;
use super::header::Header;
use super::help::{Help, OnHelp, Topic};
use super::keys::{KeyCommand, KeyContext, use_keys};
use super::landmarks::Landmarks;
use super::loading::use_site;
use super::runner::{RunnerChip, RunnerChipProps, use_runner};
use super::self_test::{SelfTestView, use_self_test};
use super::sidebar::Sidebar;
use super::start::Start;
use super::title::{title_of, use_title};
use crate::host::run_control::RunControl;
use crate::state::cell::CellAction;
use crate::state::page::{PageAction, State};
use crate::state::page_address::PageAddress;

#[component]
pub(crate) fn App() -> Html {
    let state = use_reducer(State::default);
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
    let hosts = use_site(&act);
    let commands = use_commands(&state, &hosts, &runs, &act);
    let start_self_test = use_self_test(&hosts, &runs, &act);
    let address = state.address();
    use_runner(&state.runner, &runs, &act);
    use_archive(&state, &act);
    use_address(address.clone(), state.followed, &act);
    use_title(title_of(&state));
    use_page_keys(&state, &commands, &landmarks, *help, &on_help);
    let on_help_topic = use_memo(on_help.clone(), |on_help| OnHelp(on_help.reform(Some)));
    let act_on_cell =
        use_callback((act.clone(), state.cell().map(|cell| cell.id())), |action: CellAction, (act, chosen)| {
            if let Some(id) = chosen {
                act.emit(PageAction::Cell(id.clone(), action));
            }
        });
    let notebook = state.site_config.as_deref();
    let runner = RunnerChipProps::new(&state, landmarks.runner.clone(), act.reform(PageAction::Runner));
    html! {
        <ContextProvider<OnHelp> context={OnHelp::clone(&on_help_topic)}>
            <Header title={notebook.map(|notebook| notebook.title.clone()).unwrap_or_default()}
                clock={state.clock()} is_loading={state.is_loading()} runner={html! { <RunnerChip ..runner /> }} link={link_of(&address)}
                landmarks={Landmarks::clone(&landmarks)}
                on_home={act.reform(|()| PageAction::Home)} on_help={on_help.reform(|()| Some(Topic::Keys))} />
            <div class="shell">
                <Sidebar suites={state.suites.clone()} search={state.search.clone()} search_field={landmarks.search.clone()}
                    chosen={state.cell().map(|cell| cell.id())} measuring={state.measuring().map(|cell| cell.id())}
                    on_action={act.clone()} />
                <main>
                    { for state.problems.iter().chain(&state.link_problems).map(|problem| html! {
                        <p class="problem-note" role="alert" data-test="problem">{ problem }</p>
                    }) }
                    { main_view(&state, &commands, &start_self_test, &act, &act_on_cell) }
                </main>
            </div>
            if let Some(topic) = *help {
                <Help {topic} dialog={landmarks.help.clone()}
                    qualities={notebook.map(|notebook| notebook.qualities.clone()).unwrap_or_default()}
                    on_close={on_help.reform(|()| None)} />
            }
        </ContextProvider<OnHelp>>
    }
}

/// Connects the page's keys to its commands.
#[hook]
fn use_page_keys(
    state: &State,
    commands: &Commands,
    landmarks: &Rc<Landmarks>,
    help: Option<Topic>,
    on_help: &Callback<Option<Topic>>,
) {
    let context = KeyContext {
        is_measuring: state.measuring().is_some() || state.self_test.is_running(),
        is_help_open: help.is_some(),
        landmarks: Landmarks::clone(landmarks),
    };
    let (can_measure, commands) = (state.can_measure(), commands.clone());
    let (landmarks, on_help) = (Rc::clone(landmarks), on_help.clone());
    let on_command = Callback::from(move |command| match command {
        KeyCommand::FindFunction => focus::on(&landmarks.search),
        KeyCommand::ToggleHelp if help.is_none() => on_help.emit(Some(Topic::Keys)),
        KeyCommand::ToggleHelp => landmarks.close_help(),
        KeyCommand::Measure if can_measure => commands.measure.emit(()),
        KeyCommand::Measure => {}
        KeyCommand::Stop => commands.stop.emit(()),
        KeyCommand::CloseCard => landmarks.close_card(),
    });
    use_keys(context, on_command);
}

/// The archive, the self-test, the chosen cell, or the start view.
fn main_view(
    state: &State,
    commands: &Commands,
    start_self_test: &Callback<()>,
    act: &Callback<PageAction>,
    act_on_cell: &Callback<CellAction>,
) -> Html {
    if let Some(archive) = &state.archive {
        return archive_view(archive, &state.runner, &act.reform(PageAction::Archive));
    }
    if state.is_self_test_shown {
        return html! { <SelfTestView test={state.self_test.clone()} on_start={start_self_test} on_stop={&commands.stop} /> };
    }
    if let Some(cell) = state.cell() {
        return html! {
            <CellView key={format!("{}/{}", cell.suite.id.0, cell.function.path)} cell={Rc::clone(cell)}
                candidates={state.overlay_candidates()} can_measure={state.can_measure()}
                runner_problem={state.runner.problem(&cell.suite)}
                on_action={act_on_cell} on_measure={&commands.measure} on_stop={&commands.stop} />
        };
    }
    let examples = state.site_config.as_ref().map(|notebook| notebook.examples.clone()).unwrap_or_default();
    html! {
        <Start suites={state.suites.clone()} {examples} is_loading={state.is_loading()} has_problems={!state.problems.is_empty()}
            on_example={&commands.measure_link} on_action={act} />
    }
}

/// The fragment of a link to the current view.
fn link_of(address: &PageAddress) -> Option<String> {
    match address {
        PageAddress::Link(link) => Some(link.write()),
        PageAddress::Waiting | PageAddress::Invalid | PageAddress::Start => None,
    }
}
