//! Refinement: the axis values that the last priorities measure in addition, around crossovers and jumps.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::{Numeric, Range};

use crate::analyze::growth::GrowthBreak;
use crate::axis::Axis;
use crate::compare::ranking::{CONFIRMED_WITHIN, Ranking, StatedCrossover};
use crate::points::{has_value, value_between};
use crate::request::MAX_ALSO_AT;

/// The distances from a crossover between which a value is added on either side, relative to the crossover. The next priority may
/// estimate the crossover a little lower or higher: the value is then still on the same side, and within [`CONFIRMED_WITHIN`].
const DISTANCES: [f64; 2] = [0.03, 0.08];

/// The gap relative to its lower end, up to which the place of a jump is known well enough.
const KNOWN_WITHIN: f64 = 0.1;

/// The maximum number of values that one priority adds: the next one, which knows more, can add as many.
const MAX_NEW: usize = MAX_ALSO_AT / 2;

/// The values at which the next priority measures in addition to `count` values of a range: `also_at`, which were added before, and new
/// ones. These are on either side of each crossover whose range does not end close to it, and in the middle of the gaps in which a
/// curve jumps.
///
/// All values are valid and within the range, each once, in ascending order: at most [`MAX_ALSO_AT`]. A new value is the first one at a
/// suitable distance that halving the range reaches, so most repetitions of a measurement add the same values, and their points can be
/// compared. Nothing is added to a list, which says where to measure.
pub fn refined_values(ranking: &Ranking, breaks: &[GrowthBreak], axis: &Axis, count: u32, also_at: &[f64]) -> Vec<f64> {
    let mut refined = also_at.to_vec();
    let Some((range, numeric)) = axis.range().zip(axis.parameter().numeric()) else { return refined };
    let mut plan = AxisPlan {
        numeric,
        range,
        values: axis.values(count, also_at).iter().filter_map(AxisValue::number).collect(),
        left: MAX_NEW.min(MAX_ALSO_AT.saturating_sub(also_at.len())),
    };
    ranking.leading_crossovers().into_iter().for_each(|(_, crossover)| refined.extend(plan.add_around(&crossover)));
    breaks.iter().for_each(|jump| refined.extend(plan.add_at_jump(jump)));
    refined.sort_by(f64::total_cmp);
    refined
}

/// The values that the next priority measures.
struct AxisPlan<'a> {
    numeric: &'a Numeric,
    range: Range,
    /// In ascending order.
    values: Vec<f64>,
    /// How many can be added.
    left: usize,
}

impl AxisPlan<'_> {
    /// Adds a value on each side of a crossover that lacks one, within its range. If the steps are too coarse, it is the closest valid value.
    fn add_around(&mut self, crossover: &StatedCrossover) -> Vec<f64> {
        let StatedCrossover { root, range: bracket, .. } = *crossover;
        let at = |part: f64| root + part * root.abs();
        let [near, far] = DISTANCES;
        let sides = [
            (bracket.low < at(-CONFIRMED_WITHIN), Range { low: at(-far), high: at(-near) }, self.closest(root, false)),
            (bracket.high > at(CONFIRMED_WITHIN), Range { low: at(near), high: at(far) }, self.closest(root, true)),
        ];
        let wanted = sides.into_iter().filter(|(is_open, window, _)| {
            *is_open && !self.values.iter().any(|value| window.low < *value && *value < window.high)
        });
        let values: Vec<f64> = wanted
            .map(|(_, window, closest)| value_between(self.numeric, self.range, window).unwrap_or(closest))
            .filter(|value| bracket.low < *value && *value < bracket.high)
            .collect();
        self.add(values)
    }

    /// Adds a value in each wide gap between the values around a jump.
    fn add_at_jump(&mut self, jump: &GrowthBreak) -> Vec<f64> {
        let gaps = self.values.windows(2).map(|pair| Range { low: pair[0], high: pair[1] });
        let wide = gaps.filter(|gap| {
            jump.after <= gap.low && gap.high <= jump.before && gap.high - gap.low > KNOWN_WITHIN * gap.low.abs()
        });
        let values = wide.filter_map(|gap| value_between(self.numeric, self.range, gap)).collect();
        self.add(values)
    }

    /// Plans those of these values that are new, as far as there is room. Returns them.
    fn add(&mut self, mut values: Vec<f64>) -> Vec<f64> {
        values.retain(|value| !has_value(self.numeric, &self.values, *value));
        values.truncate(self.left);
        self.left -= values.len();
        self.values.extend(&values);
        self.values.sort_by(f64::total_cmp);
        values
    }

    /// The valid value next to `value` above or below it.
    fn closest(&self, value: f64, is_above: bool) -> f64 {
        let snapped = self.numeric.snap(value);
        let is_beyond = if is_above { snapped > value } else { snapped < value };
        if is_beyond { snapped } else { self.numeric.next(snapped, is_above) }
    }
}

#[cfg(test)]
mod tests {
    use benchbook_contract::parameter::{Kind, Parameter, Scale};
    use proptest::prelude::*;

    use super::*;
    use crate::axis::Variation;
    use crate::compare::ranking::examples::{integers, ranking_on};

    /// The points of the second, third and fourth priority.
    const COUNTS: [u32; 3] = [9, 17, 33];

    fn axis(numeric: &Numeric, low: f64, high: f64) -> Axis {
        let kind = Kind::Float(numeric.clone());
        let parameter = Parameter { name: "size".to_owned(), description: String::new(), kind };
        Axis::new(parameter, Variation::Range(Range { low, high }))
    }

    /// Two functions whose times are powers of the axis value, equal at `equal_at`, and measured with a relative error.
    #[derive(Clone, Copy, Debug)]
    struct PowerLaws {
        powers: [f64; 2],
        equal_at: f64,
        noise: f64,
        seed: u32,
    }

    impl PowerLaws {
        fn measured(&self, axis: &Axis, values: &[AxisValue]) -> Ranking {
            // A sequence without a period: multiples of the golden ratio, modulo 1.
            let error = |index: u32| (f64::from(index + 1) * 0.618_034 * f64::from(2 * self.seed + 1)).fract() - 0.5;
            let times = |power: f64, first: u32| -> Vec<f64> {
                let number = |value: &AxisValue| value.number().expect("a number");
                let time = |x: f64, index| 1e3 * (x / self.equal_at).powf(power) * (1.0 + self.noise * error(index));
                values.iter().zip(first..).map(|(value, index)| time(number(value), index)).collect()
            };
            ranking_on(axis.parameter().numeric(), values, &[&times(self.powers[0], 7), &times(self.powers[1], 900)])
        }

        /// Measures at the last three priorities, each of which measures around what the one before showed. Returns what each added, and
        /// the ranking at the end.
        fn refined(&self, axis: &Axis, breaks: &[GrowthBreak]) -> (Vec<Vec<f64>>, Ranking) {
            let mut ranking = self.measured(axis, &axis.values(COUNTS[0], &[]));
            let mut added: Vec<Vec<f64>> = vec![Vec::new()];
            for count in &COUNTS[1..] {
                let values = refined_values(&ranking, breaks, axis, *count, added.last().expect("one at least"));
                ranking = self.measured(axis, &axis.values(*count, &values));
                added.push(values);
            }
            (added, ranking)
        }
    }

    fn crossovers(ranking: &Ranking) -> Vec<StatedCrossover> {
        ranking.pairs().iter().flat_map(|pair| ranking.stated_crossovers(pair)).collect()
    }

    /// Constant and proportional to the axis value, on four decades.
    fn crossing_at(equal_at: f64) -> (PowerLaws, Axis) {
        (PowerLaws { powers: [1.0, 0.0], equal_at, noise: 0.0, seed: 1 }, axis(&integers(), 10.0, 100_000.0))
    }

    #[test]
    fn values_are_added_where_a_crossover_lacks_close_ones() {
        // Priority 2 measures at 100, 316, 1 000 and 3 162, the next one at 178, 562 and 1 778, too.
        let table: [(f64, &[f64], (f64, f64)); 4] = [
            (300.0, &[284.0], (284.0, 316.0)),
            (550.0, &[523.0, 583.0], (523.0, 562.0)),
            (1_050.0, &[1_114.0], (1_000.0, 1_114.0)),
            (700.0, &[649.0, 750.0], (649.0, 750.0)),
        ];
        for (equal_at, expected, range) in table {
            let (laws, axis) = crossing_at(equal_at);
            let (added, ranking) = laws.refined(&axis, &[]);
            assert_eq!(added[1..], [expected, expected], "{equal_at}");
            let [crossover] = crossovers(&ranking)[..] else { panic!("one crossover: {equal_at}") };
            assert_eq!(((crossover.range.low, crossover.range.high), crossover.estimate), (range, Some(equal_at)));
        }
    }

    #[test]
    fn values_are_added_in_the_gap_of_a_jump() {
        let laws = PowerLaws { powers: [1.0, 1.0], ..crossing_at(300.0).0 };
        let axis = crossing_at(300.0).1;
        let jump = |after, before| GrowthBreak { after, before, factor: 2.0 };
        let (added, _) = laws.refined(&axis, &[jump(1_000.0, 3_162.0)]);
        let expected = [vec![], vec![1_334.0, 2_371.0], vec![1_155.0, 1_334.0, 1_540.0, 2_053.0, 2_371.0, 2_738.0]];
        assert_eq!(added, expected);
        let (added, _) = laws.refined(&axis, &[jump(10.0, 11.0)]);
        assert_eq!(added, [[0.0; 0]; 3], "it is known well enough");
    }

    #[test]
    fn the_closest_valid_values_are_added_if_the_steps_are_coarse() {
        let coarse = Numeric { min: 0.0, step: Some(100.0), ..integers() };
        let (laws, axis) = (crossing_at(450.0).0, axis(&coarse, 100.0, 10_000.0));
        assert_eq!(laws.refined(&axis, &[]).0[1], [500.0], "400 is measured anyway");
    }

    #[test]
    fn a_list_is_measured_at_its_own_values_only() {
        let (laws, range) = crossing_at(300.0);
        let values = [10.0, 100.0, 1_000.0, 10_000.0].map(AxisValue::Number).to_vec();
        let list = Axis::new(range.parameter().clone(), Variation::Values(values.clone()));
        assert_eq!(refined_values(&laws.measured(&list, &values), &[], &list, 33, &[]), [0.0; 0]);
    }

    prop_compose! {
        /// Functions that cross in the middle two thirds of an axis of two to four decades, a jump of one of them, and the axis.
        fn crossing_functions()(
            step in prop_oneof![Just(None), Just(Some(1.0)), Just(Some(0.1)), Just(Some(7.0))],
            scale in prop_oneof![3 => Just(Scale::Log), 1 => Just(Scale::Linear)],
            low in 10.0..1_000.0_f64,
            decades in 2.0..4.0_f64,
            place in 0.2..0.8_f64,
            powers in (0.0..1.0_f64, 1.5..2.0_f64),
            is_swapped in any::<bool>(),
            noise in 0.0..0.02_f64,
            seed in 0..1_000_u32,
            jump in 0..8_usize,
        ) -> (PowerLaws, GrowthBreak, Axis) {
            let numeric = Numeric { step, scale, max: 1e8, ..integers() };
            let [low, high] = [low, low * 10.0_f64.powf(decades)].map(|end| numeric.snap(end));
            let equal_at = match scale {
                Scale::Log => low * (high / low).powf(place),
                Scale::Linear => low + (high - low) * place,
            };
            let powers = if is_swapped { [powers.1, powers.0] } else { powers.into() };
            let axis = axis(&numeric, low, high);
            let measured = axis.values(COUNTS[0], &[]);
            let at = |index: usize| measured[index].number().expect("a number");
            let jump = GrowthBreak { after: at(jump), before: at(jump + 1), factor: 2.0 };
            (PowerLaws { powers, equal_at, noise, seed }, jump, axis)
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn a_crossover_has_close_measured_values_after_the_last_priority((laws, jump, axis) in crossing_functions()) {
            let (added, ranking) = laws.refined(&axis, &[jump]);
            let [crossover] = crossovers(&ranking)[..] else { panic!("one crossover: {laws:?}") };
            let numbers: Vec<f64> = ranking.values().iter().filter_map(AxisValue::number).collect();
            let is_close = |side: f64| {
                numbers.iter().any(|x| (0.0..=0.1 * crossover.root).contains(&(side * (x - crossover.root))))
            };
            let has_coarse_steps = axis.parameter().numeric().and_then(|one| one.step) > Some(0.03 * crossover.root);
            prop_assert!(has_coarse_steps || is_close(1.0) && is_close(-1.0), "{:?}", crossover);

            for (before, (values, count)) in added.iter().zip(added[1..].iter().zip(&COUNTS[1..])) {
                let numeric = axis.parameter().numeric().expect("numbers");
                let range = axis.range().expect("a range");
                prop_assert!(values.len() <= MAX_ALSO_AT && values.len() <= before.len() + MAX_NEW);
                prop_assert!(before.iter().all(|value| values.contains(value)));
                prop_assert!(values.iter().all(|value| numeric.contains(*value)));
                prop_assert!(values.iter().all(|value| range.low < *value && *value < range.high));
                // None is measured anyway, and none twice.
                let new = values.len() - before.len();
                prop_assert_eq!(axis.values(*count, values).len(), axis.values(*count, before).len() + new);
            }
        }
    }
}
