//! Whether the first, quick curve shows longer times than the final one.

use super::statistics::Summary;

/// The minimum factor between the means of two priorities that is worth a note.
const SLOW_FIRST_FACTOR: f64 = 1.1;

/// The factor by which the mean of an earlier priority exceeds that of a later one, if it is at least 1.1 and the intervals
/// do not overlap, as for code that a browser had not optimised yet.
pub fn slow_first_factor(earlier: &Summary, later: &Summary) -> Option<f64> {
    let (before, after) = (earlier.mean_interval?, later.mean_interval?);
    let factor = earlier.mean / later.mean;
    (before.low > after.high && after.low > 0.0 && factor >= SLOW_FIRST_FACTOR).then_some(factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::blocks::RunTimes;
    use crate::analyze::interval::Interval;
    use crate::analyze::statistics::{Basis, summarize};

    fn with_interval(mean: f64, low: f64, high: f64) -> Summary {
        let runs = [RunTimes::without_overhead(&[5.0], &[1])];
        let summary = summarize(&Basis::of(&runs, 1)).expect("there is a sample");
        Summary { mean, mean_interval: Some(Interval { low, high }), ..summary }
    }

    #[test]
    fn requires_intervals_that_do_not_overlap() {
        let later = with_interval(10.0, 9.0, 11.0);
        assert_eq!(slow_first_factor(&with_interval(23.0, 20.0, 26.0), &later), Some(2.3));
        assert_eq!(slow_first_factor(&with_interval(12.0, 10.5, 13.5), &later), None, "the intervals overlap");
        assert_eq!(slow_first_factor(&with_interval(5.0, 4.0, 6.0), &later), None, "it was faster");
    }
}
