//! A measurement that was repeated on this machine or with this build, compared with the original one.

use benchbook_host::machine_comparison::{PointOnBoth, compare_machines};
use benchbook_host::messages::at::at_value;
use benchbook_host::messages::machines::machine_ratio;
use benchbook_host::messages::reproduction::reproduction_sentences;

use super::ranking::MachineRanking;
use super::shown_trace::ShownTrace;

/// The sentences about a repeated measurement, for each original: which conclusions held, then how many times as long each function
/// takes here. Empty if nothing was repeated. `latest`: the rankings of the last measurement; `margin`: the relative difference up to which times count
/// as equal.
pub fn reproduction(shown: &[ShownTrace], latest: &[MachineRanking], margin: f64) -> Vec<Vec<String>> {
    let earlier = MachineRanking::earlier(shown);
    let about = |original: &MachineRanking| {
        // The result of the same kind of machine is the closest one.
        let is_same_kind = |one: &&MachineRanking| one.setup.machine.kind == original.setup.machine.kind;
        let repeated = latest.iter().find(is_same_kind).or(latest.first())?;
        let origin = origin(original, repeated);
        let mut sentences =
            reproduction_sentences(&original.ranking, &repeated.ranking, &origin, repeated.context(margin));
        sentences.extend(times(shown, original, repeated, &origin));
        (!sentences.is_empty()).then_some(sentences)
    };
    earlier.iter().filter_map(about).collect()
}

/// The machine of the original, or its build if only that differs.
fn origin(original: &MachineRanking, repeated: &MachineRanking) -> String {
    let (machine, here) = (&original.setup.machine, &repeated.setup.machine);
    if machine.is_same(here) { format!("an earlier build on {}", machine.name) } else { machine.name_next_to(here) }
}

/// How many times as long each function takes here, at the last axis value that both measured.
fn times(shown: &[ShownTrace], original: &MachineRanking, repeated: &MachineRanking, origin: &str) -> Option<String> {
    let is_common = |x: &&_| original.ranking.values().contains(x);
    let x = repeated.ranking.values().iter().rev().find(is_common)?;
    let measured = |ranking: &MachineRanking, function: usize| {
        let readings = shown[*ranking.ordinals.get(function)?].trace.curve.readings();
        readings.iter().find(|reading| reading.x == *x)?.shared()
    };
    let points: Vec<PointOnBoth<'_>> = (0..repeated.ordinals.len())
        .filter_map(|function| {
            let (here, there) = (measured(repeated, function)?, measured(original, function)?);
            Some(PointOnBoth { function, browser: here, native: there })
        })
        .collect();
    let compared = compare_machines(x, &points)?;
    let ratios =
        compared.functions.iter().map(|one| format!("`{}` {}", repeated.names[one.function], machine_ratio(one.ratio)));
    let ratios = ratios.collect::<Vec<_>>().join(", ");
    let at = at_value(x, repeated.setup.axis_unit());
    Some(format!("Times here relative to {origin}{at}, unpaired: {ratios}."))
}
