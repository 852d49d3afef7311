//! Gives compared functions with similar times comparable batches. Times are skewed, so the median depends on the number
//! of batches, on their length and on their calls, and the ratio would show the difference.

use crate::sample::preparation::PreparedFunction;

/// The maximum ratio of the lengths of comparable batches, of which each function gets the same number, and of the times of functions whose
/// batches get the same number of calls.
const COMPARABLE_FACTOR: f64 = 4.0;

/// The same ratio of times if a batch has few calls, which show the time of a call poorly.
const COMPARABLE_FACTOR_OF_FEW: f64 = 16.0;

/// The number of calls below which a batch has few.
const FEW_CALLS: u64 = 16;

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
            one.set_calls(2 * one.calls);
        }
    }
}

/// Gives functions whose calls take similar times the same number of calls per batch.
///
/// If the calls of a batch take different times, the median of batches of four calls is not that of batches of three. The number
/// of calls is calibrated for each function on a few inputs, so it can differ even between equal functions.
///
/// The number is the largest of theirs, or the largest multiple of the smallest that fits into twice `longest` nanoseconds, unless that would more than halve a
/// batch, which may have to be so long for the clock. Batches of few calls may become a quarter as long: their times are known so poorly that the clock matters less.
pub(super) fn equalize_calls(ready: &mut [PreparedFunction], longest: f64) {
    let mut by_time: Vec<&mut PreparedFunction> = ready.iter_mut().collect();
    by_time.sort_by(|one, other| one.call_time().total_cmp(&other.call_time()));
    equalize_similar(&mut by_time, longest);
}

/// Equalizes functions in the order of their times, if the slowest takes at most four times as long as the fastest, or sixteen times if some batch has
/// few calls. Otherwise divides them where neighbours differ most.
fn equalize_similar(functions: &mut [&mut PreparedFunction], longest: f64) {
    let ratio = |one: &PreparedFunction, other: &PreparedFunction| other.call_time() / one.call_time().max(1e-3);
    let has_few_calls = functions.iter().any(|one| one.calls < FEW_CALLS);
    let factor = if has_few_calls { COMPARABLE_FACTOR_OF_FEW } else { COMPARABLE_FACTOR };
    let [first, .., last] = functions else { return };
    if ratio(first, last) <= factor {
        return set_calls(functions, longest);
    }
    let gaps = functions.windows(2).map(|pair| ratio(pair[0], pair[1])).enumerate();
    let widest = gaps.max_by(|(_, one), (_, other)| one.total_cmp(other)).map_or(0, |(index, _)| index);
    let (faster, slower) = functions.split_at_mut(widest + 1);
    equalize_similar(faster, longest);
    equalize_similar(slower, longest);
}

fn set_calls(similar: &mut [&mut PreparedFunction], longest: f64) {
    let fewest = similar.iter().map(|one| one.calls).min().unwrap_or(1);
    let most = similar.iter().map(|one| one.calls).max().unwrap_or(1);
    let fitting = |one: &&mut PreparedFunction| one.most_calls.min((2.0 * longest / one.call_cost()) as u64);
    let calls = match similar.iter().map(fitting).min().unwrap_or(1) {
        enough if enough >= most => most,
        // The inputs are used in whole rounds, and so are multiples.
        less => fewest * (less / fewest).max(1),
    };
    let shorter = if fewest < FEW_CALLS { 4 } else { 2 };
    if shorter * calls >= most {
        similar.iter_mut().filter(|one| one.calls != calls).for_each(|one| one.set_calls(calls));
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
            negligible_overhead: f64::INFINITY,
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
    fn similar_calls_get_the_same_number_per_batch() {
        // For each function, the time of a call and the calls of a batch; then the longest batch, and the calls as they become.
        type Row<'a> = (&'a [(f64, u64)], f64, &'a [u64]);
        let table: [Row<'_>; 12] = [
            (&[(10.0, 120), (10.0, 150)], 1e9, &[150, 150]),
            (&[(10.0, 120), (30.0, 40)], 1e9, &[120, 120]),
            (&[(10.0, 120), (50.0, 40)], 1e9, &[120, 40]),
            (&[(50.0, 40), (10.0, 120), (12.0, 100)], 1e9, &[40, 120, 120]),
            // The last two are nearly equal, and only the second takes less than four times as long as the first.
            (&[(10.0, 400), (39.9, 100), (40.1, 110)], 1e9, &[400, 110, 110]),
            // The largest batches would take too long.
            (&[(10.0, 120), (11.0, 150)], 600.0, &[120, 120]),
            (&[(10.0, 12), (30.0, 4)], 60.0, &[4, 4]),
            // It would more than halve a batch.
            (&[(10.0, 120), (30.0, 40)], 600.0, &[120, 40]),
            // As many times the smallest number as fit.
            (&[(10.0, 128), (25.0, 32)], 900.0, &[64, 64]),
            (&[(10.0, 12)], 1.0, &[12]),
            // A batch of few calls may be of inputs that take long.
            (&[(10.0, 8), (80.0, 1)], 1e9, &[8, 8]),
            (&[(10.0, 20), (170.0, 1)], 1e9, &[20, 1]),
        ];
        for (functions, longest, expected) in table {
            let mut ready: Vec<PreparedFunction> = functions
                .iter()
                .map(|&(time, calls)| PreparedFunction {
                    batch_cost: time * calls as f64,
                    ..ready(time * calls as f64, calls, 1 << 20)
                })
                .collect();
            equalize_calls(&mut ready, longest);
            assert_eq!(ready.iter().map(|one| one.calls).collect::<Vec<_>>(), expected, "{functions:?}");
            for (one, (time, _)) in ready.iter().zip(functions) {
                assert!((one.call_cost() - time).abs() < 1e-9, "{functions:?}");
            }
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
