//! Starting and stopping measurements.

use std::rc::Rc;

use benchbook_host::request::Plan;
use yew::prelude::*;

use super::loading::Hosts;
use crate::host::browser;
use crate::host::measurement_run::MeasurementRun;
use crate::host::run_control::{RunControl, RunTicket};
use crate::share::link::Link;
use crate::state::cell::{CellAction, CellId};
use crate::state::page::{PageAction, State};
use crate::state::self_test::SelfTestAction;

/// The commands of the page that need the suites' hosts.
#[derive(Clone, PartialEq)]
pub(super) struct Commands {
    /// Measures the cell that is shown.
    pub(super) measure: Callback<()>,
    /// Opens a link and measures its cell.
    pub(super) measure_link: Callback<Link>,
    /// Stops the current measurement, or the self-test.
    pub(super) stop: Callback<()>,
}

/// Returns the commands for the current state.
#[hook]
pub(super) fn use_commands(
    state: &UseReducerHandle<State>,
    hosts: &Hosts,
    runs: &Rc<RunControl>,
    act: &Callback<PageAction>,
) -> Commands {
    let client = use_memo((), |()| browser::client_id());
    let start = {
        let (hosts, runs, act) = (Rc::clone(hosts), Rc::clone(runs), act.clone());
        move |state: &State| start(state, &hosts, &runs, &client, &act)
    };
    let measure = {
        let (state, start) = (state.clone(), start.clone());
        Callback::from(move |()| start(&state))
    };
    let measure_link = {
        let (state, act) = (state.clone(), act.clone());
        Callback::from(move |link: Link| {
            act.emit(PageAction::Open(link.clone()));
            // The handle still has the old state: this computes the state that the reducer will have after the action.
            start(&State::reduce(Rc::new((*state).clone()), PageAction::Open(link)));
        })
    };
    let stop = {
        let (hosts, runs, act) = (Rc::clone(hosts), Rc::clone(runs), act.clone());
        let measuring = state.measuring().map(|cell| cell.id());
        let is_testing = state.self_test.is_running();
        Callback::from(move |()| {
            if let Some(id) = &measuring {
                stop_all(&hosts, &runs);
                act.emit(PageAction::Cell(id.clone(), CellAction::Stopped));
            }
            if is_testing {
                stop_all(&hosts, &runs);
                act.emit(PageAction::SelfTest(SelfTestAction::Stopped));
            }
        })
    };
    Commands { measure, measure_link, stop }
}

/// Starts the shown cell at the first priority, after which the others follow, and stops any other measurement.
fn start(state: &State, hosts: &Hosts, runs: &RunControl, client: &str, act: &Callback<PageAction>) {
    let (Some(cell), Some(site_config)) = (state.cell(), &state.site_config) else { return };
    let (id, suite): (CellId, _) = (cell.id(), Rc::clone(&cell.suite));
    let host = hosts.borrow().iter().find(|(id, _)| *id == suite.id).map(|(_, host)| host.clone());
    let Some(host) = host else { return };
    let on_action = act.reform(move |action| PageAction::Cell(id.clone(), action));
    let plan = match cell.request(client).and_then(|request| Plan::new(&suite.suite, request)) {
        Ok(plan) => plan,
        Err(problems) => return on_action.emit(CellAction::Rejected(problems)),
    };
    let runner = state.runner.endpoint_for(&suite).cloned();
    let ticket = stop_all(hosts, runs);
    let here = browser::machine(suite.clock);
    let machine = if cell.native_part().is_some() { state.runner.machine(here) } else { here };
    on_action.emit(CellAction::Started(browser::result_origin(machine, suite.card.clone())));
    MeasurementRun {
        suite,
        site_config: Rc::clone(site_config),
        measuring_options: cell.measuring_options.clone(),
        host,
        runner,
        ticket,
        on_cell: on_action,
        on_runner: act.reform(PageAction::Runner),
    }
    .measure(plan);
}

/// Stops the current measurement and those that wait. Returns the ticket of the next one.
fn stop_all(hosts: &Hosts, runs: &RunControl) -> RunTicket {
    hosts.borrow().iter().for_each(|(_, host)| host.stop());
    runs.next()
}
