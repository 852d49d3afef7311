//! What a host orders of a native suite when it starts it.

use serde::{Deserialize, Serialize};

/// Names the folder in which the host wants scratch folders; without it they go to the system's temporary folder.
pub const SCRATCH_VARIABLE: &str = "BENCHBOOK_SCRATCH";

/// Holds the [`Orders`] of a host as JSON; without it a suite lives under nothing.
pub const GUARD_VARIABLE: &str = "BENCHBOOK_GUARD";

/// What a suite lives under. Beside it every suite leaves no core dump, and dies with its host where the system can do
/// that; what is absent here is as its host has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Guard {
    /// The only core that it runs on, as the system counts them.
    pub core: Option<u32>,
    /// How far it stands back: −20 to 19. Below 0 takes a privilege.
    pub nice: Option<i32>,
    /// The most bytes of address space: its stacks and its program count too.
    pub memory: Option<u64>,
    /// The most seconds of computing that a process may use up; then comes SIGXCPU.
    pub cpu_seconds: Option<u64>,
    /// The most files that are open at once.
    pub open_files: Option<u64>,
    /// The greatest file that it may write, in bytes; beyond comes SIGXFSZ.
    pub file_bytes: Option<u64>,
    /// The most processes and threads of its user, all others of that user included. For root the system has no such bound:
    /// there a bomb of forks is bounded by the suite's time alone, and whoever runs suites that they do not trust gives them
    /// a user, or a control group with a bound on tasks.
    pub processes: Option<u64>,
}

/// What a host tells a suite in [`GUARD_VARIABLE`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Orders {
    /// The host's process, without which the suite has no business to live.
    pub host: u32,
    /// What to live under.
    pub guard: Guard,
}
