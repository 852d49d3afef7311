//! How long tests wait.

use std::time::Duration;

/// The time limit for a browser to start, or for a page to reach the state that a test waits for.
pub const PATIENCE: Duration = Duration::from_secs(60);
