//! Times as users type them.

use crate::units::{Nanos, SPACE, TimeUnit};

/// Units with their symbols. Both signs of micro are common, and keyboards lack them. Longer symbols come first, since `s`
/// ends most of the others.
const UNITS: [(&str, TimeUnit); 7] = [
    ("ps", TimeUnit::Picoseconds),
    ("ns", TimeUnit::Nanoseconds),
    ("µs", TimeUnit::Microseconds),
    ("μs", TimeUnit::Microseconds),
    ("us", TimeUnit::Microseconds),
    ("ms", TimeUnit::Milliseconds),
    ("s", TimeUnit::Seconds),
];

/// A text is not a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a time above 0 with its unit: 200 ns, 1.5 ms, 2 s")]
pub struct InvalidTime;

/// Parses a time above 0 with its unit, such as `200 ns`, `1.5ms` or `1e3 us`.
///
/// # Errors
/// If the text is not such a time.
pub fn parse_time(text: &str) -> Result<Nanos, InvalidTime> {
    let text = text.trim().replace(SPACE, "");
    let (digits, unit) =
        UNITS.iter().find_map(|(symbol, unit)| Some((text.strip_suffix(symbol)?, *unit))).ok_or(InvalidTime)?;
    let value: f64 = digits.trim_end().parse().map_err(|_| InvalidTime)?;
    let nanos = value * nanoseconds(unit);
    if nanos > 0.0 && nanos.is_finite() { Ok(Nanos(nanos)) } else { Err(InvalidTime) }
}

/// The length of a unit in nanoseconds.
fn nanoseconds(unit: TimeUnit) -> f64 {
    match unit {
        TimeUnit::Picoseconds => 1e-3,
        TimeUnit::Nanoseconds => 1.0,
        TimeUnit::Microseconds => 1e3,
        TimeUnit::Milliseconds => 1e6,
        TimeUnit::Seconds => 1e9,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::exact_time;

    #[test]
    fn parses_times() {
        for (text, nanos) in [
            ("5 ms", 5e6),
            ("200 ns", 200.0),
            ("1.5s", 1.5e9),
            (" 10us ", 1e4),
            ("10 µs", 1e4),
            ("10 μs", 1e4),
            ("250 ps", 0.25),
            ("1e3ns", 1e3),
            (".5 s", 5e8),
            ("7\u{202f}200\u{202f}s", 7.2e12),
        ] {
            assert_eq!(parse_time(text), Ok(Nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn rejects_other_texts() {
        for text in
            ["", "5", "ms", "0 ms", "-1 s", "5 m", "5 min", "1,5 ms", "infs", "NaN s", "1e999 s", "5 ms ms", "5 MS"]
        {
            assert_eq!(parse_time(text), Err(InvalidTime), "{text}");
        }
    }

    #[test]
    fn parses_formatted_times() {
        for nanos in [0.25, 1.0, 999.9, 1234.5, 5e6, 1.25e9, 7.2e12] {
            let formatted = exact_time(Nanos(nanos));
            let parsed = parse_time(&formatted).expect("a time");
            assert!((parsed.0 / nanos - 1.0).abs() < 1e-9, "{formatted}");
        }
    }
}
