//! Statistics of a point: the figures that its samples come to.
//!
//! Everything here is a pure function of finite numbers. Times are differences of clock readings divided by a number of
//! calls, so neither infinities nor NaN ever come in; they may be negative, since overhead was subtracted.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};

use crate::analyze::outliers::{Fences, Label};

/// The figures of a point. All times are nanoseconds a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Samples that the figures come from; warm-up is not among them.
    pub n: u32,
    /// Calls in all samples together.
    pub calls: u64,
    /// Mean without severe outliers.
    pub mean: f64,
    /// Standard deviation (n − 1) without severe outliers; 0 for a single sample.
    pub sd: f64,
    /// Least of all samples.
    pub min: f64,
    /// Greatest of all samples.
    pub max: f64,
    /// Median of all samples; absent where it is withheld.
    pub median: Option<f64>,
    /// First quartile of all samples (type 7); absent where it is withheld.
    pub q1: Option<f64>,
    /// Third quartile of all samples (type 7); absent where it is withheld.
    pub q3: Option<f64>,
    /// 95 % interval of the mean of all samples, with what the clock and the overhead leave uncertain; absent for fewer
    /// than two.
    pub mean_interval: Option<Interval>,
    /// 95 % interval of the median by order statistics; absent where there are too few samples for one, or where it is
    /// withheld.
    pub median_interval: Option<Interval>,
    /// Half the width of the mean's interval, relative to the mean of all samples; absent where there is no interval
    /// or the interval holds 0.
    pub relative_half_width: Option<f64>,
    /// Samples between the inner and the outer fences.
    pub mild_outliers: u32,
    /// Samples beyond the outer fences.
    pub severe_outliers: u32,
    /// Whether the warm-up settled before the samples were taken.
    pub steady: bool,
}

/// An interval, both ends within it, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What a point's figures come from.
#[derive(Clone, Copy, Debug)]
pub struct Basis<'a> {
    /// Nanoseconds a call of each sample, in any order, warm-up left out and overhead subtracted.
    pub times: &'a [f64],
    /// Calls in all samples together.
    pub calls: u64,
    /// What the clock's resolution comes to in nanoseconds a call: the resolution divided by the calls of one batch.
    /// Samples that differ by so little are no outliers; see [`Fences::of`].
    pub resolution: f64,
    /// Half the width of the 95 % interval of the overhead that was subtracted from each time.
    pub overhead: f64,
    /// Whether median and quartiles are to be withheld, because batches are too short for the clock.
    pub quartiles_withheld: bool,
    /// Whether the warm-up settled.
    pub steady: bool,
}

/// The figures of a point; absent for no samples.
///
/// Mean and standard deviation leave out what [`Fences`] label severe; every other figure uses every sample. A single
/// sample, and samples that are all equal, have a standard deviation of 0.
pub fn summarize(basis: &Basis<'_>) -> Option<Summary> {
    let mut sorted = basis.times.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let fences = Fences::of(&sorted, basis.resolution)?;
    let labelled = |label| sorted.iter().filter(|&&time| fences.label(time) == label).count() as u32;
    let all: Running = sorted.iter().copied().collect();
    let kept: Running = sorted.iter().copied().filter(|&time| fences.label(time) != Label::Severe).collect();
    let mean_interval = all.uncertain_mean_interval(basis.resolution, basis.overhead);
    let ranks = if basis.quartiles_withheld { &[][..] } else { &sorted[..] };
    Some(Summary {
        n: all.n(),
        calls: basis.calls,
        mean: kept.mean()?,
        sd: kept.sd(),
        min: *sorted.first()?,
        max: *sorted.last()?,
        median: quantile(ranks, 0.5),
        q1: quantile(ranks, 0.25),
        q3: quantile(ranks, 0.75),
        mean_interval,
        median_interval: median_interval(ranks),
        relative_half_width: mean_interval
            .zip(all.mean())
            .and_then(|(interval, mean)| interval.relative_half_width(mean)),
        mild_outliers: labelled(Label::Mild),
        severe_outliers: labelled(Label::Severe),
        steady: basis.steady,
    })
}

impl Interval {
    /// Whether `value` is within the interval, ends included.
    pub fn holds(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Half the width as a part of `mean`'s magnitude: 0.02 is ±2 %; absent where the interval holds 0, since not even
    /// the sign is known then.
    pub fn relative_half_width(&self, mean: f64) -> Option<f64> {
        (!self.holds(0.0)).then(|| (self.high - self.low) / 2.0 / mean.abs())
    }
}

/// Mean and standard deviation of values as they come, without keeping them.
///
/// By the recurrence of B. P. Welford, "Note on a method for calculating corrected sums of squares and products",
/// *Technometrics* 4 (1962) 419–420, over the differences from the first value: neither cancels where the mean is large
/// beside the spread.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Running {
    n: u32,
    first: f64,
    /// Mean of the differences from the first value.
    difference: f64,
    /// Sum of the squared differences from the mean.
    squares: f64,
}

impl Running {
    /// Takes one more value.
    pub fn push(&mut self, value: f64) {
        if self.n == 0 {
            self.first = value;
        }
        self.n += 1;
        let before = value - self.first - self.difference;
        self.difference += before / f64::from(self.n);
        self.squares += before * (value - self.first - self.difference);
    }

    /// How many values there were.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// The arithmetic mean; absent for no values. Of equal values it is exactly that value.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then_some(self.first + self.difference)
    }

    /// The standard deviation √(Σ(x − mean)² / (n − 1)); 0 for fewer than two values and for equal ones.
    pub fn sd(&self) -> f64 {
        if self.n < 2 { 0.0 } else { (self.squares / f64::from(self.n - 1)).sqrt() }
    }

    /// The 95 % interval of the mean, mean ± t·sd/√n, with t the 0.975 quantile of Student's distribution of n − 1
    /// degrees of freedom ("Student", "The probable error of a mean", *Biometrika* 6 (1908) 1–25); absent for fewer
    /// than two values. Of equal values both ends are that value.
    pub fn mean_interval(&self) -> Option<Interval> {
        let freedom = self.n.checked_sub(1).filter(|&freedom| freedom > 0)?;
        let mean = self.mean()?;
        let half = t_quantile(freedom) * self.sd() / f64::from(self.n).sqrt();
        Some(Interval { low: mean - half, high: mean + half })
    }

    /// [`Self::mean_interval`] with what more is uncertain of times that a clock told; the same where both are 0.
    ///
    /// `resolution`: what a step of the clock comes to in one value. The steps alone leave resolution / √n open, even
    /// where all values are equal because the clock stepped alike. `overhead`: half the width of the interval of what
    /// was subtracted from each value. The half-widths of independent estimates add as their squares do.
    pub fn uncertain_mean_interval(&self, resolution: f64, overhead: f64) -> Option<Interval> {
        let interval = self.mean_interval()?;
        let mean = self.mean()?;
        let own = (interval.high - interval.low) / 2.0;
        let half = f64::hypot(own.max(resolution / f64::from(self.n).sqrt()), overhead);
        Some(if half > own { Interval { low: mean - half, high: mean + half } } else { interval })
    }

    /// Half the width of the mean's interval as a part of the mean; absent where there is no interval or it holds 0,
    /// and 0 for equal values other than 0.
    pub fn relative_half_width(&self) -> Option<f64> {
        self.mean_interval()?.relative_half_width(self.mean()?)
    }
}

impl FromIterator<f64> for Running {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut running = Self::default();
        values.into_iter().for_each(|value| running.push(value));
        running
    }
}

/// The `part` quantile, 0 to 1, of values in ascending order; absent for no values.
///
/// Type 7 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", *The American Statistician* 50 (1996)
/// 361–365, which R, NumPy and spreadsheets use: with h = (n − 1)·part, linear between the values ranked ⌊h⌋ and
/// ⌊h⌋ + 1 from 0. Of a single value, or of equal ones, it is that value.
pub fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    let position = sorted.len().checked_sub(1)? as f64 * part;
    let below = sorted[position as usize];
    let above = sorted.get(position as usize + 1).unwrap_or(&below);
    Some(below + position.fract() * (above - below))
}

/// The 95 % interval of the median by order statistics, of values in ascending order, whatever their distribution.
///
/// From the k-th smallest to the k-th greatest with the largest k for which P(B < k) ≤ 0.025, B binomial of n and ½: H.
/// A. David and H. N. Nagaraja, *Order Statistics* (3rd edition, 2003), section 7.1. It covers the median in 95 % of
/// cases or more. Absent for fewer than six values: even least to greatest then covers only 1 − 2·½ⁿ. Of equal values
/// both ends are that value.
fn median_interval(sorted: &[f64]) -> Option<Interval> {
    let binomial = Binomial::new(0.5, sorted.len() as u64).ok()?;
    let outside = (binomial.inverse_cdf(TAIL) as usize).checked_sub(1)?;
    Some(Interval { low: sorted[outside], high: sorted[sorted.len() - 1 - outside] })
}

/// What a 95 % interval leaves out on either side.
const TAIL: f64 = 0.025;

/// The 0.975 quantile of the normal distribution.
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// The 0.975 quantiles of Student's distribution, by degrees of freedom, computed when first asked for: a sampler asks
/// after each batch, and finding one takes longer than a short batch.
static T_QUANTILES: [OnceLock<f64>; 1_000] = [const { OnceLock::new() }; 1_000];

/// The 0.975 quantile of Student's distribution; infinite for no degrees of freedom.
///
/// From 1 000 degrees of freedom on by the expansion about the normal quantile, M. Abramowitz and I. A. Stegun,
/// *Handbook of Mathematical Functions* (1964), 26.7.5, to its third term: there within 1e-11, where the general
/// inversion gets worse with the degrees of freedom (3.5e-6 at 10⁵).
fn t_quantile(freedom: u32) -> f64 {
    match T_QUANTILES.get(freedom as usize) {
        Some(known) => *known.get_or_init(|| inverted_t_quantile(freedom)),
        None => expanded_t_quantile(freedom),
    }
}

fn inverted_t_quantile(freedom: u32) -> f64 {
    StudentsT::new(0.0, 1.0, f64::from(freedom)).map_or(f64::INFINITY, |student| student.inverse_cdf(1.0 - TAIL))
}

fn expanded_t_quantile(freedom: u32) -> f64 {
    let (x, v) = (NORMAL_QUANTILE, f64::from(freedom));
    let first = (x.powi(3) + x) / 4.0;
    let second = (5.0 * x.powi(5) + 16.0 * x.powi(3) + 3.0 * x) / 96.0;
    let third = (3.0 * x.powi(7) + 19.0 * x.powi(5) + 17.0 * x.powi(3) - 15.0 * x) / 384.0;
    x + first / v + second / v.powi(2) + third / v.powi(3)
}
