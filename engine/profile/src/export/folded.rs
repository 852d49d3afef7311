//! Folded stacks, which flame graph viewers read.

use std::fmt::Write;

use crate::amounts::ProfileMetric;
use crate::frame::Frame;
use crate::names::short_name;
use crate::profile::Profile;

/// A line for each frame with an amount of its own: the names from the root to it, separated by `;`, and the amount in all counted calls, as
/// [FlameGraph](https://github.com/brendangregg/FlameGraph) reads it.
pub fn folded(profile: &Profile, metric: ProfileMetric, point: usize) -> String {
    let mut text = String::new();
    let mut add = |stack: &[&Frame]| {
        let own = stack.last().map_or(0, |frame| metric.of(&frame.own[point]));
        if own > 0 {
            // Names contain no line breaks, and `;` only in the types of arrays.
            let name = |frame: &&Frame| short_name(&frame.name, &profile.crate_name).replace(';', ",");
            let names: Vec<String> = stack.iter().map(name).collect();
            let _ = writeln!(text, "{} {own}", names.join(";"));
        }
    };
    walk(&profile.root, &mut Vec::new(), &mut add);
    text
}

/// Visits each frame with those that it is below of.
pub(super) fn walk<'p>(frame: &'p Frame, above: &mut Vec<&'p Frame>, visit: &mut impl FnMut(&[&'p Frame])) {
    above.push(frame);
    visit(above);
    frame.children.iter().for_each(|child| walk(child, above, visit));
    above.pop();
}
