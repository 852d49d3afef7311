//! The whole page: the state, and what acts on it from outside.

use std::cell::RefCell;
use std::rc::Rc;

use benchbook::request::Plan;
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
use crate::host::measurement_run::MeasurementRun;
use crate::host::run_control::{RunControl, RunTicket};
use crate::host::runner::saved;
use crate::host::{browser, load};
use crate::share::link::Link;
use crate::state::cell::{CellAction, CellId};
use crate::state::loaded_suite::SuiteId;
use crate::state::page::{PageAction, State};
use crate::state::page_address::PageAddress;
use crate::state::runner::RunnerAction;

/// The hosts of the loaded suites.
type Hosts = Rc<RefCell<Vec<(SuiteId, LocalHost)>>>;

/// The page.
#[component]
pub(crate) fn App() -> Html {
    let state = use_reducer(State::default);
    let hosts: Hosts = use_mut_ref(Vec::new);
    let runs = use_memo((), |()| RunControl::default());
    let client = use_memo((), |()| browser::client_id());
    let helps = use_state_eq(|| None::<Topic>);
    {
        let (dispatcher, hosts) = (state.dispatcher(), Rc::clone(&hosts));
        use_effect_with((), move |()| spawn_local(load_site(dispatcher, hosts, saved::take_token())));
    }
    // The same callback as long as the page lives: what takes it need not be drawn anew when the state changes.
    let act = {
        let dispatcher = state.dispatcher();
        use_callback((), move |action: PageAction, ()| dispatcher.dispatch(action))
    };
    let chosen = state.cell().map(|cell| cell.id());
    let act_on_cell = use_callback((act.clone(), chosen.clone()), |action: CellAction, (act, chosen)| {
        if let Some(id) = chosen {
            act.emit(PageAction::Cell(id.clone(), action));
        }
    });
    let measure = {
        let (hosts, runs, act) = (Rc::clone(&hosts), Rc::clone(&runs), act.clone());
        move |state: &State| start(state, &hosts, &runs, &client, &act)
    };
    let on_measure = {
        let (state, measure) = (state.clone(), measure.clone());
        Callback::from(move |()| measure(&state))
    };
    let on_example = {
        let (state, act) = (state.clone(), act.clone());
        Callback::from(move |link: Link| {
            act.emit(PageAction::Open(link.clone()));
            // What the reducer makes of it is what is measured; its own copy comes with the next drawing.
            measure(&State::reduce(Rc::new((*state).clone()), PageAction::Open(link)));
        })
    };
    let on_stop = {
        let (hosts, runs, act) = (Rc::clone(&hosts), Rc::clone(&runs), act.clone());
        let measuring = state.measuring().map(|cell| cell.id());
        Callback::from(move |()| {
            if let Some(id) = &measuring {
                end_all(&hosts, &runs);
                act.emit(PageAction::Cell(id.clone(), CellAction::Stopped));
            }
        })
    };
    let on_help = {
        let helps = helps.clone();
        use_callback((), move |topic: Option<Topic>, ()| helps.set(topic))
    };
    let help_for_all = use_memo(on_help.clone(), |on_help| OnHelp(on_help.reform(Some)));
    use_runner(&state.runner, &runs, &act);
    use_archive(&state, &act);
    let address = state.address();
    use_address(address.clone(), state.followed, &act);
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
    let title = state.site_config.as_ref().map(|config| config.title.clone()).unwrap_or_default();
    let problems = state.problems.iter().chain(&state.link_problems);
    html! {
        <ContextProvider<OnHelp> context={OnHelp::clone(&help_for_all)}>
            <Header {title} runner={runner_chip(&state, &act.reform(PageAction::Runner))} clock={state.clock()} link={link_of(&address)} on_home={act.reform(|()| PageAction::Home)} on_help={on_help.reform(|()| Some(Topic::Keys))} />
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
                        { archive_view(&archive, &state.runner, &act.reform(PageAction::Archive)) }
                    } else if let Some(cell) = state.cell() {
                        <CellView
                            key={format!("{}/{}", cell.suite.id.0, cell.function.path)}
                            cell={Rc::clone(cell)}
                            candidates={state.overlay_candidates()}
                            can_measure={state.can_measure()}
                            trouble={state.runner.problem(&cell.suite)}
                            on_action={act_on_cell} {on_measure} {on_stop}
                        />
                    } else {
                        <Start
                            suites={state.suites.clone()}
                            examples={state.site_config.as_ref().map(|config| config.examples.clone()).unwrap_or_default()}
                            loading={state.is_loading()} told={!state.problems.is_empty()} {on_example} on_action={act}
                        />
                    }
                </main>
            </div>
            if let Some(topic) = *helps {
                <Help
                    {topic}
                    qualities={state.site_config.as_ref().map(|config| config.qualities.clone()).unwrap_or_default()}
                    on_close={on_help.reform(|()| None)}
                />
            }
        </ContextProvider<OnHelp>>
    }
}

/// The fragment of a link to what is shown.
fn link_of(address: &PageAddress) -> Option<String> {
    match address {
        PageAddress::Link(link) => Some(link.write()),
        PageAddress::Waiting | PageAddress::Invalid | PageAddress::Start => None,
    }
}

async fn load_site(dispatcher: UseReducerDispatcher<State>, hosts: Hosts, token: Option<String>) {
    let config = match load::site_config().await {
        Ok(config) => config,
        Err(problem) => return dispatcher.dispatch(PageAction::SiteConfigFailed(problem)),
    };
    let named = config.runner.as_deref();
    // A link's token is for the runner that the page names, and for no other that was chosen here before.
    if let (Some(token), Some(_)) = (token, named) {
        saved::save("", &token, named);
    }
    dispatcher.dispatch(PageAction::Runner(RunnerAction::Chosen(saved::endpoint(named))));
    let addresses = config.suites.clone();
    // At once: a slow suite does not keep the others waiting.
    for (place, address) in addresses.into_iter().enumerate() {
        let (dispatcher, hosts) = (dispatcher.clone(), Rc::clone(&hosts));
        let loaded = Callback::from(move |outcome: Result<load::Loaded, String>| match outcome {
            Ok((suite, host)) => {
                hosts.borrow_mut().push((suite.id, host));
                dispatcher.dispatch(PageAction::SuiteLoaded(suite));
            }
            Err(problem) => dispatcher.dispatch(PageAction::SuiteFailed(problem)),
        });
        spawn_local(load::suite(SuiteId(place), address, loaded));
    }
    // Last: what the page shows meanwhile is drawn while the suites are on their way.
    dispatcher.dispatch(PageAction::SiteConfigLoaded(config));
}

/// Starts the shown cell at the first priority; the others follow on their own. What else was measured ends.
fn start(state: &State, hosts: &Hosts, runs: &RunControl, client: &str, act: &Callback<PageAction>) {
    let (Some(cell), Some(site_config)) = (state.cell(), &state.site_config) else { return };
    let (id, suite): (CellId, _) = (cell.id(), Rc::clone(&cell.suite));
    let host = hosts.borrow().iter().find(|(id, _)| *id == suite.id).map(|(_, host)| host.clone());
    let Some(host) = host else { return };
    let on_cell = act.reform(move |action| PageAction::Cell(id.clone(), action));
    let plan = match cell.request(client).and_then(|request| Plan::new(&suite.suite, request)) {
        Ok(plan) => plan,
        Err(problems) => return on_cell.emit(CellAction::Rejected(problems)),
    };
    let runner = state.runner.endpoint_for(&suite).cloned();
    let ticket = end_all(hosts, runs);
    let here = browser::machine(suite.clock);
    on_cell.emit(CellAction::Started(if cell.native_part().is_some() { state.runner.machine(here) } else { here }));
    let run = MeasurementRun {
        suite,
        site_config: Rc::clone(site_config),
        precision_target: cell.precision_target.clone(),
        host,
        runner,
        ticket,
        on_cell,
        on_runner: act.reform(PageAction::Runner),
    };
    run.measure(plan);
}

/// Ends what is measured or waits for its turn, and gives out the next ticket.
fn end_all(hosts: &Hosts, runs: &RunControl) -> RunTicket {
    hosts.borrow().iter().for_each(|(_, host)| host.stop());
    runs.next()
}
