//! Growth: how a time, or another value, depends on the axis value.

mod class;
mod curve;
mod exact;
mod exponent;
mod fit;
mod largest;
mod points;
mod selection;

pub use class::GrowthClass;
pub use curve::{GrowthBreak, GrowthCurve};
pub use exact::{ExactGrowth, ExactPolynomial, exact_growth};
pub use exponent::Exponent;
pub use largest::{LargestWithin, largest_within};
pub use points::{GrowthPoint, MIN_POINTS, MIN_RANGE, NoGrowth};
pub use selection::MIN_SUPPORT;

use exponent::exponent;
use points::LogPoints;
use selection::Selection;

/// How the values of a curve depend on the axis value n.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The class, or the candidates.
    pub verdict: GrowthVerdict,
    /// The exponent of the power of n that describes the curve best.
    pub exponent: Exponent,
    /// The ratio of the largest axis value to the smallest one.
    pub range: f64,
}

/// The class of a curve.
#[derive(Clone, Debug, PartialEq)]
pub enum GrowthVerdict {
    /// One class describes the curve better than the others.
    Class {
        /// The class with its curve.
        best: GrowthCurve,
        /// The share of the resamples in which it is the best one.
        support: f64,
        /// The class that is the second best.
        runner_up: Option<GrowthClass>,
    },
    /// Several classes describe the curve about equally well, best first.
    Undecided(Vec<GrowthClass>),
}

impl GrowthVerdict {
    /// The fitted curve; absent if the class is undecided.
    pub fn curve(&self) -> Option<GrowthCurve> {
        match self {
            Self::Class { best, .. } => Some(*best),
            Self::Undecided(_) => None,
        }
    }
}

/// Determines the growth of a curve.
///
/// Each class of [`GrowthClass`] is fitted to the logarithms of the values, with an intercept of at least 0 and weights from
/// the intervals. Akaike's criterion compares the classes. A class is chosen if it is the best one in [`MIN_SUPPORT`] of 200
/// resamples of the points and clearly better than the second one and than a constant. A curve is constant if the interval of
/// its exponent excludes more than a slight growth over the whole range. Otherwise the result is undecided.
///
/// Points whose axis value or value is not above 0 are ignored.
///
/// # Errors
/// If there are fewer than [`MIN_POINTS`] points, or if the largest axis value is less than [`MIN_RANGE`] times the
/// smallest one.
pub fn growth(points: &[GrowthPoint]) -> Result<Growth, NoGrowth> {
    let points = LogPoints::new(points)?;
    let exponent = exponent(&points);
    let selection = Selection::new(&points, &exponent);
    let verdict = if selection.is_decided {
        let (best, support) = selection.ranking[0];
        let runner_up = selection.ranking.get(1).map(|(fit, _)| fit.class);
        GrowthVerdict::Class { best: GrowthCurve::new(&best, &points), support, runner_up }
    } else {
        GrowthVerdict::Undecided(selection.candidates())
    };
    Ok(Growth { verdict, exponent, range: points.range() })
}
