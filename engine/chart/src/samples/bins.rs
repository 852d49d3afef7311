//! The bins of a histogram.
//!
//! The width of a bin is 2 IQR n^(-1/3): D. Freedman and P. Diaconis, "On the histogram as a density estimator: L2 theory"
//! (1981). If half of the samples are equal, the IQR is 0 and there are ⌈log2 n⌉ + 1 bins instead: H. A. Sturges, "The
//! choice of a class interval" (1926). Bins extend from the first to the last sample between Tukey's outer fences.

use benchbook_host::analyze::order::quantile;
use benchbook_host::analyze::outliers::Fences;

use crate::scale::Window;

/// Samples of similar times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The extent of its bar on the axis, in nanoseconds per call.
    pub window: Window,
    /// The times that it counts.
    pub kind: BinKind,
    /// The number of samples.
    pub count: usize,
}

/// The times that a bin counts, in nanoseconds per call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BinKind {
    /// The times in its window. The upper end belongs to the next bin, if there is one.
    Regular,
    /// Extreme outliers below this value, the lower outer fence.
    LowOutliers(f64),
    /// Extreme outliers above this value, the upper outer fence.
    HighOutliers(f64),
}

/// The bins of samples, which are in ascending order. Each sample is in exactly one bin. There are at most `max_bins`
/// besides those of extreme outliers: none for no samples, one for equal samples.
pub(super) fn bins(sorted: &[f64], resolution: f64, max_bins: usize) -> Vec<Bin> {
    let (Some(q1), Some(q3)) = (quantile(sorted, 0.25), quantile(sorted, 0.75)) else { return Vec::new() };
    let iqr = q3 - q1;
    // Without an IQR and a resolution, each sample that differs would be an extreme outlier.
    let fences = Fences::of(sorted, resolution).filter(|_| iqr > 0.0 || resolution > 0.0);
    let (start, end) = fences.map_or((0, sorted.len()), |fences| {
        (
            sorted.partition_point(|time| *time < fences.outer_low),
            sorted.partition_point(|time| *time <= fences.outer_high),
        )
    });
    let grid = sorted.get(start..end).and_then(|inside| BinGrid::of(inside, iqr, sorted.len(), resolution, max_bins));
    let Some(grid) = grid else { return Vec::new() };
    let mut bins = grid.count(&sorted[start..end]);
    let window = |from: f64| Window { low: grid.edge(from), high: grid.edge(from + 1.0) };
    if let Some(fences) = fences {
        if start > 0 {
            let kind = BinKind::LowOutliers(fences.outer_low);
            bins.insert(0, Bin { window: window(-GAP - 1.0), kind, count: start });
        }
        if end < sorted.len() {
            let kind = BinKind::HighOutliers(fences.outer_high);
            bins.push(Bin { window: window(grid.bins as f64 + GAP), kind, count: sorted.len() - end });
        }
    }
    bins
}

/// The gap between the regular bins and those of extreme outliers, as a fraction of a bin's width.
const GAP: f64 = 0.5;
/// The width of the bin of equal samples, as a fraction of their value.
const SINGLE: f64 = 0.01;

/// Adjacent bins of the same width.
struct BinGrid {
    low: f64,
    width: f64,
    bins: usize,
}

impl BinGrid {
    /// The bins of the samples inside the fences, out of `n` in total; `None` if there are none.
    fn of(inside: &[f64], iqr: f64, n: usize, resolution: f64, max_bins: usize) -> Option<Self> {
        let (&low, &high) = (inside.first()?, inside.last()?);
        let range = high - low;
        let n = n as f64;
        let width = if iqr > 0.0 { 2.0 * iqr / n.cbrt() } else { range / (n.log2().ceil() + 1.0) };
        if resolution > 0.0 {
            return Some(Self::of_steps(low, range, width, resolution, max_bins));
        }
        if range <= 0.0 {
            let width = if low == 0.0 { 1.0 } else { low.abs() * SINGLE };
            return Some(Self { low: low - width / 2.0, width, bins: 1 });
        }
        let bins = ((range / width).ceil() as usize).clamp(1, max_bins);
        Some(Self { low, width: range / bins as f64, bins })
    }

    /// Bins for times that are multiples of a step: each bin contains the same number of steps, since otherwise alternate
    /// bins would look fuller. Each step is centred in its part of a bin.
    fn of_steps(low: f64, range: f64, width: f64, step: f64, max_bins: usize) -> Self {
        let steps = (range / step).round() + 1.0;
        let per_bin = (width / step).round().max((steps / max_bins as f64).ceil()).max(1.0);
        Self {
            low: low - step / 2.0,
            width: per_bin * step,
            bins: ((steps / per_bin).ceil() as usize).clamp(1, max_bins),
        }
    }

    /// The end of this number of bins.
    fn edge(&self, bins: f64) -> f64 {
        self.low + bins * self.width
    }

    /// Counts these samples.
    fn count(&self, inside: &[f64]) -> Vec<Bin> {
        let mut start = 0;
        let bin = |index: usize| {
            let window = Window { low: self.edge(index as f64), high: self.edge((index + 1) as f64) };
            let is_last = index + 1 == self.bins;
            let end =
                if is_last { inside.len() } else { inside.partition_point(|time| *time < window.high).max(start) };
            let count = end - start;
            start = end;
            Bin { window, kind: BinKind::Regular, count }
        };
        (0..self.bins).map(bin).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The number of samples in each bin, with the fence for outliers.
    fn counts(samples: &[f64], resolution: f64, max_bins: usize) -> String {
        let counts = bins(samples, resolution, max_bins).into_iter().map(|bin| match bin.kind {
            BinKind::Regular => bin.count.to_string(),
            BinKind::LowOutliers(fence) => format!("{} < {fence}", bin.count),
            BinKind::HighOutliers(fence) => format!("{} > {fence}", bin.count),
        });
        counts.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn no_bins_without_samples_and_one_for_equal_samples() {
        assert_eq!(counts(&[], 0.0, 100), "");
        assert_eq!(counts(&[7.0], 0.0, 100), "1");
        assert_eq!(counts(&[7.0; 50], 0.0, 100), "50");
        assert_eq!(counts(&[7.0; 50], 5.0, 100), "50");
        assert_eq!(counts(&[0.0; 3], 0.0, 100), "3");
        let [Bin { window, .. }] = bins(&[7.0], 0.0, 100)[..] else { panic!("one bin") };
        assert!(window.low < 7.0 && window.high > 7.0, "{window:?}");
    }

    #[test]
    fn bin_width_follows_freedman_diaconis() {
        // 0 to 7: IQR 3.5, so 2 · 3.5 · 8^(-1/3) = 3.5, which is half of the range.
        let samples: Vec<f64> = (0..8).map(f64::from).collect();
        let windows: Vec<_> =
            bins(&samples, 0.0, 100).into_iter().map(|bin| (bin.window.low, bin.window.high)).collect();
        assert_eq!(windows, [(0.0, 3.5), (3.5, 7.0)]);
        assert_eq!(counts(&samples, 0.0, 100), "4 | 4");
        assert_eq!(counts(&samples, 0.0, 1), "8");
    }

    #[test]
    fn extreme_outliers_have_separate_bins() {
        let mut samples: Vec<f64> = (100..108).map(f64::from).collect();
        samples.insert(0, 3.0);
        samples.extend([150.0, 9e9]);
        // The quartiles are 101.5 and 106.5, so the outer fences are 15 beyond them.
        assert_eq!(counts(&samples, 0.0, 100), "1 < 86.5 | 4 | 4 | 2 > 121.5");
        let windows: Vec<_> = bins(&samples, 0.0, 100).into_iter().map(|bin| bin.window).collect();
        assert!(windows.windows(2).all(|pair| pair[0].high <= pair[1].low), "{windows:?}");
    }

    #[test]
    fn no_outliers_if_half_of_the_samples_are_equal() {
        let mut samples = vec![10.0; 15];
        samples.push(50.0);
        assert_eq!(counts(&samples, 0.0, 100), "15 | 0 | 0 | 0 | 1");
    }

    #[test]
    fn steps_of_coarse_clock_are_spread_evenly() {
        // Twenty steps of 5 with one sample each: every bin but the last has the same number.
        let samples: Vec<f64> = (0..20).map(|step| 5.0 * f64::from(step)).collect();
        assert_eq!(counts(&samples, 5.0, 100), "7 | 7 | 6");
        assert_eq!(counts(&samples, 5.0, 2), "10 | 10");
    }

    proptest! {
        #[test]
        fn every_sample_is_in_exactly_one_bin(
            mut samples in proptest::collection::vec(prop_oneof![0.0..1e3, -1e2..1e6, Just(5.0)], 0..400),
            resolution in prop_oneof![Just(0.0), 1e-3..50.0],
            max_bins in 1_usize..300,
        ) {
            samples.sort_by(f64::total_cmp);
            let bins = bins(&samples, resolution, max_bins);
            prop_assert_eq!(bins.iter().map(|bin| bin.count).sum::<usize>(), samples.len());
            prop_assert!(bins.len() <= max_bins + 2);
            prop_assert!(bins.windows(2).all(|pair| pair[0].window.high <= pair[1].window.low));
            let slack = samples.iter().fold(1.0, |largest: f64, time| largest.max(time.abs())) * 1e-9;
            for bin in bins {
                let fits = |time: &f64| match bin.kind {
                    BinKind::Regular => (bin.window.low - slack..=bin.window.high + slack).contains(time),
                    BinKind::LowOutliers(fence) => *time < fence,
                    BinKind::HighOutliers(fence) => *time > fence,
                };
                prop_assert!(samples.iter().filter(|time| fits(time)).count() >= bin.count, "{:?}", bin);
            }
        }
    }
}
