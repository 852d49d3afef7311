//! Which results to keep, and which were deleted.

use std::time::Duration;

/// Limits on the stored results. The newest result of each point is kept regardless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// The maximum age of a result; absent if there is no limit.
    pub max_age: Option<Duration>,
    /// The maximum size of the database, without its log; absent if there is no limit. The oldest results are deleted first.
    pub max_bytes: Option<u64>,
}

impl Retention {
    /// Whether there is a limit.
    pub fn is_limited(&self) -> bool {
        self.max_age.is_some() || self.max_bytes.is_some()
    }
}

/// What to do with the results beyond the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PruneMode {
    /// Only determine them.
    DryRun,
    /// Delete them. Later results reuse their disk space.
    ReuseSpace,
    /// Delete them and return their disk space, which rewrites the database.
    ReleaseSpace,
}

/// Deleted results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pruning {
    /// The results, oldest first.
    pub deleted: Vec<PrunedResult>,
    /// The number of results that remain.
    pub remaining: u64,
    /// The size of what remains, in bytes.
    pub bytes: u64,
}

/// A deleted result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrunedResult {
    /// Its number.
    pub id: u64,
    /// The day on which it was stored, in UTC, such as 2026-01-31.
    pub day: String,
    /// The name of its suite.
    pub suite: String,
    /// The paths of its functions, separated by commas.
    pub functions: String,
    /// The number of its points.
    pub points: u64,
}
