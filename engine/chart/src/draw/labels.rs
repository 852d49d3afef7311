//! The labels of ticks: short counts and times, without exponents.

use crate::axis::Unit;

/// Units of time with their length in nanoseconds, longest first.
const TIMES: [(f64, &str); 4] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")];
/// Suffixes of counts, largest first.
const COUNTS: [(f64, &str); 4] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];

/// The labels of an axis's ticks, in their order. Distinct ticks have distinct labels. Categories are numbered here;
/// `category_ticks.rs` returns their names.
pub(super) fn labels(values: &[f64], unit: &Unit) -> Vec<String> {
    match unit {
        Unit::Count(_) | Unit::Named(_) | Unit::Categories(_) => values.iter().map(|&value| count(value)).collect(),
        Unit::Nanoseconds => {
            let common = common_time(values);
            values.iter().map(|&value| time(value, common.unwrap_or_else(|| time_of(value)))).collect()
        }
    }
}

/// Formats 2000 as "2k".
fn count(value: f64) -> String {
    let (size, suffix) = COUNTS.into_iter().find(|(size, _)| value.abs() >= *size).unwrap_or((1.0, ""));
    format!("{}{suffix}", plain(value / size))
}

/// Formats 2000 ns in µs as "2 µs", and 0 as "0" in every unit.
fn time(nanoseconds: f64, (length, unit): (f64, &str)) -> String {
    if nanoseconds == 0.0 { "0".to_owned() } else { format!("{} {unit}", plain(nanoseconds / length)) }
}

/// The unit that suits the entire axis: no label has more than three digits before the decimal point, or more than one 0
/// after it. Returns `None` if the times are too far apart.
fn common_time(values: &[f64]) -> Option<(f64, &'static str)> {
    let largest = values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let smallest =
        values.iter().filter(|value| **value != 0.0).fold(largest, |smallest, value| smallest.min(value.abs()));
    let fits =
        |factor: f64| TIMES.into_iter().find(|(length, _)| smallest >= factor * length && largest < 1000.0 * length);
    fits(1.0).or_else(|| fits(0.1))
}

/// The unit that suits this time alone.
fn time_of(nanoseconds: f64) -> (f64, &'static str) {
    TIMES.into_iter().find(|(length, _)| nanoseconds.abs() >= *length).unwrap_or(TIMES[TIMES.len() - 1])
}

/// Formats a number without an exponent, rounded to 12 significant digits to hide binary fractions: 0.3, not
/// 0.30000000000000004.
fn plain(value: f64) -> String {
    let rounded: f64 = format!("{value:.11e}").parse().unwrap_or(value);
    rounded.to_string().replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(values: &[f64]) -> String {
        labels(values, &Unit::Nanoseconds).join(", ")
    }

    fn counts(values: &[f64]) -> String {
        labels(values, &Unit::Named("keys".to_owned())).join(", ")
    }

    #[test]
    fn labels_are_short() {
        for (found, expected) in [
            (counts(&[0.0, 0.5, 1.0, 500.0, 1e3, 2.5e3, 2e4, 1e6, 3e9]), "0, 0.5, 1, 500, 1k, 2.5k, 20k, 1M, 3G"),
            (counts(&[12_345.0, -2_000.0]), "12.345k, −2k"),
            // An axis has one unit if one suits all.
            (times(&[500.0, 1e3, 2e3, 2e4]), "0.5 µs, 1 µs, 2 µs, 20 µs"),
            (times(&[100.0, 200.0, 500.0]), "100 ns, 200 ns, 500 ns"),
            (times(&[0.0, 250.0, 500.0, 750.0, 1000.0]), "0, 0.25 µs, 0.5 µs, 0.75 µs, 1 µs"),
            // Times that are far apart have separate units.
            (times(&[20.0, 1e3, 1e6, 5e9]), "20 ns, 1 µs, 1 ms, 5 s"),
            (times(&[0.001, 1.0, 1e3]), "0.001 ns, 1 ns, 1 µs"),
            // Binary fractions are hidden.
            (counts(&[0.1 + 0.2, 1e-7]), "0.3, 0.0000001"),
        ] {
            assert_eq!(found, expected);
        }
    }
}
