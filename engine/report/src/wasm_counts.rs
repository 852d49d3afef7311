//! Counts of wasm instructions as text.

use benchbook_host::response::{MeasuredPoint, WasmCounts, WasmInstructions};
use benchbook_host::units::{axis_value, number};

use super::shown_trace::ShownTrace;
use super::table_rows::{WordsColumn, rows};

/// The column with the wasm instructions of a call, if some point has them.
pub fn counts_column(shown: &[ShownTrace]) -> Option<WordsColumn> {
    let column = WordsColumn { heading: "wasm instructions", words: instructions };
    column.is_of(shown).then_some(column)
}

/// The wasm instructions of a call at a point; both counts if they differ. Absent if they were not requested.
fn instructions(measured: &MeasuredPoint) -> Option<String> {
    // The mean over the calls of a round; more digits would say more about its inputs than about the function.
    let per_call = |instructions: &WasmInstructions| number((instructions.per_call() * 10.0).round() / 10.0);
    Some(match measured.wasm_instructions.as_ref()? {
        WasmCounts::Counted(instructions) => per_call(instructions),
        WasmCounts::Varying { first, second } => match (per_call(first), per_call(second)) {
            (first, second) if first == second => format!("about {first}"),
            (first, second) => format!("{first} or {second}"),
        },
        WasmCounts::Uncountable(_) | WasmCounts::Failed(_) => "not counted".to_owned(),
    })
}

/// Why points have no count, or two of them; a sentence for each reason of a function, with the first point that it applies to.
pub fn notes(shown: &[ShownTrace]) -> Vec<String> {
    let (mut explained, mut notes) = (Vec::new(), Vec::new());
    for (ordinal, reading) in rows(shown) {
        let Some(counts) = reading.measured().and_then(|measured| measured.wasm_instructions.as_ref()) else {
            continue;
        };
        let reason = match counts {
            WasmCounts::Counted(_) => continue,
            WasmCounts::Varying { .. } => None,
            WasmCounts::Uncountable(reason) | WasmCounts::Failed(reason) => Some(reason),
        };
        if explained.contains(&(ordinal, reason)) {
            continue;
        }
        explained.push((ordinal, reason));
        let at = if reading.x.is_absent() { String::new() } else { format!(" at {}", axis_value(&reading.x)) };
        let function = &shown[ordinal].label;
        notes.push(match reason {
            Some(reason) => format!("{function} was not counted{at}: {reason}."),
            None => format!(
                "{function} has two counts{at}: what it does depends on addresses in memory, like a hash map with random keys."
            ),
        });
    }
    notes
}
