//! Whether the results of a cell are stale: measured elsewhere, or with another build of the suite.

use benchbook_host::quality::Priority;
use benchbook_host::response::MachineKind;
use benchbook_notebook::result::CellResult;
use benchbook_notebook::result_setup::ResultSetup;

use super::LiveCell;
use crate::state::machines::browser_identity::BrowserIdentity;
use crate::state::machines::runner::RunnerState;

/// Why the last results of a cell are stale, and how to fix it; `None` if they are current, and without results. While no runner
/// responds, its results count as current.
pub(crate) fn staleness(cell: &LiveCell, browser: &BrowserIdentity, runner: &RunnerState) -> Option<String> {
    let of_result = |setup: &ResultSetup| {
        let (machine, card) = match setup.machine.kind {
            MachineKind::Browser => (machine_difference(setup, browser), &cell.suite.card),
            MachineKind::Native => (runner_difference(setup, runner), runner.card_for(&cell.suite)?),
        };
        let suite = &setup.request.suite;
        let is_build = cell.has_named_builds_only() || setup.suite.fingerprint == card.fingerprint;
        match (machine, is_build) {
            (None, true) => None,
            (Some(machine), true) => Some(format!("Measured {machine}. Measure again to add results from here.")),
            (None, false) => {
                Some(format!("{suite} has been rebuilt since this measurement. Measure again to compare the builds."))
            }
            (Some(machine), false) => Some(format!(
                "Measured {machine}, with another build of {suite}. Measure again to add results from here."
            )),
        }
    };
    cell.results.latest.iter().find_map(|result| of_result(&result.setup))
}

/// The label of the button that measures a cell. `browser`: absent on a standalone page, which measures nothing.
pub(crate) fn measure_label(cell: &LiveCell, browser: Option<&BrowserIdentity>, runner: &RunnerState) -> &'static str {
    let is_from_elsewhere = |setup: &ResultSetup| match setup.machine.kind {
        MachineKind::Browser => browser.is_some_and(|browser| !browser.is_own(&setup.machine)),
        MachineKind::Native => runner_difference(setup, runner).is_some(),
    };
    let mut results = cell.results.earlier.iter().chain(&cell.results.latest);
    match cell.results.is_empty() {
        true => "Measure",
        false if results.any(|result| is_from_elsewhere(&result.setup)) => "Measure again here",
        false => "Measure again",
    }
}

/// Whether the runner has completed the cell's current settings at the last priority, with the current build. It would return these points
/// again, unless the request is fresh. A measurement that was stopped continues with the stored points.
pub(crate) fn is_complete_on_runner(cell: &LiveCell, runner: &RunnerState) -> bool {
    let request = cell.last_request();
    let is_current = |setup: &ResultSetup| {
        let build = runner.card_for(&cell.suite);
        setup.machine.kind == MachineKind::Native
            && runner_difference(setup, runner).is_none()
            && request.as_ref() == Ok(&setup.request)
            && (cell.has_named_builds_only() || build.is_some_and(|build| build.fingerprint == setup.suite.fingerprint))
    };
    // Some points may have failed.
    let has_last_priority = |result: &CellResult| {
        let mut readings = result.curves.iter().flat_map(|one| one.curve.readings());
        readings.any(|reading| reading.priority() == Priority::LAST)
    };
    cell.results.latest.iter().any(|result| is_current(&result.setup) && has_last_priority(result))
}

/// Where a result was measured, unless this browser measured it. The identifier belongs to a profile of a browser, so another one
/// doesn't imply another machine.
fn machine_difference(setup: &ResultSetup, browser: &BrowserIdentity) -> Option<String> {
    let name = &setup.machine.name;
    match (browser.is_own(&setup.machine), *name == browser.name) {
        (true, true) => None,
        (true, false) => Some(format!("with another version of this browser: {name}")),
        (false, _) => Some(format!("in another browser or profile: {name}")),
    }
}

/// Where a result was measured, unless the current runner measured it.
fn runner_difference(setup: &ResultSetup, runner: &RunnerState) -> Option<String> {
    let name = &setup.machine.name;
    (*name != runner.name).then(|| format!("on another runner: {name}"))
}
