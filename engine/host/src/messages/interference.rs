//! Whether interruptions determine the mean, so that a curve should show the median instead.

use crate::response::{Measured, Warning};
use crate::units::percent;

/// The relative increase of the mean from which on interruptions dominate it.
const DOMINANT: f64 = 0.1;

/// Why a curve shows only the median by default; `None` if interruptions raise the mean of none of its points by a tenth or
/// more. Points whose median is withheld do not count, since there is nothing else to show.
pub fn reason_to_hide_mean<'a>(points: impl Iterator<Item = &'a Measured>) -> Option<String> {
    let most = points.filter(|point| point.summary.median.is_some()).map(increase_by_interruptions).fold(0.0, f64::max);
    (most >= DOMINANT).then(|| format!("hidden: interruptions raise it by up to {}", percent(most)))
}

/// The relative increase of the mean by the interruptions of its samples.
fn increase_by_interruptions(point: &Measured) -> f64 {
    let lost = point.warnings.iter().find_map(|warning| match warning {
        Warning::Interrupted { ms, .. } => Some(ms * 1e6),
        _ => None,
    });
    let counted = point.samples().filter(|(_, sample)| !sample.warm_up);
    let total: f64 = counted.map(|(_, sample)| sample.elapsed).sum();
    lost.map_or(0.0, |lost| lost / (total - lost))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::blocks::RunTimes;
    use crate::analyze::stability::Stability;
    use crate::analyze::statistics::{Basis, Summary, summarize};
    use crate::response::{Overhead, Run, Sample};

    /// A point of ten samples of a millisecond, the last of which was interrupted for this many.
    fn point(lost_ms: f64) -> Measured {
        let mut samples = vec![Sample { elapsed: 1e6, warm_up: false, interrupted: false, inferred: false }; 10];
        samples[9] = Sample { elapsed: 1e6 * (1.0 + lost_ms), interrupted: true, ..samples[9] };
        let run = Run {
            calls: 1,
            overhead: Overhead::default(),
            stability: Stability::Settled,
            reference: None,
            samples,
            blocks: vec![10],
        };
        let times = run.times();
        let runs = &[RunTimes { times: &times, blocks: &run.blocks, overhead: 0.0, systematic: 0.0 }];
        let basis = Basis {
            runs,
            calls: 10,
            resolution: 0.0,
            uninterrupted_mean: run.uninterrupted_mean(),
            quartiles_withheld: false,
            stability: Stability::Settled,
        };
        let summary = summarize(&basis).expect("there are samples");
        let warnings = vec![Warning::Interrupted { samples: 1, ms: lost_ms }];
        Measured { summary, runs: vec![run], outputs: None, warnings }
    }

    #[test]
    fn the_mean_is_hidden_if_interruptions_raise_it_by_a_tenth() {
        assert_eq!(reason_to_hide_mean([point(0.9)].iter()), None);
        let text = reason_to_hide_mean([point(0.1), point(3.0)].iter());
        assert_eq!(text.as_deref(), Some("hidden: interruptions raise it by up to 30\u{202f}%"));
        let mut without_median = point(3.0);
        without_median.summary = Summary { median: None, ..without_median.summary };
        assert_eq!(reason_to_hide_mean([without_median].iter()), None);
    }
}
