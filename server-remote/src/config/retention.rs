//! Limits on the stored results.

use std::time::Duration;

use super::values::RawValues;
use crate::store::Retention;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A century.
const MAX_DAYS: u64 = 36_525;

pub(super) fn retention(values: &mut RawValues) -> Retention {
    let days = values.read("retention.days", |raw| raw.integer_between(1, MAX_DAYS));
    let max_bytes = values.read("retention.max_bytes", |raw| raw.integer_between(1 << 20, 1 << 50));
    Retention { max_age: days.and_then(|days| u32::try_from(days).ok()).map(|days| days * DAY), max_bytes }
}
