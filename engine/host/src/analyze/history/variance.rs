//! Analysis of variance: whether the means of several histories differ.

use statrs::distribution::{ContinuousCDF, FisherSnedecor};

/// The result of a one-way analysis of variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnalysisOfVariance {
    /// The mean square between histories, in the unit of the means, squared.
    pub between: f64,
    /// The mean square within histories.
    pub within: f64,
    /// The degrees of freedom between and within histories.
    pub freedom: (usize, usize),
    /// The statistic: the quotient of both mean squares. Infinite if nothing varies within histories.
    pub f: f64,
    /// The probability of such a quotient, or a greater one, if all histories have the same mean.
    pub p: f64,
}

impl AnalysisOfVariance {
    /// Analyses at least two histories, none of which is empty, and of which one has two processes at least; otherwise `None`.
    pub fn of(histories: &[&[f64]]) -> Option<Self> {
        let count: usize = histories.iter().map(|means| means.len()).sum();
        if histories.len() < 2 || histories.iter().any(|means| means.is_empty()) || count <= histories.len() {
            return None;
        }
        // All values are taken relative to one of them, so that digits that they have in common do not reduce the accuracy.
        let origin = histories[0][0];
        let shifted = || histories.iter().map(|means| means.iter().map(move |mean| mean - origin));
        let total: f64 = shifted().flatten().sum();
        let grand_mean = total / count as f64;
        let mut squares = (0.0, 0.0);
        for means in shifted() {
            let size = means.len() as f64;
            let mean = means.clone().sum::<f64>() / size;
            squares.0 += size * (mean - grand_mean).powi(2);
            squares.1 += means.map(|value| (value - mean).powi(2)).sum::<f64>();
        }
        let freedom = (histories.len() - 1, count - histories.len());
        let (between, within) = (squares.0 / freedom.0 as f64, squares.1 / freedom.1 as f64);
        let f = if between > 0.0 { between / within } else { 0.0 };
        let distribution = FisherSnedecor::new(freedom.0 as f64, freedom.1 as f64).ok()?;
        let p = if f.is_finite() { distribution.sf(f) } else { 0.0 };
        Some(Self { between, within, freedom, f, p })
    }
}
