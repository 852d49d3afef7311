//! What stands beside a tick: short counts and times, written out without an exponent.

use super::model::Unit;

/// Units of time and their length in nanoseconds, the longest first.
const TIMES: [(f64, &str); 4] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")];
/// Suffixes of counts, the greatest first.
const COUNTS: [(f64, &str); 4] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];

/// The labels of an axis's ticks, in their order. Ticks that differ get labels that differ.
pub(super) fn labels(values: &[f64], unit: &Unit) -> Vec<String> {
    match unit {
        Unit::Named(_) | Unit::Count => values.iter().map(|&value| count(value)).collect(),
        Unit::Nanoseconds => {
            let common = common_time(values);
            values.iter().map(|&value| time(value, common.unwrap_or_else(|| time_of(value)))).collect()
        }
    }
}

/// 2000 as "2k".
fn count(value: f64) -> String {
    let (size, suffix) = COUNTS.into_iter().find(|(size, _)| value.abs() >= *size).unwrap_or((1.0, ""));
    format!("{}{suffix}", plain(value / size))
}

/// 2000 ns in µs as "2 µs"; 0 is 0 in every unit.
fn time(nanoseconds: f64, (length, unit): (f64, &str)) -> String {
    if nanoseconds == 0.0 { "0".to_owned() } else { format!("{} {unit}", plain(nanoseconds / length)) }
}

/// The one unit that reads well for the whole axis: no label needs more than three digits before the point, nor more
/// than one 0 after it. Nothing where times are too far apart for that.
fn common_time(values: &[f64]) -> Option<(f64, &'static str)> {
    let greatest = values.iter().fold(0.0, |greatest: f64, value| greatest.max(value.abs()));
    let least = values.iter().filter(|value| **value != 0.0).fold(greatest, |least, value| least.min(value.abs()));
    let fits =
        |smallest: f64| TIMES.into_iter().find(|(length, _)| least >= smallest * length && greatest < 1000.0 * length);
    fits(1.0).or_else(|| fits(0.1))
}

/// The unit in which this time by itself reads best.
fn time_of(nanoseconds: f64) -> (f64, &'static str) {
    TIMES.into_iter().find(|(length, _)| nanoseconds.abs() >= *length).unwrap_or(TIMES[TIMES.len() - 1])
}

/// The number without an exponent and without the last digits, in which binary fractions show: 0.3, not
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
    fn counts_are_short() {
        assert_eq!(counts(&[0.0, 0.5, 1.0, 500.0, 1e3, 2.5e3, 2e4, 1e6, 3e9]), "0, 0.5, 1, 500, 1k, 2.5k, 20k, 1M, 3G");
        assert_eq!(counts(&[12_345.0, -2_000.0]), "12.345k, −2k");
    }

    #[test]
    fn an_axis_has_one_unit_where_one_reads_well() {
        assert_eq!(times(&[500.0, 1e3, 2e3, 2e4]), "0.5 µs, 1 µs, 2 µs, 20 µs");
        assert_eq!(times(&[100.0, 200.0, 500.0]), "100 ns, 200 ns, 500 ns");
        assert_eq!(times(&[0.0, 250.0, 500.0, 750.0, 1000.0]), "0, 0.25 µs, 0.5 µs, 0.75 µs, 1 µs");
    }

    #[test]
    fn times_far_apart_have_their_own_units() {
        assert_eq!(times(&[20.0, 1e3, 1e6, 5e9]), "20 ns, 1 µs, 1 ms, 5 s");
        assert_eq!(times(&[0.001, 1.0, 1e3]), "0.001 ns, 1 ns, 1 µs");
    }

    #[test]
    fn binary_fractions_do_not_show() {
        assert_eq!(counts(&[0.1 + 0.2, 1e-7]), "0.3, 0.0000001");
    }
}
