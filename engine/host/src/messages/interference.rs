//! Whether interruptions distort the mean so much that a curve should show the median instead.

use crate::response::MeasuredPoint;
use crate::units::percent;

/// The relative increase of the mean by interruptions at which the curve shows the median instead.
const DISTORTED: f64 = 0.1;

/// Returns why a curve shows only the median by default, or `None` if reported interruptions raise no point's mean by a tenth
/// or more. Points whose median is withheld do not count, since there is nothing else to show.
///
/// Interruptions that are only inferred from a batch's time do not count: the function itself may stall.
pub fn reason_to_hide_mean<'a>(points: impl Iterator<Item = &'a MeasuredPoint>) -> Option<String> {
    let most = points.filter(|point| point.summary.median.is_some()).map(increase_by_interruptions).fold(0.0, f64::max);
    (most >= DISTORTED).then(|| format!("hidden: interruptions raise it by up to {}", percent(most)))
}

/// The relative increase of the mean by the interruptions that the system reported.
fn increase_by_interruptions(point: &MeasuredPoint) -> f64 {
    let without = point.summary.uninterrupted_mean.filter(|mean| *mean > 0.0);
    without.map_or(0.0, |without| point.summary.mean / without - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::blocks::RunTimes;
    use crate::analyze::stability::Stability;
    use crate::analyze::statistics::{Basis, Summary, summarize};
    use crate::response::{Run, Sample};

    /// A point of ten samples of a millisecond, the last of which was interrupted for this many milliseconds.
    fn point(lost_ms: f64, inferred: bool) -> MeasuredPoint {
        let mut samples = vec![Sample { elapsed: 1e6, ..Sample::default() }; 10];
        samples[9] = Sample { elapsed: 1e6 * (1.0 + lost_ms), interrupted: true, inferred, ..samples[9] };
        let run = Run::of_single_calls(samples, vec![10], Stability::Settled);
        let times = run.times();
        let runs = [RunTimes::without_overhead(&times, &run.blocks)];
        let uninterrupted_mean = run.uninterrupted_mean().filter(|_| !inferred);
        let basis = Basis { uninterrupted_mean, ..Basis::of(&runs, 10) };
        MeasuredPoint::new(summarize(&basis).expect("there are samples"), Vec::new())
    }

    #[test]
    fn the_mean_is_hidden_if_interruptions_raise_it_by_a_tenth() {
        assert_eq!(reason_to_hide_mean([point(0.9, false)].iter()), None);
        assert_eq!(reason_to_hide_mean([point(3.0, true)].iter()), None, "it may be the function's own");
        let text = reason_to_hide_mean([point(0.1, false), point(3.0, false)].iter());
        assert_eq!(text.as_deref(), Some("hidden: interruptions raise it by up to 30\u{202f}%"));
        let mut without_median = point(3.0, false);
        without_median.summary = Summary { median: None, ..without_median.summary };
        assert_eq!(reason_to_hide_mean([without_median].iter()), None);
    }
}
