//! The limits that a host imposes on a native suite, and the environment variables that pass them.

use serde::{Deserialize, Serialize};

/// The environment variable with the folder in which a suite creates its scratch folders. If unset, a suite uses the
/// system's temporary folder.
pub const SCRATCH_VARIABLE: &str = "BENCHBOOK_SCRATCH";

/// The environment variable with the [`GuardSettings`] as JSON. If unset, a suite runs without limits.
pub const GUARD_VARIABLE: &str = "BENCHBOOK_GUARD";

/// The limits of a suite's process. An absent value is inherited from the host. In addition, a suite with [`GuardSettings`]
/// writes no core dump and, on Linux, is killed when its host ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Guard {
    /// The only core that the suite runs on, by the system's numbering.
    pub core: Option<u32>,
    /// The niceness, −20 to 19. Values below 0 require a privilege.
    pub nice: Option<i32>,
    /// The maximum address space in bytes, including stacks and the program itself.
    pub memory: Option<u64>,
    /// The maximum CPU time per process in seconds. A process that exceeds it receives SIGXCPU.
    pub cpu_seconds: Option<u64>,
    /// The maximum number of open files.
    pub open_files: Option<u64>,
    /// The maximum size of a written file in bytes. A process that exceeds it receives SIGXFSZ.
    pub file_bytes: Option<u64>,
    /// The maximum number of processes and threads of the suite's user, including those unrelated to the suite.
    ///
    /// Linux does not enforce it for root: then only the suite's time limit ends a fork bomb. Run untrusted suites as
    /// another user, or in a control group with a limit on tasks.
    pub processes: Option<u64>,
}

/// The value of [`GUARD_VARIABLE`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GuardSettings {
    /// The host's process id. On Linux, the suite ends if this process is not its parent.
    pub host: u32,
    /// The limits to apply.
    pub guard: Guard,
}
