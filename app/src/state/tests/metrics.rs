//! Metrics in the columns, the export and the growth of a cell.

use benchbook_contract::protocol::Counts;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::metric::{ALLOCATIONS, INSTRUCTIONS, METRICS, TIME};
use benchbook_host::quality::Priority;
use benchbook_host::response::{
    CounterAbsence, DeclaredWork, EventCounts, EventEstimate, EventsPerCall, MemoryUse, Outcome, Point,
};
use proptest::prelude::*;

use super::points::measured;
use super::{after, in_browser, started};
use crate::state::cell::LiveCell;
use benchbook_report::growth::growth_sentences;
use benchbook_report::table_rows::metrics_of;
use benchbook_report::table_text::as_text;

/// Events of a call with this many allocations. The interval contains 0 for up to two of them.
fn events(allocations: u64) -> EventsPerCall {
    let mean = 100.0 * allocations as f64;
    let estimate = EventEstimate { mean, sd: 90.0, interval: Interval { low: mean - 250.0, high: mean + 250.0 } };
    let (instructions, cycles) = (estimate, Some(estimate));
    EventsPerCall {
        calls: 64,
        differences: 12,
        instructions,
        cycles,
        branch_misses: Some(estimate),
        cache_misses: None,
    }
}

/// A point whose calls make this many allocations, and process as many elements.
fn allocating(x: f64, allocations: Option<u64>) -> Point {
    let mut point = measured(x, 5.0);
    if let Outcome::Measured(measured) = &mut point.outcome {
        let counts = allocations.map(|allocations| Counts { allocations, bytes: 8 * allocations, peak: allocations });
        measured.memory = counts.map(|counts| MemoryUse { calls: 1, counts });
        measured.events = Some(match allocations {
            Some(allocations) => EventCounts::Counted(events(allocations)),
            None => EventCounts::Absent(CounterAbsence::Busy),
        });
        measured.work = DeclaredWork { elements: allocations.filter(|elements| *elements > 0), bytes: None };
    }
    point
}

fn cell_of(points: Vec<Point>) -> LiveCell {
    after([started(), in_browser(Priority::FIRST, points)])
}

#[test]
fn a_cell_without_counts_has_no_further_metrics() {
    assert_eq!(metrics_of(&cell_of(vec![allocating(100.0, None)]).results.shown()).len(), 0);
}

#[test]
fn the_growth_is_that_of_the_plotted_metric() {
    let shown = cell_of([100.0, 200.0, 400.0].map(|x| allocating(x, Some(2 * x as u64))).to_vec()).results.shown();
    assert_eq!(growth_sentences(&shown, &ALLOCATIONS), ["The allocations of sort are exactly 2 × size per call."]);
    assert_eq!(growth_sentences(&shown, &TIME), [""; 0], "three points do not suffice for times");
    assert_eq!(growth_sentences(&shown, &INSTRUCTIONS), [""; 0], "estimates have no exact growth");
}

proptest! {
    /// Each metric has a column, with its value in each row that has one.
    #[test]
    fn the_export_contains_every_value(counts in prop::collection::vec(prop::option::of(0_u64..1 << 40), 1..6)) {
        let points = counts.iter().enumerate().map(|(index, count)| allocating(100.0 * (index + 1) as f64, *count));
        let shown = cell_of(points.collect()).results.shown();
        let text = as_text(&shown, &[]);
        let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let head = lines.next().expect("the table has a header");
        let rows: Vec<Vec<&str>> = lines.collect();
        for metric in METRICS.into_iter().filter(|metric| **metric != TIME) {
            let column = head.iter().position(|heading| *heading == metric.heading());
            let readings = shown[0].trace.curve.readings();
            let values = readings.iter().map(|reading| (metric.value)(reading.measured()?)?.centre());
            let values: Vec<Option<f64>> = values.collect();
            prop_assert_eq!(column.is_some(), values.iter().any(Option::is_some), "{}", metric.name);
            let bound = head.iter().position(|heading| *heading == format!("{}, lower bound", metric.heading()));
            prop_assert_eq!(bound.is_some(), column.is_some() && metric.collection.is_noisy(), "{}", metric.name);
            for (row, value) in rows.iter().zip(values) {
                let expected = value.map(|value| value.to_string()).unwrap_or_default();
                prop_assert_eq!(column.map(|column| row[column]).unwrap_or_default(), expected);
            }
        }
    }
}
