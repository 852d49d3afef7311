//! Work that is repeated every day.

use std::time::Duration;

/// The time between two repetitions.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Does the work now, and then daily.
pub(crate) async fn repeat_daily<F: Future<Output = ()>>(mut work: impl FnMut() -> F) {
    let mut days = tokio::time::interval(DAY);
    loop {
        days.tick().await;
        work().await;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tokio::time::timeout;

    use super::*;

    /// The clock of the test advances whenever nothing else is left to do.
    #[tokio::test(start_paused = true)]
    async fn the_work_is_done_now_and_then_daily() {
        let times = Cell::new(0);
        let work = || async { times.set(times.get() + 1) };
        for (hours, expected) in [(1, 1), (23, 1), (25, 2), (49, 3)] {
            times.set(0);
            let elapsed = timeout(Duration::from_secs(hours * 60 * 60), repeat_daily(work)).await;
            assert!(elapsed.is_err() && times.get() == expected, "{} times in {hours} hours", times.get());
        }
    }
}
