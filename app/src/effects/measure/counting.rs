//! Counts the wasm instructions of points, or by context, in this browser.

use std::rc::Rc;
use std::time::Duration;

use benchbook_count::{CountStep, PlanCounter};
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use super::profiling::profile;
use super::turn;
use crate::effects::runner::run_control::RunTicket;
use crate::effects::suites::load::fetch_file;
use crate::effects::worker::counting::CountingModule;
use crate::effects::worker::local::LocalHost;
use crate::state::cell::action::{CellAction, RunEvent};
use crate::state::cell::{Uncounted, Unprofiled};

/// The time after which no further point is counted between two priorities.
pub(super) const BETWEEN_PRIORITIES: Duration = Duration::from_secs(2);

/// What to count.
pub(super) enum CountTask {
    /// Points, each function's in ascending order. Also the time after which no further point is counted.
    Points(Uncounted, Duration),
    /// Functions by context.
    Profiles(Unprofiled),
}

/// Counts once this tab has its turn, and reports what was counted. Then calls `on_done`, unless the run ends before.
pub(super) fn count(
    ticket: &RunTicket,
    host: LocalHost,
    task: CountTask,
    on_cell: Callback<CellAction>,
    on_done: impl FnOnce() + 'static,
) {
    let ticket = ticket.clone();
    spawn_local(async move {
        let waiting = on_cell.clone();
        let turn = turn::take(move || waiting.emit(CellAction::Run(RunEvent::Queued))).await;
        if ticket.is_over() {
            return;
        }
        // Not before: a request for a turn must not be dropped.
        ticket.clone().spawn(async move {
            match (module_or_remark(&host, &on_cell).await, &task) {
                (Some(module), CountTask::Points(uncounted, limit)) => {
                    count_points(&module, uncounted, *limit, &on_cell).await;
                }
                (Some(module), CountTask::Profiles(unprofiled)) => profile(&module, unprofiled, &on_cell).await,
                (None, _) => {}
            }
            drop(turn);
            on_done();
        });
    });
}

/// The counting module of a suite; without one, a remark says why. Nothing else is stored: it may be there the next time.
async fn module_or_remark(host: &LocalHost, on_cell: &Callback<CellAction>) -> Option<Rc<CountingModule>> {
    on_cell.emit(CellAction::Run(RunEvent::Counting { done: 0, total: 0 }));
    let reason = match counting_module(host).await {
        Ok(module) => return Some(module),
        Err(reason) => reason,
    };
    on_cell.emit(CellAction::Run(RunEvent::Remarked(format!("Wasm instructions were not counted: {reason}."))));
    None
}

/// The counting module of a suite. Its error is the reason without a full stop.
pub(super) async fn counting_module(host: &LocalHost) -> Result<Rc<CountingModule>, String> {
    let fetch = async |address: &str| {
        fetch_file(address).await.map_err(|reason| format!("{address} is not available: {reason}"))
    };
    host.counting_module(fetch).await
}

async fn count_points(module: &CountingModule, uncounted: &Uncounted, limit: Duration, on_cell: &Callback<CellAction>) {
    let Uncounted { plan, points } = uncounted;
    let total = points.iter().map(|(_, xs)| xs.len()).sum();
    on_cell.emit(CellAction::Run(RunEvent::Counting { done: 0, total }));
    let start = js_sys::Date::now();
    let index_of = |path: &String| plan.request().functions.iter().position(|function| function == path);
    let points = points.iter().filter_map(|(path, xs)| Some((index_of(path)?, xs.clone())));
    let mut counter = PlanCounter::new(plan.clone(), points);
    while let Some(step) = counter.step() {
        match step {
            CountStep::Count(_) if js_sys::Date::now() - start > 1e3 * limit.as_secs_f64() => return,
            CountStep::Count(open) => counter.observe(module.count(&open).await),
            CountStep::Counted(counts) => on_cell.emit(CellAction::Run(RunEvent::Counted(counts))),
        }
    }
}
