//! Outliers by Tukey's fences: J. W. Tukey, *Exploratory Data Analysis* (1977), section 2D.
//!
//! With the quartiles q1 and q3 (type 7) and IQR = q3 − q1, the inner fences are 1.5 IQR and the outer fences 3 IQR
//! outside the quartiles. Samples beyond the inner fences are mild outliers, samples beyond the outer fences extreme
//! outliers.
//!
//! Labels only describe: no figure excludes an outlier.

use crate::analyze::blocks::RunTimes;
use crate::analyze::order::{median, quantile, sorted};

/// The position of a sample relative to the fences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// On or between the inner fences: not an outlier.
    Inside,
    /// Beyond an inner fence, but on or between the outer fences.
    Mild,
    /// Beyond an outer fence.
    Extreme,
}

/// The minimum number of samples in a labelled block: of two, either one may be unusual.
const MIN_LABELLED: usize = 3;

/// Labels the samples of all runs, in the order taken, by their difference from the median of their block. The fences
/// are those of all such differences.
///
/// Inputs of different blocks and processes may take different times, which does not make their samples outliers.
/// Samples in blocks of fewer than three are labelled [`Label::Inside`].
///
/// `step_per_call`: a clock step in nanoseconds per call; see [`Fences::of`].
pub fn labels(runs: &[RunTimes<'_>], step_per_call: f64) -> Vec<Label> {
    let mut differences = Vec::new();
    for block in runs.iter().flat_map(RunTimes::blocks) {
        let level = median(block).filter(|_| block.len() >= MIN_LABELLED);
        differences.extend(block.iter().map(|time| level.map(|level| time - level)));
    }
    let known: Vec<f64> = differences.iter().copied().flatten().collect();
    let fences = Fences::of(&sorted(&known), step_per_call);
    let label =
        |difference: Option<f64>| fences.zip(difference).map_or(Label::Inside, |(fences, value)| fences.label(value));
    differences.into_iter().map(label).collect()
}

/// The fences of a set of samples, in the samples' unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fences {
    /// 3 IQR below the first quartile.
    pub outer_low: f64,
    /// 1.5 IQR below the first quartile.
    pub inner_low: f64,
    /// 1.5 IQR above the third quartile.
    pub inner_high: f64,
    /// 3 IQR above the third quartile.
    pub outer_high: f64,
}

impl Fences {
    /// The fences of samples in ascending order, taken with a clock that cannot distinguish times that differ by less
    /// than `step_per_call`; absent for no samples.
    ///
    /// The IQR counts as at least `step_per_call`. On a coarse clock most samples can be equal and a few one step off:
    /// the IQR is then 0, and the plain rule would label every step as extreme, although the mean depends on them. With
    /// this minimum, equal samples (or a single one) and samples that differ by rounding or one step are all inside.
    /// With a step of 0 the rule is Tukey's own: at an IQR of 0 every different value is extreme.
    pub fn of(sorted: &[f64], step_per_call: f64) -> Option<Self> {
        let (q1, q3) = (quantile(sorted, 0.25)?, quantile(sorted, 0.75)?);
        let iqr = f64::max(q3 - q1, step_per_call);
        Some(Self {
            outer_low: q1 - 3.0 * iqr,
            inner_low: q1 - 1.5 * iqr,
            inner_high: q3 + 1.5 * iqr,
            outer_high: q3 + 3.0 * iqr,
        })
    }

    /// Labels `value`. A value exactly on a fence is not beyond it.
    pub fn label(&self, value: f64) -> Label {
        if value < self.outer_low || value > self.outer_high {
            Label::Extreme
        } else if value < self.inner_low || value > self.inner_high {
            Label::Mild
        } else {
            Label::Inside
        }
    }
}
