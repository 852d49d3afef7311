//! Which bins samples are counted in.
//!
//! A bin is 2 IQR n^(-1/3) wide: D. Freedman and P. Diaconis, "On the histogram as a density estimator: L2 theory" (1981).
//! Where half of the samples are equal, so that the IQR is 0, there are ⌈log2 n⌉ + 1 bins instead: H. A. Sturges, "The
//! choice of a class interval" (1926). Bins reach from the first to the last sample between Tukey's outer fences.

use benchbook::analyze::outliers::Fences;
use benchbook::analyze::statistics::quantile;

use super::{Bin, Holds};
use crate::scale::Window;

/// The bins of samples in ascending order, each sample in one of them; at most `most` beside those of severe outliers.
/// No samples have no bins, equal ones a single one.
pub(super) fn bins(sorted: &[f64], resolution: f64, most: usize) -> Vec<Bin> {
    let (Some(q1), Some(q3)) = (quantile(sorted, 0.25), quantile(sorted, 0.75)) else { return Vec::new() };
    let iqr = q3 - q1;
    // Without a spread and a resolution every sample that differs would be a severe outlier.
    let fences = Fences::of(sorted, resolution).filter(|_| iqr > 0.0 || resolution > 0.0);
    let (start, end) = fences.map_or((0, sorted.len()), |fences| {
        (
            sorted.partition_point(|time| *time < fences.outer_low),
            sorted.partition_point(|time| *time <= fences.outer_high),
        )
    });
    let Some(grid) = sorted.get(start..end).and_then(|within| Grid::of(within, iqr, sorted.len(), resolution, most))
    else {
        return Vec::new();
    };
    let mut bins = grid.count(&sorted[start..end]);
    let beside = |from: f64| Window { low: grid.edge(from), high: grid.edge(from + 1.0) };
    if let Some(fences) = fences {
        if start > 0 {
            bins.insert(0, Bin { place: beside(-GAP - 1.0), holds: Holds::Under(fences.outer_low), count: start });
        }
        if end < sorted.len() {
            let place = beside(grid.bins as f64 + GAP);
            bins.push(Bin { place, holds: Holds::Over(fences.outer_high), count: sorted.len() - end });
        }
    }
    bins
}

/// Between the bins and those of severe outliers, in widths of a bin.
const GAP: f64 = 0.5;
/// The width of a single bin, in parts of the samples in it.
const SINGLE: f64 = 0.01;

/// Bins of the same width beside each other.
struct Grid {
    low: f64,
    width: f64,
    bins: usize,
}

impl Grid {
    /// The bins for samples that lie within the fences, of `n` in all; absent for none.
    fn of(within: &[f64], iqr: f64, n: usize, resolution: f64, most: usize) -> Option<Self> {
        let (&low, &high) = (within.first()?, within.last()?);
        let range = high - low;
        let n = n as f64;
        let width = if iqr > 0.0 { 2.0 * iqr / n.cbrt() } else { range / (n.log2().ceil() + 1.0) };
        if resolution > 0.0 {
            return Some(Self::of_steps(low, range, width, resolution, most));
        }
        if range <= 0.0 {
            let width = if low == 0.0 { 1.0 } else { low.abs() * SINGLE };
            return Some(Self { low: low - width / 2.0, width, bins: 1 });
        }
        let bins = ((range / width).ceil() as usize).clamp(1, most);
        Some(Self { low, width: range / bins as f64, bins })
    }

    /// Bins for times that come in steps: each holds as many steps as the next, lest every other bin looks fuller. Steps
    /// lie in the middle of their part of a bin.
    fn of_steps(low: f64, range: f64, width: f64, step: f64, most: usize) -> Self {
        let steps = (range / step).round() + 1.0;
        let a_bin = (width / step).round().max((steps / most as f64).ceil()).max(1.0);
        Self { low: low - step / 2.0, width: a_bin * step, bins: ((steps / a_bin).ceil() as usize).clamp(1, most) }
    }

    /// Where so many bins end.
    fn edge(&self, bins: f64) -> f64 {
        self.low + bins * self.width
    }

    /// The bins with the numbers of these samples in them.
    fn count(&self, within: &[f64]) -> Vec<Bin> {
        let mut start = 0;
        let bin = |index: usize| {
            let place = Window { low: self.edge(index as f64), high: self.edge((index + 1) as f64) };
            let is_last = index + 1 == self.bins;
            let end = if is_last { within.len() } else { within.partition_point(|time| *time < place.high).max(start) };
            let count = end - start;
            start = end;
            Bin { place, holds: Holds::Place, count }
        };
        (0..self.bins).map(bin).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The numbers of samples in the bins, outliers marked.
    fn counts(samples: &[f64], resolution: f64, most: usize) -> String {
        let told = bins(samples, resolution, most).into_iter().map(|bin| match bin.holds {
            Holds::Place => bin.count.to_string(),
            Holds::Under(fence) => format!("{} < {fence}", bin.count),
            Holds::Over(fence) => format!("{} > {fence}", bin.count),
        });
        told.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn no_samples_have_no_bins_and_equal_ones_a_single_one() {
        assert_eq!(counts(&[], 0.0, 100), "");
        assert_eq!(counts(&[7.0], 0.0, 100), "1");
        assert_eq!(counts(&[7.0; 50], 0.0, 100), "50");
        assert_eq!(counts(&[7.0; 50], 5.0, 100), "50");
        assert_eq!(counts(&[0.0; 3], 0.0, 100), "3");
        let [Bin { place, .. }] = bins(&[7.0], 0.0, 100)[..] else { panic!("one bin") };
        assert!(place.low < 7.0 && place.high > 7.0, "{place:?}");
    }

    #[test]
    fn bins_are_as_wide_as_freedman_and_diaconis_say() {
        // 0 to 7: IQR 3.5, so 2 · 3.5 · 8^(-1/3) = 3.5, which is half of the range.
        let samples: Vec<f64> = (0..8).map(f64::from).collect();
        let places: Vec<_> = bins(&samples, 0.0, 100).into_iter().map(|bin| (bin.place.low, bin.place.high)).collect();
        assert_eq!(places, [(0.0, 3.5), (3.5, 7.0)]);
        assert_eq!(counts(&samples, 0.0, 100), "4 | 4");
        assert_eq!(counts(&samples, 0.0, 1), "8");
    }

    #[test]
    fn severe_outliers_have_bins_of_their_own() {
        let mut samples: Vec<f64> = (100..108).map(f64::from).collect();
        samples.insert(0, 3.0);
        samples.extend([150.0, 9e9]);
        // Quartiles 101.5 and 106.5, so the outer fences lie 15 outside of them.
        assert_eq!(counts(&samples, 0.0, 100), "1 < 86.5 | 4 | 4 | 2 > 121.5");
        let places: Vec<_> = bins(&samples, 0.0, 100).into_iter().map(|bin| bin.place).collect();
        assert!(places.windows(2).all(|pair| pair[0].high <= pair[1].low), "{places:?}");
    }

    #[test]
    fn where_half_of_the_samples_are_equal_none_is_left_out() {
        let mut samples = vec![10.0; 15];
        samples.push(50.0);
        assert_eq!(counts(&samples, 0.0, 100), "15 | 0 | 0 | 0 | 1");
    }

    #[test]
    fn the_steps_of_a_coarse_clock_are_spread_evenly() {
        // Twenty steps of 5, one sample at each: every bin but the last has the same number of them.
        let samples: Vec<f64> = (0..20).map(|step| 5.0 * f64::from(step)).collect();
        assert_eq!(counts(&samples, 5.0, 100), "7 | 7 | 6");
        assert_eq!(counts(&samples, 5.0, 2), "10 | 10");
    }

    proptest! {
        #[test]
        fn every_sample_is_in_one_bin(
            mut samples in proptest::collection::vec(prop_oneof![0.0..1e3, -1e2..1e6, Just(5.0)], 0..400),
            resolution in prop_oneof![Just(0.0), 1e-3..50.0],
            most in 1_usize..300,
        ) {
            samples.sort_by(f64::total_cmp);
            let bins = bins(&samples, resolution, most);
            prop_assert_eq!(bins.iter().map(|bin| bin.count).sum::<usize>(), samples.len());
            prop_assert!(bins.len() <= most + 2);
            prop_assert!(bins.windows(2).all(|pair| pair[0].place.high <= pair[1].place.low));
            let slack = samples.iter().fold(1.0, |most: f64, time| most.max(time.abs())) * 1e-9;
            for bin in bins {
                let fits = |time: &f64| match bin.holds {
                    Holds::Place => (bin.place.low - slack..=bin.place.high + slack).contains(time),
                    Holds::Under(fence) => *time < fence,
                    Holds::Over(fence) => *time > fence,
                };
                prop_assert!(samples.iter().filter(|time| fits(time)).count() >= bin.count, "{:?}", bin);
            }
        }
    }
}
