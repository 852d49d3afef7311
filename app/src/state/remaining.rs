//! How long the rest of a measurement takes.

use benchbook_host::quality::{Priority, Qualities};

/// A point may take longer than its quality says, by slow calls for instance; one that takes more than this many times
/// as long says nothing about the others.
const SLOWEST: f64 = 4.0;

/// How far a priority is, and how long that took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// The priority at work.
    pub(crate) priority: Priority,
    /// Milliseconds since it began.
    pub(crate) elapsed_ms: f64,
    /// Points done.
    pub(crate) done: usize,
    /// All its points; absent before they are known.
    pub(crate) of: Option<usize>,
    /// How many functions are measured together.
    pub(crate) functions: usize,
    /// The time for a point of the last priority in milliseconds, where a person says another.
    pub(crate) own_ms: Option<f64>,
}

/// About how many milliseconds the rest takes, higher priorities included: the time that their qualities grant, at the
/// pace of the points so far. Points that reach their precision early make it shorter.
pub(crate) fn remaining_ms(qualities: &Qualities, pace: Pace) -> f64 {
    let own = |priority: Priority| pace.own_ms.filter(|_| priority == Priority::LAST);
    let granted = |priority: Priority| own(priority).unwrap_or(qualities.of(priority).point_ms);
    let most = |priority: Priority| qualities.of(priority).points as usize * pace.functions;
    let of = pace.of.unwrap_or_else(|| most(pace.priority));
    let spent = pace.done as f64 * granted(pace.priority);
    let ratio = if spent > 0.0 { (pace.elapsed_ms / spent).min(SLOWEST) } else { 1.0 };
    let here = of.saturating_sub(pace.done) as f64 * granted(pace.priority);
    let later = Priority::all().filter(|priority| *priority > pace.priority);
    let later: f64 = later.map(|priority| most(priority) as f64 * granted(priority)).sum();
    ratio * (here + later)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remaining(priority: Priority, elapsed_ms: f64, done: usize, of: Option<usize>, functions: usize) -> f64 {
        remaining_ms(&Qualities::default(), Pace { priority, elapsed_ms, done, of, functions, own_ms: None })
    }

    /// 5 points of 40 ms, 9 of 150, 17 of 500, 33 of 1 500.
    const ALL: f64 = 200.0 + 1_350.0 + 8_500.0 + 49_500.0;

    #[test]
    fn before_the_first_point_it_is_what_the_qualities_grant() {
        assert_eq!(remaining(Priority::FIRST, 0.0, 0, None, 1), ALL);
        assert_eq!(remaining(Priority::FIRST, 0.0, 0, None, 3), 3.0 * ALL);
        assert_eq!(remaining(Priority::LAST, 0.0, 0, None, 1), 49_500.0);
    }

    #[test]
    fn points_that_are_done_set_the_pace() {
        assert_eq!(remaining(Priority::LAST, 7_500.0, 10, Some(33), 1), 0.5 * 23.0 * 1_500.0);
        assert_eq!(remaining(Priority::LAST, 49_500.0, 33, Some(33), 1), 0.0);
    }

    #[test]
    fn one_slow_point_does_not_multiply_the_rest() {
        assert_eq!(remaining(Priority::FIRST, 60_000.0, 1, Some(5), 1), SLOWEST * (ALL - 40.0));
    }

    #[test]
    fn the_last_priority_may_take_its_own_time() {
        let pace =
            Pace { priority: Priority::FIRST, elapsed_ms: 0.0, done: 0, of: None, functions: 2, own_ms: Some(100.0) };
        assert_eq!(remaining_ms(&Qualities::default(), pace), 2.0 * (ALL - 49_500.0 + 3_300.0));
        let last = Pace { priority: Priority::LAST, of: Some(33), ..pace };
        assert_eq!(remaining_ms(&Qualities::default(), last), 2.0 * 1_650.0);
    }
}
