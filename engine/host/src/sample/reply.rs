//! Checks on what a suite replies.

/// The reason for a failed point if a reply does not match its request.
pub(super) const UNEXPECTED: &str = "the suite sent a reply that does not match the request";

/// The reason for a failed point if a reply contains a time below 0 or beyond [`MAX_TIME`].
pub(super) const INVALID_TIME: &str = "the suite reported an invalid time";

/// The longest time that a reply may contain, in nanoseconds: 30 years. Sums and squares of longer times could overflow
/// an `f64`, and JSON has no other number.
const MAX_TIME: f64 = 1e18;

/// Whether a suite may report this time, in nanoseconds.
pub(super) fn is_time(nanos: f64) -> bool {
    (0.0..=MAX_TIME).contains(&nanos)
}

/// For each of `batches`, whether the suite lists it as interrupted; `None` if it lists a batch that does not exist.
pub(super) fn interruption_flags(interrupted: &[u32], batches: usize) -> Option<Vec<bool>> {
    let mut flags = vec![false; batches];
    for &batch in interrupted {
        *flags.get_mut(batch as usize)? = true;
    }
    Some(flags)
}
