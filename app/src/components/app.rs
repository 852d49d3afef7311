//! The whole page: the state, and what acts on it from outside.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use benchbook::quality::{Priority, Quality};
use benchbook::request::{Plan, Request};
use benchbook::response::{Machine, Response};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::cell::CellView;
use super::header::Header;
use super::sidebar::Sidebar;
use crate::host::local::{HostEvent, LocalHost};
use crate::host::{browser, load};
use crate::state::{Action, State};

/// The hosts of the loaded suites, by name.
type Hosts = Rc<RefCell<HashMap<String, LocalHost>>>;

/// The page.
#[component]
pub(crate) fn App() -> Html {
    let state = use_reducer(State::default);
    let hosts = use_mut_ref(HashMap::new);
    let client = use_memo((), |()| browser::client_id());
    {
        let (dispatcher, hosts) = (state.dispatcher(), Rc::clone(&hosts));
        use_effect_with((), move |()| spawn_local(load_notebook(dispatcher, hosts)));
    }
    let act = {
        let (dispatcher, hosts) = (state.dispatcher(), Rc::clone(&hosts));
        let running = state.cell.as_ref().filter(|_| state.is_measuring()).map(|cell| cell.suite.suite.name.clone());
        Callback::from(move |action: Action| {
            // Another function takes the place of this one: what is being measured for it is given up.
            if let (Action::Choose(..), Some(suite)) = (&action, &running) {
                stop(&hosts, suite);
            }
            dispatcher.dispatch(action);
        })
    };
    let on_measure = {
        let (state, hosts) = (state.clone(), Rc::clone(&hosts));
        Callback::from(move |()| start(&state, &hosts, &client))
    };
    let on_stop = {
        let (state, hosts) = (state.clone(), Rc::clone(&hosts));
        Callback::from(move |()| {
            if let Some(cell) = &state.cell {
                stop(&hosts, &cell.suite.suite.name);
                state.dispatch(Action::Stopped);
            }
        })
    };
    let title = state.notebook.as_ref().map(|notebook| notebook.title.clone()).unwrap_or_default();
    html! {
        <>
            <Header title={title} clock={state.clock} />
            <div class="shell">
                <Sidebar
                    suites={state.suites.clone()}
                    search={state.search.clone()}
                    chosen={state.cell.as_ref().map(|cell| (cell.suite.suite.name.clone(), cell.function.path.clone()))}
                    on_action={act.clone()}
                />
                <main>
                    { for state.problems.iter().map(|problem| html! {
                        <p class="problem-note" role="alert" data-test="problem">{ problem }</p>
                    }) }
                    if let Some(cell) = &state.cell {
                        <CellView cell={cell.clone()} on_action={act} on_measure={on_measure} on_stop={on_stop} />
                    } else {
                        { welcome(&state) }
                    }
                </main>
            </div>
        </>
    }
}

fn welcome(state: &State) -> Html {
    let loading = state.suites.is_empty() && state.problems.is_empty();
    html! {
        <section class="cell note">
            <h1>{ "Which is faster, at your sizes, on this machine?" }</h1>
            <p>{ if loading { "Loading the suites…" } else {
                "Choose a function on the left. A first curve takes about a second, then its figures get better on their own."
            } }</p>
        </section>
    }
}

async fn load_notebook(dispatcher: UseReducerDispatcher<State>, hosts: Hosts) {
    let notebook = match load::notebook().await {
        Ok(notebook) => notebook,
        Err(problem) => return dispatcher.dispatch(Action::LoadingFailed(problem)),
    };
    let addresses = notebook.suites.clone();
    dispatcher.dispatch(Action::NotebookRead(notebook));
    for address in addresses {
        let (dispatcher, hosts) = (dispatcher.clone(), Rc::clone(&hosts));
        let loaded = Callback::from(move |outcome: Result<load::Loaded, String>| match outcome {
            Ok((suite, host, greeting)) => {
                hosts.borrow_mut().insert(suite.suite.name.clone(), host);
                dispatcher.dispatch(Action::ClockMeasured(greeting.clock, browser::is_isolated()));
                dispatcher.dispatch(Action::SuiteLoaded(suite));
            }
            Err(problem) => dispatcher.dispatch(Action::LoadingFailed(problem)),
        });
        load::suite(address, loaded).await;
    }
}

fn stop(hosts: &Hosts, suite: &str) {
    if let Some(host) = hosts.borrow().get(suite) {
        host.stop();
    }
}

/// Starts at the first priority; the others follow on their own.
fn start(state: &UseReducerHandle<State>, hosts: &Hosts, client: &str) {
    let (Some(cell), Some(notebook), Some((clock, _))) = (&state.cell, &state.notebook, state.clock) else { return };
    let Some(host) = hosts.borrow().get(&cell.suite.suite.name).cloned() else { return };
    let planned = cell.request(client).and_then(|request| Plan::new(&cell.suite.suite, request));
    let plan = match planned {
        Ok(plan) => plan,
        Err(problems) => return state.dispatch(Action::Refused(problems)),
    };
    if state.is_measuring() {
        host.stop();
    }
    let machine = browser::machine(clock);
    state.dispatch(Action::Started(machine.clone()));
    let session = Session {
        machine,
        request: plan.request().clone(),
        suite: Rc::clone(&cell.suite),
        notebook: Rc::clone(notebook),
        host,
        dispatcher: state.dispatcher(),
    };
    session.measure(plan);
}

/// One press of Measure: priority after priority, until the last is done or something ends it.
#[derive(Clone)]
struct Session {
    request: Request,
    suite: Rc<crate::state::LoadedSuite>,
    notebook: Rc<crate::state::notebook::Notebook>,
    host: LocalHost,
    machine: Machine,
    dispatcher: UseReducerDispatcher<State>,
}

impl Session {
    fn measure(self, plan: Plan) {
        let priority = plan.request().priority;
        self.dispatcher.dispatch(Action::Priority(priority));
        let quality: Quality = self.notebook.qualities.of(priority).clone();
        let session = self.clone();
        let tell = Callback::from(move |event| session.take(priority, event));
        self.host.measure(plan, quality, tell);
    }

    fn take(&self, priority: Priority, event: HostEvent) {
        match event {
            HostEvent::Progressed(progress) => self.dispatcher.dispatch(Action::Progressed(progress)),
            HostEvent::Measured(points) => self.dispatcher.dispatch(Action::Measured(priority, points)),
            HostEvent::Failed(reason) => self.dispatcher.dispatch(Action::Failed(reason)),
            HostEvent::Finished(points) => self.answer(Response {
                request: Request { priority, ..self.request.clone() },
                priority,
                suite: self.suite.card.clone(),
                machine: self.machine.clone(),
                points,
            }),
        }
    }

    /// Shows an answer, and goes on from the priority that it has.
    fn answer(&self, response: Response) {
        let next = response.priority.next();
        self.dispatcher.dispatch(Action::Answered(Box::new(response)));
        if let Some(next) = next {
            self.clone().go_on_with(next);
        }
    }

    fn go_on_with(self, priority: Priority) {
        let request = Request { priority, ..self.request.clone() };
        match Plan::new(&self.suite.suite, request) {
            Ok(plan) => self.measure(plan),
            Err(problems) => self.dispatcher.dispatch(Action::Refused(problems)),
        }
    }
}
