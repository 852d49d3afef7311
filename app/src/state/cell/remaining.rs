//! The estimated remaining time of a measurement.

use benchbook_host::quality::{Priority, Qualities};

/// The largest ratio of measured to granted time to extrapolate: a point that exceeds it, because of slow calls for
/// instance, is not representative.
const MAX_RATIO: f64 = 4.0;

/// The progress of a priority and the time spent on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// The current priority.
    pub(crate) priority: Priority,
    /// Milliseconds since its start.
    pub(crate) elapsed_ms: f64,
    /// Completed points.
    pub(crate) done: usize,
    /// All its points; `None` before they are known.
    pub(crate) total: Option<usize>,
    /// The number of functions measured together.
    pub(crate) functions: usize,
    /// The user's time per point of the last priority, in milliseconds; `None` uses the quality's.
    pub(crate) own_ms: Option<f64>,
    /// Whether first calls are measured, too, which may take as long as the steady state. In a browser, the first priority has none.
    pub(crate) has_first_calls: bool,
}

/// Estimates the remaining time including higher priorities, in milliseconds: the time that the qualities grant, scaled by
/// the pace of the points so far. Points that reach their precision early shorten it.
pub(crate) fn remaining_ms(qualities: &Qualities, pace: Pace) -> f64 {
    let own = |priority: Priority| pace.own_ms.filter(|_| priority == Priority::LAST);
    let parts = |priority: Priority| if pace.has_first_calls && priority > Priority::FIRST { 2.0 } else { 1.0 };
    let granted = |priority: Priority| parts(priority) * own(priority).unwrap_or(qualities.of(priority).point_ms);
    let max_points = |priority: Priority| qualities.of(priority).points as usize * pace.functions;
    let total = pace.total.unwrap_or_else(|| max_points(pace.priority));
    let spent = pace.done as f64 * granted(pace.priority);
    let ratio = if spent > 0.0 { (pace.elapsed_ms / spent).min(MAX_RATIO) } else { 1.0 };
    let here = total.saturating_sub(pace.done) as f64 * granted(pace.priority);
    let later = Priority::all().filter(|priority| *priority > pace.priority);
    let later: f64 = later.map(|priority| max_points(priority) as f64 * granted(priority)).sum();
    ratio * (here + later)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The default qualities: 5 points of 60 ms, 9 of 150 ms, 17 of 500 ms, 33 of 1 500 ms.
    const ALL: f64 = 300.0 + 1_350.0 + 8_500.0 + 49_500.0;

    #[test]
    fn extrapolates_the_granted_time() {
        let first = Pace {
            priority: Priority::FIRST,
            elapsed_ms: 0.0,
            done: 0,
            total: None,
            functions: 1,
            own_ms: None,
            has_first_calls: false,
        };
        let last = Pace { priority: Priority::LAST, total: Some(33), ..first };
        let own = |pace: Pace| Pace { functions: 2, own_ms: Some(100.0), ..pace };
        let with_first_calls = |pace: Pace| Pace { has_first_calls: true, ..pace };
        let table = [
            ("before the first point", first, ALL),
            ("of three functions", Pace { functions: 3, ..first }, 3.0 * ALL),
            ("of the last priority", Pace { total: None, ..last }, 49_500.0),
            ("at half the granted time", Pace { elapsed_ms: 7_500.0, done: 10, ..last }, 0.5 * 23.0 * 1_500.0),
            ("at the end", Pace { elapsed_ms: 49_500.0, done: 33, ..last }, 0.0),
            (
                "after a slow point",
                Pace { elapsed_ms: 60_000.0, done: 1, total: Some(5), ..first },
                MAX_RATIO * (ALL - 60.0),
            ),
            ("with the user's time for the last priority", own(first), 2.0 * (ALL - 49_500.0 + 3_300.0)),
            ("with the user's time for this priority", own(last), 2.0 * 1_650.0),
            ("with first calls, which the first priority lacks", with_first_calls(first), 2.0 * ALL - 300.0),
            ("with first calls", with_first_calls(Pace { total: None, ..last }), 99_000.0),
        ];
        for (case, pace, expected) in table {
            assert_eq!(remaining_ms(&Qualities::default(), pace), expected, "{case}");
        }
    }
}
