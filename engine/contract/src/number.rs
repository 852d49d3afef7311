//! Numbers in JSON.

use serde::{Serialize, Serializer};

/// The largest integer that parameters and arguments may have: 2⁵³. Up to this value every integer has an exact `f64`,
/// the only number type of JavaScript.
pub const MAX_INTEGER: f64 = 9_007_199_254_740_992.0;

/// Serializes an integer without a fraction: `1000`, not `1000.0`.
pub fn number<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.fract() == 0.0 && value.abs() <= MAX_INTEGER {
        serializer.serialize_i64(*value as i64)
    } else {
        serializer.serialize_f64(*value)
    }
}

pub(crate) fn optional_number<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => number(value, serializer),
        None => serializer.serialize_none(),
    }
}

/// Writes whole numbers without a fraction: `7`, not `7.0`.
///
/// # Errors
/// Those of the serializer.
pub fn numbers<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Number(#[serde(serialize_with = "number")] f64);
    serializer.collect_seq(values.iter().copied().map(Number))
}
