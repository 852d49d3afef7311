//! Values in ascending order, and their quantiles.

/// The values in ascending order, by [`f64::total_cmp`]. One function for all, since each instance of a sort is a
/// kilobyte in the page.
#[inline(never)]
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// The `part` quantile, 0 to 1, of values in ascending order; absent for no values.
///
/// Type 7 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", *The American Statistician* 50 (1996)
/// 361–365, which R, NumPy and spreadsheets use: with h = (n − 1)·part, linear between the values ranked ⌊h⌋ and
/// ⌊h⌋ + 1 from 0. Of a single value, or of equal ones, it is that value.
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
