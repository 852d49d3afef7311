//! Counts the wasm instructions of points, in this browser.

use std::time::Duration;

use benchbook_count::{CountStep, PlanCounter};
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use super::turn;
use crate::effects::runner::run_control::RunTicket;
use crate::effects::suites::load::fetch_file;
use crate::effects::worker::local::LocalHost;
use crate::state::cell::Uncounted;
use crate::state::cell::action::{CellAction, RunEvent};

/// The time after which no further point is counted between two priorities.
pub(super) const BETWEEN_PRIORITIES: Duration = Duration::from_secs(2);

/// Counts points once this tab has its turn, each function's in ascending order, and reports each. Then calls `on_done`, unless the run ends before.
/// `limit`: the time after which no further point is counted.
pub(super) fn count(
    ticket: &RunTicket,
    host: LocalHost,
    uncounted: Uncounted,
    limit: Duration,
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
            count_points(&host, &uncounted, limit, &on_cell).await;
            drop(turn);
            on_done();
        });
    });
}

async fn count_points(host: &LocalHost, uncounted: &Uncounted, limit: Duration, on_cell: &Callback<CellAction>) {
    let Uncounted { plan, points } = uncounted;
    let total = points.iter().map(|(_, xs)| xs.len()).sum();
    on_cell.emit(CellAction::Run(RunEvent::Counting { done: 0, total }));
    let fetch = async |address: &str| {
        fetch_file(address).await.map_err(|reason| format!("{address} is not available: {reason}"))
    };
    let module = match host.counting_module(fetch).await {
        Ok(module) => module,
        // Nothing is stored: it may be there the next time.
        Err(reason) => {
            let remark = format!("Wasm instructions were not counted: {reason}.");
            return on_cell.emit(CellAction::Run(RunEvent::Remarked(remark)));
        }
    };
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
