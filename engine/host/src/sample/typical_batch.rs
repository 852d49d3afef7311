//! Estimates the time of a batch without interference, from several batches of which many may be interrupted.

use crate::analyze::order::{quantile, sorted};

/// Returns the mean time of equal batches in nanoseconds, with each time limited to 1.5 times the sum of the lower
/// quartile and a clock step. So interrupted batches have little weight, and so have batches in which a coarse clock did not
/// advance. 0 for no batches.
pub(super) fn typical_batch(elapsed: &[f64], resolution: f64) -> f64 {
    let most = 1.5 * (quantile(&sorted(elapsed), 0.25).unwrap_or(0.0) + resolution);
    elapsed.iter().map(|elapsed| elapsed.min(most)).sum::<f64>() / elapsed.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_the_weight_of_interruptions_but_not_of_clock_steps() {
        assert_eq!(typical_batch(&[], 1.0), 0.0);
        assert_eq!(typical_batch(&[10.0, 12.0, 11.0], 1.0), 11.0);
        assert_eq!(typical_batch(&[10.0, 10.0, 10.0, 10.0, 5_000.0], 1.0), 11.3);
        assert_eq!(typical_batch(&[10.0, 5_000.0, 5_000.0, 10.0, 5_000.0], 1.0), 13.9);
        assert_eq!(typical_batch(&[0.0, 0.0, 0.0, 100.0], 100.0), 25.0);
    }
}
