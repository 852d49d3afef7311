//! What the cell shows, from the report.

use benchbook_host::units::{SPACE, TimeUnit, percent, significant};
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
    /// With the calls that lead to it.
    pub(super) full_name: String,
    pub(super) share: f64,
    /// The share in words.
    pub(super) label: String,
}

/// How many parts of a bar have a name of their own.
const MAX_PARTS: usize = 3;

/// The share from which on they do.
const MIN_SHARE: f64 = 0.01;

impl Part {
    /// What has no name of its own.
    fn other(share: f64, label: String) -> Self {
        Self { name: "other".to_owned(), full_name: "other".to_owned(), share, label }
    }
}

/// Reads a stored report; `None` if it is of another version.
pub(super) fn read(document: &SharedValue) -> Option<PinpointReport> {
    PinpointReport::deserialize(&*document.0).ok().filter(PinpointReport::is_readable)
}

/// The whole difference: instructions, time, growth, and the commit.
pub(super) fn totals(report: &PinpointReport) -> Vec<Total> {
    let pinpoint = &report.instructions;
    let [before, after] = pinpoint.points[pinpoint.shown].totals;
    let ratio = |ratio: f64| format!("{}{SPACE}×", significant(ratio, 3));
    let instructions = Total {
        name: "Wasm instructions, exact",
        value: if before > 0.0 { ratio(after / before) } else { signed(after) },
        details: format!("{} → {} per call", short_number(before), short_number(after)),
    };
    let (value, details) = match &report.time {
        Some(TimeChange::Measured { relative, low, high }) => {
            (ratio(1.0 + relative), format!("{} to {}", significant(1.0 + low, 3), significant(1.0 + high, 3)))
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
    let is_named = |(_, share): &&(_, f64)| *share >= MIN_SHARE;
    let named = same_way.iter().take(MAX_PARTS).take_while(is_named).count();
    let mut parts: Vec<Part> = same_way[..named]
        .iter()
        .map(|(contributor, share)| Part {
            name: contributor.path.last().map(|name| brief_name(name)).unwrap_or_default(),
            full_name: contributor.path.join(" > "),
            share: share / sum,
            label: percent(*share),
        })
        .collect();
    let rest: f64 = same_way[named..].iter().map(|(_, share)| share).sum();
    if rest > 0.0 {
        parts.push(Part::other(rest / sum, percent(rest)));
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
    let name = found.name.rsplit(" > ").next().unwrap_or_default().to_owned();
    let mut parts = vec![Part { name, full_name: found.name.clone(), share, label }];
    if share < 1.0 {
        parts.push(Part::other(1.0 - share, percent(1.0 - share)));
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

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use serde_json::{Value, json};

    use super::*;

    fn document(added: &[f64]) -> Value {
        let contributor = |(index, added): (usize, &f64)| {
            json!({ "path": ["run", format!("demo::f{index}")], "change": "new", "includes_calls": true, "name": format!("demo::f{index}"),
                "calls": [null, 1.0], "added": [added], "growth": ["constant", "n"] })
        };
        let contributors: Vec<Value> = added.iter().enumerate().map(contributor).collect();
        json!({
            "benchbook_pinpoint": 1, "totals": "run: more", "answer": "`run` now calls `f0`", "baseline": "main", "assembly": "cargo benchbook assembly run --baseline main",
            "time": { "kind": "measured", "relative": 0.5, "low": 0.4, "high": 0.6 },
            "instructions": {
                "function": "run", "metric": "instructions", "axis": "", "points": [{ "totals": [100.0, 100.0 + added.iter().sum::<f64>()] }],
                "shown": 0, "contributors": contributors, "chain": [], "cause_added": 0.0, "changed": [], "source": []
            },
        })
    }

    fn report(document: Value) -> Option<PinpointReport> {
        read(&SharedValue(Rc::new(document)))
    }

    fn compared(calls: Option<(usize, usize)>, name: &str, low: f64) -> Value {
        let calls = calls.map(|(start, end)| json!({ "start": start, "end": end }));
        json!({ "range": { "path": [], "calls": calls }, "name": name, "difference": { "low": low, "high": low + 2e6 } })
    }

    fn found(end: &str, calls: Option<(usize, usize)>) -> Found {
        let comparisons = json!([compared(None, "run", 9e6), compared(Some((0, 2)), "run, calls 1 to 2 of 4: f", 7e6)]);
        let range = json!({ "path": [], "calls": calls.map(|(start, end)| json!({ "start": start, "end": end })) });
        serde_json::from_value(
            json!({ "range": range, "name": "run, calls 1 to 2 of 4: f", "end": end, "comparisons": comparisons }),
        )
        .expect("it is a result")
    }

    #[test]
    fn documents_of_other_versions_are_not_shown() {
        let valid = document(&[10.0]);
        assert!(report(valid.clone()).is_some());
        for (pointer, value) in [
            ("/benchbook_pinpoint", json!(2)),
            ("/instructions/shown", json!(1)),
            ("/instructions/points", json!([])),
            ("/instructions/contributors/0/added", json!([])),
            ("/instructions/contributors/0/growth", json!(["cubic?", null])),
        ] {
            let mut changed = valid.clone();
            *changed.pointer_mut(pointer).expect("it exists") = value;
            assert_eq!(report(changed), None, "{pointer}");
        }
    }

    #[test]
    fn parts_add_up_and_small_ones_are_one() {
        let shown = |added: &[f64]| {
            let parts = parts(&report(document(added)).expect("it is valid"));
            assert!(parts.is_empty() || (parts.iter().map(|part| part.share).sum::<f64>() - 1.0).abs() < 1e-9);
            parts.into_iter().map(|part| format!("{} {}", part.name, part.label)).collect::<Vec<_>>()
        };
        assert_eq!(shown(&[60.0, 20.0, 10.0, 6.0, 4.0]), ["f0 60%", "f1 20%", "f2 10%", "other 10%"]);
        // What goes the other way has no part.
        assert_eq!(shown(&[150.0, -50.0]), ["f0 150%"]);
        assert_eq!(shown(&[]), [] as [&str; 0]);
    }

    #[test]
    fn the_totals_are_ratios_with_their_amounts() {
        let all = totals(&report(document(&[50.0])).expect("it is valid"));
        let text: Vec<String> = all
            .iter()
            .map(|total| {
                format!("{}: {} {}", total.name, total.value, total.details).replace(SPACE, " ").trim().to_owned()
            })
            .collect();
        assert_eq!(
            text,
            [
                "Wasm instructions, exact: 1.50 × 100 → 150 per call",
                "Native time, 95% interval: 1.50 × 1.40 to 1.60",
                "Compared with: `main`"
            ]
        );
    }

    #[test]
    fn what_was_found_by_time_is_a_part_of_the_whole() {
        let parts = |end, calls| time_parts(&found(end, calls)).into_iter().map(|part| part.label).collect::<Vec<_>>();
        assert_eq!(parts("undecided", Some((0, 2))), ["80% (70% to 90%)", "20%"]);
        assert_eq!(parts("differs", None), ["100%"]);
        assert_eq!(parts("not_slower", None), [] as [&str; 0]);
    }
}
