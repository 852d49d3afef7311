//! The difference between the means of two histories.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use statrs::statistics::Statistics;

use crate::analyze::interval::Interval;

/// The number of processes in each history from which on the normal distribution is used.
const MANY: usize = 30;

/// The difference between two histories, relative to the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The difference of the means: 0.1 means that the second is a tenth longer.
    pub relative: f64,
    /// Its interval, with the chosen confidence.
    pub interval: Interval,
}

impl Difference {
    /// Compares the means of two histories, `before` and `after`, with at least two processes each. `confidence`: the probability
    /// that the interval contains the difference, such as 0.99. `None` for fewer processes, or unless the first mean is above zero.
    ///
    /// The variances may differ. With 30 or more processes in both, the interval uses the normal distribution; otherwise Student's
    /// t distribution with the degrees of freedom by B. L. Welch, "The generalization of 'Student's' problem when several different
    /// population variances are involved", *Biometrika* 34 (1947) 28–35. This is the procedure of A. Georges, D. Buytaert and
    /// L. Eeckhout, "Statistically rigorous Java performance evaluation", *OOPSLA 2007* 57–76, section 3.3. The mean of the first
    /// history, to which the result refers, counts as exact.
    pub fn of(before: &[f64], after: &[f64], confidence: f64) -> Option<Self> {
        if before.len().min(after.len()) < 2 {
            return None;
        }
        let [squares_before, squares_after] = [before, after].map(|means| means.variance() / means.len() as f64);
        let error = (squares_before + squares_after).sqrt();
        let probability = f64::midpoint(1.0, confidence);
        let quantile = if before.len().min(after.len()) >= MANY {
            Normal::standard().inverse_cdf(probability)
        } else {
            let share = |squares: f64, count: usize| squares.powi(2) / (count - 1) as f64;
            let freedom = error.powi(4) / (share(squares_before, before.len()) + share(squares_after, after.len()));
            // Without any variance, there is nothing to multiply.
            StudentsT::new(0.0, 1.0, freedom).map_or(0.0, |student| student.inverse_cdf(probability))
        };
        let base = before.mean();
        let difference = after.mean() - base;
        let end = |half: f64| (difference + half) / base;
        let interval = Interval { low: end(-quantile * error), high: end(quantile * error) };
        (base > 0.0).then_some(Self { relative: difference / base, interval })
    }

    /// Compares the mean of a history, `after`, with the interval of the mean of another one, `before`, as if the former were exact: its own variance
    /// does not widen the interval. So it finds smaller differences than [`Self::of`], and has more false alarms than its confidence states. `None`
    /// for fewer than two processes in the first history or none in the second, or unless the first mean is above zero.
    ///
    /// With 30 or more processes, the interval uses the normal distribution, otherwise Student's t distribution.
    pub fn from_interval(before: &[f64], after: &[f64], confidence: f64) -> Option<Self> {
        let freedom = before.len().checked_sub(1).filter(|freedom| *freedom > 0 && !after.is_empty())?;
        let probability = f64::midpoint(1.0, confidence);
        let quantile = if before.len() >= MANY {
            Normal::standard().inverse_cdf(probability)
        } else {
            StudentsT::new(0.0, 1.0, freedom as f64).ok()?.inverse_cdf(probability)
        };
        let base = before.mean();
        let relative = after.mean() / base - 1.0;
        let half = quantile * (before.variance() / before.len() as f64).sqrt() / base;
        let interval = Interval { low: relative - half, high: relative + half };
        (base > 0.0).then_some(Self { relative, interval })
    }

    /// Compares two builds that were measured in turn, as pairs: each pair with another layout of the code, so that the interval includes
    /// the variance between layouts. `ln_ratios`: for each pair, the natural logarithm of the time of the second build divided by that of
    /// the first. `None` for fewer than two pairs.
    ///
    /// The interval is Student's for the mean of the logarithms, transformed back.
    pub fn of_pairs(ln_ratios: &[f64], confidence: f64) -> Option<Self> {
        let freedom = ln_ratios.len().checked_sub(1).filter(|freedom| *freedom > 0)?;
        let quantile = StudentsT::new(0.0, 1.0, freedom as f64).ok()?.inverse_cdf(f64::midpoint(1.0, confidence));
        let mean = ln_ratios.mean();
        let half = quantile * (ln_ratios.variance() / ln_ratios.len() as f64).sqrt();
        let interval = Interval { low: (mean - half).exp_m1(), high: (mean + half).exp_m1() };
        Some(Self { relative: mean.exp_m1(), interval })
    }

    /// The same difference, with an interval that reaches at least this far on both sides.
    pub fn at_least_as_wide_as(self, half_width: f64) -> Self {
        let Interval { low, high } = self.interval;
        let interval =
            Interval { low: low.min(self.relative - half_width), high: high.max(self.relative + half_width) };
        Self { interval, ..self }
    }

    /// Half the width of the interval.
    pub fn half_width(&self) -> f64 {
        (self.interval.high - self.interval.low) / 2.0
    }
}
