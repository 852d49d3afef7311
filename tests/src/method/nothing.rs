//! Functions that do nothing: the cycles of a call.

use anyhow::{Context, Result};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::self_test::steps::empty_quality;

use super::LadderSuite;

/// The cycles of a call of the reference kernel: 1000 steps of 6 cycles.
const CYCLES_OF_REFERENCE: f64 = 6_000.0;

/// How many processes measure the cycles of a call: each has its code and data at other addresses, which alone can change
/// a loop of a few instructions by a cycle per call.
const PROCESSES: u32 = 5;

/// Returns the interval of the mean over several processes in cycles per call, at two axis values. The interval is
/// doubled, so that it nearly always contains the true value, even on a busy machine.
pub async fn cycles(suite: &mut LadderSuite, function: &str) -> Result<Vec<Interval>> {
    let response = suite.measure(&[function], empty_quality(PROCESSES)).await?;
    let cycles = response.points.iter().filter_map(|point| point.measured()).map(|measured| {
        let reference = measured.runs[0].reference.context("the reference kernel was timed")?;
        let Interval { low, high } = measured.summary.mean_interval.context("the mean has an interval")?;
        let half_width = (high - low) / 2.0;
        let in_cycles = |nanos: f64| nanos / reference * CYCLES_OF_REFERENCE;
        Ok(Interval { low: in_cycles(low - half_width), high: in_cycles(high + half_width) })
    });
    cycles.collect()
}
