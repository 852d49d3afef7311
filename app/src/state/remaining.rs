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

    fn remaining(priority: Priority, elapsed_ms: f64, done: usize, total: Option<usize>, functions: usize) -> f64 {
        let pace = Pace { priority, elapsed_ms, done, total, functions, own_ms: None, has_first_calls: false };
        remaining_ms(&Qualities::default(), pace)
    }

    /// The default qualities: 5 points of 60 ms, 9 of 150 ms, 17 of 500 ms, 33 of 1 500 ms.
    const ALL: f64 = 300.0 + 1_350.0 + 8_500.0 + 49_500.0;

    #[test]
    fn before_the_first_point_equals_the_granted_time() {
        assert_eq!(remaining(Priority::FIRST, 0.0, 0, None, 1), ALL);
        assert_eq!(remaining(Priority::FIRST, 0.0, 0, None, 3), 3.0 * ALL);
        assert_eq!(remaining(Priority::LAST, 0.0, 0, None, 1), 49_500.0);
    }

    #[test]
    fn scales_with_the_pace_of_completed_points() {
        assert_eq!(remaining(Priority::LAST, 7_500.0, 10, Some(33), 1), 0.5 * 23.0 * 1_500.0);
        assert_eq!(remaining(Priority::LAST, 49_500.0, 33, Some(33), 1), 0.0);
    }

    #[test]
    fn limits_the_effect_of_one_slow_point() {
        assert_eq!(remaining(Priority::FIRST, 60_000.0, 1, Some(5), 1), MAX_RATIO * (ALL - 60.0));
    }

    #[test]
    fn uses_the_users_time_for_the_last_priority() {
        let pace = Pace {
            priority: Priority::FIRST,
            elapsed_ms: 0.0,
            done: 0,
            total: None,
            functions: 2,
            own_ms: Some(100.0),
            has_first_calls: false,
        };
        assert_eq!(remaining_ms(&Qualities::default(), pace), 2.0 * (ALL - 49_500.0 + 3_300.0));
        let last = Pace { priority: Priority::LAST, total: Some(33), ..pace };
        assert_eq!(remaining_ms(&Qualities::default(), last), 2.0 * 1_650.0);
    }

    #[test]
    fn first_calls_double_the_time_after_the_first_priority() {
        let pace = Pace {
            priority: Priority::FIRST,
            elapsed_ms: 0.0,
            done: 0,
            total: None,
            functions: 1,
            own_ms: None,
            has_first_calls: true,
        };
        assert_eq!(remaining_ms(&Qualities::default(), pace), 2.0 * ALL - 300.0);
        assert_eq!(remaining_ms(&Qualities::default(), Pace { priority: Priority::LAST, ..pace }), 99_000.0);
    }
}
