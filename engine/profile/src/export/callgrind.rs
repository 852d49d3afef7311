//! The format of callgrind, which kcachegrind and `callgrind_annotate` read.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::folded::walk;
use crate::amounts::{Amounts, ProfileMetric};
use crate::frame::{Frame, Place};
use crate::names::short_name;
use crate::profile::Profile;

/// The metrics that have a column, with its name. The others follow from calls, or are no sums.
const EVENTS: [(ProfileMetric, &str); 6] = [
    (ProfileMetric::Instructions, "Instructions"),
    (ProfileMetric::Loads, "Loads"),
    (ProfileMetric::Stores, "Stores"),
    (ProfileMetric::Allocations, "Allocations"),
    (ProfileMetric::Bytes, "Bytes"),
    (ProfileMetric::Copied, "Copied"),
];

/// A function, by its name and file.
type Function = (String, String);

/// What a function executed itself, and what each function that it called did.
#[derive(Default)]
struct Costs {
    line: u32,
    own: Amounts,
    calls: BTreeMap<Function, (u32, Amounts)>,
}

/// The counts of a point, totals of all counted calls, in the [format of callgrind](https://valgrind.org/docs/manual/cl-format.html). Amounts of a function are at its first line.
/// Calls between two functions are joined over all chains of calls. A negative amount, which only the loop around a call can have, is 0.
pub fn callgrind(profile: &Profile, point: usize) -> String {
    let mut functions: BTreeMap<Function, Costs> = BTreeMap::new();
    let function = |frame: &Frame| {
        let file = frame.place.as_ref().map_or("???", |place| &place.file);
        (short_name(&frame.name, &profile.crate_name), file.to_owned())
    };
    let line = |frame: &Frame| frame.place.as_ref().map_or(0, |place: &Place| place.line);
    walk(&profile.root, &mut Vec::new(), &mut |stack: &[&Frame]| {
        let Some((frame, above)) = stack.split_last() else { return };
        let costs = functions.entry(function(frame)).or_default();
        costs.line = line(frame);
        costs.own += frame.own[point];
        if let Some(caller) = above.last() {
            let call = &mut functions.entry(function(caller)).or_default().calls;
            let (line_of_callee, sum) = call.entry(function(frame)).or_default();
            *line_of_callee = line(frame);
            // A recursion counts once.
            let is_recursive = above.iter().any(|caller| caller.name == frame.name);
            let total = if is_recursive { Amounts::default() } else { frame.total(point) };
            *sum += Amounts { calls: frame.own[point].calls, ..total };
        }
    });
    let columns = |amounts: &Amounts| EVENTS.map(|(metric, _)| metric.of(amounts).max(0).to_string()).join(" ");
    let mut text = format!(
        "# callgrind format\nversion: 1\ncreator: benchbook {}\ncmd: {}\npositions: line\nevents: {}\n",
        env!("CARGO_PKG_VERSION"),
        profile.function,
        EVENTS.map(|(_, name)| name).join(" ")
    );
    for ((name, file), costs) in &functions {
        let _ = write!(text, "\nfl={file}\nfn={name}\n{} {}\n", costs.line, columns(&costs.own));
        for ((callee, callee_file), (line, amounts)) in &costs.calls {
            // An inlined function was called, too, but nobody knows how often.
            let calls = amounts.calls.max(1);
            let _ = write!(
                text,
                "cfi={callee_file}\ncfn={callee}\ncalls={calls} {line}\n{} {}\n",
                costs.line,
                columns(amounts)
            );
        }
    }
    text
}
