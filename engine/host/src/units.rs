//! Formatting of numbers with units, for display only. Files and messages contain plain numbers.
//!
//! The minus sign is `−` (U+2212). A narrow no-break space (U+202F) separates groups of three digits, and a number from
//! its unit, so that no figure is split at the end of a line.

use std::fmt;

use benchbook_contract::axis_value::AxisValue;
use serde::Serialize;

/// The separator between groups of digits, and between a number and its unit.
pub const SPACE: char = '\u{202f}';

/// The maximum number of decimals: a picosecond in seconds. Smaller values are formatted as 0.
const MAX_DECIMALS: i32 = 12;

/// A time in nanoseconds. It is formatted in a suitable unit, with three significant digits: `10.4 µs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Nanos(pub f64);

impl fmt::Display for Nanos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&TimeUnit::for_largest(self.0).format(self.0))
    }
}

/// A unit of time, chosen once for a table's column or a plot's axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// 10⁻³ ns.
    Picoseconds,
    /// 1 ns.
    Nanoseconds,
    /// 10³ ns.
    Microseconds,
    /// 10⁶ ns.
    Milliseconds,
    /// 10⁹ ns.
    Seconds,
}

impl TimeUnit {
    /// The unit in which `ns` nanoseconds, rounded to three significant digits, are at least 1 and below 1 000. Smaller
    /// times use picoseconds, larger ones seconds, and 0 uses nanoseconds. The sign is ignored.
    pub fn for_largest(ns: f64) -> Self {
        match exponent(ns, 3) {
            ..=-1 => Self::Picoseconds,
            0..=2 => Self::Nanoseconds,
            3..=5 => Self::Microseconds,
            6..=8 => Self::Milliseconds,
            9.. => Self::Seconds,
        }
    }

    /// `ps`, `ns`, `µs`, `ms` or `s`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Picoseconds => "ps",
            Self::Nanoseconds => "ns",
            Self::Microseconds => "µs",
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
        }
    }

    /// Converts `ns` nanoseconds to this unit.
    pub fn in_unit(self, ns: f64) -> f64 {
        match self {
            Self::Picoseconds => ns * 1e3,
            Self::Nanoseconds => ns,
            Self::Microseconds => ns / 1e3,
            Self::Milliseconds => ns / 1e6,
            Self::Seconds => ns / 1e9,
        }
    }

    /// `ns` nanoseconds with three significant digits, without the symbol, for a column that has the unit in its
    /// header.
    pub fn digits(self, ns: f64) -> String {
        significant(self.in_unit(ns), 3)
    }

    /// `ns` nanoseconds with three significant digits and the symbol: `0.0512 ms`.
    pub fn format(self, ns: f64) -> String {
        format!("{}{SPACE}{}", self.digits(ns), self.symbol())
    }
}

/// A quantity of which only an upper bound is known: `under 40.0 ns`. `bound`: with or without its unit.
pub fn under(bound: impl fmt::Display) -> String {
    format!("under{SPACE}{bound}")
}

/// A time with all its digits, for times that a user chose: `1 ms`, `12.5 µs`.
pub fn exact_time(Nanos(ns): Nanos) -> String {
    let unit = TimeUnit::for_largest(ns);
    format!("{}{SPACE}{}", number(unit.in_unit(ns)), unit.symbol())
}

/// A count with its digits in groups of three: `23 714`.
pub fn count(count: u64) -> String {
    grouped(&count.to_string())
}

/// A number with all its digits, at most twelve significant ones if it has a fraction, in groups of three: `23 714`,
/// `−0.25`. Rounding errors of `f64` are hidden: `0.1 + 0.2` is `0.3`.
pub fn number(value: f64) -> String {
    trimmed(&fixed(value, decimals(value, 12))).to_owned()
}

/// Smaller ratios are what rounding leaves.
const ROUNDING: f64 = 1e-9;

/// A ratio in percent with two significant digits, or all digits of its integer part: `1.8%`, `0.46%`, `124%`.
pub fn percent(ratio: f64) -> String {
    format!("{}%", significant(ratio * 100.0, 2))
}

/// A relative change in percent with its sign, where 0.1 is 10% more; as a factor if it is twice as much or more: `+31%`, `−0.46%`, `4.38×`. Nothing falls by more than
/// all of it.
pub fn relative_change(change: f64) -> String {
    if change >= 1.0 {
        return format!("{}×", significant(1.0 + change, 3));
    }
    let change = if change.abs() < ROUNDING { 0.0 } else { change.max(-1.0) };
    let sign = if change > 0.0 { "+" } else { "" };
    format!("{sign}{}", percent(change))
}

/// A ratio in percent with all digits: `1%`, `0.25%`.
pub fn exact_percent(ratio: f64) -> String {
    format!("{}%", number(ratio * 100.0))
}

/// The half-width of an interval relative to its middle, in percent: `±1.8%`. What only rounding leaves of an interval is `±0%`.
pub fn plus_minus(ratio: f64) -> String {
    format!("±{}", percent(if ratio < ROUNDING { 0.0 } else { ratio }))
}

/// A number with `digits` significant digits, or all digits of its integer part if it has more; `0` for 0.
pub fn significant(value: f64, digits: i32) -> String {
    fixed(value, decimals(value, digits))
}

/// The number of decimals for `digits` significant digits.
fn decimals(value: f64, digits: i32) -> usize {
    (digits - 1 - exponent(value, digits)).clamp(0, MAX_DECIMALS) as usize
}

/// The power of ten of the first digit after rounding to `digits` significant digits; 0 for 0.
fn exponent(value: f64, digits: i32) -> i32 {
    let scientific = format!("{value:.*e}", digits as usize - 1);
    scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

/// A number with `decimals` decimals, its integer part in groups of three; `0` if it rounds to 0.
fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    if !text.contains(|digit| matches!(digit, '1'..='9')) {
        return "0".to_owned();
    }
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let sign = if value < 0.0 { "−" } else { "" };
    format!("{sign}{}{fraction}", grouped(whole))
}

/// Formats an axis value: a number like [`number`], a text as it is; empty if the request has no axis.
pub fn axis_value(x: &AxisValue) -> String {
    match x {
        AxisValue::Number(value) => number(*value),
        AxisValue::Text(text) if text.is_empty() => "(empty)".to_owned(),
        AxisValue::Text(text) => text.clone(),
        AxisValue::Absent => String::new(),
    }
}

/// Removes trailing zeros of a fraction.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn grouped(digits: &str) -> String {
    let mut groups = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            groups.push(SPACE);
        }
        groups.push(digit);
    }
    groups
}

/// The longest time that a suite may report, in nanoseconds: 30 years. Sums and squares of longer times could overflow
/// an `f64`, and JSON has no other number.
const MAX_TIME: f64 = 1e18;

/// Whether a suite may report this time, in nanoseconds.
pub(crate) fn is_time(nanos: f64) -> bool {
    (0.0..=MAX_TIME).contains(&nanos)
}
