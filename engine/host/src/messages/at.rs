//! The axis values that a sentence is about.

use benchbook_contract::axis_value::AxisValue;

use super::lists::with_unit;
use crate::units::axis_value;

/// Lists axis values as a part of a sentence: ` at 100, 500`. Empty without an axis.
pub(super) fn at_x<'a>(values: impl IntoIterator<Item = &'a AxisValue>) -> String {
    let values: Vec<String> = values.into_iter().filter(|value| !value.is_absent()).map(axis_value).collect();
    if values.is_empty() { String::new() } else { format!(" at {}", values.join(", ")) }
}

/// The axis value that a sentence is about, with a leading space: ` at 100 keys`. Empty if nothing varies.
pub fn at_value(x: &AxisValue, unit: &str) -> String {
    if x.is_absent() { String::new() } else { format!(" at {}", with_unit(&axis_value(x), unit)) }
}
