//! Sentences about the growth of exact values.

use crate::analyze::growth::{ExactGrowth, ExactPolynomial};
use crate::units::{number, significant};

/// The digits of a bound.
const DIGITS: i32 = 3;

/// How a metric of a function, such as its "allocations", grows with the axis `axis`. `metric` is a plural.
pub fn exact_growth_sentence(function: &str, axis: &str, metric: &str, growth: &ExactGrowth) -> String {
    let subject = format!("The {metric} of {function}");
    match growth {
        ExactGrowth::Constant(value) => format!("{subject} do not depend on {axis}: {} per call.", number(*value)),
        ExactGrowth::Polynomial(polynomial) => {
            format!("{subject} are exactly {} per call.", formula(polynomial, axis))
        }
        ExactGrowth::PerDoubling(step) => {
            format!("{subject} increase by {} each time {axis} doubles.", number(*step))
        }
        ExactGrowth::Proportional { low, high } => {
            let (low, high) = (rounded(*low, f64::floor), rounded(*high, f64::ceil));
            format!("{subject} follow no exact formula: between {low} × {axis} and {high} × {axis} per call.")
        }
        ExactGrowth::Irregular { low, high } => {
            let factor =
                if *low > 0.0 { format!(", a factor of {}", significant(high / low, 2)) } else { String::new() };
            format!(
                "{subject} follow no exact formula: between {} and {} per call{factor}.",
                number(*low),
                number(*high)
            )
        }
    }
}

/// A polynomial, highest power first: `2 × size² − size + 64`.
fn formula(polynomial: &ExactPolynomial, axis: &str) -> String {
    let mut text = String::new();
    for (power, &coefficient) in polynomial.coefficients().iter().enumerate().rev() {
        if coefficient == 0.0 {
            continue;
        }
        text += match (text.is_empty(), coefficient < 0.0) {
            (true, false) => "",
            (true, true) => "−",
            (false, false) => " + ",
            (false, true) => " − ",
        };
        let exponent = ["", "", "²", "³"][power];
        match (power, number(coefficient.abs()).as_str()) {
            (0, magnitude) => text += magnitude,
            (_, "1") => text += &format!("{axis}{exponent}"),
            (_, magnitude) => text += &format!("{magnitude} × {axis}{exponent}"),
        }
    }
    text
}

/// A number with [`DIGITS`] significant digits, rounded in one direction: an end of a range that contains it.
fn rounded(value: f64, round: fn(f64) -> f64) -> String {
    let unit = 10_f64.powi(value.abs().log10().floor() as i32 + 1 - DIGITS);
    // A value with so few digits is its own bound, although the division may not be exact.
    let units = value / unit;
    let whole = if (units - units.round()).abs() < 1e-9 { units.round() } else { round(units) };
    number(whole * unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::growth::exact_growth;

    fn sentence(metric: &str, value: impl Fn(f64) -> f64) -> String {
        let points: Vec<_> = [100.0, 200.0, 500.0, 1_000.0, 2_000.0, 5_000.0].map(|n| (n, value(n))).to_vec();
        let growth = exact_growth(&points).expect("six points");
        exact_growth_sentence("f", "size", metric, &growth).replace(crate::units::SPACE, " ")
    }

    #[test]
    fn states_formulas_or_bounds() {
        let capacity = |n: f64| 4.0 * (n / 4.0).log2().ceil().exp2();
        let table = [
            (sentence("allocations", |_| 1.0), "The allocations of f do not depend on size: 1 per call."),
            (sentence("allocated bytes", |n| 8.0 * n), "The allocated bytes of f are exactly 8 × size per call."),
            (sentence("peak bytes", |n| 4.0 * n + 64.0), "The peak bytes of f are exactly 4 × size + 64 per call."),
            (
                sentence("allocations", |n| n * (n - 1.0) / 2.0),
                "The allocations of f are exactly 0.5 × size² − 0.5 × size per call.",
            ),
            (sentence("allocations", |n| n.powi(3) + n), "The allocations of f are exactly size³ + size per call."),
            (sentence("allocations", |n| 6_000.0 - n), "The allocations of f are exactly −size + 6 000 per call."),
            (
                sentence("allocations", |n| (n / 4.0).log2().ceil() + 1.0),
                "The allocations of f increase by 1 each time size doubles.",
            ),
            (
                sentence("peak bytes", |n| 8.0 * capacity(n)),
                "The peak bytes of f follow no exact formula: between 8.19 × size and 13.2 × size per call.",
            ),
            (
                sentence("allocations", |n| n.sqrt().round()),
                "The allocations of f follow no exact formula: between 10 and 71 per call, a factor of 7.1.",
            ),
            (
                sentence("allocations", |n| (n / 150.0).floor()),
                "The allocations of f follow no exact formula: between 0 and 33 per call.",
            ),
        ];
        for (found, expected) in table {
            assert_eq!(found, expected);
        }
    }
}
