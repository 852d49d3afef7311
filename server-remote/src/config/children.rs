//! Limits on each child process.

use benchbook_isolate::Guard;

use super::values::RawValues;

/// The niceness of child processes: on a shared core, other processes go first.
const NICE: i32 = 5;

/// Limits on each child process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildLimits {
    /// Address space: more than the suite's allocator may use, since that one reports the failed allocation.
    pub memory_bytes: u64,
    /// CPU time.
    pub cpu_seconds: u64,
    /// Open files.
    pub open_files: u64,
    /// The size of each file that the process writes.
    pub file_bytes: u64,
    /// Processes and threads of the runner's user, including those outside the runner.
    pub processes: u64,
}

impl ChildLimits {
    pub(super) fn read(values: &mut RawValues) -> Self {
        let default = Self::default();
        let mut limit =
            |key, least, most, default| values.read(key, |raw| raw.integer_between(least, most)).unwrap_or(default);
        Self {
            memory_bytes: limit("children.memory_bytes", 64 << 20, 1 << 50, default.memory_bytes),
            cpu_seconds: limit("children.cpu_seconds", 1, 1_000_000, default.cpu_seconds),
            open_files: limit("children.open_files", 16, 1 << 20, default.open_files),
            file_bytes: limit("children.file_bytes", 0, 1 << 50, default.file_bytes),
            processes: limit("children.processes", 1, 1 << 22, default.processes),
        }
    }

    /// The guard for child processes, which run on `core`.
    pub fn guard(&self, core: Option<u32>) -> Guard {
        Guard {
            core,
            all_cores: false,
            nice: Some(NICE),
            memory: Some(self.memory_bytes),
            cpu_seconds: Some(self.cpu_seconds),
            open_files: Some(self.open_files),
            file_bytes: Some(self.file_bytes),
            processes: Some(self.processes),
        }
    }
}

impl Default for ChildLimits {
    fn default() -> Self {
        Self { memory_bytes: 4 << 30, cpu_seconds: 3_600, open_files: 256, file_bytes: 1 << 30, processes: 4_096 }
    }
}
