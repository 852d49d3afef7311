//! Times of a range in both builds, measured in turn, and the interval of their difference.

use crate::finder::TimeDifference;

/// The probability that an interval does not contain the difference, at most.
const ERROR: f64 = 0.01;

/// The smallest number of blocks: the interval then leaves out one outlier at each end.
pub const MIN_BLOCKS: usize = 12;

/// The largest number of blocks that are of use.
pub const MAX_BLOCKS: usize = 160;

/// The differences of blocks: in each, the builds are timed in the order before, after, after, before, so that a steady drift cancels out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairedTimes {
    differences: Vec<f64>,
    longest: f64,
}

impl PairedTimes {
    /// Adds the times of a block in nanoseconds, in that order.
    pub fn push(&mut self, [before, after, after_again, before_again]: [f64; 4]) {
        self.differences.push((after + after_again - before - before_again) / 2.0);
        let mean = f64::midpoint(before, before_again).max(f64::midpoint(after, after_again));
        self.longest = self.longest.max(mean);
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.differences.len()
    }

    /// The mean time of the longer build in the block where that was longest.
    pub fn longest(&self) -> f64 {
        self.longest
    }

    /// The interval of the median difference: 99% of such intervals contain it, whatever the distribution of the differences is, if they do not depend
    /// on each other. Without enough blocks, it is infinite.
    ///
    /// Its ends are order statistics: H. A. David and H. N. Nagaraja, *Order Statistics* (3rd edition, 2003), section 7.1. One outlier or two do not widen it.
    pub fn difference(&self) -> TimeDifference {
        let mut sorted = self.differences.clone();
        sorted.sort_by(f64::total_cmp);
        match rank(sorted.len()) {
            Some(rank) => TimeDifference { low: sorted[rank], high: sorted[sorted.len() - 1 - rank] },
            None => TimeDifference { low: f64::NEG_INFINITY, high: f64::INFINITY },
        }
    }
}

/// How many of the values at each end the interval of the median of `count` values leaves out; `None` if even the whole range would contain the median too rarely.
fn rank(count: usize) -> Option<usize> {
    // The probability that at most this many values are below the median: terms of the binomial distribution.
    let mut term = 0.5_f64.powi(count as i32);
    let (mut below, mut rank) = (term, None);
    for omitted in 0..count / 2 {
        if 2.0 * below > ERROR {
            break;
        }
        rank = Some(omitted);
        term *= (count - omitted) as f64 / (omitted + 1) as f64;
        below += term;
    }
    rank
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// By R: `qbinom(0.005, n, 0.5) - 1` values are left out if `pbinom` of that is at most 0.005.
    #[test]
    fn ranks_agree_with_the_binomial_distribution() {
        let table = [(7, None), (8, Some(0)), (11, Some(0)), (12, Some(1)), (20, Some(3)), (40, Some(11))];
        for (count, expected) in table {
            assert_eq!(rank(count), expected, "{count}");
        }
        assert_eq!(rank(MIN_BLOCKS), Some(1));
    }

    #[test]
    fn a_steady_drift_cancels_out() {
        let mut times = PairedTimes::default();
        for block in 0..12 {
            let at = |turn: i32, own: f64| own + f64::from(4 * block + turn);
            times.push([at(0, 100.0), at(1, 130.0), at(2, 130.0), at(3, 100.0)]);
        }
        assert_eq!(times.difference(), TimeDifference { low: 30.0, high: 30.0 });
        assert_eq!((times.blocks(), times.longest()), (12, 175.5));
        assert_eq!(PairedTimes::default().difference().low, f64::NEG_INFINITY);
    }

    /// A block of builds that take 100 and 110, with noise that is skewed, has two levels, is interrupted, or comes in waves.
    fn block(kind: &str, phase: f64, rng: &mut Xoshiro256PlusPlus) -> [f64; 4] {
        let mut turn = 0.0;
        [100.0, 110.0, 110.0, 100.0].map(|own| {
            turn += 1.0;
            let uniform: f64 = rng.random_range(1e-9..1.0);
            let factor = match kind {
                "skewed" => 1.0 - 0.05 * uniform.ln(),
                "levels" if uniform < 0.3 => 1.4,
                "interrupted" if rng.random_bool(0.05) => 11.0,
                "waves" => 1.0 + 0.05 * f64::sin(phase + turn / 9.0) + 0.02 * uniform,
                _ => 1.0 + 0.02 * uniform,
            };
            own * factor
        })
    }

    #[test]
    fn at_least_99_percent_of_the_intervals_contain_the_difference() {
        const RUNS: usize = 4_000;
        for (kind, seed) in ["skewed", "levels", "interrupted", "waves"].into_iter().zip(3..) {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut many = PairedTimes::default();
            (0..200_001).for_each(|number| many.push(block(kind, 4.0 * f64::from(number) / 9.0, &mut rng)));
            many.differences.sort_by(f64::total_cmp);
            let expected = many.differences[100_000];
            let (mut wrong, mut decided) = (0, 0);
            for _ in 0..RUNS {
                let (blocks, phase) = (rng.random_range(MIN_BLOCKS..=MAX_BLOCKS), rng.random_range(0.0..6.0));
                let mut times = PairedTimes::default();
                (0..blocks).for_each(|number| times.push(block(kind, phase + 4.0 * number as f64 / 9.0, &mut rng)));
                let TimeDifference { low, high } = times.difference();
                wrong += usize::from(low > expected || high < expected);
                decided += usize::from(low > 0.0);
            }
            let [wrong, decided] = [wrong, decided].map(|count| count as f64 / RUNS as f64);
            println!("{kind}: {wrong} wrong, {decided} decided, the difference is {expected}");
            // Two standard errors above 1%.
            assert!(wrong <= 0.013, "{kind}: {wrong}");
            assert!(decided > 0.2, "{kind}: {decided}");
        }
    }
}
