//! Tukey's test: which of several histories differ.

use statrs::statistics::Statistics;

use super::studentized_range::StudentizedRange;
use super::variance::AnalysisOfVariance;
use crate::analyze::interval::Interval;

/// The difference between two of several histories.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairDifference {
    /// The indices of the two histories.
    pub pair: (usize, usize),
    /// The mean of the second minus that of the first, in the unit of the means.
    pub difference: f64,
    /// Its interval. All intervals contain their differences simultaneously with the chosen confidence.
    pub interval: Interval,
}

/// Compares all pairs of histories by Tukey's honestly significant difference: J. W. Tukey, "Comparing individual means in the
/// analysis of variance", *Biometrics* 5 (1949) 99–114, with the extension to different numbers of processes by C. Y. Kramer,
/// "Extension of multiple range tests to group means with unequal numbers of replications", *Biometrics* 12 (1956) 307–310.
/// The variances within all histories count as equal. `None` for fewer values than [`AnalysisOfVariance::of`] needs.
pub fn pair_differences(histories: &[&[f64]], confidence: f64) -> Option<Vec<PairDifference>> {
    let AnalysisOfVariance { within, freedom, .. } = AnalysisOfVariance::of(histories)?;
    let range = StudentizedRange { means: histories.len(), freedom: freedom.1 };
    let quantile = range.quantile_above(1.0 - confidence);
    let means: Vec<f64> = histories.iter().map(|means| means.iter().mean()).collect();
    let compare = |first: usize, second: usize| {
        let difference = means[second] - means[first];
        let [one, other] = [first, second].map(|index| 1.0 / histories[index].len() as f64);
        let error = (within / 2.0 * (one + other)).sqrt();
        let half = quantile * error;
        let interval = Interval { low: difference - half, high: difference + half };
        PairDifference { pair: (first, second), difference, interval }
    };
    let pairs = (0..histories.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    Some(pairs.map(|(first, second)| compare(first, second)).collect())
}
