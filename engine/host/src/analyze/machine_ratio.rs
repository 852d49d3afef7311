//! The ratio of the times of one function on two machines.

use crate::analyze::interval::Interval;

/// The median or the mean time of a function on one machine, in nanoseconds per call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeEstimate {
    /// The estimate.
    pub value: f64,
    /// Its 95% interval; absent if there are too few samples for one.
    pub interval: Option<Interval>,
}

/// The time on one machine divided by that on another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MachineRatio {
    /// The ratio: 2 if the function takes twice as long on the first machine.
    pub value: f64,
    /// Its 95% interval; absent if either time has none, or one that is not above 0.
    pub interval: Option<Interval>,
}

/// Divides the time on one machine by that on another; `None` unless both are above 0.
///
/// The measurements are independent, so the errors of the logarithms are combined in quadrature. Intervals of medians are
/// asymmetric, so each end has its own errors, by G. Y. Zou and A. Donner, "Construction of confidence limits about effect
/// measures: A general approach", *Statistics in Medicine* 27 (2008) 1693–1702. With times s and t and their intervals
/// [s₁, s₂] and [t₁, t₂], the interval of s/t is from s/t · exp(−√(ln²(s/s₁) + ln²(t₂/t))) to
/// s/t · exp(√(ln²(s₂/s) + ln²(t/t₁))).
///
/// The interval covers the variation within these two measurements only: it implies nothing about another browser, another
/// machine, or the same ones under another load.
pub fn machine_ratio(one: TimeEstimate, other: TimeEstimate) -> Option<MachineRatio> {
    if one.value <= 0.0 || other.value <= 0.0 {
        return None;
    }
    let value = one.value / other.value;
    let interval = distances(one).zip(distances(other)).map(|(one, other)| Interval {
        low: value * (-one.below.hypot(other.above)).exp(),
        high: value * one.above.hypot(other.below).exp(),
    });
    Some(MachineRatio { value, interval })
}

/// The distances of the ends of an interval from its estimate, in natural logarithms.
struct LogDistances {
    below: f64,
    above: f64,
}

/// `None` without an interval above 0. An end on the wrong side of the estimate counts as equal to it.
fn distances(TimeEstimate { value, interval }: TimeEstimate) -> Option<LogDistances> {
    let Interval { low, high } = interval.filter(|interval| interval.low > 0.0)?;
    Some(LogDistances { below: (value / low).ln().max(0.0), above: (high / value).ln().max(0.0) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn time(value: f64, low: f64, high: f64) -> TimeEstimate {
        TimeEstimate { value, interval: Some(Interval { low, high }) }
    }

    #[test]
    fn combines_relative_errors_in_quadrature() {
        let (three, four) = (0.03_f64.exp(), 0.04_f64.exp());
        let ratio = machine_ratio(time(200.0, 200.0 / three, 200.0 * three), time(100.0, 100.0 / four, 100.0 * four));
        let MachineRatio { value, interval } = ratio.expect("both are above 0");
        let Interval { low, high } = interval.expect("both have intervals");
        assert_eq!(value, 2.0);
        assert!(((high / value).ln() - 0.05).abs() < 1e-12 && ((value / low).ln() - 0.05).abs() < 1e-12);
    }

    #[test]
    fn each_end_has_its_own_errors() {
        let ratio = machine_ratio(time(100.0, 100.0, 110.0), time(50.0, 50.0, 60.0)).expect("both are above 0");
        let Interval { low, high } = ratio.interval.expect("both have intervals");
        assert!((low - 100.0 / 60.0).abs() < 1e-12 && (high - 110.0 / 50.0).abs() < 1e-12, "{low} {high}");
        // The mean's interval of skewed samples may end below the mean of rare slow ones.
        let ratio = machine_ratio(time(100.0, 80.0, 99.0), time(50.0, 50.0, 50.0)).expect("both are above 0");
        assert_eq!(ratio.interval.map(|interval| interval.high), Some(2.0));
    }

    #[test]
    fn needs_times_above_zero() {
        let fine = time(100.0, 90.0, 110.0);
        for value in [0.0, -5.0] {
            assert_eq!(machine_ratio(time(value, -10.0, 10.0), fine), None);
            assert_eq!(machine_ratio(fine, time(value, -10.0, 10.0)), None);
        }
        for uncertain in [time(100.0, -1.0, 201.0), TimeEstimate { value: 100.0, interval: None }] {
            assert_eq!(machine_ratio(uncertain, fine), Some(MachineRatio { value: 1.0, interval: None }));
            assert_eq!(machine_ratio(fine, uncertain), Some(MachineRatio { value: 1.0, interval: None }));
        }
    }

    fn times() -> impl Strategy<Value = TimeEstimate> {
        (1.0..1e6_f64, 1.0..3.0_f64, 1.0..3.0_f64)
            .prop_map(|(value, below, above)| time(value, value / below, value * above))
    }

    fn scaled(time: TimeEstimate, factor: f64) -> TimeEstimate {
        let interval = time.interval.map(|Interval { low, high }| Interval { low: low * factor, high: high * factor });
        TimeEstimate { value: time.value * factor, interval }
    }

    fn ends(ratio: Option<MachineRatio>) -> [f64; 3] {
        let MachineRatio { value, interval } = ratio.expect("times are above 0");
        let Interval { low, high } = interval.expect("both have intervals");
        [low, value, high]
    }

    fn are_close(one: [f64; 3], other: [f64; 3]) -> bool {
        one.iter().zip(other).all(|(one, other)| (one / other - 1.0).abs() < 1e-9)
    }

    proptest! {
        #[test]
        fn scales_with_either_time(one in times(), other in times(), factor in 1e-3..1e3_f64) {
            let ratio = ends(machine_ratio(one, other));
            prop_assert!(are_close(ends(machine_ratio(scaled(one, factor), other)), ratio.map(|end| end * factor)));
            prop_assert!(are_close(ends(machine_ratio(one, scaled(other, factor))), ratio.map(|end| end / factor)));
            prop_assert!(ratio[0] <= ratio[1] && ratio[1] <= ratio[2]);
        }

        #[test]
        fn the_reverse_is_the_reciprocal(one in times(), other in times()) {
            let [low, value, high] = ends(machine_ratio(one, other));
            prop_assert!(are_close(ends(machine_ratio(other, one)), [1.0 / high, 1.0 / value, 1.0 / low]));
        }
    }
}
