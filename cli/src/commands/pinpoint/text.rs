//! The answer as text for a terminal.

use benchbook_pinpoint::words::{calls, growth_change, share, signed};
use benchbook_pinpoint::{
    CallDifference, Change, Contributor, Pinpoint, PinpointReport, SourceLine, TimeChange, short_hash,
};
use benchbook_profile::{ProfileGrowth, brief_name};
use unicode_width::UnicodeWidthStr;

/// The share of the difference from which on a call is listed.
const MIN_SHARE: f64 = 0.005;

/// How many lines of the source are shown at most.
const MAX_LINES: usize = 40;

/// How many other calls of a caller, and how many contributors, are listed at most.
const MAX_LISTED: usize = 5;

/// The answer, the chain of calls, all that contributes, and the lines of the source that have changed.
pub(super) fn text(report: &PinpointReport) -> String {
    let PinpointReport { totals, answer, baseline, instructions: pinpoint, found, time, .. } = report;
    let mut text = format!("{totals}\n{answer}\n");
    if let Some(found) = found {
        text += &format!("{}\n", found.sentence());
    }
    if let Some(TimeChange::Failed { reason }) = time {
        text += &format!("note: the time was not measured: {reason}\n");
    }
    text += &report.memory_notes();
    if !pinpoint.chain.is_empty() {
        text += &format!("\n{}", columns(&chain(pinpoint)));
    }
    if pinpoint.contributors.len() > 1 {
        text += &format!("\nAll of it:\n{}", columns(&contributors(pinpoint)));
    }
    let different = report.silent_changes() + &report.other_native_code();
    if !different.is_empty() {
        text += &format!("\n{different}");
    }
    if let Some(file) = &pinpoint.source_file {
        let [before, after] = match found {
            Some(found) => [short_hash(&found.parent), short_hash(&found.commit)],
            None => [baseline.as_str(), "now"],
        };
        text += &format!("\n{file}, − {before}, + {after}\n");
        text.extend(pinpoint.source.iter().take(MAX_LINES).map(source_line));
        if let Some(more) = pinpoint.source.len().checked_sub(MAX_LINES).filter(|more| *more > 0) {
            text += &format!("  and {more} more lines\n");
        }
    }
    text
}

/// The calls of the chain, each with the others of its caller: cells of a table.
fn chain(pinpoint: &Pinpoint) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let all = pinpoint.added();
    let size = |difference: &CallDifference| difference.added[pinpoint.shown];
    let mut depth = 0;
    let mut steps = pinpoint.chain.iter().peekable();
    while let Some(step) = steps.next() {
        let is_listed = |other: &&CallDifference| (size(other) / all).abs() >= MIN_SHARE;
        let listed: Vec<&CallDifference> = step.others.iter().filter(is_listed).take(MAX_LISTED).collect();
        let indent = |mark: &str| if depth == 0 { String::new() } else { "  ".repeat(depth - 1) + mark };
        for other in &listed {
            rows.push(row(pinpoint, indent("├ ") + &brief_name(&other.name), other, None));
        }
        let (mut name, mut last) = (step.short_name.clone(), step);
        // Calls that add nothing of their own share a line.
        while let Some(next) = steps.next_if(|next| depth > 0 && size(&next.difference) == size(&last.difference)) {
            name += &format!(" > {}", next.short_name);
            last = next;
        }
        rows.push(row(pinpoint, indent("└ ") + &name, &last.difference, last.change));
        depth += 1;
    }
    rows
}

fn contributors(pinpoint: &Pinpoint) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    // They may contribute at other points only.
    let is_shown = |contributor: &&Contributor| contributor.difference.added[pinpoint.shown] != 0.0;
    let shown = pinpoint.contributors.iter().take(2 * MAX_LISTED).take_while(is_shown).count();
    let largest = &pinpoint.contributors[..shown];
    for Contributor { path, change, difference, .. } in largest {
        let name = path.iter().skip(path.len().saturating_sub(2)).map(|name| brief_name(name));
        let name = name.collect::<Vec<_>>().join(" > ");
        rows.push(row(pinpoint, name, difference, Some(*change)));
    }
    let rest = &pinpoint.contributors[largest.len()..];
    if !rest.is_empty() {
        let sum: f64 = rest.iter().map(|contributor| contributor.difference.added[pinpoint.shown]).sum();
        rows.push(vec![format!("{} others", rest.len()), signed(sum), share(pinpoint, sum)]);
    }
    rows
}

fn row(pinpoint: &Pinpoint, name: String, difference: &CallDifference, change: Option<Change>) -> Vec<String> {
    let CallDifference { place, call_site, growth, .. } = difference;
    let added = difference.added[pinpoint.shown];
    let is_of_caller = matches!(change, Some(Change::New | Change::Calls | Change::Cost));
    let place = if is_of_caller { call_site.as_ref().or(place.as_ref()) } else { place.as_ref() };
    let notes = [place.map(ToString::to_string), change.map(|change| change.words().to_owned())];
    let growth = growth.map(|growth| growth.map(ProfileGrowth::label));
    vec![
        name,
        signed(added),
        share(pinpoint, added),
        calls(difference.calls),
        growth_change(growth),
        notes.into_iter().flatten().collect::<Vec<_>>().join(", "),
    ]
}

/// The name to the left, numbers to the right, and the rest to the left.
fn columns(rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max();
    let line = |row: &Vec<String>| {
        let cell = |(column, text): (usize, &String)| {
            let padding = " ".repeat(width(column).unwrap_or(0) - text.width());
            if [1, 2].contains(&column) { format!("{padding}{text}") } else { format!("{text}{padding}") }
        };
        let has_text = |(column, _): &(usize, &String)| width(*column) > Some(0);
        let cells: Vec<String> = row.iter().enumerate().filter(has_text).map(cell).collect();
        format!("  {}", cells.join("  ")).trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// A line with its number: that of the later build if it has the line.
pub(super) fn source_line(line: &SourceLine) -> String {
    let (number, mark) = match line.lines {
        [Some(number), None] => (number, "−"),
        [None, Some(number)] => (number, "+"),
        [_, number] => (number.unwrap_or_default(), " "),
    };
    format!("  {number:>5} {mark} {}", line.text).trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use benchbook_contract::axis_value::AxisValue;
    use benchbook_pinpoint::BuildCode;
    use benchbook_profile::{Amounts, Frame, Place, Profile, ProfileMetric, ProfilePoint};

    use super::*;

    /// A function with its first line and its own instructions, and those that it calls in the lines after it.
    fn frame(name: &str, line: u32, own: i64, calls: i64, children: Vec<Frame>) -> Frame {
        let place = |line| Some(Place { file: "src/lib.rs".to_owned(), line });
        let own = vec![Amounts { instructions: own, loads: own / 2, calls, ..Amounts::default() }];
        let called = children.into_iter().zip(line + 1..);
        let children = called.map(|(child, line)| Frame { call_site: place(line), ..child }).collect();
        Frame { name: format!("demo::{name}"), place: place(line), own, children, ..Frame::default() }
    }

    fn report(own: i64, calls: i64) -> PinpointReport {
        let profile = |own, calls| {
            let size = frame("size", 40, own, calls, Vec::new());
            let bridge = frame("bridge", 20, 10, 1, vec![frame("failure", 30, 5, 1, vec![size])]);
            let point = ProfilePoint { x: AxisValue::Number(1_000.0), calls: 1, memory: None };
            let (function, crate_name, axis) = ("run".to_owned(), "demo".to_owned(), "size".to_owned());
            let foo = frame("foo", 60, 50 + calls, 1, Vec::new());
            let own = frame("run", 10, 5, 1, vec![bridge, foo]);
            let root = Frame { name: "run".to_owned(), ..own };
            Profile { function, crate_name, axis, points: vec![point], root, includes_library: true }
        };
        let (before, after) = (profile(30, 1), profile(own, calls));
        let code = BuildCode::default();
        let pinpoint = |metric| Pinpoint::new([&before, &after], [&code, &code], metric, None).expect("one point");
        let instructions = pinpoint(ProfileMetric::Instructions);
        PinpointReport::of(instructions, vec![pinpoint(ProfileMetric::Loads)], "main")
    }

    fn plain(text: &str) -> String {
        text.replace('\u{202f}', " ")
    }

    #[test]
    fn the_text_shows_the_chain_and_all_contributors() {
        let expected = "\
run: wasm instructions +61% with size 1 000
`failure` calls `size` 3 times instead of 1 (src/lib.rs:31): 97% of the added wasm instructions

  run                        +62  100.0%  1 call       src/lib.rs:10
  ├ foo                       +2    3.2%  1 call       src/lib.rs:60
  └ bridge > failure > size  +60   96.8%  1 → 3 calls  src/lib.rs:31, called more or less often

All of it:
  failure > size  +60  96.8%  1 → 3 calls  src/lib.rs:31, called more or less often
  run > foo        +2   3.2%  1 call       src/lib.rs:12, same source, other work
";
        assert_eq!(plain(&text(&report(90, 3))), expected);
    }

    #[test]
    fn a_time_that_the_counts_do_not_explain_is_an_answer() {
        let time = TimeChange::Measured { relative: 0.5, low: 0.4, high: 0.6 };
        let different_code = || vec!["demo::size".to_owned()];
        let slower = report(30, 1).with_native(time.clone(), different_code()).finished();
        let expected = "\
run: as many wasm instructions, time +50% (+40% to +60%) with size 1 000
The builds have the same wasm instructions, function by function
The time has changed more than the instructions, so the cause is memory, caches or branches.
`cargo benchbook assembly run --baseline main` shows how its machine code differs.

Other native code: `demo::size`
";
        assert_eq!(plain(&text(&slower)), expected);
        assert!(slower.markdown().contains("the cause is memory, caches or branches."));
        // Twice the instructions explain it, and so does a time that may be the same.
        for report in [
            report(130, 1).with_native(time, different_code()),
            report(30, 1).with_native(TimeChange::Measured { relative: 0.1, low: -0.1, high: 0.3 }, different_code()),
        ] {
            let report = report.finished();
            assert!(!report.is_unexplained() && report.memory.is_empty());
        }
    }

    #[test]
    fn changes_without_an_effect_are_suspects() {
        let mut report = report(90, 3);
        report.instructions.changed = vec!["demo::foo".to_owned(), "demo::walk".to_owned()];
        let text = text(&report);
        assert!(text.contains("\nChanged without an effect on the counts: `demo::walk`\n"), "{text}");
        report.instructions.changed.clear();
        assert_eq!(report.silent_changes(), "");
    }

    #[test]
    fn markdown_has_a_row_for_each_contributor() {
        let text = plain(&report(90, 3).markdown());
        assert!(
            text.starts_with("**run: wasm instructions +61% with size 1 000**\n\n`failure` calls `size` 3 times"),
            "{text}"
        );
        assert!(
            text.contains("| `bridge > failure > size` | +60 | 96.8% | 1 → 3 calls |  | called more or less often |"),
            "{text}"
        );
    }
}
