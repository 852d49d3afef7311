//! Starting and stopping measurements.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use benchbook_host::metric::WASM_INSTRUCTIONS;
use benchbook_host::request::Request;
use benchbook_host::response::{ClockCard, MachineKind};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::counting::{self, CountTask};
use super::listing::list;
use super::measurement_run::MeasurementRun;
use crate::address::link::Link;
use crate::effects::browser;
use crate::effects::browser::latest::LatestState;
use crate::effects::runner::run_control::{RunControl, RunTicket};
use crate::effects::suites::Hosts;
use crate::effects::worker::local::LocalHost;
use crate::state::cell::CellId;
use crate::state::cell::action::{CellAction, RunEvent};
use crate::state::cell::remaining::{Grant, RemainingTime};
use crate::state::machines::runner_part::RunnerPart;
use crate::state::self_test::SelfTestAction;
use crate::state::suites::loaded_suite::SuiteId;
use crate::state::{PageAction, State};
use benchbook_notebook::measuring_options::RunOn;

/// The commands of the page that need the suites' hosts. They remain the same callbacks as long as the page lives.
#[derive(Clone, PartialEq)]
pub(crate) struct Commands {
    /// Measures a cell.
    pub(crate) measure: Callback<CellId>,
    /// Counts the wasm instructions of a cell.
    count: Callback<CellId>,
    /// Opens a link and measures its cell.
    pub(crate) measure_link: Callback<Link>,
    /// Stops all measurements, or the self-test.
    pub(crate) stop: Callback<()>,
}

/// What the commands work with.
#[derive(Clone)]
struct CommandContext {
    state: LatestState,
    hosts: Hosts,
    runs: Rc<RunControl>,
    client: Rc<String>,
    act: Callback<PageAction>,
}

/// Returns the commands.
#[hook]
pub(crate) fn use_commands(
    state: &State,
    latest: &LatestState,
    hosts: &Hosts,
    runs: &Rc<RunControl>,
    act: &Callback<PageAction>,
) -> Commands {
    let client = use_memo((), |()| browser::client_id());
    let context = CommandContext {
        state: latest.clone(),
        hosts: Rc::clone(hosts),
        runs: Rc::clone(runs),
        client,
        act: act.clone(),
    };
    let commands = use_memo((), |()| commands(&context));
    // First ends a run, then starts the next one.
    use_end_of_removed_run(state, &context);
    use_queue(state, &commands);
    use_counting(state, &commands);
    use_listing(state, &context);
    Commands::clone(&commands)
}

fn commands(context: &CommandContext) -> Commands {
    let measure = {
        let context = context.clone();
        Callback::from(move |id: CellId| {
            if let Some(change) = context.state.get().without_lost_builds(&id) {
                context.act.emit(PageAction::Cell(id.clone(), change));
            }
            context.start(&context.state.get(), id);
        })
    };
    let count = {
        let context = context.clone();
        Callback::from(move |id: CellId| context.count(&context.state.get(), id))
    };
    let measure_link = {
        let context = context.clone();
        Callback::from(move |link: Link| {
            context.act.emit(PageAction::Open(link));
            let state = context.state.get();
            if let Some(id) = state.current() {
                context.start(&state, id);
            }
        })
    };
    let stop = {
        let context = context.clone();
        Callback::from(move |()| {
            let state = context.state.get();
            if state.is_measuring_or_queued() {
                context.stop_all();
                context.act.emit(PageAction::StopAll);
            }
            if state.self_test.is_running() {
                context.stop_all();
                context.act.emit(PageAction::SelfTest(SelfTestAction::Stopped));
            }
        })
    };
    Commands { measure, count, measure_link, stop }
}

/// Measures the next queued cell when no measurement is in progress.
#[hook]
fn use_queue(state: &State, commands: &Commands) {
    let next = state.queue.front().filter(|_| state.measuring().is_none()).cloned();
    let measure = commands.measure.clone();
    use_effect_with(next, move |next| {
        if let Some(id) = next {
            measure.emit(id.clone());
        }
    });
}

/// Counts the wasm instructions of a cell when the user chooses that metric, and no measurement is in progress.
#[hook]
fn use_counting(state: &State, commands: &Commands) {
    let next = state.cell_to_count().filter(|_| !state.is_busy());
    let count = commands.count.clone();
    use_effect_with(next, move |next| {
        if let Some(id) = next {
            count.emit(id.clone());
        }
    });
}

/// Loads the code of a cell's functions when the user chooses to see it, and no measurement is in progress.
#[hook]
fn use_listing(state: &State, context: &CommandContext) {
    let next = state.cell_to_list().filter(|_| !state.is_busy());
    let context = context.clone();
    use_effect_with(next, move |next| {
        if let Some(id) = next {
            context.list(&context.state.get(), id.clone());
        }
    });
}

/// Ends the run of a cell whose measurement was stopped by an edit: the cell was removed, or its setup was undone.
#[hook]
fn use_end_of_removed_run(state: &State, context: &CommandContext) {
    let is_idle = state.measuring().is_none() && !state.self_test.is_running();
    let context = context.clone();
    use_effect_with(is_idle, move |is_idle| {
        if *is_idle {
            context.stop_all();
        }
    });
}

impl CommandContext {
    /// Counts what the user has chosen of a cell's last measurement: its profile, or its wasm instructions.
    fn count(&self, state: &State, id: CellId) {
        let Some(cell) = state.live(&id) else { return };
        let profiles = cell.unprofiled().filter(|_| cell.wants_profile).map(CountTask::Profiles);
        let points = || cell.uncounted().map(|uncounted| CountTask::Points(uncounted, Duration::MAX));
        let (Some(task), Some(host)) = (profiles.or_else(points), self.host(cell.suite.id)) else { return };
        let ticket = self.stop_all();
        let on_cell = self.act.reform(move |action| PageAction::Cell(id.clone(), action));
        on_cell.emit(CellAction::Run(RunEvent::Counting { done: 0, total: 0 }));
        let done = on_cell.clone();
        let on_done = move || done.emit(CellAction::Run(RunEvent::CountingDone));
        counting::count(&ticket, host, task, on_cell, on_done);
    }

    /// Loads the code of the functions of a cell.
    fn list(&self, state: &State, id: CellId) {
        let Some((cell, unlisted)) = state.live(&id).and_then(|cell| Some((cell, cell.unlisted()?))) else { return };
        let host = self.host(cell.suite.id);
        let runner = state.runner.endpoint_for(&cell.suite).cloned();
        let on_cell = self.act.reform(move |event| PageAction::Cell(id.clone(), CellAction::Run(event)));
        on_cell.emit(RunEvent::Listing);
        spawn_local(async move { on_cell.emit(list(&unlisted, host.as_ref(), runner.as_ref()).await) });
    }

    fn host(&self, suite: SuiteId) -> Option<LocalHost> {
        self.hosts.borrow().iter().find(|(id, _)| *id == suite).map(|(_, host)| host.clone())
    }

    /// Starts a cell at the first priority, after which the others follow, and stops any other measurement.
    fn start(&self, state: &State, id: CellId) {
        let (Some(cell), Some(site_config)) = (state.live(&id), &state.site_config) else { return };
        let suite = Rc::clone(&cell.suite);
        // A suite without a wasm build has no host, and needs none.
        let Some(host) = self.host(suite.id).or(suite.id.is_native_only().then(LocalHost::new)) else { return };
        let refined = {
            let (latest, id, site_config) = (self.state.clone(), id.clone(), Rc::clone(site_config));
            Callback::from(move |(kind, request): (MachineKind, Request)| match latest.get().live(&id) {
                Some(cell) => cell.results.refined(kind, site_config.qualities.of(request.priority).points, request),
                None => request,
            })
        };
        let uncounted = {
            let (latest, id) = (self.state.clone(), id.clone());
            Callback::from(move |()| {
                let state = latest.get();
                let cell = state.live(&id).filter(|cell| *cell.view.metric() == WASM_INSTRUCTIONS)?;
                cell.uncounted()
            })
        };
        let counts_on_runner = {
            let (latest, id) = (self.state.clone(), id.clone());
            Callback::from(move |()| {
                let state = latest.get();
                let cell = state.live(&id).filter(|cell| *cell.view.metric() == WASM_INSTRUCTIONS);
                cell.is_some_and(|cell| !cell.compares_builds() && state.runner.can_count(&cell.suite))
            })
        };
        let on_action = self.act.reform(move |action| PageAction::Cell(id.clone(), action));
        let plan = match cell.request(&self.client).and_then(|request| cell.plan(request)) {
            Ok(plan) => plan,
            Err(problems) => return on_action.emit(CellAction::Run(RunEvent::Rejected(problems))),
        };
        let is_here = cell.options.run_on == RunOn::Browser && cell.native_part().is_none();
        let runner = {
            let (latest, suite) = (self.state.clone(), Rc::clone(&suite));
            Callback::from(move |()| latest.get().runner.endpoint_for(&suite).filter(|_| !is_here).cloned())
        };
        let ticket = self.stop_all();
        // A suite without a clock is native; the runner reports its clock when it starts to measure.
        let here = browser::machine(suite.clock.or(state.clock()).unwrap_or(ClockCard::UNKNOWN));
        let clock_note = browser::isolation().note(here.clock).filter(|_| cell.native_part().is_none());
        let machine = if cell.native_part().is_some() { state.runner.machine(here) } else { here };
        let card = site_config.with_commit(suite.card.clone());
        on_action.emit(CellAction::Run(RunEvent::Started(Box::new(browser::result_origin(machine, card)))));
        if let Some(note) = clock_note {
            on_action.emit(CellAction::Run(RunEvent::Remarked(note)));
        }
        let options = cell.options.clone();
        let grants = Grant::of_plan(&plan, &site_config.qualities, options.point_ms().ok().flatten());
        let functions = plan.request().functions.len();
        let remaining = RemainingTime::new(grants, functions);
        MeasurementRun {
            suite,
            site_config: Rc::clone(site_config),
            options,
            host,
            runner,
            refined,
            uncounted,
            counts_on_runner,
            runner_part: Rc::new(Cell::new(RunnerPart::new(!is_here))),
            is_fresh: state.is_complete_on_runner(cell),
            remaining: Rc::new(RefCell::new(remaining)),
            ticket,
            on_cell: on_action,
            on_runner: self.act.reform(PageAction::Runner),
        }
        .measure(plan);
    }

    /// Stops the current measurement and those that wait. Returns the ticket of the next one.
    fn stop_all(&self) -> RunTicket {
        self.hosts.borrow().iter().for_each(|(_, host)| host.stop());
        self.runs.next()
    }
}
