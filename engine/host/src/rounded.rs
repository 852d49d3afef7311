//! Rounding of estimates.

use crate::analyze::interval::Interval;
use crate::units::number;

/// A value rounded to the digits that an interval of this width justifies.
pub(crate) fn rounded(value: f64, width: f64) -> f64 {
    rounded_to(value, width, 0.0)
}

/// An axis value between measured ones and its interval, with the digits that the interval justifies. `is_whole`: whether the parameter has
/// whole values only, so that the estimate has no fraction either.
pub(crate) fn axis_estimate(x: f64, Interval { low, high }: Interval, is_whole: bool) -> [String; 3] {
    let finest = if is_whole { 1.0 } else { 0.0 };
    [x, low, high].map(|value| number(rounded_to(value, high - low, finest)))
}

/// `finest`: the smallest distance between rounded values.
fn rounded_to(value: f64, width: f64, finest: f64) -> f64 {
    let step = 10_f64.powf(width.max(value.abs() * 1e-6).log10().floor() - 1.0).max(finest);
    if step > 0.0 { (value / step).round() * step } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_of_whole_values_have_no_fraction() {
        let estimate = |x: f64, low: f64, high: f64, is_whole: bool| {
            axis_estimate(x, Interval { low, high }, is_whole).join(" ").replace(crate::units::SPACE, "")
        };
        assert_eq!(estimate(27.91, 27.2, 28.44, false), "27.9 27.2 28.4");
        assert_eq!(estimate(27.91, 27.2, 28.44, true), "28 27 28");
        assert_eq!(estimate(312.4, 281.2, 352.4, true), "312 281 352");
        assert_eq!(estimate(12_312.3, 10_913.0, 13_730.0, true), "12300 10900 13700");
        assert_eq!(estimate(400.0, 400.0, 400.0, true), "400 400 400");
    }
}
