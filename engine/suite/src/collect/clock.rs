//! The suite's clock, in nanoseconds since an arbitrary moment.

/// Reads the host's `performance.now()`, which is in milliseconds.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
pub(crate) fn now() -> f64 {
    crate::wasm_imports::host_now() * 1e6
}

/// Reads the system's monotonic clock.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
pub(crate) fn now() -> f64 {
    START.get().unwrap_or_else(|| start()).elapsed().as_nanos() as f64
}

#[cfg(not(target_arch = "wasm32"))]
static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();

/// Starts the clock at its first reading. `cargo benchbook check` recognises this function by its name, as one that no later reading calls.
#[cfg(not(target_arch = "wasm32"))]
#[cold]
#[inline(never)]
fn start() -> &'static std::time::Instant {
    START.get_or_init(std::time::Instant::now)
}

/// The maximum number of readings while waiting for a step. No clock is so coarse: one that takes longer is stuck.
const MAX_READINGS: u64 = 1 << 24;

/// Waits from one step of the clock to the next. Returns the length in nanoseconds and the number of readings; `None` if
/// the clock is stuck.
#[inline(never)]
pub(crate) fn step() -> Option<(f64, u64)> {
    let start = next_after(now())?;
    let end = next_after(start.0)?;
    Some((end.0 - start.0, end.1))
}

fn next_after(reading: f64) -> Option<(f64, u64)> {
    (1..MAX_READINGS).map(|readings| (now(), readings)).find(|(next, _)| *next > reading)
}
