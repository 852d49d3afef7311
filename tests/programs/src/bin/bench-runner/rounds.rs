//! The ratio of two programs that were measured in rounds.

use anyhow::{Context, Result};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::analyze::running::RunningStats;

/// A ratio, paired by rounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ratio {
    /// The geometric mean of the rounds' ratios.
    pub(crate) value: f64,
    /// Its 95% interval: Student's t of the logarithms.
    pub(crate) interval: Interval,
}

impl Ratio {
    /// Computes the ratio from those of at least two rounds.
    pub(crate) fn of(rounds: &[f64]) -> Result<Self> {
        let logs: RunningStats = rounds.iter().map(|ratio| ratio.ln()).collect();
        let (mean, interval) = logs.mean().zip(logs.mean_interval()).context("a ratio needs two rounds")?;
        let interval = Interval { low: interval.low.exp(), high: interval.high.exp() };
        Ok(Self { value: mean.exp(), interval })
    }
}
