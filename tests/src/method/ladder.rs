//! Ratios of the suite `ladder`, whose true values are known.

use anyhow::{Result, anyhow};
use benchbook_host::self_test::rungs::{LOWEST, PERCENT, RecoveredRatio, Rung, path, recovered_ratios};
use benchbook_host::self_test::steps::ladder_quality;

use super::LadderSuite;

/// Rungs whose calls are as short as a batch of the lowest one, and therefore rarely interrupted.
pub const SHORT: [&[Rung]; 2] = [LOWEST, PERCENT];

/// Measures groups of rungs together and returns the ratio of each rung to the first and to the one below it, at two
/// axis values. `point_ms` is the time per function and axis value.
pub async fn measure_ratios(
    suite: &mut LadderSuite,
    requests: &[&[Rung]],
    point_ms: f64,
) -> Result<Vec<RecoveredRatio>> {
    let mut recovered = Vec::new();
    for &rungs in requests {
        let paths: Vec<String> = rungs.iter().copied().map(path).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let response = suite.measure(&paths, ladder_quality(point_ms)).await?;
        recovered.extend(recovered_ratios(&response.points, rungs).map_err(|reason| anyhow!(reason))?);
    }
    Ok(recovered)
}
