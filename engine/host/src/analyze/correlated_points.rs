//! How far the results of several processes at different axis values depend on each other.
//!
//! What a process does to a function, for example by the addresses of its code, it does at every axis value. So the points of a curve do not
//! vary independently from process to process.

/// The dependence between the points of some curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PointDependence {
    /// The mean squared correlation between two points: 0 if they are independent, 1 if one determines the other.
    squared_correlation: f64,
}

impl PointDependence {
    /// Points that determine each other.
    const TOTAL: Self = Self { squared_correlation: 1.0 };

    /// Estimates the dependence. `curves`: for each curve, and each of its points, the values of all processes.
    ///
    /// With the covariance matrix Σ of a curve's p points, tr(Σ²)/tr²(Σ) is 1/p if the points are independent and vary alike, and 1 if one
    /// determines the others. With n degrees of freedom and the sample covariance S, tr(Σ²) is estimated without bias by
    /// n²/((n + 2)(n − 1)) · (tr(S²) − tr²(S)/n): Z. Bai and H. Saranadasa, "Effect of high dimension: by an example of a two
    /// sample problem", *Statistica Sinica* 6 (1996) 311–329; and tr²(Σ) by tr²(S) − 2 tr(Σ²)/n. A few processes estimate both
    /// poorly, so the sums over all curves are compared.
    ///
    /// Total dependence, the cautious assumption, if points have fewer than three processes or not the same number.
    pub(crate) fn estimate(curves: &[Vec<Vec<f64>>]) -> Self {
        let (mut independent, mut common, mut observed) = (0.0, 0.0, 0.0);
        for points in curves.iter().filter(|points| points.len() > 1) {
            let Some(traces) = Traces::of(points) else { return Self::TOTAL };
            observed += traces.of_square;
            common += traces.squared;
            independent += traces.squared / points.len() as f64;
        }
        if common <= independent {
            return Self::TOTAL;
        }
        Self { squared_correlation: ((observed - independent) / (common - independent)).clamp(0.0, 1.0) }
    }

    /// The number of independent points whose variances are known as well together as those of `points` points: the degrees of freedom of a sum
    /// of correlated variances, by F. E. Satterthwaite, "An approximate distribution of estimates of variance components",
    /// *Biometrics Bulletin* 2 (1946) 110–114, divided by those of one.
    pub(crate) fn independent_variances(self, points: usize) -> f64 {
        let points = points as f64;
        points / (1.0 + (points - 1.0) * self.squared_correlation)
    }

    /// The number of independent tests that err as often as tests at `points` points: D. R. Nyholt, "A simple correction for multiple testing
    /// for single-nucleotide polymorphisms in linkage disequilibrium with each other", *American Journal of Human Genetics* 74 (2004) 765–769.
    pub(crate) fn independent_tests(self, points: usize) -> f64 {
        match points {
            0 => 0.0,
            points => 1.0 + (points as f64 - 1.0) * (1.0 - self.squared_correlation),
        }
    }
}

/// Estimates of tr(Σ²) and tr²(Σ).
struct Traces {
    of_square: f64,
    squared: f64,
}

impl Traces {
    /// `None` for fewer than three processes, and if points have different numbers of them.
    fn of(points: &[Vec<f64>]) -> Option<Self> {
        let processes = points.first()?.len();
        if processes < 3 || points.iter().any(|values| values.len() != processes) {
            return None;
        }
        let n = processes as f64 - 1.0;
        let deviations = |values: &Vec<f64>| -> Vec<f64> {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            values.iter().map(|value| value - mean).collect()
        };
        let deviations: Vec<Vec<f64>> = points.iter().map(deviations).collect();
        let covariance =
            |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f64>() / n;
        let trace: f64 = deviations.iter().map(|values| covariance(values, values)).sum();
        let squares = deviations.iter().flat_map(|one| deviations.iter().map(|other| covariance(one, other).powi(2)));
        let of_square = n * n / ((n + 2.0) * (n - 1.0)) * (squares.sum::<f64>() - trace * trace / n);
        Some(Self { of_square, squared: trace * trace - 2.0 * of_square / n })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependence(curves: &[&[[f64; 5]]]) -> PointDependence {
        let curves: Vec<Vec<Vec<f64>>> =
            curves.iter().map(|points| points.iter().map(|values| values.to_vec()).collect()).collect();
        PointDependence::estimate(&curves)
    }

    /// The expected values are of NumPy 2.3:
    ///
    /// ```python
    /// S = np.cov(X); n = 4; trace = np.trace(S)
    /// T = n*n/((n + 2)*(n - 1))*(np.trace(S @ S) - trace**2/n)
    /// squared = trace**2 - 2*T/n
    /// (sum(T) - sum(squared/p))/(sum(squared) - sum(squared/p))
    /// ```
    #[test]
    fn agrees_with_numpy() {
        let one = [
            [0.010, -0.004, 0.006, 0.001, -0.012],
            [0.008, -0.006, 0.009, 0.002, -0.010],
            [0.002, 0.003, -0.004, 0.001, 0.000],
        ];
        let other = [
            [0.001, 0.002, -0.001, 0.004, -0.003],
            [0.004, -0.001, 0.002, 0.000, -0.006],
            [-0.002, 0.003, 0.001, 0.005, -0.001],
        ];
        let of_one = dependence(&[&one]);
        assert!((of_one.squared_correlation - 0.680_058_473_966_176_8).abs() < 1e-12, "{of_one:?}");
        let both = dependence(&[&one, &other]);
        assert!((both.squared_correlation - 0.642_524_967_074_634_6).abs() < 1e-12, "{both:?}");
        assert!((both.independent_variances(3) - 1.312_881_594_036_985_1).abs() < 1e-12);
        assert!((both.independent_tests(3) - 1.714_950_065_850_730_8).abs() < 1e-12);
    }

    #[test]
    fn points_that_determine_each_other_count_once() {
        let values = [0.010, -0.004, 0.006, 0.001, -0.013];
        let total = dependence(&[&[values, values.map(|value| 2.0 * value), values.map(|value| -value)]]);
        assert!(total.squared_correlation > 0.5, "{total:?}");
        let equal = dependence(&[&[values; 9]]);
        assert!((equal.squared_correlation - 1.0).abs() < 1e-12);
        assert!((equal.independent_variances(9) - 1.0).abs() < 1e-12);
        assert!((equal.independent_tests(9) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn unknown_dependence_counts_as_total() {
        for curves in [&[][..], &[vec![vec![0.1, 0.2, 0.3]]], &[vec![vec![0.1, 0.2], vec![0.3, 0.1]]]] {
            assert_eq!(PointDependence::estimate(curves), PointDependence::TOTAL, "{curves:?}");
        }
        let different = [vec![vec![0.1, 0.2, 0.3], vec![0.1, 0.2]]];
        assert_eq!(PointDependence::estimate(&different), PointDependence::TOTAL);
        assert_eq!(PointDependence::TOTAL.independent_tests(0), 0.0);
    }
}
