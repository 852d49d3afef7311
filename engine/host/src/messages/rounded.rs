//! Rounding of estimates for sentences.

/// A value rounded to the digits that an interval of this width justifies.
pub(super) fn rounded(value: f64, width: f64) -> f64 {
    let step = 10_f64.powf(width.max(value.abs() * 1e-6).log10().floor() - 1.0);
    if step > 0.0 { (value / step).round() * step } else { value }
}
