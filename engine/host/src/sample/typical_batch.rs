//! What batches take that nothing interrupts, from several of which many may have been.

use crate::analyze::order::{quantile, sorted};

/// The mean time of batches that do the same, each counted as one and a half times the lower quartile and a step of the
/// clock at most: so neither batches that something interrupted decide, nor that a coarse clock stood still in most of
/// them. 0 for none.
pub(super) fn typical_batch(elapsed: &[f64], resolution: f64) -> f64 {
    let most = 1.5 * (quantile(&sorted(elapsed), 0.25).unwrap_or(0.0) + resolution);
    elapsed.iter().map(|elapsed| elapsed.min(most)).sum::<f64>() / elapsed.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interruptions_hardly_count_and_steps_do() {
        assert_eq!(typical_batch(&[], 1.0), 0.0);
        assert_eq!(typical_batch(&[10.0, 12.0, 11.0], 1.0), 11.0);
        assert_eq!(typical_batch(&[10.0, 10.0, 10.0, 10.0, 5_000.0], 1.0), 11.3);
        assert_eq!(typical_batch(&[10.0, 5_000.0, 5_000.0, 10.0, 5_000.0], 1.0), 13.9);
        assert_eq!(typical_batch(&[0.0, 0.0, 0.0, 100.0], 100.0), 25.0);
    }
}
