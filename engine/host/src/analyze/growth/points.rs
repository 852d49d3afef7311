//! The points of a curve whose growth is determined.

use crate::analyze::student::NORMAL_QUANTILE;

/// The fewest points for a statement about growth.
pub const MIN_POINTS: usize = 6;

/// The smallest ratio of the largest to the smallest axis value for a statement about growth.
pub const MIN_RANGE: f64 = 10.0;

/// A relative error that each point may have besides its interval, such as the effect of alignments and caches. It limits the
/// weight of a few very precise points.
const MODEL_ERROR: f64 = 0.02;

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrowthPoint {
    /// The axis value.
    pub x: f64,
    /// The value there, such as the mean time.
    pub value: f64,
    /// Half the width of the value's 95% interval; 0 if it is exact.
    pub half_width: f64,
}

/// Why the growth of a curve cannot be determined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoGrowth {
    /// There are only so many usable points instead of [`MIN_POINTS`].
    TooFewPoints(usize),
    /// The largest axis value is only this multiple of the smallest one, instead of [`MIN_RANGE`].
    TooNarrow(f64),
}

/// The usable points in ascending order, as logarithms.
#[derive(Clone, Debug)]
pub(super) struct LogPoints {
    /// The axis values.
    pub(super) x: Vec<f64>,
    /// The natural logarithms of the values.
    pub(super) ln_values: Vec<f64>,
    /// The weights of the points. Their sum is the number of points.
    pub(super) weights: Vec<f64>,
}

impl LogPoints {
    /// Excludes points whose axis value or value is not above 0, since they have no logarithm.
    pub(super) fn new(points: &[GrowthPoint]) -> Result<Self, NoGrowth> {
        let is_usable =
            |point: &&GrowthPoint| point.x > 0.0 && point.value > 0.0 && (point.x + point.value).is_finite();
        let mut usable: Vec<&GrowthPoint> = points.iter().filter(is_usable).collect();
        usable.sort_by(|one, other| one.x.total_cmp(&other.x));
        if usable.len() < MIN_POINTS {
            return Err(NoGrowth::TooFewPoints(usable.len()));
        }
        let range = usable[usable.len() - 1].x / usable[0].x;
        // Ten times 0.1 is not 1.
        if range * (1.0 + 1e-9) < MIN_RANGE {
            return Err(NoGrowth::TooNarrow(range));
        }
        let weight = |point: &&GrowthPoint| {
            let standard_error = point.half_width / NORMAL_QUANTILE / point.value;
            1.0 / (standard_error.powi(2) + MODEL_ERROR.powi(2))
        };
        Ok(Self {
            x: usable.iter().map(|point| point.x).collect(),
            ln_values: usable.iter().map(|point| point.value.ln()).collect(),
            weights: normalized(usable.iter().map(weight).collect()),
        })
    }

    /// The ratio of the largest axis value to the smallest one.
    pub(super) fn range(&self) -> f64 {
        self.x[self.len() - 1] / self.x[0]
    }

    /// The number of points.
    pub(super) fn len(&self) -> usize {
        self.x.len()
    }

    /// The same points with each weight multiplied by a factor.
    pub(super) fn reweighted(&self, factors: impl Iterator<Item = f64>) -> Self {
        let weights = self.weights.iter().zip(factors).map(|(weight, factor)| weight * factor).collect();
        Self { weights: normalized(weights), ..self.clone() }
    }
}

/// The weights in proportion, with a mean of 1.
fn normalized(mut weights: Vec<f64>) -> Vec<f64> {
    let mean = weights.iter().sum::<f64>() / weights.len() as f64;
    weights.iter_mut().for_each(|weight| *weight /= mean);
    weights
}
