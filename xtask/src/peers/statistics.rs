//! Figures over the repeats of one measurement.

/// The root mean square of the errors of `estimates` relative to `reference`: 0.01 is 1%. Absent without estimates, and if the
/// reference is 0, such as a median that is shorter than a step of the clock.
pub(crate) fn rms_error(estimates: &[f64], reference: f64) -> Option<f64> {
    let squares: f64 = estimates.iter().map(|estimate| (estimate / reference - 1.0).powi(2)).sum();
    (!estimates.is_empty() && reference != 0.0).then(|| (squares / estimates.len() as f64).sqrt())
}

/// How many of the intervals contain `reference`, and how many intervals there are.
pub(crate) fn coverage(intervals: &[(f64, f64)], reference: f64) -> (usize, usize) {
    let inside = intervals.iter().filter(|(low, high)| (*low..=*high).contains(&reference)).count();
    (inside, intervals.len())
}

/// The median; the mean of the two middle values if their number is even. Absent without values.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        count if count % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}

/// Spearman's rank correlation, from −1 (reverse order) to 1 (same order): Pearson's correlation of the ranks, where equal values share the
/// mean of their ranks. By C. Spearman, "The proof and measurement of association between two things", *American Journal of Psychology* 15
/// (1904) 72–101. Absent for fewer than two pairs, and if all values of either kind are equal.
pub(crate) fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let (ones, others): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (ones, others) = (ranks(&ones), ranks(&others));
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let products = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    let deviations = (products(&ones, &ones) * products(&others, &others)).sqrt();
    (deviations > 0.0).then(|| products(&ones, &others) / deviations)
}

/// The rank of each value from 1; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count();
        let equal = values.iter().filter(|other| *other == value).count();
        below as f64 + (equal as f64 + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rms_error_is_relative_to_the_reference() {
        assert_eq!(rms_error(&[], 2.0), None);
        assert_eq!(rms_error(&[2.0, 2.0], 2.0), Some(0.0));
        // Errors of +3% and −4%: √((9 + 16) / 2) % = 3.5355%.
        let error = rms_error(&[103.0, 96.0], 100.0).unwrap();
        assert!((error - 0.035_355_339).abs() < 1e-9, "{error}");
    }

    #[test]
    fn coverage_counts_the_intervals_that_contain_the_reference() {
        assert_eq!(coverage(&[(1.0, 2.0), (2.0, 3.0), (2.5, 3.0)], 2.0), (2, 3));
        assert_eq!(coverage(&[], 2.0), (0, 0));
    }

    #[test]
    fn the_median_of_an_even_number_lies_between_the_middle_values() {
        let table: [(&[f64], Option<f64>); 4] =
            [(&[], None), (&[3.0], Some(3.0)), (&[9.0, 1.0, 2.0], Some(2.0)), (&[4.0, 1.0, 3.0, 9.0], Some(3.5))];
        for (values, expected) in table {
            assert_eq!(median(values.iter().copied()), expected, "{values:?}");
        }
    }

    #[test]
    fn the_rank_correlation_agrees_with_scipy() {
        // scipy.stats.spearmanr(one, other).statistic, SciPy 1.17.1.
        let table: [(&[f64], &[f64], Option<f64>); 6] = [
            (&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0, 30.0, 400.0], Some(1.0)),
            (&[1.0, 2.0, 3.0, 4.0], &[4.0, 3.0, 2.0, 1.0], Some(-1.0)),
            (&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0], Some(0.5)),
            (&[10.0, 10.0, 20.0, 30.0, 30.0], &[3.0, 1.0, 2.0, 2.0, 5.0], Some(0.405_553_552_826_906_36)),
            (&[1.0], &[1.0], None),
            (&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0], None),
        ];
        for (one, other, expected) in table {
            let pairs: Vec<(f64, f64)> = one.iter().copied().zip(other.iter().copied()).collect();
            let correlation = rank_correlation(&pairs);
            assert!(
                (correlation.unwrap_or(9.0) - expected.unwrap_or(9.0)).abs() < 1e-15,
                "{one:?} {other:?}: {correlation:?}"
            );
        }
    }
}
