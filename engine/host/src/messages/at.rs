//! The axis values that a sentence is about.

use benchbook_contract::axis_value::AxisValue;

use super::lists::with_unit;
use crate::compare::ranking::StatedCrossover;
use crate::units::{axis_value, number};

/// Lists axis values as a part of a sentence: ` at 100, 500`. Empty without an axis.
pub(super) fn at_x<'a>(values: impl IntoIterator<Item = &'a AxisValue>) -> String {
    let values: Vec<String> = values.into_iter().filter(|value| !value.is_absent()).map(axis_value).collect();
    if values.is_empty() { String::new() } else { format!(" at {}", values.join(", ")) }
}

/// The axis value that a sentence is about, with a leading space: ` at 100 keys`. Empty if nothing varies.
pub fn at_value(x: &AxisValue, unit: &str) -> String {
    if x.is_absent() { String::new() } else { format!(" at {}", with_unit(&axis_value(x), unit)) }
}

/// The place of a crossover: `between 100 and 316 keys`, or `at 275 keys (269 to 282)` if measured values confirm that.
pub fn crossover_place(crossover: &StatedCrossover, unit: &str) -> String {
    let [low, high] = [crossover.range.low, crossover.range.high].map(number);
    match crossover.estimate {
        None => format!("between {low} and {}", with_unit(&high, unit)),
        Some(x) => format!("at {} ({low} to {high})", with_unit(&number(x), unit)),
    }
}
