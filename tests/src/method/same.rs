//! Equal functions over many axis values: how often a difference is reported that does not exist.

use anyhow::{Context, Result};
use benchbook_contract::parameter::Range;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::comparison::RatioAt;
use benchbook_host::quality::{Priority, Qualities, Quality};
use benchbook_host::self_test::rungs::{paired, ratios};

use super::LadderSuite;
use super::percent::IDENTICAL;

/// The range of the axis. 257 values are so far apart that each is on the parameter's grid.
const RANGE: Range = Range { low: 13_000.0, high: 100_000.0 };

/// The ratios of two equal functions.
pub struct Sameness {
    /// The 95 % interval of each ratio.
    pub intervals: Vec<Interval>,
    /// The narrower interval that decides whether both are the same within a margin.
    pub equivalences: Vec<Interval>,
    /// The number of ratios whose interval does not contain 1 if all intervals together are to contain their ratios in 95 %
    /// of cases.
    pub different_together: usize,
}

/// Measures two equal functions at up to `points` axis values, with the default quality of a priority.
pub async fn measure(suite: &mut LadderSuite, priority: Priority, points: u32) -> Result<Sameness> {
    let quality = Quality { points, ..Qualities::default().of(priority).clone() };
    let response = suite.measure_over(&IDENTICAL, RANGE, priority, quality).await?;
    let interval = |at: &RatioAt| at.interval.with_context(|| format!("{}: {:?}", at.x, at.withheld));
    let pairs = paired(&response.points, IDENTICAL);
    let single = ratios(&pairs, 1);
    let together = ratios(&pairs, single.len() as u32);
    let different_together = together.iter().filter_map(|at| at.interval).filter(|interval| !interval.contains(1.0));
    Ok(Sameness {
        intervals: single.iter().map(interval).collect::<Result<_>>()?,
        equivalences: single.iter().filter_map(|at| at.equivalence).collect(),
        different_together: different_together.count(),
    })
}
