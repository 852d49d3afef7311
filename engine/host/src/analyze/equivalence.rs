//! Whether two functions take different times, the same time within a margin, or whether that is undecided.

use crate::analyze::interval::Interval;

/// The outcome of a comparison at an axis value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decision {
    /// The times differ: the interval of the ratio does not contain 1.
    Different,
    /// The times are the same within the margin.
    Same,
    /// Neither is certain.
    Undecided {
        /// The factor by which to extend the measurement for a decision in 80% of cases, if the true ratio is the estimate.
        /// Infinite if no time suffices.
        factor: f64,
    },
}

/// The factors by which an interval has to be narrower than just sufficient, for a power of 80%, with the normal quantiles
/// of 97.5, 95, 90 and 80%: (1.960 + 0.842) / 1.960 for a difference, and (1.645 + 1.282) / 1.645 for two one-sided tests of
/// equal functions.
const POWER_TO_DIFFER: f64 = 1.43;
const POWER_TO_AGREE: f64 = 1.78;

/// The intervals of a ratio for the two decisions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioIntervals {
    /// The interval that contains the ratio in 95% of cases. If it does not contain 1, the times differ.
    pub interval: Interval,
    /// The interval between the bounds of two one-sided tests. If it is inside the margin, the times are the same.
    pub equivalence: Interval,
}

impl RatioIntervals {
    /// Decides a comparison. `margin`: the relative difference up to which times count as the same; 0.01 is ±1%.
    ///
    /// The two one-sided tests of D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power
    /// approach for assessing the equivalence of average bioavailability", *Journal of Pharmacokinetics and
    /// Biopharmaceutics* 15 (1987) 657–680: is the ratio above 1/(1 + margin), and is it below 1 + margin?
    /// Each is tested at 5%, and at most one of them can err. A difference that is certain is reported even if it is within the margin.
    pub fn decide(&self, margin: f64) -> Decision {
        let bound = margin.ln_1p();
        if !self.interval.contains(1.0) {
            return Decision::Different;
        }
        let (low, high) = (self.equivalence.low.ln(), self.equivalence.high.ln());
        if -bound < low && high < bound {
            return Decision::Same;
        }
        // Half-widths decrease with the square root of the time.
        let half_width = |interval: Interval| (interval.high / interval.low).ln() / 2.0;
        let distance = (self.interval.low * self.interval.high).ln().abs() / 2.0;
        let to_differ = POWER_TO_DIFFER * half_width(self.interval) / distance;
        let room = bound - distance;
        let to_agree = if room > 0.0 { POWER_TO_AGREE * half_width(self.equivalence) / room } else { f64::INFINITY };
        Decision::Undecided { factor: to_differ.min(to_agree).powi(2) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(low: f64, high: f64, margin: f64) -> Decision {
        let interval = Interval { low, high };
        // As if the one-sided tests had the same level.
        RatioIntervals { interval, equivalence: interval }.decide(margin)
    }

    #[test]
    fn decides_by_both_intervals() {
        assert_eq!(decide(1.001, 1.002, 0.01), Decision::Different);
        assert_eq!(decide(0.98, 0.99, 0.01), Decision::Different);
        assert_eq!(decide(0.995, 1.009, 0.01), Decision::Same);
        assert!(matches!(decide(0.995, 1.011, 0.01), Decision::Undecided { .. }));
        assert!(matches!(decide(0.98, 1.01, 0.01), Decision::Undecided { .. }));
        assert_eq!(decide(0.98, 1.01, 0.03), Decision::Same);
        // The one-sided tests need less.
        let equivalence = Interval { low: 0.997, high: 1.008 };
        let intervals = RatioIntervals { interval: Interval { low: 0.995, high: 1.011 }, equivalence };
        assert_eq!(intervals.decide(0.01), Decision::Same);
    }

    #[test]
    fn a_decision_takes_the_square_of_the_required_precision() {
        let around = |middle: f64, half: f64| decide((middle - half).exp(), (middle + half).exp(), 0.05_f64.exp_m1());
        let factor = |decision| match decision {
            Decision::Undecided { factor } => factor,
            other => panic!("{other:?}"),
        };
        let (differ, agree) = (POWER_TO_DIFFER.powi(2), POWER_TO_AGREE.powi(2));
        // A third of the half-width would just separate the ratio from 1; a twelfth would fit the margin.
        assert!((factor(around(0.04, 0.12)) - 9.0 * differ).abs() < 1e-9);
        // Half of it would just fit the margin.
        assert!((factor(around(0.0, 0.1)) - 4.0 * agree).abs() < 1e-9);
        assert!((factor(around(0.06, 0.12)) - 4.0 * differ).abs() < 1e-9);
    }
}
