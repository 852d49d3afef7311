//! The ratio of two programs that were measured in rounds.

use anyhow::{Context, Result};
use benchbook_host::analyze::blocks::RunTimes;
use benchbook_host::analyze::blocks::mean_interval;
use benchbook_host::analyze::interval::Interval;

/// A ratio, paired by rounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ratio {
    /// The geometric mean of the rounds' ratios.
    pub(crate) value: f64,
    /// Its 95 % interval: Student's t of the logarithms.
    pub(crate) interval: Interval,
}

impl Ratio {
    /// Computes the ratio from those of at least two rounds.
    pub(crate) fn of(rounds: &[f64]) -> Result<Self> {
        let logs: Vec<f64> = rounds.iter().map(|ratio| ratio.ln()).collect();
        let blocks = vec![1; logs.len()];
        let interval =
            mean_interval(&[RunTimes { times: &logs, blocks: &blocks, overhead: 0.0, systematic: 0.0 }], 0.0);
        let Interval { low, high } = interval.context("a ratio needs two rounds")?.interval;
        Ok(Self { value: f64::midpoint(low, high).exp(), interval: Interval { low: low.exp(), high: high.exp() } })
    }
}
