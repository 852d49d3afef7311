//! Counts what calls execute, in this browser.

use benchbook_contract::protocol::Open;
use benchbook_count::FunctionCounter;
use benchbook_host::response::WasmCounts;
use yew::Callback;

use crate::effects::suites::load::fetch_file;
use crate::effects::worker::local::LocalHost;
use crate::state::cell::Uncounted;
use crate::state::cell::action::{CellAction, RunEvent};

/// Counts points one after the other, each function's in ascending order, and reports each.
pub(super) async fn count(host: &LocalHost, uncounted: &Uncounted, on_cell: &Callback<CellAction>) {
    let Uncounted { plan, points } = uncounted;
    let total = points.iter().map(|(_, xs)| xs.len()).sum();
    let mut done = 0;
    on_cell.emit(CellAction::Run(RunEvent::Counting(done, total)));
    let fetch = async |address: &str| {
        let unavailable = |reason| format!("the module that counts, {address}, is not available: {reason}");
        fetch_file(address).await.map_err(unavailable)
    };
    let module = host.counting_module(fetch).await;
    let mut count = async |open: &Open| match &module {
        Ok(module) => module.count(open).await,
        Err(reason) => Some(WasmCounts::Uncountable(reason.clone())),
    };
    for (function, xs) in points {
        let Some(index) = plan.request().functions.iter().position(|path| path == function) else { continue };
        let mut counter = FunctionCounter::new(plan, index);
        for x in xs {
            let counts = counter.count(x, &mut count).await;
            done += 1;
            on_cell.emit(CellAction::Run(RunEvent::Counted(function.clone(), x.clone(), counts)));
            on_cell.emit(CellAction::Run(RunEvent::Counting(done, total)));
        }
    }
}
