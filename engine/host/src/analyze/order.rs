//! Values in ascending order, and their quantiles.

/// Returns the values in ascending order, by [`f64::total_cmp`]. Not inlined, since each instance of a sort adds a
/// kilobyte to the page.
#[inline(never)]
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// The `part` quantile (0 to 1) of values in ascending order; absent for no values.
///
/// Type 7 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", *The American Statistician* 50
/// (1996) 361–365, as in R, NumPy and spreadsheets: with h = (n − 1)·part, linear interpolation between the values
/// ranked ⌊h⌋ and ⌊h⌋ + 1 from 0. For a single value, or equal values, it is that value.
pub fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    let position = sorted.len().checked_sub(1)? as f64 * part;
    let below = sorted[position as usize];
    let above = sorted.get(position as usize + 1).unwrap_or(&below);
    Some(below + position.fract() * (above - below))
}

/// The median of values in any order; absent for no values.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(&sorted(values), 0.5)
}
