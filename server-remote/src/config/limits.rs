//! Limits: what clients may ask for, and what a child process may use.

use std::time::Duration;

use benchbook_contract::guard::Guard;

use super::values::{Values, Written};

/// How far children stand back: where they share a core, others go first.
const NICE: i32 = 5;

/// What clients may ask for. Beyond it they are refused, and told what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Clients that wait at the same time.
    pub clients: u32,
    /// What a client may have queued, in seconds of measuring as they are expected.
    pub queued_seconds: u32,
    /// The body of a request.
    pub body_bytes: u32,
    /// Points of a request: axis values times functions.
    pub points: u32,
    /// Streams that are open at the same time.
    pub streams: u32,
    /// In how many seconds a client must send its request, and take some of what it is told.
    pub patience_seconds: u32,
}

impl Limits {
    pub(super) fn read(values: &mut Values) -> Self {
        let default = Self::default();
        let mut limit = |key, least, most, default| {
            let read = values.read(key, |written| in_range(written, least, most));
            read.and_then(|value| u32::try_from(value).ok()).unwrap_or(default)
        };
        Self {
            clients: limit("limits.clients", 1, 100_000, default.clients),
            queued_seconds: limit("limits.queued_seconds", 1, 1_000_000, default.queued_seconds),
            body_bytes: limit("limits.body_bytes", 1_024, 16 << 20, default.body_bytes),
            points: limit("limits.points", 1, 4_100, default.points),
            streams: limit("limits.streams", 1, 100_000, default.streams),
            patience_seconds: limit("limits.patience_seconds", 1, 3_600, default.patience_seconds),
        }
    }

    /// In what time a client must send its request, and take some of what it is told.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(u64::from(self.patience_seconds))
    }
}

impl Default for Limits {
    /// A curve of the default qualities takes a minute and has 132 points at most.
    fn default() -> Self {
        Self {
            clients: 2_000,
            queued_seconds: 3_600,
            body_bytes: 1 << 18,
            points: 4_100,
            streams: 4_000,
            patience_seconds: 60,
        }
    }
}

/// What each child process may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildLimits {
    /// Address space: more than the allocator's bound of a suite, which tells better what was refused.
    pub memory_bytes: u64,
    /// Time of the processor.
    pub cpu_seconds: u64,
    /// Open files.
    pub open_files: u64,
    /// The size of each file that it writes.
    pub file_bytes: u64,
    /// Processes and threads of the runner's user, those outside of the runner included.
    pub processes: u64,
}

impl ChildLimits {
    pub(super) fn read(values: &mut Values) -> Self {
        let default = Self::default();
        let mut limit =
            |key, least, most, default| values.read(key, |written| in_range(written, least, most)).unwrap_or(default);
        Self {
            memory_bytes: limit("children.memory_bytes", 64 << 20, 1 << 50, default.memory_bytes),
            cpu_seconds: limit("children.cpu_seconds", 1, 1_000_000, default.cpu_seconds),
            open_files: limit("children.open_files", 16, 1 << 20, default.open_files),
            file_bytes: limit("children.file_bytes", 0, 1 << 50, default.file_bytes),
            processes: limit("children.processes", 1, 1 << 22, default.processes),
        }
    }

    /// What children live under; `core` measures.
    pub fn guard(&self, core: Option<u32>) -> Guard {
        Guard {
            core,
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

fn in_range(written: &Written, least: u64, most: u64) -> Result<u64, String> {
    let number = written.integer().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("allowed: a whole number from {least} to {most}"))
}
