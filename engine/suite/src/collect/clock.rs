//! The clock of a suite, in nanoseconds from some fixed moment.

/// The host's `performance.now()`, which counts milliseconds.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
pub(crate) fn now() -> f64 {
    crate::entry::wasm::imports::host_now() * 1e6
}

/// The monotonic clock.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
pub(crate) fn now() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as f64
}

/// The longest wait for a step of the clock, in readings: no clock is so coarse, so one that stands still is told.
const MOST_READINGS: u64 = 1 << 24;

/// Waits from one step of the clock to the next: its length in nanoseconds and the readings that were taken.
/// Absent for a clock that stands still.
#[inline(never)]
pub(crate) fn step() -> Option<(f64, u64)> {
    let start = next_after(now())?;
    let end = next_after(start.0)?;
    Some((end.0 - start.0, end.1))
}

fn next_after(reading: f64) -> Option<(f64, u64)> {
    (1..MOST_READINGS).map(|readings| (now(), readings)).find(|(next, _)| *next > reading)
}
