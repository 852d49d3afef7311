//! Crossovers in terms of the measured axis values, as sentences and plots show them.

use benchbook_contract::parameter::Numeric;

use crate::analyze::crossover::{Crossover, Winner, position};
use crate::analyze::interval::Interval;
use crate::response::RatioAt;
use crate::rounded::rounded;

/// How close to the root a measured value must be on either side to confirm it, relative to the root.
pub(crate) const CONFIRMED_WITHIN: f64 = 0.1;

/// The largest part of the axis that a stated crossover spans: half of it, such as one of two gaps. A little more, since the
/// values of a range are rounded to the parameter's steps.
const MAX_PART: f64 = 0.55;

/// The place where one function overtakes another, as far as the measured values show it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StatedCrossover {
    /// The axis value at which the interpolated curves cross.
    pub root: f64,
    /// The measured axis values around the root.
    pub range: Interval,
    /// The root as a valid value of the parameter, with the digits that the range justifies. Absent unless measured values
    /// within 10% of the root, on both sides, confirm it.
    pub estimate: Option<f64>,
    /// Whether the other function, rather than the baseline, is faster above it.
    pub other_wins_above: bool,
}

impl StatedCrossover {
    /// States a crossover of two functions with these ratios, in the order of the axis.
    ///
    /// The range is the bracket of the crossover: the adjacent decided values around the root, of which one function is
    /// significantly faster at the lower, and the other at the higher. Such a change of sign proves a root in between for any
    /// continuous curves (R. P. Brent, *Algorithms for Minimization without Derivatives*, 1973, chapter 4), whereas the root and
    /// its interval depend on the interpolation. Once measured values within 10% of the root confirm that, the range is from the
    /// last measured value before its interval to the first one after it.
    ///
    /// `None` if the range spans more than about half of the axis, from the first ratio to the last one.
    pub fn new(crossover: &Crossover, ratios: &[RatioAt], axis: &Numeric) -> Option<Self> {
        let &Crossover { x: root, interval, other_wins_above } = crossover;
        let compared: Vec<(f64, Interval)> =
            ratios.iter().filter_map(|at| Some((at.x.number()?, at.interval?))).collect();
        let near = || compared.iter().map(|&(x, _)| x).filter(|x| (x - root).abs() <= CONFIRMED_WITHIN * root.abs());
        let is_confirmed = near().any(|x| x < root) && near().any(|x| x > root);
        let range = if is_confirmed { around(&compared, interval) } else { bracket(&compared, root) }?;
        let estimate = axis.snap(rounded(root, range.high - range.low));
        let is_inside = range.low < estimate && estimate < range.high;
        let estimate = (is_confirmed && is_inside).then_some(estimate);
        let (first, last) = (ratios.first()?.x.number()?, ratios.last()?.x.number()?);
        let length = |low: f64, high: f64| position(axis.scale, high) - position(axis.scale, low);
        let is_part = length(range.low, range.high) <= MAX_PART * length(first, last);
        is_part.then_some(Self { root, range, estimate, other_wins_above })
    }
}

/// The adjacent decided values around `root` at which different functions are faster.
fn bracket(compared: &[(f64, Interval)], root: f64) -> Option<Interval> {
    let decided: Vec<(f64, Winner)> =
        compared.iter().filter_map(|&(x, interval)| Some((x, Winner::of(interval)?))).collect();
    let change = decided.windows(2).find(|two| two[0].1 != two[1].1 && two[0].0 <= root && root <= two[1].0)?;
    Some(Interval { low: change[0].0, high: change[1].0 })
}

/// The last measured value before an interval and the first one after it.
fn around(compared: &[(f64, Interval)], interval: Interval) -> Option<Interval> {
    let mut values = compared.iter().map(|&(x, _)| x);
    let high = values.clone().find(|&x| x >= interval.high)?;
    Some(Interval { low: values.rfind(|&x| x <= interval.low)?, high })
}

#[cfg(test)]
mod tests {
    use benchbook_contract::axis_value::AxisValue;
    use benchbook_contract::parameter::Scale;
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;
    use crate::analyze::compare::{Ratio, RatioStatistic};
    use crate::analyze::crossover::crossovers;
    use crate::compare::ranking::examples::{integers, ranking, sizes};
    use crate::messages::at::crossover_place;
    use crate::units::SPACE;

    /// The places of the crossovers of two functions with these times at some sizes.
    fn places(values: &[f64], times: [&[f64]; 2]) -> Vec<String> {
        let ranking = ranking(&sizes(values), &times);
        let [pair] = ranking.pairs() else { panic!("two functions are one pair") };
        let crossovers = ranking.stated_crossovers(pair);
        crossovers.iter().map(|crossover| crossover_place(crossover, "keys").replace(SPACE, " ")).collect()
    }

    #[test]
    fn a_crossover_is_between_measured_values_until_close_ones_confirm_it() {
        // One function takes as long as the size, the other one a constant time.
        let table: &[(&[f64], f64, &str)] = &[
            (&[10.0, 100.0, 1_000.0, 10_000.0], 300.0, "between 100 and 1 000 keys"),
            // Nothing is decided at 300.
            (&[10.0, 100.0, 300.0, 1_000.0, 100_000.0], 300.0, "between 100 and 1 000 keys"),
            // Close on one side only.
            (&[10.0, 290.0, 1_000.0, 10_000.0], 300.0, "between 290 and 1 000 keys"),
            (&[10.0, 250.0, 320.0, 1_000.0], 300.0, "between 250 and 320 keys"),
            (&[10.0, 280.0, 320.0, 1_000.0], 300.0, "at 300 keys (280 to 320)"),
            (&[100.0, 290.0, 300.0, 320.0, 1_000.0], 300.0, "at 300 keys (290 to 320)"),
            // There is no integer in between.
            (&[1.0, 10.0, 11.0, 100.0], 10.5, "between 10 and 11 keys"),
        ];
        for (values, constant, expected) in table {
            assert_eq!(places(values, [values, &vec![*constant; values.len()]]), [*expected]);
        }
    }

    #[test]
    fn a_crossover_anywhere_on_the_axis_is_not_stated() {
        let places_of =
            |times: &[f64]| places(&[10.0, 100.0, 1_000.0][..times.len()], [times, &[3.0; 3][..times.len()]]);
        assert_eq!(places_of(&[2.0, 4.0, 4.0]), ["between 10 and 100 keys"], "it is half of the axis");
        assert_eq!(places_of(&[2.0, 4.0]), [""; 0]);
        assert_eq!(places_of(&[2.0, 3.0, 4.0]), [""; 0], "nothing is decided at 100");
    }

    prop_compose! {
        /// Ratios with their standard errors, at valid values of a parameter.
        fn ratios_on_an_axis()(
            step in 1..20_u32,
            scale in prop_oneof![Just(Scale::Linear), Just(Scale::Log)],
            values in btree_set(1..2_000_u32, 2..20),
        )(
            ratios in vec((-0.5..0.5_f64, 0.0..0.2_f64), values.len()),
            axis in Just(Numeric { step: Some(f64::from(step)), scale, ..integers() }),
            values in Just(values),
        ) -> (Numeric, Vec<(f64, Ratio)>) {
            let ratio = |(ln, sd): (f64, f64)| {
                Ratio { ln, variance: sd * sd, overhead: 0.0, freedom: 15, of: RatioStatistic::Medians, changed: None }
            };
            let mut values: Vec<f64> = values.into_iter().map(|value| axis.snap(f64::from(value))).collect();
            values.dedup();
            let ratios = values.into_iter().zip(ratios.into_iter().map(ratio)).collect();
            (axis, ratios)
        }
    }

    proptest! {
        #[test]
        fn a_stated_crossover_is_among_the_measured_values((axis, ratios) in ratios_on_an_axis()) {
            let count = ratios.len() as u32;
            let at = |&(x, ratio): &(f64, Ratio)| RatioAt {
                x: AxisValue::Number(x),
                ratio: Some(ratio.estimate()),
                interval: Some(ratio.interval(count)),
                ..RatioAt::default()
            };
            let compared: Vec<RatioAt> = ratios.iter().map(at).collect();
            let is_measured = |value: f64| ratios.iter().any(|&(x, _)| x == value);
            let (first, last) = (ratios[0].0, ratios[ratios.len() - 1].0);
            for crossover in crossovers(&ratios, axis.scale, count) {
                let Some(stated) = StatedCrossover::new(&crossover, &compared, &axis) else { continue };
                let Interval { low, high } = stated.range;
                prop_assert!(is_measured(low) && is_measured(high) && low < high, "{:?}", stated);
                prop_assert!(stated.range.contains(stated.root), "{:?}", stated);
                let part = match axis.scale {
                    Scale::Linear => (high - low) / (last - first),
                    Scale::Log => (high / low).ln() / (last / first).ln(),
                };
                prop_assert!(part < 0.551, "{} of the axis: {:?}", part, stated);
                if let Some(estimate) = stated.estimate {
                    prop_assert!(axis.contains(estimate) && low < estimate && estimate < high, "{:?}", stated);
                    prop_assert!(low <= crossover.interval.low && crossover.interval.high <= high, "{:?}", stated);
                    let is_near = |side: f64| {
                        ratios.iter().any(|&(x, _)| (0.0..=0.1 * stated.root).contains(&(side * (x - stated.root))))
                    };
                    prop_assert!(is_near(1.0) && is_near(-1.0), "{:?}", stated);
                }
            }
        }
    }
}
