//! What the cell shows, from the report.

use benchbook_host::units::{SPACE, TimeUnit, percent};
use benchbook_notebook::result::SharedValue;
use benchbook_pinpoint::words::{growth_change, signed};
use benchbook_pinpoint::{FindEnd, Found, PinpointReport, RangeComparison, TimeChange, TimeDifference, short_hash};
use benchbook_profile::{ProfileGrowth, brief_name, short_number};
use serde::Deserialize;

/// A figure of the whole difference. Names of code are in backticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Total {
    pub(super) name: &'static str,
    pub(super) value: String,
    pub(super) details: String,
}

/// A part of a bar. All parts add up to 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) share: f64,
    /// The share in words.
    pub(super) label: String,
}

/// How many parts of a bar have a name of their own.
const MAX_PARTS: usize = 3;

/// Reads a stored report; `None` if it is of another version.
pub(super) fn read(document: &SharedValue) -> Option<PinpointReport> {
    PinpointReport::deserialize(&*document.0).ok().filter(PinpointReport::is_readable)
}

/// The whole difference: instructions, time, growth, and the commit.
pub(super) fn totals(report: &PinpointReport) -> Vec<Total> {
    let pinpoint = &report.instructions;
    let [before, after] = pinpoint.points[pinpoint.shown].totals;
    let ratio = |ratio: f64| format!("{ratio:.2}{SPACE}×");
    let instructions = Total {
        name: "Wasm instructions, exact",
        value: if before > 0.0 { ratio(after / before) } else { signed(after) },
        details: format!("{} → {} per call", short_number(before), short_number(after)),
    };
    let (value, details) = match &report.time {
        Some(TimeChange::Measured { relative, low, high }) => {
            (ratio(1.0 + relative), format!("{:.2} to {:.2}", 1.0 + low, 1.0 + high))
        }
        Some(TimeChange::SameCode) => (ratio(1.0), "the same native code".to_owned()),
        Some(TimeChange::Failed { reason }) => ("unknown".to_owned(), reason.clone()),
        None => ("not measured".to_owned(), String::new()),
    };
    let time = Total { name: "Native time, 95% interval", value, details };
    let growth = pinpoint.cause().map(|cause| {
        let growth = growth_change(cause.difference.growth.map(|growth| growth.map(ProfileGrowth::label)));
        Total {
            name: "Growth of the cause",
            value: if growth.is_empty() { "unknown".to_owned() } else { growth },
            details: format!("`{}`", cause.short_name),
        }
    });
    let commit = match &report.found {
        Some(found) => Total {
            name: "First slow commit",
            value: format!("`{}`", short_hash(&found.commit)),
            details: found.subject.clone(),
        },
        None => Total { name: "Compared with", value: format!("`{}`", report.baseline), details: String::new() },
    };
    [instructions, time].into_iter().chain(growth).chain([commit]).collect()
}

/// The contributors with the largest amounts, and the others as one part. Those that go the other way are left out: nothing of the bar is theirs.
pub(super) fn parts(report: &PinpointReport) -> Vec<Part> {
    let pinpoint = &report.instructions;
    let all = pinpoint.added();
    let share = |added: f64| added / all;
    let same_way: Vec<_> = pinpoint
        .contributors
        .iter()
        .map(|contributor| (contributor, share(contributor.difference.added[pinpoint.shown])))
        .filter(|(_, share)| share.is_finite() && *share > 0.0)
        .collect();
    let sum: f64 = same_way.iter().map(|(_, share)| share).sum();
    let mut parts: Vec<Part> = same_way
        .iter()
        .take(MAX_PARTS)
        .map(|(contributor, share)| Part {
            name: contributor.path.last().map(|name| brief_name(name)).unwrap_or_default(),
            share: share / sum,
            label: percent(*share),
        })
        .collect();
    let rest: f64 = same_way.iter().skip(MAX_PARTS).map(|(_, share)| share).sum();
    if rest > 0.0 {
        parts.push(Part { name: "other".to_owned(), share: rest / sum, label: percent(rest) });
    }
    parts
}

/// What was found by time, as parts of the whole difference; empty unless a part was found.
pub(super) fn time_parts(found: &Found) -> Vec<Part> {
    let whole = found.comparisons.first();
    let part = found.comparisons.iter().rev().find(|comparison| comparison.range == found.range);
    let (Some(whole), Some(part), true) = (whole, part, found.end != FindEnd::NotSlower) else { return Vec::new() };
    let share = (middle(part) / middle(whole)).clamp(0.0, 1.0);
    let [low, high] = [part.difference.low, part.difference.high].map(|end| (end / middle(whole)).clamp(0.0, 1.0));
    let label = match part.range == whole.range {
        true => percent(1.0),
        false => format!("{} ({} to {})", percent(share), percent(low), percent(high)),
    };
    let mut parts = vec![Part { name: found.name.clone(), share, label }];
    if share < 1.0 {
        parts.push(Part { name: "other".to_owned(), share: 1.0 - share, label: percent(1.0 - share) });
    }
    parts
}

/// The middle of the interval.
pub(super) fn middle(comparison: &RangeComparison) -> f64 {
    f64::midpoint(comparison.difference.low, comparison.difference.high)
}

/// The interval of a difference: `+1.3 ms to +1.4 ms`.
pub(super) fn interval(TimeDifference { low, high }: TimeDifference) -> String {
    format!("{} to {}", signed_time(low), signed_time(high))
}

pub(super) fn signed_time(nanoseconds: f64) -> String {
    format!(
        "{}{}",
        if nanoseconds < 0.0 { '−' } else { '+' },
        TimeUnit::for_largest(nanoseconds).format(nanoseconds.abs())
    )
}
