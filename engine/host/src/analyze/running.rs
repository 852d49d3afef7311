//! Running mean and standard deviation.

use crate::analyze::interval::Interval;
use crate::analyze::student::{TAIL, t_quantile};

/// The mean and standard deviation of a stream of values that are not stored.
///
/// By the recurrence of B. P. Welford, "Note on a method for calculating corrected sums of squares and products",
/// *Technometrics* 4 (1962) 419–420, over the differences from the first value, which avoids cancellation if the mean
/// is large compared with the standard deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunningStats {
    n: u32,
    first: f64,
    /// Mean of the differences from the first value.
    difference: f64,
    /// Sum of the squared differences from the mean.
    squares: f64,
}

impl RunningStats {
    /// Adds a value.
    pub fn push(&mut self, value: f64) {
        if self.n == 0 {
            self.first = value;
        }
        self.n += 1;
        let before = value - self.first - self.difference;
        self.difference += before / f64::from(self.n);
        self.squares += before * (value - self.first - self.difference);
    }

    /// The number of values.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// The arithmetic mean; absent for no values. For equal values it is exactly that value.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then_some(self.first + self.difference)
    }

    /// The standard deviation √(Σ(x − mean)² / (n − 1)); 0 for fewer than two values and for equal ones.
    pub fn sd(&self) -> f64 {
        if self.n < 2 { 0.0 } else { (self.squares / f64::from(self.n - 1)).sqrt() }
    }

    /// The 95% interval of the mean, mean ± t·sd/√n, with t the 0.975 quantile of Student's distribution with n − 1
    /// degrees of freedom ("Student", "The probable error of a mean", *Biometrika* 6 (1908) 1–25); absent for fewer
    /// than two values. For equal values both ends are that value.
    pub fn mean_interval(&self) -> Option<Interval> {
        let freedom = self.n.checked_sub(1).filter(|&freedom| freedom > 0)?;
        let mean = self.mean()?;
        let half = t_quantile(freedom, TAIL) * self.sd() / f64::from(self.n).sqrt();
        Some(Interval { low: mean - half, high: mean + half })
    }

    /// Half the width of the mean's interval relative to the mean; absent if there is no interval or it contains 0, and
    /// 0 for equal values other than 0.
    pub fn relative_half_width(&self) -> Option<f64> {
        self.mean_interval()?.relative_half_width(self.mean()?)
    }
}

impl FromIterator<f64> for RunningStats {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut running = Self::default();
        values.into_iter().for_each(|value| running.push(value));
        running
    }
}
