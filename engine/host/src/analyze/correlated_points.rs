//! How far the results of several processes at different axis values depend on each other.
//!
//! What a process does to a function, for example by the addresses of its code, it does at every axis value. So the points of a curve do not
//! vary independently from process to process.

use crate::analyze::running::RunningStats;

/// The dependence between the points of some curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PointDependence {
    /// The mean squared correlation between two points: 0 if they are independent, 1 if one determines the other. `None` if it is
    /// unknown: then the least favourable one is assumed.
    squared_correlation: Option<f64>,
}

impl PointDependence {
    /// Estimates the dependence. `curves`: for each curve, and each of its points, the values of all processes.
    ///
    /// The squared correlation r² of two points over n + 1 processes is too large, 1/n on average if they are independent. So it is
    /// adjusted, (n·r² − 1)/(n − 1), as by M. Ezekiel, *Methods of Correlation Analysis* (1930). A few processes estimate it poorly,
    /// so the mean over all pairs of points of all curves is used. A point that does not vary is ignored.
    ///
    /// Unknown if no curve has two points, and if points have fewer than three processes or not the same number.
    pub(crate) fn estimate(curves: &[Vec<Vec<f64>>]) -> Self {
        let mut correlations = RunningStats::default();
        for points in curves {
            let Some(standardized) = standardized(points) else { return Self { squared_correlation: None } };
            for (index, one) in standardized.iter().enumerate() {
                for other in &standardized[index + 1..] {
                    let freedom = one.len() as f64 - 1.0;
                    let correlation = one.iter().zip(other).map(|(one, other)| one * other).sum::<f64>() / freedom;
                    correlations.push((freedom * correlation.powi(2) - 1.0) / (freedom - 1.0));
                }
            }
        }
        Self { squared_correlation: correlations.mean().map(|mean| mean.clamp(0.0, 1.0)) }
    }

    /// How many independent points would show their common variance as well as these do: the degrees of freedom of a sum of correlated
    /// variances, by F. E. Satterthwaite, "An approximate distribution of estimates of variance components", *Biometrics Bulletin* 2
    /// (1946) 110–114, divided by those of one.
    pub(crate) fn independent_variances(self, points: usize) -> f64 {
        let points = points as f64;
        points / (1.0 + (points - 1.0) * self.squared_correlation.unwrap_or(1.0))
    }

    /// How many independent tests would err as often as tests at these points: D. R. Nyholt, "A simple correction for multiple testing for
    /// single-nucleotide polymorphisms in linkage disequilibrium with each other", *American Journal of Human Genetics* 74 (2004) 765–769.
    pub(crate) fn independent_tests(self, points: usize) -> f64 {
        match points {
            0 => 0.0,
            points => 1.0 + (points as f64 - 1.0) * (1.0 - self.squared_correlation.unwrap_or(0.0)),
        }
    }
}

/// The deviations of each point that varies from its mean, in standard deviations; `None` for fewer than three processes, and if points
/// have different numbers of them.
fn standardized(points: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let processes = points.first().map_or(3, Vec::len);
    if processes < 3 || points.iter().any(|values| values.len() != processes) {
        return None;
    }
    let standardize = |values: &Vec<f64>| {
        let running: RunningStats = values.iter().copied().collect();
        let (mean, sd) = (running.mean()?, running.sd());
        (sd > 0.0).then(|| values.iter().map(|value| (value - mean) / sd).collect())
    };
    Some(points.iter().filter_map(standardize).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: [[f64; 5]; 3] = [
        [0.010, -0.004, 0.006, 0.001, -0.012],
        [0.008, -0.006, 0.009, 0.002, -0.010],
        [0.002, 0.003, -0.004, 0.001, 0.000],
    ];
    const OTHER: [[f64; 5]; 3] = [
        [0.001, 0.002, -0.001, 0.004, -0.003],
        [0.004, -0.001, 0.002, 0.000, -0.006],
        [-0.002, 0.003, 0.001, 0.005, -0.001],
    ];

    fn dependence(curves: &[&[[f64; 5]]]) -> PointDependence {
        let curves: Vec<Vec<Vec<f64>>> =
            curves.iter().map(|points| points.iter().map(|values| values.to_vec()).collect()).collect();
        PointDependence::estimate(&curves)
    }

    /// The expected values are of NumPy 2.3: the mean over pairs of points of `(4 * np.corrcoef(a, b)[0, 1]**2 - 1) / 3`.
    #[test]
    fn agrees_with_numpy() {
        for (curves, expected) in
            [(&[&ONE[..]][..], 0.165_978_681_956_948_8), (&[&ONE[..], &OTHER[..]][..], 0.079_482_397_024_219_12)]
        {
            let found = dependence(curves).squared_correlation.expect("it is known");
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
        }
        let known = PointDependence { squared_correlation: Some(0.25) };
        assert_eq!((known.independent_variances(5), known.independent_tests(5)), (2.5, 4.0));
    }

    #[test]
    fn points_that_determine_each_other_count_once() {
        let values = [0.010, -0.004, 0.006, 0.001, -0.013];
        let scaled = [1.0, 10.0, -3.0].map(|factor| values.map(|value| factor * value));
        let found = dependence(&[&scaled]);
        assert!((found.independent_variances(3) - 1.0).abs() < 1e-12, "{found:?}");
        assert!((found.independent_tests(3) - 1.0).abs() < 1e-12, "{found:?}");
    }

    /// Points whose variances differ are not correlated for that reason.
    #[test]
    fn a_point_that_varies_more_changes_nothing() {
        let scaled = [ONE[0].map(|value| 10.0 * value), ONE[1], ONE[2]];
        let tests = |curve: &[[f64; 5]]| dependence(&[curve]).independent_tests(3);
        assert!((tests(&scaled) - tests(&ONE)).abs() < 1e-9);
        let still = [ONE[0], ONE[1], ONE[2], [0.5; 5]];
        assert_eq!(dependence(&[&still]), dependence(&[&ONE]), "a point that does not vary");
    }

    #[test]
    fn an_unknown_dependence_is_the_least_favourable() {
        let unequal = vec![vec![0.1, 0.2, 0.3], vec![0.1, 0.2]];
        for curves in
            [vec![], vec![vec![vec![0.1, 0.2, 0.3]]], vec![vec![vec![0.1, 0.2], vec![0.3, 0.1]]], vec![unequal]]
        {
            let unknown = PointDependence::estimate(&curves);
            assert_eq!((unknown.independent_variances(4), unknown.independent_tests(4)), (1.0, 4.0), "{curves:?}");
            assert_eq!(unknown.independent_tests(0), 0.0);
        }
    }
}
