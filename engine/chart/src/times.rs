//! The samples of one point, as charts take them.

use std::ops::Deref;
use std::rc::Rc;

/// Samples in the order taken, in nanoseconds a call. Cheap to clone; two are equal where they are the same allocation,
/// since comparing thousands of samples at each frame would cost more than drawing them.
#[derive(Clone, Debug)]
pub struct Times(Rc<[f64]>);

impl FromIterator<f64> for Times {
    fn from_iter<I: IntoIterator<Item = f64>>(times: I) -> Self {
        Self(times.into_iter().collect())
    }
}

impl Deref for Times {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0
    }
}

impl PartialEq for Times {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// Samples by rising time, warm-up left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Sorted(Times);

impl FromIterator<f64> for Sorted {
    /// Sorts them.
    fn from_iter<I: IntoIterator<Item = f64>>(times: I) -> Self {
        let mut times: Vec<f64> = times.into_iter().collect();
        times.sort_unstable_by(f64::total_cmp);
        Self(Times(times.into()))
    }
}

impl Deref for Sorted {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0
    }
}
