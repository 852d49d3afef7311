//! Outliers by Tukey's fences: J. W. Tukey, *Exploratory Data Analysis* (1977), section 2D.
//!
//! With the quartiles q1 and q3 (type 7) and IQR = q3 − q1, the inner fences lie 1.5 IQR and the outer fences 3 IQR
//! outside of the quartiles. What lies beyond the inner fences is a mild outlier, beyond the outer ones a severe one.

use crate::analyze::order::quantile;

/// Where a sample lies among its fences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// On the inner fences or between them: no outlier.
    Inside,
    /// Beyond an inner fence, but on the outer fences or between them.
    Mild,
    /// Beyond an outer fence. Mean and standard deviation leave it out, with its count stated.
    Severe,
}

/// The fences of some samples, in the samples' unit.
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
    /// The fences of samples in ascending order, taken with a clock that cannot tell times apart that differ by less
    /// than `resolution`; absent for no samples.
    ///
    /// The IQR counts as one `resolution` at least. On a coarse clock most samples can be equal and a few one step off:
    /// the IQR is then 0, and the plain rule would call every step severe, though the mean needs them. So where all
    /// samples are equal (or there is one), all lie inside, and so do those that differ by rounding or by a step. With
    /// a resolution of 0 the rule is Tukey's own: at an IQR of 0 whatever differs is severe.
    pub fn of(sorted: &[f64], resolution: f64) -> Option<Self> {
        let (q1, q3) = (quantile(sorted, 0.25)?, quantile(sorted, 0.75)?);
        let iqr = f64::max(q3 - q1, resolution);
        Some(Self {
            outer_low: q1 - 3.0 * iqr,
            inner_low: q1 - 1.5 * iqr,
            inner_high: q3 + 1.5 * iqr,
            outer_high: q3 + 3.0 * iqr,
        })
    }

    /// Where `value` lies. What is exactly on a fence is not beyond it.
    pub fn label(&self, value: f64) -> Label {
        if value < self.outer_low || value > self.outer_high {
            Label::Severe
        } else if value < self.inner_low || value > self.inner_high {
            Label::Mild
        } else {
            Label::Inside
        }
    }
}
