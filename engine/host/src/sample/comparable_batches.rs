//! Gives compared functions with similar times comparable batches. Times are skewed, so the median depends on the number
//! and length of the batches, and the ratio would show the difference.

use crate::sample::preparation::PreparedFunction;

/// The maximum ratio of the lengths of comparable batches. Each function gets the same number of them.
const COMPARABLE_FACTOR: f64 = 4.0;

/// Doubles the calls of functions with short batches until these last about as long as the longest comparable batches, and
/// as other batches of at most `affordable` nanoseconds. Batches of several milliseconds all include timer interrupts; the
/// median of batches a tenth as long includes none.
pub(super) fn lengthen(ready: &mut [PreparedFunction], affordable: f64) {
    let goal = |one: &PreparedFunction| {
        let most = affordable.max(COMPARABLE_FACTOR * one.batch);
        longest_up_to(most, one.batch, ready.iter().map(|other| other.batch))
    };
    let goals: Vec<f64> = ready.iter().map(goal).collect();
    for (one, goal) in ready.iter_mut().zip(goals) {
        // To the nearest doubling, as logarithms go.
        while one.batch > 0.0 && one.batch * std::f64::consts::SQRT_2 <= goal && 2 * one.calls <= one.most_calls {
            one.calls *= 2;
            one.batch *= 2.0;
            one.batch_cost *= 2.0;
            // The warm-up samples have another batch size, so they are not comparable with later ones.
            one.warm_up.clear();
        }
    }
}

/// Returns the number of batches per function that fit into `work` nanoseconds, at least one: equal numbers for comparable
/// batches, and more of shorter ones. `costs`: the time of a batch of each function in nanoseconds.
pub(super) fn counts(costs: &[f64], work: f64) -> Vec<u32> {
    let each = work / costs.len().max(1) as f64;
    let count = |cost: &f64| {
        let longest = longest_up_to(COMPARABLE_FACTOR * cost, *cost, costs.iter().copied());
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
    use crate::analyze::stability::Stability;
    use crate::response::Overhead;

    fn ready(batch: f64, calls: u64, most_calls: u64) -> PreparedFunction {
        PreparedFunction {
            calls,
            most_calls,
            batch,
            batch_cost: 1.1 * batch,
            setup: 0.1 * batch,
            overhead: Overhead::default(),
            overhead_matters: false,
            warm_up: Vec::new(),
            stability: Stability::Settled,
            spent: 0.0,
        }
    }

    #[test]
    fn lengthens_shorter_batches_within_the_bounds() {
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
    fn gives_comparable_functions_equal_numbers_of_batches() {
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
