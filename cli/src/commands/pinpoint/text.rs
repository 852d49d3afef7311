//! The answer as text for a terminal.

use benchbook_pinpoint::{CallDifference, Change, Contributor, Pinpoint, SourceLine};
use benchbook_profile::{ProfileGrowth, brief_name, in_percent, short_number};
use unicode_width::UnicodeWidthStr;

use super::bisect::short;
use super::report::PinpointReport;
use super::time::TimeChange;

/// The share of the difference from which on a call is listed.
const MIN_SHARE: f64 = 0.005;

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
    if !pinpoint.chain.is_empty() {
        text += &format!("\n{}", columns(&chain(pinpoint)));
    }
    if pinpoint.contributors.len() > 1 {
        text += &format!("\nAll of it:\n{}", columns(&contributors(pinpoint)));
    }
    if let Some(file) = &pinpoint.source_file {
        let [before, after] = match found {
            Some(found) => [short(&found.parent), short(&found.commit)],
            None => [baseline.as_str(), "now"],
        };
        text += &format!("\n{file}, − {before}, + {after}\n");
        text.extend(pinpoint.source.iter().map(source_line));
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
    let largest = &pinpoint.contributors[..pinpoint.contributors.len().min(2 * MAX_LISTED)];
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

/// `624 calls`, `0 → 10 k calls`; empty if the function is inlined in both builds.
pub(super) fn calls(calls: [Option<f64>; 2]) -> String {
    let [before, after] = calls.map(|calls| short_number(calls.unwrap_or_default()));
    match calls {
        [None, None] => String::new(),
        [Some(1.0), Some(1.0)] => "1 call".to_owned(),
        _ if before == after => format!("{after} calls"),
        _ => format!("{before} → {after} calls"),
    }
}

/// `n`, `constant → n`.
pub(super) fn growth_change(growth: [Option<String>; 2]) -> String {
    match growth {
        [Some(before), Some(after)] if before != after => format!("{before} → {after}"),
        [_, after] => after.unwrap_or_default(),
    }
}

/// The share of the difference.
pub(super) fn share(pinpoint: &Pinpoint, added: f64) -> String {
    match pinpoint.added() {
        0.0 => String::new(),
        all => in_percent(added / all),
    }
}

/// `+129 650`, `−3.2 M`.
pub(super) fn signed(added: f64) -> String {
    match added {
        0.0 => "0".to_owned(),
        added if added < 0.0 => format!("−{}", short_number(-added)),
        added => format!("+{}", short_number(added)),
    }
}

/// The name to the left, numbers to the right, and the rest to the left.
fn columns(rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max();
    let line = |row: &Vec<String>| {
        let cell = |(column, text): (usize, &String)| {
            let padding = " ".repeat(width(column).unwrap_or(0) - text.width());
            if [1, 2].contains(&column) { format!("{padding}{text}") } else { format!("{text}{padding}") }
        };
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
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
