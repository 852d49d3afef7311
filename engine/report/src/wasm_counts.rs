//! Counts of wasm instructions as text.

use benchbook_host::response::{MeasuredPoint, WasmCounts, WasmInstructions};
use benchbook_host::units::{axis_value, number, percent};

use super::shown_trace::ShownTrace;
use super::table_rows::{TextColumn, rows};

/// What the counts are not.
pub const WHAT_COUNTS_ARE_NOT: &str = "Wasm instructions are not native instructions: compiled code may need more or fewer, and no count includes waiting \
    for caches or mispredicted branches. Wasm allocates with dlmalloc, native code with another allocator.";

/// A class of wasm instructions as a column.
#[derive(Clone, Copy, Debug)]
pub struct ClassColumn {
    /// Its heading.
    pub heading: &'static str,
    of: fn(&WasmInstructions) -> i64,
}

const CLASSES: [ClassColumn; 9] = [
    ClassColumn { heading: "Wasm function entries", of: |of| of.entry },
    ClassColumn { heading: "Wasm arithmetic", of: |of| of.arithmetic },
    ClassColumn { heading: "Wasm loads", of: |of| of.load },
    ClassColumn { heading: "Wasm stores", of: |of| of.store },
    ClassColumn { heading: "Wasm branches", of: |of| of.branch },
    ClassColumn { heading: "Wasm direct calls", of: |of| of.direct_call },
    ClassColumn { heading: "Wasm indirect calls", of: |of| of.indirect_call },
    ClassColumn { heading: "Wasm bulk instructions", of: |of| of.bulk },
    ClassColumn { heading: "Bytes of wasm bulk instructions", of: |of| of.bulk_bytes },
];

/// The columns of the classes that some function executes, per call.
pub fn class_columns(shown: &[ShownTrace]) -> Vec<ClassColumn> {
    let readings = || shown.iter().flat_map(|shown| shown.trace.curve.readings());
    let has =
        |class: &ClassColumn| readings().any(|reading| class.per_call(reading.measured()).unwrap_or_default() != 0.0);
    CLASSES.into_iter().filter(has).collect()
}

impl ClassColumn {
    /// The number of a point per call; absent if the point has no count, or two.
    pub fn per_call(&self, measured: Option<&MeasuredPoint>) -> Option<f64> {
        match measured?.wasm_instructions.as_ref()? {
            WasmCounts::Counted(counted) => Some((self.of)(counted) as f64 / counted.calls.max(1) as f64),
            _ => None,
        }
    }
}

/// The column with the wasm instructions of a call, if some point has them.
pub fn counts_column(shown: &[ShownTrace]) -> Option<TextColumn> {
    let column = TextColumn { heading: "wasm instructions", text_of: instructions };
    column.is_of(shown).then_some(column)
}

/// The wasm instructions of a call at a point, or that it could not be counted. Absent if counts were not requested.
fn instructions(measured: &MeasuredPoint) -> Option<String> {
    measured.wasm_instructions.as_ref()?;
    Some(counted(measured).unwrap_or_else(|| "not counted".to_owned()))
}

/// The wasm instructions of a call at a point; both counts if they differ. Absent without a count.
pub fn counted(measured: &MeasuredPoint) -> Option<String> {
    let per_call = |instructions: &WasmInstructions| rounded(instructions.per_call());
    match measured.wasm_instructions.as_ref()? {
        WasmCounts::Counted(instructions) => Some(per_call(instructions)),
        WasmCounts::Varying { first, second } => Some(match (per_call(first), per_call(second)) {
            (first, second) if first == second => format!("about {first}"),
            (first, second) => format!("{first} or {second}"),
        }),
        WasmCounts::Uncountable(_) | WasmCounts::Failed(_) => None,
    }
}

/// A mean over the calls of a round: more digits would say more about its inputs than about the function.
pub fn rounded(per_call: f64) -> String {
    number((per_call * 10.0).round() / 10.0)
}

/// Says that native code differs from what was counted; a sentence without its full stop. `at`: where it was counted, such as “ at 100”.
pub fn native_difference(function: &str, at: &str, counted: &WasmInstructions) -> String {
    let share = percent(counted.conditional as f64 / counted.total().max(1) as f64);
    format!(
        "{function}: native code differs from what was counted, since {share} of the instructions{at} are in code that is compiled only for some targets"
    )
}

/// What a note is about; each is given once for a function.
#[derive(PartialEq, Eq)]
enum NoteKind<'r> {
    NativeDifference,
    Varying,
    NotCounted(&'r str),
}

/// Notes on missing and varying counts, and on native code that differs, with the first point that each applies to.
pub fn notes(shown: &[ShownTrace]) -> Vec<String> {
    let (mut given, mut notes) = (Vec::new(), Vec::new());
    for (ordinal, reading) in rows(shown) {
        let Some(counts) = reading.measured().and_then(|measured| measured.wasm_instructions.as_ref()) else {
            continue;
        };
        let at = if reading.x.is_absent() { String::new() } else { format!(" at {}", axis_value(&reading.x)) };
        let function = &shown[ordinal].label;
        let (kind, note) = match counts {
            WasmCounts::Counted(counted) if counted.conditional > 0 => {
                (NoteKind::NativeDifference, format!("{}.", native_difference(function, &at, counted)))
            }
            WasmCounts::Counted(_) => continue,
            WasmCounts::Varying { .. } => (
                NoteKind::Varying,
                format!(
                    "{function} has two counts{at}: what it does depends on addresses in memory, like a hash map with random keys."
                ),
            ),
            WasmCounts::Uncountable(reason) | WasmCounts::Failed(reason) => {
                (NoteKind::NotCounted(reason), format!("{function} was not counted{at}: {reason}."))
            }
        };
        let key = (ordinal, kind);
        if !given.contains(&key) {
            given.push(key);
            notes.push(note);
        }
    }
    notes
}
