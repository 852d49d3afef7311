//! The smallest differences that a machine can tell from chance, within a run and between runs.

use std::collections::BTreeMap;

use crate::analyze::interval::Interval;
use crate::analyze::order::{quantile, sorted};
use crate::analyze::repeatability::smallest_difference;
use crate::response::Point;

/// The fewest runs whose spread says something: with two, the quantile is 12.7 instead of 4.3 with three, and 2.3 with ten.
pub const MIN_RUNS: usize = 3;

/// The mean times of each point, one per run, by the point's function and axis value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeansOfRuns(BTreeMap<(String, String), Vec<f64>>);

impl MeansOfRuns {
    /// Adds the points of a run.
    pub fn add(&mut self, points: &[Point]) {
        for point in points {
            if let Some(measured) = point.measured().filter(|measured| measured.summary.mean > 0.0) {
                let means = self.0.entry((point.function.clone(), point.x.to_string())).or_default();
                means.push(measured.summary.mean);
            }
        }
    }

    /// The relative difference that the means of two runs of equal code exceed in 5% of cases: 0.02 is 2%. Absent if no point has
    /// [`MIN_RUNS`].
    ///
    /// √2 times the standard deviation of the logarithms, which all points share, times the quantile of Student's distribution. The degrees
    /// of freedom are those of a single point, since a slow run slows all of its points.
    pub fn smallest_difference(&self) -> Option<f64> {
        let (mut squares, mut freedom_of_all, mut freedom) = (0.0, 0, 0);
        for means in self.0.values() {
            let logs: Vec<f64> = means.iter().map(|mean| mean.ln()).collect();
            let centre = logs.iter().sum::<f64>() / logs.len() as f64;
            squares += logs.iter().map(|log| (log - centre).powi(2)).sum::<f64>();
            freedom_of_all += logs.len() - 1;
            freedom = freedom.max(logs.len() - 1);
        }
        if freedom + 1 < MIN_RUNS {
            return None;
        }
        let deviation = (squares / freedom_of_all as f64).sqrt();
        Some(smallest_difference(deviation, u32::try_from(freedom).ok()?))
    }
}

/// The relative difference that two equal functions, measured together, exceed in 5% of cases: the median half-width of the 95% intervals
/// of their ratio. Absent without intervals.
pub fn smallest_difference_within(equal: &[Interval]) -> Option<f64> {
    let half_widths: Vec<f64> = equal.iter().map(|interval| (interval.high - interval.low) / 2.0).collect();
    quantile(&sorted(&half_widths), 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn means(of_points: &[&[f64]]) -> MeansOfRuns {
        let of_point = |(x, means): (usize, &&[f64])| (("one".to_owned(), x.to_string()), means.to_vec());
        MeansOfRuns(of_points.iter().enumerate().map(of_point).collect())
    }

    #[test]
    fn half_of_the_intervals_are_narrower_than_the_difference_within_a_run() {
        let intervals = [0.01, 0.02, 0.05].map(|half| Interval { low: 1.0 - half, high: 1.0 + half });
        let within = smallest_difference_within(&intervals).expect("there are intervals");
        assert!((within - 0.02).abs() < 1e-9, "{within}");
        assert_eq!(smallest_difference_within(&[]), None);
    }

    /// 4.302653 is the quantile for two degrees of freedom in printed tables.
    #[test]
    fn runs_differ_by_the_standard_deviation_of_a_difference_times_a_quantile() {
        let of_point = [(-0.01_f64).exp(), 1.0, 0.01_f64.exp()];
        let expected = (4.302_653 * 2_f64.sqrt() * 0.01).exp_m1();
        // A second point, ten times as slow, has the same deviation.
        for points in [means(&[&of_point]), means(&[&of_point, &of_point.map(|mean| 10.0 * mean)])] {
            let between = points.smallest_difference().expect("there are three runs");
            assert!((between - expected).abs() < 1e-7, "{between}, not {expected}");
        }
        assert_eq!(means(&[&[5.0, 5.0, 5.0]]).smallest_difference(), Some(0.0));
    }

    #[test]
    fn too_few_runs_show_no_difference_between_runs() {
        assert_eq!(means(&[]).smallest_difference(), None);
        assert_eq!(means(&[&[1.0, 2.0], &[2.0, 4.0], &[3.0]]).smallest_difference(), None);
    }
}
