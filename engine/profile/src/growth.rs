//! How exact amounts grow.

use std::cmp::Ordering;

use benchbook_host::analyze::growth::{
    ExactGrowth, ExactPolynomial, GrowthClass, GrowthPoint, GrowthVerdict, exact_growth, growth,
};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The class of growth of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileGrowth {
    /// The class.
    pub class: GrowthClass,
    /// Whether a formula of this class is true of all points.
    pub is_exact: bool,
}

impl ProfileGrowth {
    /// The growth of an amount, given as pairs of an axis value and the amount per call; `None` if the points don't tell, for example because there are too few.
    ///
    /// A formula that is true of all points decides: see [`exact_growth`]. Otherwise it is the class whose curve fits clearly best: see [`growth`].
    pub fn of(points: &[(f64, f64)]) -> Option<Self> {
        let exact = |class| Some(Self { class, is_exact: true });
        match exact_growth(points) {
            Some(ExactGrowth::Constant(_)) => return exact(GrowthClass::Constant),
            Some(ExactGrowth::PerDoubling(_)) => return exact(GrowthClass::Logarithmic),
            Some(ExactGrowth::Polynomial(polynomial)) => return exact(degree(&polynomial)),
            Some(ExactGrowth::Proportional { .. } | ExactGrowth::Irregular { .. }) | None => {}
        }
        let points: Vec<_> = points.iter().map(|&(x, value)| GrowthPoint { x, value, half_width: 0.0 }).collect();
        match growth(&points).ok()?.verdict {
            GrowthVerdict::Class { best, .. } if best.break_at.is_none() => {
                Some(Self { class: best.class, is_exact: false })
            }
            _ => None,
        }
    }

    /// Compares classes: one that grows faster is greater.
    pub fn compare(self, other: Self) -> Ordering {
        let rank = |growth: Self| GrowthClass::ALL.iter().position(|class| *class == growth.class);
        rank(self).cmp(&rank(other))
    }

    /// The class in a sentence: `does not grow`, `grows like n log n`.
    pub fn phrase(self) -> String {
        match self.class {
            GrowthClass::Constant => "does not grow".to_owned(),
            class => format!("grows like {class}"),
        }
    }

    /// The class in words: `constant`, `n log n`.
    pub fn label(self) -> String {
        match self.class {
            GrowthClass::Constant => "constant".to_owned(),
            class => class.to_string(),
        }
    }
}

fn degree(polynomial: &ExactPolynomial) -> GrowthClass {
    match polynomial.coefficients().iter().rposition(|coefficient| *coefficient != 0.0) {
        None | Some(0) => GrowthClass::Constant,
        Some(1) => GrowthClass::Linear,
        Some(2) => GrowthClass::Quadratic,
        Some(_) => GrowthClass::Cubic,
    }
}

impl Serialize for ProfileGrowth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.label())
    }
}

/// From the class in words; how it was found is not known then.
impl<'de> Deserialize<'de> for ProfileGrowth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let label = String::deserialize(deserializer)?;
        let growths = GrowthClass::ALL.into_iter().map(|class| Self { class, is_exact: false });
        growths
            .into_iter()
            .find(|growth| growth.label() == label)
            .ok_or_else(|| D::Error::custom("expected a class of growth"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(value: impl Fn(f64) -> f64) -> Option<String> {
        let points: Vec<_> = [10.0, 32.0, 100.0, 316.0, 1_000.0, 3_162.0, 10_000.0].map(|n| (n, value(n))).to_vec();
        ProfileGrowth::of(&points).map(ProfileGrowth::label)
    }

    #[test]
    fn formulas_and_fits_have_a_class() {
        assert_eq!(label(|_| 5.0).as_deref(), Some("constant"));
        assert_eq!(label(|n| 3.0 * n + 7.0).as_deref(), Some("n"));
        assert_eq!(label(|n| n * n - n).as_deref(), Some("n²"));
        assert_eq!(label(|n| (11.0 * n * n.log2()).floor()).as_deref(), Some("n log n"));
        assert_eq!(label(|n| if n < 100.0 { 1.0 } else { 40.0 + n % 7.0 }), None);
        assert_eq!(ProfileGrowth::of(&[(1.0, 2.0)]), None);
    }

    #[test]
    fn faster_growth_is_greater() {
        let of = |class| ProfileGrowth { class, is_exact: true };
        assert_eq!(of(GrowthClass::Linear).compare(of(GrowthClass::Linearithmic)), Ordering::Less);
    }
}
