//! Checks of a suite's replies.

/// The reason for a failed point if a reply does not match its request.
pub(super) const UNEXPECTED: &str = "the suite sent a reply that does not match the request";

/// The reason for a failed point if a reply contains a time beyond 30 years, or if times are below 0 again and again.
pub(super) const INVALID_TIME: &str = "the suite reported an invalid time";

/// Whether the clock was set back during a batch: then its time is below 0, and meaningless.
pub(super) fn was_set_back(elapsed: f64) -> bool {
    elapsed.is_finite() && elapsed < 0.0
}

/// For each of `batches`, whether the suite lists it as interrupted; `None` if it lists a batch that does not exist.
pub(super) fn interruption_flags(interrupted: &[u32], batches: usize) -> Option<Vec<bool>> {
    let mut flags = vec![false; batches];
    for &batch in interrupted {
        *flags.get_mut(batch as usize)? = true;
    }
    Some(flags)
}
