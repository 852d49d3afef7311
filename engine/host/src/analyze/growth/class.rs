//! The classes of growth.

use std::fmt;

/// How a time may grow with the axis value n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GrowthClass {
    /// 1: it does not grow.
    Constant,
    /// log n.
    Logarithmic,
    /// n.
    Linear,
    /// n log n.
    Linearithmic,
    /// n².
    Quadratic,
    /// n³.
    Cubic,
}

impl GrowthClass {
    /// All classes, from slow to fast growth.
    pub const ALL: [Self; 6] =
        [Self::Constant, Self::Logarithmic, Self::Linear, Self::Linearithmic, Self::Quadratic, Self::Cubic];

    /// The value of the class's function at `n`. Classes with a logarithm need an `n` of at least 1.
    pub(super) fn value(self, n: f64) -> f64 {
        match self {
            Self::Constant => 1.0,
            Self::Logarithmic => n.ln(),
            Self::Linear => n,
            Self::Linearithmic => n * n.ln(),
            Self::Quadratic => n * n,
            Self::Cubic => n * n * n,
        }
    }

    /// The exponent of the power of n in the class's function: the least slope on logarithmic axes without a constant part.
    pub fn power(self) -> f64 {
        match self {
            Self::Constant | Self::Logarithmic => 0.0,
            Self::Linear | Self::Linearithmic => 1.0,
            Self::Quadratic => 2.0,
            Self::Cubic => 3.0,
        }
    }

    /// The axis value at which the class's function has this value; `None` for a constant.
    pub(super) fn inverse(self, value: f64) -> Option<f64> {
        match self {
            Self::Constant => None,
            Self::Logarithmic => Some(value.exp()),
            Self::Linear => Some(value),
            Self::Linearithmic => Some(inverse_linearithmic(value)),
            Self::Quadratic => Some(value.sqrt()),
            Self::Cubic => Some(value.cbrt()),
        }
    }
}

/// The n with n log n = `value`, by Newton's method; the function is convex, so it converges from above.
fn inverse_linearithmic(value: f64) -> f64 {
    let mut n = value.max(std::f64::consts::E);
    for _ in 0..100 {
        n -= (n * n.ln() - value) / (n.ln() + 1.0);
    }
    n
}

impl fmt::Display for GrowthClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Constant => "1",
            Self::Logarithmic => "log n",
            Self::Linear => "n",
            Self::Linearithmic => "n log n",
            Self::Quadratic => "n²",
            Self::Cubic => "n³",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_reverses_the_function() {
        for class in GrowthClass::ALL {
            for n in [1.0, 2.5, 1e3, 1e9] {
                match class.inverse(class.value(n)) {
                    Some(inverse) => assert!((inverse / n - 1.0).abs() < 1e-9, "{class} at {n}: {inverse}"),
                    None => assert_eq!(class, GrowthClass::Constant),
                }
            }
        }
    }
}
