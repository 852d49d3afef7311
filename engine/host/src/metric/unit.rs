//! The units of metrics.

use crate::units::{Nanos, number, significant};

/// The unit of a metric's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricUnit {
    /// Nanoseconds; formatted as ns, µs, ms or s.
    Nanoseconds,
    /// A number of things that the title names.
    Count,
    /// Elements per second; formatted with a decimal prefix.
    ElementsPerSecond,
    /// Bytes per second; formatted with a binary prefix.
    BytesPerSecond,
}

/// Significant digits of a rate.
const RATE_DIGITS: i32 = 4;

impl MetricUnit {
    /// The unit of raw values, as in exports; empty for a count.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Nanoseconds => "ns",
            Self::Count => "",
            Self::ElementsPerSecond => "elements/s",
            Self::BytesPerSecond => "bytes/s",
        }
    }

    /// A value with its unit, for display: `10.4 µs`, `2.25`, `1.234 Melem/s`, `1.150 GiB/s`.
    pub fn format(self, value: f64) -> String {
        match self {
            Self::Nanoseconds => Nanos(value).to_string(),
            Self::Count => number(value),
            Self::ElementsPerSecond => with_prefix(value, 1e3, ["elem/s", "Kelem/s", "Melem/s", "Gelem/s", "Telem/s"]),
            Self::BytesPerSecond => with_prefix(value, 1_024.0, ["B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s"]),
        }
    }
}

/// A number of bytes with a binary prefix: `64 B`, `781.2 KiB`.
pub fn bytes(count: f64) -> String {
    match count < 1_024.0 {
        true => format!("{}\u{202f}B", number(count)),
        false => with_prefix(count, 1_024.0, ["B", "KiB", "MiB", "GiB", "TiB"]),
    }
}

/// The value in the largest of the units that does not exceed it. Each unit is `step` times the previous one.
fn with_prefix(value: f64, step: f64, units: [&str; 5]) -> String {
    let exponent = value.abs().max(1.0).log(step).floor().min(4.0);
    let scaled = value / step.powf(exponent);
    format!("{}\u{202f}{}", significant(scaled, RATE_DIGITS), units[exponent as usize])
}

#[cfg(test)]
mod tests {
    use super::{MetricUnit, bytes};

    #[test]
    fn formats_sizes() {
        assert_eq!([64.0, 800_000.0].map(bytes), ["64\u{202f}B", "781.2\u{202f}KiB"]);
    }

    #[test]
    fn formats_values_with_their_unit() {
        for (unit, value, expected) in [
            (MetricUnit::Nanoseconds, 10_400.0, "10.4 µs"),
            (MetricUnit::Count, 2.25, "2.25"),
            (MetricUnit::Count, 8_024.0, "8 024"),
            (MetricUnit::ElementsPerSecond, 999.0, "999.0 elem/s"),
            (MetricUnit::ElementsPerSecond, 1_234_000.0, "1.234 Melem/s"),
            (MetricUnit::ElementsPerSecond, 5e15, "5 000 Telem/s"),
            (MetricUnit::BytesPerSecond, 1_234_803_097.6, "1.150 GiB/s"),
            (MetricUnit::BytesPerSecond, 0.5, "0.5000 B/s"),
        ] {
            assert_eq!(unit.format(value).replace('\u{202f}', " "), expected);
        }
    }
}
