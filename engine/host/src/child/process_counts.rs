//! Counts the child processes of a suite.

use std::iter::Sum;

/// The child processes that were started to measure, since the suite was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessCounts {
    /// All of them.
    pub started: u64,
    /// Those that ended during a measurement: crashed, exited, timed out, or sent invalid data.
    pub failed: u64,
}

impl Sum for ProcessCounts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |sum, counts| Self {
            started: sum.started + counts.started,
            failed: sum.failed + counts.failed,
        })
    }
}
