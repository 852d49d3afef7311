//! Functions that are compared get batches alike, where their times are: the median of few or of longer batches is another
//! one than that of many or of shorter ones, since times are lopsided, and the ratio would have it.

use crate::sample::preparation::PreparedFunction;

/// Up to this many times as long, batches are alike: each function gets as many of them.
const ALIKE: f64 = 4.0;

/// Gives functions whose batches are shorter than others' more calls, by doubling, until they last about as long: as those
/// that are alike, and as others of `affordable` nanoseconds at most. A batch of several milliseconds holds its share of
/// the machine's ticks, and the median of batches of a tenth holds none.
pub(super) fn lengthen(ready: &mut [PreparedFunction], affordable: f64) {
    let goal = |one: &PreparedFunction| {
        let most = affordable.max(ALIKE * one.batch);
        longest_up_to(most, one.batch, ready.iter().map(|other| other.batch))
    };
    let goals: Vec<f64> = ready.iter().map(goal).collect();
    for (one, goal) in ready.iter_mut().zip(goals) {
        // To the nearest doubling, as logarithms go.
        while one.batch > 0.0 && one.batch * std::f64::consts::SQRT_2 <= goal && 2 * one.calls <= one.most_calls {
            one.calls *= 2;
            one.batch *= 2.0;
            one.batch_cost *= 2.0;
            // They had other batches, and say nothing beside those that follow.
            one.warm_up.clear();
        }
    }
}

/// How many batches of each function fit `work` nanoseconds, at least one: as many of each that is alike, and more of
/// those that take less. `costs`: nanoseconds of a batch of each.
pub(super) fn counts(costs: &[f64], work: f64) -> Vec<u32> {
    let each = work / costs.len().max(1) as f64;
    let count = |cost: &f64| {
        let longest = longest_up_to(ALIKE * cost, *cost, costs.iter().copied());
        ((each / longest.max(1.0)) as u32).max(1)
    };
    costs.iter().map(count).collect()
}

fn longest_up_to(most: f64, own: f64, all: impl Iterator<Item = f64>) -> f64 {
    all.filter(|other| *other <= most).fold(own, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::response::Overhead;

    fn ready(batch: f64, calls: u64, most_calls: u64) -> PreparedFunction {
        PreparedFunction {
            calls,
            most_calls,
            batch,
            batch_cost: 1.1 * batch,
            overhead: Overhead::default(),
            overhead_matters: false,
            warm_up: Vec::new(),
            settled: true,
            spent: 0.0,
        }
    }

    #[test]
    fn shorter_batches_become_about_as_long_where_they_may() {
        for (batches, most, affordable, calls) in [
            ([100.0, 100.0], 1 << 20, 0.0, [64, 64]),
            ([50.0, 100.0], 1 << 20, 0.0, [128, 64]),
            ([80.0, 100.0], 1 << 20, 0.0, [64, 64]),
            ([26.0, 100.0], 1 << 20, 0.0, [256, 64]),
            ([10.0, 100.0], 1 << 20, 99.0, [64, 64]),
            ([10.0, 100.0], 1 << 20, 100.0, [512, 64]),
            ([1.0, 100.0], 1 << 20, 100.0, [8_192, 64]),
            ([50.0, 100.0], 100, 100.0, [64, 64]),
        ] {
            let mut functions = batches.map(|batch| ready(batch, 64, most));
            lengthen(&mut functions, affordable);
            assert_eq!(functions.map(|one| one.calls), calls, "{batches:?}");
        }
    }

    #[test]
    fn functions_that_are_alike_get_as_many_batches() {
        for (costs, work, expected) in [
            (&[10.0, 10.0][..], 200.0, &[10, 10][..]),
            (&[10.0, 20.0], 200.0, &[5, 5]),
            (&[10.0, 100.0], 200.0, &[10, 1]),
            (&[10.0, 30.0, 1_000.0], 300.0, &[3, 3, 1]),
            (&[50.0], 20.0, &[1]),
        ] {
            assert_eq!(counts(costs, work), expected, "{costs:?}");
        }
    }
}
