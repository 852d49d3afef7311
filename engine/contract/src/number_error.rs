//! Why a number is not a value of a parameter.

use std::error::Error;
use std::fmt;

/// Why a number is not a value of a parameter, and what is expected instead.
#[derive(Clone, Debug, PartialEq)]
pub enum NumberError {
    /// The number is outside the bounds, or not finite.
    OutsideBounds {
        /// The number.
        value: f64,
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
    },
    /// The number is not `min + j·step`.
    OffGrid {
        /// The number.
        value: f64,
        /// The closest value.
        nearest: f64,
        /// The smallest value.
        min: f64,
        /// The distance between values.
        step: f64,
    },
    /// The parameter lists its values, and the number is not among them.
    NotListed {
        /// The number.
        value: f64,
        /// The listed values, in ascending order.
        values: Vec<f64>,
    },
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutsideBounds { value, min, max } => write!(f, "expected {min} to {max}, not {value}"),
            Self::OffGrid { value, nearest, min, step } => {
                write!(f, "expected {min} plus a multiple of {step}; the nearest to {value} is {nearest}")
            }
            Self::NotListed { value, values } => write!(f, "expected one of {}, not {value}", listed(values)),
        }
    }
}

impl Error for NumberError {}

/// The listed values; of a long list, only their number and its ends.
fn listed(values: &[f64]) -> String {
    /// The longest list in an error.
    const MAX_LISTED: usize = 12;
    match values {
        [min, .., max] if values.len() > MAX_LISTED => format!("{} listed values from {min} to {max}", values.len()),
        values => values.iter().map(f64::to_string).collect::<Vec<_>>().join(", "),
    }
}
