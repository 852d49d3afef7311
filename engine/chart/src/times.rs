//! The samples of one point, as charts take them.

use std::ops::Deref;
use std::rc::Rc;

/// Samples in measurement order, in nanoseconds per call. A clone shares the allocation, and two values are equal only if
/// they share it: comparing thousands of samples in each frame would cost more than drawing them.
#[derive(Clone, Debug)]
pub struct SampleTimes(Rc<[f64]>);

impl FromIterator<f64> for SampleTimes {
    fn from_iter<I: IntoIterator<Item = f64>>(times: I) -> Self {
        Self(times.into_iter().collect())
    }
}

impl Deref for SampleTimes {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0
    }
}

impl PartialEq for SampleTimes {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// Samples in ascending order, without warm-up.
#[derive(Clone, Debug, PartialEq)]
pub struct SortedTimes(SampleTimes);

impl FromIterator<f64> for SortedTimes {
    /// Sorts the times.
    fn from_iter<I: IntoIterator<Item = f64>>(times: I) -> Self {
        let mut times: Vec<f64> = times.into_iter().collect();
        times.sort_unstable_by(f64::total_cmp);
        Self(SampleTimes(times.into()))
    }
}

impl Deref for SortedTimes {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0
    }
}
