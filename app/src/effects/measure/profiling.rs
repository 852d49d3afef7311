//! Profiles functions in this browser.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_count::LIMIT;
use benchbook_host::units::axis_value;
use benchbook_instrument::ContextCounts;
use benchbook_notebook::result::{SharedValue, StoredProfile};
use benchbook_profile::Profile;
use yew::Callback;

use crate::effects::worker::counting::CountingModule;
use crate::state::cell::Unprofiled;
use crate::state::cell::action::{CellAction, RunEvent};

/// The axis values of a range: growth needs six, and a few more show its curve.
const POINTS: u32 = 9;

/// The slot of each workload: each instance has one.
const SLOT: u32 = 1;

/// Profiles functions one after the other, and reports each profile.
pub(super) async fn profile(module: &CountingModule, unprofiled: &Unprofiled, on_cell: &Callback<CellAction>) {
    let Unprofiled { plan, functions } = unprofiled;
    let xs = plan.axis_values(POINTS);
    let total = functions.len() * xs.len();
    let progress = |done: usize| on_cell.emit(CellAction::Run(RunEvent::Counting { done, total }));
    for (number, index) in functions.iter().enumerate() {
        let path = &plan.request().functions[*index];
        let mut counted: Vec<(AxisValue, ContextCounts)> = Vec::new();
        let mut failure = None;
        for x in &xs {
            progress(number * xs.len() + counted.len());
            let counts = module.count_contexts(&plan.open(SLOT, vec![path.clone()], x)).await;
            match counts {
                Some(Ok(counts)) => counted.push((x.clone(), counts)),
                Some(Err(reason)) => failure = Some((x, reason.to_string())),
                None => failure = Some((x, format!("counting would take over {} s", LIMIT.as_secs()))),
            }
            if failure.is_some() {
                break;
            }
        }
        if let Some((x, reason)) = failure {
            let at = if x.is_absent() { String::new() } else { format!(" at {} and above", axis_value(x)) };
            let remark = format!("{path} was not profiled{at}: {reason}.");
            on_cell.emit(CellAction::Run(RunEvent::Remarked(remark)));
        }
        if !counted.is_empty() {
            let profile = Profile::new(module.map(), path, plan.axis_name(), &counted).simplified();
            if let Ok(profile) = serde_json::to_value(profile) {
                let profile = StoredProfile { function: path.clone(), profile: SharedValue(Rc::new(profile)) };
                on_cell.emit(CellAction::Run(RunEvent::Profiled(profile)));
            }
        }
    }
}
