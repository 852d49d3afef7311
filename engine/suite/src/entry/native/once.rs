//! Calls each function once, as `cargo test --all-targets` expects of bench targets: without it, a function that panics at once would
//! be noticed only in the next measurement.

use std::panic::{self, AssertUnwindSafe};

use super::function_filter::FunctionFilter;
use super::workload_request::{handled, smallest_workload};
use crate::entry::peer::Peer;
use benchbook_contract::catalog::{Function, Suite};
use benchbook_contract::protocol::{Collect, HostMessage, LaneTarget, RequestFailure, SuiteMessage};

/// Calls the selected functions with their first generator and its smallest default workload, and prints the outcomes in the format of
/// Rust's test harness. Returns whether all calls returned.
pub(super) fn run(peer: &mut Peer, suite: &Suite, filter: &FunctionFilter) -> bool {
    let selected: Vec<&Function> = suite.functions.iter().filter(|function| filter.selects(&function.path)).collect();
    let plural = if selected.len() == 1 { "" } else { "s" };
    println!("\nrunning {} function{plural} once", selected.len());
    let (mut failed, mut ignored) = (0, 0);
    for (slot, function) in (0..).zip(&selected) {
        // The panic itself is printed by the standard hook.
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| call(peer, suite, function, slot)))
            .unwrap_or_else(|_| Err(failure("it panicked".to_owned())));
        match outcome {
            Ok(()) => println!("test {} ... ok", function.path),
            Err(RequestFailure { skipped: true, reason, .. }) => {
                ignored += 1;
                println!("test {} ... ignored, {reason}", function.path);
            }
            Err(RequestFailure { reason, .. }) => {
                failed += 1;
                println!("test {} ... FAILED: {reason}", function.path);
            }
        }
    }
    let (verdict, passed) = (if failed == 0 { "ok" } else { "FAILED" }, selected.len() - failed - ignored);
    let skipped = suite.functions.len() - selected.len();
    println!(
        "\ntest result: {verdict}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; {skipped} filtered out\n"
    );
    failed == 0
}

/// Calls a function once, or as often as a round of its workload requires.
fn call(peer: &mut Peer, suite: &Suite, function: &Function, slot: u32) -> Result<(), RequestFailure> {
    let open = smallest_workload(suite, function, slot).map_err(failure)?;
    let SuiteMessage::Opened(opened) = handled(peer, HostMessage::Open(open))? else {
        return Err(failure("the workload was not opened".to_owned()));
    };
    let collect =
        Collect { slot, target: LaneTarget::Function(0), calls: opened.round.max(1), batches: 1, input_set: 0 };
    handled(peer, HostMessage::Collect(collect))?;
    handled(peer, HostMessage::Close { slot })?;
    Ok(())
}

fn failure(reason: String) -> RequestFailure {
    RequestFailure { reason, ..RequestFailure::default() }
}
