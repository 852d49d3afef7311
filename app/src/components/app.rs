//! The whole page: the state, and what acts on it from outside.

use std::cell::RefCell;
use std::rc::Rc;

use benchbook_host::request::Plan;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::address::use_address;
use super::archive::{archive_view, use_archive};
use super::cell::CellView;
use super::focus;
use super::header::Header;
use super::help::{Help, OnHelp, Topic};
use super::keys::{Asked, use_keys};
use super::runner::{runner_chip, use_runner};
use super::sidebar::Sidebar;
use super::start::Start;
use super::title::{title_of, use_title};
use crate::host::local::LocalHost;
use crate::host::press::{Press, Presses, Ticket};
use crate::host::runner::known;
use crate::host::{browser, load};
use crate::share::link::Link;
use crate::state::cell::{CellAction, CellId};
use crate::state::opening::Place;
use crate::state::runner::RunnerAction;
use crate::state::{Action, State, SuiteId};

/// The hosts of the loaded suites.
type Hosts = Rc<RefCell<Vec<(SuiteId, LocalHost)>>>;

/// The page.
#[component]
pub(crate) fn App() -> Html {
    let state = use_reducer(State::default);
    let hosts: Hosts = use_mut_ref(Vec::new);
    let presses = use_memo((), |()| Presses::default());
    let client = use_memo((), |()| browser::client_id());
    let helps = use_state_eq(|| None::<Topic>);
    {
        let (dispatcher, hosts) = (state.dispatcher(), Rc::clone(&hosts));
        use_effect_with((), move |()| spawn_local(load_notebook(dispatcher, hosts, known::take_token())));
    }
    // The same callback as long as the page lives: what takes it need not be drawn anew when the state changes.
    let act = {
        let dispatcher = state.dispatcher();
        use_callback((), move |action: Action, ()| dispatcher.dispatch(action))
    };
    let chosen = state.cell().map(|cell| cell.id());
    let act_on_cell = use_callback((act.clone(), chosen.clone()), |action: CellAction, (act, chosen)| {
        if let Some(id) = chosen {
            act.emit(Action::Cell(id.clone(), action));
        }
    });
    let measure = {
        let (hosts, presses, act) = (Rc::clone(&hosts), Rc::clone(&presses), act.clone());
        move |state: &State| start(state, &hosts, &presses, &client, &act)
    };
    let on_measure = {
        let (state, measure) = (state.clone(), measure.clone());
        Callback::from(move |()| measure(&state))
    };
    let on_example = {
        let (state, act) = (state.clone(), act.clone());
        Callback::from(move |link: Link| {
            act.emit(Action::Open(link.clone()));
            // What the reducer makes of it is what is measured; its own copy comes with the next drawing.
            measure(&State::reduce(Rc::new((*state).clone()), Action::Open(link)));
        })
    };
    let on_stop = {
        let (hosts, presses, act) = (Rc::clone(&hosts), Rc::clone(&presses), act.clone());
        let measuring = state.measuring().map(|cell| cell.id());
        Callback::from(move |()| {
            if let Some(id) = &measuring {
                end_all(&hosts, &presses);
                act.emit(Action::Cell(id.clone(), CellAction::Stopped));
            }
        })
    };
    let on_help = {
        let helps = helps.clone();
        use_callback((), move |topic: Option<Topic>, ()| helps.set(topic))
    };
    let help_for_all = use_memo(on_help.clone(), |on_help| OnHelp(on_help.reform(Some)));
    use_runner(&state.runner, &presses, &act);
    use_archive(&state, &act);
    let place = state.place();
    use_address(place.clone(), state.followed, &act);
    use_title(title_of(&state));
    use_keys(state.measuring().is_some(), {
        let (on_measure, on_stop, helps) = (on_measure.clone(), on_stop.clone(), helps.clone());
        let can_measure = state.can_measure();
        Callback::from(move |asked| match asked {
            Asked::Find => focus::on("[data-test=search]"),
            Asked::Help if helps.is_none() => helps.set(Some(Topic::Keys)),
            // The browser closes it, and gives the focus back to where it was.
            Asked::Help => focus::close_dialog(),
            Asked::Measure if can_measure => on_measure.emit(()),
            Asked::Measure => {}
            Asked::Stop => on_stop.emit(()),
            Asked::Fold => focus::fold("details.chip"),
        })
    });
    use_effect_with(chosen.clone(), |chosen| {
        if chosen.is_some() {
            focus::bring_into_view("[data-test=cell]");
        }
    });
    let title = state.notebook.as_ref().map(|notebook| notebook.title.clone()).unwrap_or_default();
    let problems = state.problems.iter().chain(&state.link_problems);
    html! {
        <ContextProvider<OnHelp> context={OnHelp::clone(&help_for_all)}>
            <Header {title} runner={runner_chip(&state, &act.reform(Action::Runner))} clock={state.clock()} link={link_of(&place)} on_home={act.reform(|()| Action::Home)} on_help={on_help.reform(|()| Some(Topic::Keys))} />
            <div class="shell">
                <Sidebar
                    suites={state.suites.clone()}
                    search={state.search.clone()}
                    chosen={chosen}
                    measuring={state.measuring().map(|cell| cell.id())}
                    on_action={act.clone()}
                />
                <main>
                    { for problems.map(|problem| html! {
                        <p class="problem-note" role="alert" data-test="problem">{ problem }</p>
                    }) }
                    if let Some(archive) = state.archive.clone() {
                        { archive_view(&archive, &state.runner, &act.reform(Action::Archive)) }
                    } else if let Some(cell) = state.cell() {
                        <CellView
                            key={format!("{}/{}", cell.suite.id.0, cell.function.path)}
                            cell={Rc::clone(cell)}
                            candidates={state.overlay_candidates()}
                            can_measure={state.can_measure()}
                            trouble={state.runner.trouble(&cell.suite)}
                            on_action={act_on_cell} {on_measure} {on_stop}
                        />
                    } else {
                        <Start
                            suites={state.suites.clone()}
                            examples={state.notebook.as_ref().map(|notebook| notebook.examples.clone()).unwrap_or_default()}
                            loading={state.is_loading()} told={!state.problems.is_empty()} {on_example} on_action={act}
                        />
                    }
                </main>
            </div>
            if let Some(topic) = *helps {
                <Help
                    {topic}
                    qualities={state.notebook.as_ref().map(|notebook| notebook.qualities.clone()).unwrap_or_default()}
                    on_close={on_help.reform(|()| None)}
                />
            }
        </ContextProvider<OnHelp>>
    }
}

/// The fragment of a link to what is shown.
fn link_of(place: &Place) -> Option<String> {
    match place {
        Place::Cell(link) => Some(link.write()),
        Place::Waiting | Place::Lost | Place::Start => None,
    }
}

async fn load_notebook(dispatcher: UseReducerDispatcher<State>, hosts: Hosts, token: Option<String>) {
    let notebook = match load::notebook().await {
        Ok(notebook) => notebook,
        Err(problem) => return dispatcher.dispatch(Action::NotebookFailed(problem)),
    };
    let named = notebook.runner.as_deref();
    // A link's token is for the runner that the page names, and for no other that was chosen here before.
    if let (Some(token), Some(_)) = (token, named) {
        known::remember("", &token, named);
    }
    dispatcher.dispatch(Action::Runner(RunnerAction::Chosen(known::reach(named))));
    let addresses = notebook.suites.clone();
    // At once: a slow suite does not keep the others waiting.
    for (place, address) in addresses.into_iter().enumerate() {
        let (dispatcher, hosts) = (dispatcher.clone(), Rc::clone(&hosts));
        let loaded = Callback::from(move |outcome: Result<load::Loaded, String>| match outcome {
            Ok((suite, host)) => {
                hosts.borrow_mut().push((suite.id, host));
                dispatcher.dispatch(Action::SuiteLoaded(suite));
            }
            Err(problem) => dispatcher.dispatch(Action::SuiteFailed(problem)),
        });
        spawn_local(load::suite(SuiteId(place), address, loaded));
    }
    // Last: what the page shows meanwhile is drawn while the suites are on their way.
    dispatcher.dispatch(Action::NotebookRead(notebook));
}

/// Starts the shown cell at the first priority; the others follow on their own. What else was measured ends.
fn start(state: &State, hosts: &Hosts, presses: &Presses, client: &str, act: &Callback<Action>) {
    let (Some(cell), Some(notebook)) = (state.cell(), &state.notebook) else { return };
    let (id, suite): (CellId, _) = (cell.id(), Rc::clone(&cell.suite));
    let host = hosts.borrow().iter().find(|(id, _)| *id == suite.id).map(|(_, host)| host.clone());
    let Some(host) = host else { return };
    let tell = act.reform(move |action| Action::Cell(id.clone(), action));
    let plan = match cell.request(client).and_then(|request| Plan::new(&suite.suite, request)) {
        Ok(plan) => plan,
        Err(problems) => return tell.emit(CellAction::Refused(problems)),
    };
    let runner = state.runner.ready_for(&suite).cloned();
    let ticket = end_all(hosts, presses);
    let here = browser::machine(suite.clock);
    tell.emit(CellAction::Started(if cell.native_part().is_some() { state.runner.machine(here) } else { here }));
    let (notebook, aim) = (Rc::clone(notebook), cell.aim.clone());
    Press { suite, notebook, aim, host, runner, ticket, tell, on_runner: act.reform(Action::Runner) }.measure(plan);
}

/// Ends what is measured or waits for its turn, and gives out the next ticket.
fn end_all(hosts: &Hosts, presses: &Presses) -> Ticket {
    hosts.borrow().iter().for_each(|(_, host)| host.stop());
    presses.next()
}
