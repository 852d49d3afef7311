//! A measurement that was repeated on this machine or with this build, compared with the original one.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::compare::machines::{FunctionOnBoth, MachinesAt, PointOnBoth, compare_machines};
use benchbook_host::messages::at::at_value;
use benchbook_host::messages::machines::machine_ratio;
use benchbook_host::messages::reproduction::reproduction_sentences;

use benchbook_notebook::result_setup::ResultSetup;

use super::ranking::MachineRanking;
use super::shown_trace::ShownTrace;

/// The comparison of a repeated measurement with an original one.
#[derive(Clone, Debug, PartialEq)]
pub struct Reproduction {
    /// Which conclusions held, those that did not, then how many times as long each function takes here. Function names are between
    /// backticks.
    pub sentences: Vec<String>,
    /// The ratios to the original times.
    pub ratios: RepeatedRatios,
}

/// How many times as long the functions take here as in the original measurement. The times were measured separately, at
/// different moments.
#[derive(Clone, Debug, PartialEq)]
pub struct RepeatedRatios {
    /// The machine of the original, or its build.
    pub origin: String,
    /// The names of the functions.
    pub names: Vec<String>,
    /// The setup of the repeated measurement.
    pub setup: Rc<ResultSetup>,
    /// The ratios at each axis value that both measured, in the order of the axis.
    pub values: Vec<MachinesAt>,
}

/// A repeated measurement, compared with each original. Empty if nothing was repeated. Results of readers are repetitions, not originals.
/// `latest`: the rankings of the last measurement; `margin`: the relative difference up to which times count as equal.
pub fn reproduction(shown: &[ShownTrace], latest: &[MachineRanking], margin: f64) -> Vec<Reproduction> {
    let earlier = MachineRanking::earlier(shown);
    let about = |original: &MachineRanking| {
        // The result of the same kind of machine is the closest one.
        let is_same_kind = |one: &&MachineRanking| one.setup.machine.kind == original.setup.machine.kind;
        let repeated = latest.iter().find(is_same_kind).or(latest.first())?;
        let ratios = repeated_ratios(shown, original, repeated);
        let context = repeated.context(margin);
        let mut sentences = reproduction_sentences(&original.ranking, &repeated.ranking, &ratios.origin, context);
        sentences.extend(ratios.sentence());
        (!sentences.is_empty()).then_some(Reproduction { sentences, ratios })
    };
    let is_original = |ranking: &&MachineRanking| !shown[ranking.ordinals[0]].trace.from_reader;
    earlier.iter().filter(is_original).filter_map(about).collect()
}

/// The machine of the original, or its build if only that differs.
fn origin(original: &MachineRanking, repeated: &MachineRanking) -> String {
    let (machine, here) = (&original.setup.machine, &repeated.setup.machine);
    if machine.is_same(here) { format!("an earlier build on {}", machine.name) } else { machine.name_next_to(here) }
}

fn repeated_ratios(shown: &[ShownTrace], original: &MachineRanking, repeated: &MachineRanking) -> RepeatedRatios {
    let measured = |ranking: &MachineRanking, function: usize, x: &AxisValue| {
        let readings = shown[*ranking.ordinals.get(function)?].trace.curve.readings();
        readings.iter().find(|reading| reading.x == *x)?.shared()
    };
    let at = |x: &AxisValue| {
        let points: Vec<PointOnBoth<'_>> = (0..repeated.ordinals.len())
            .filter_map(|function| {
                let (here, there) = (measured(repeated, function, x)?, measured(original, function, x)?);
                Some(PointOnBoth { function, browser: here, native: there })
            })
            .collect();
        compare_machines(x, &points)
    };
    RepeatedRatios {
        origin: origin(original, repeated),
        names: repeated.names.clone(),
        setup: Rc::clone(&repeated.setup),
        values: repeated.ranking.values().iter().filter_map(at).collect(),
    }
}

impl RepeatedRatios {
    /// The ratios at the last axis value; `None` if the measurements have no common value.
    fn sentence(&self) -> Option<String> {
        let last = self.values.last()?;
        let ratio = |one: &FunctionOnBoth| format!("`{}` {}", self.names[one.function], machine_ratio(one.ratio));
        let ratios = last.functions.iter().map(ratio).collect::<Vec<_>>().join(", ");
        let at = at_value(&last.x, self.setup.axis_unit());
        Some(format!("Times here relative to {}{at}, measured separately: {ratios}.", self.origin))
    }
}
