//! The whole page: the state, and what acts on it from outside.

use std::cell::RefCell;
use std::rc::Rc;

use benchbook::request::Plan;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::cell::CellView;
use super::header::Header;
use super::sidebar::Sidebar;
use super::welcome::Welcome;
use crate::host::local::LocalHost;
use crate::host::press::Press;
use crate::host::{browser, load};
use crate::state::cell::CellAction;
use crate::state::{Action, State, SuiteId};

/// The hosts of the loaded suites.
type Hosts = Rc<RefCell<Vec<(SuiteId, LocalHost)>>>;

/// The page.
#[component]
pub(crate) fn App() -> Html {
    let state = use_reducer(State::default);
    let hosts: Hosts = use_mut_ref(Vec::new);
    let client = use_memo((), |()| browser::client_id());
    {
        let (dispatcher, hosts) = (state.dispatcher(), Rc::clone(&hosts));
        use_effect_with((), move |()| spawn_local(load_notebook(dispatcher, hosts)));
    }
    // The same callback as long as the page lives: what takes it need not be drawn anew when the state changes.
    let act = {
        let (dispatcher, hosts) = (state.dispatcher(), Rc::clone(&hosts));
        use_callback((), move |action: Action, ()| {
            // Another function takes the place of this one: what is being measured for it is given up.
            if matches!(action, Action::Choose(..)) {
                hosts.borrow().iter().for_each(|(_, host)| host.stop());
            }
            dispatcher.dispatch(action);
        })
    };
    let act_on_cell = {
        let act = act.clone();
        use_callback((), move |action: CellAction, ()| act.emit(Action::Cell(action)))
    };
    let on_measure = {
        let (state, hosts, tell) = (state.clone(), Rc::clone(&hosts), act_on_cell.clone());
        Callback::from(move |()| start(&state, &hosts, &client, tell.clone()))
    };
    let on_stop = {
        let (hosts, tell) = (Rc::clone(&hosts), act_on_cell.clone());
        use_callback((), move |(), ()| {
            hosts.borrow().iter().for_each(|(_, host)| host.stop());
            tell.emit(CellAction::Stopped);
        })
    };
    let title = state.notebook.as_ref().map(|notebook| notebook.title.clone()).unwrap_or_default();
    html! {
        <>
            <Header {title} clock={state.clock()} isolated={browser::is_isolated()} />
            <div class="shell">
                <Sidebar
                    suites={state.suites.clone()}
                    search={state.search.clone()}
                    chosen={state.cell.as_ref().map(|cell| (cell.suite.id, cell.function.path.clone()))}
                    on_action={act}
                />
                <main>
                    { for state.problems.iter().map(|problem| html! {
                        <p class="problem-note" role="alert" data-test="problem">{ problem }</p>
                    }) }
                    if let Some(cell) = &state.cell {
                        <CellView cell={cell.clone()} on_action={act_on_cell} {on_measure} {on_stop} />
                    } else {
                        <Welcome loading={state.is_loading()} empty={state.suites.is_empty()} told={!state.problems.is_empty()} />
                    }
                </main>
            </div>
        </>
    }
}

async fn load_notebook(dispatcher: UseReducerDispatcher<State>, hosts: Hosts) {
    let notebook = match load::notebook().await {
        Ok(notebook) => notebook,
        Err(problem) => return dispatcher.dispatch(Action::NotebookFailed(problem)),
    };
    let addresses = notebook.suites.clone();
    dispatcher.dispatch(Action::NotebookRead(notebook));
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
}

/// Starts at the first priority; the others follow on their own.
fn start(state: &State, hosts: &Hosts, client: &str, tell: Callback<CellAction>) {
    let (Some(cell), Some(notebook)) = (&state.cell, &state.notebook) else { return };
    let suite = Rc::clone(&cell.suite);
    let host = hosts.borrow().iter().find(|(id, _)| *id == suite.id).map(|(_, host)| host.clone());
    let Some(host) = host else { return };
    let plan = match cell.request(client).and_then(|request| Plan::new(&suite.suite, request)) {
        Ok(plan) => plan,
        Err(problems) => return tell.emit(CellAction::Refused(problems)),
    };
    host.stop();
    let machine = browser::machine(suite.clock);
    tell.emit(CellAction::Started(machine.clone()));
    Press { suite, notebook: Rc::clone(notebook), host, machine, tell }.measure(plan);
}
