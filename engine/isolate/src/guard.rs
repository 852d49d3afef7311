//! The limits on a child process.

use serde::{Deserialize, Serialize};

/// The limits on a child process. An absent value is inherited from the host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Guard {
    /// The only core that the child runs on, by the system's numbering.
    pub core: Option<u32>,
    /// Whether the child runs on all cores instead, including those that the host avoids.
    pub all_cores: bool,
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
    /// The maximum number of processes and threads of the child's user, including those unrelated to the child.
    ///
    /// Linux does not enforce it for root. An isolated child cannot start processes at all, unless
    /// [`Isolation::may_start_processes`](crate::Isolation::may_start_processes) is set.
    pub processes: Option<u64>,
}

impl Guard {
    /// The same limits for a child whose threads run on all cores.
    #[must_use]
    pub fn on_all_cores(self) -> Self {
        Self { core: None, all_cores: true, ..self }
    }
}
