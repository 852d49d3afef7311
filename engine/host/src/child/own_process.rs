//! This program once more, in a process with the limits of a suite.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use super::child_settings::{ChildSettings, TASK_VARIABLE};
use super::copy::PrivateCopy;
use super::process::Process;
use super::stop_handle::StopHandle;
use crate::sample::ending::Ending;

/// A process of this program for what must not run in this process, such as code that others wrote: it has the limits of a suite. Dropping it
/// kills it.
///
/// `main` asks for [`own_task`] first, and serves that task on standard input and output.
pub struct OwnProcess(Process);

impl std::fmt::Debug for OwnProcess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OwnProcess").finish_non_exhaustive()
    }
}

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoReply {
    /// It took longer than the limit. The process was killed.
    TimedOut,
    /// The process ended, or sent something else: the reason, as a clause.
    Ended(String),
}

impl OwnProcess {
    /// Starts a process. `stop` ends it during [`Self::reply`].
    ///
    /// # Errors
    /// If the system cannot start it.
    pub fn start(task: &'static str, settings: &ChildSettings, stop: &StopHandle) -> io::Result<Self> {
        // The file may have changed since this program was started.
        let path = if cfg!(target_os = "linux") { PathBuf::from("/proc/self/exe") } else { env::current_exe()? };
        // Isolated processes cannot execute files, only copies in memory.
        let copy = PrivateCopy::new(&path, &fs::read(&path)?)?;
        let settings = ChildSettings { task: Some(task), ..settings.clone() };
        Process::start(&copy, Path::new(task), &settings, settings.guard.clone(), stop).map(Self)
    }

    /// Sends bytes without waiting until they are read. If the process is gone, the next reply reports that.
    pub fn send(&mut self, bytes: Vec<u8>) {
        self.0.send_bytes(bytes);
    }

    /// Waits for a line of JSON.
    ///
    /// # Errors
    /// If no reply arrives within the limit, or the process ends.
    pub fn reply<T: DeserializeOwned>(&mut self, limit: Duration) -> Result<T, NoReply> {
        self.0.reply(Instant::now() + limit, limit).map_err(|(ending, stderr_tail)| match ending {
            Ending::TimedOut(_) => NoReply::TimedOut,
            Ending::Died(reason) if stderr_tail.is_empty() => NoReply::Ended(reason),
            Ending::Died(reason) => NoReply::Ended(format!("{reason}: {stderr_tail}")),
        })
    }
}

/// The task of this process, if it is an [`OwnProcess`] of another one.
pub fn own_task() -> Option<OsString> {
    env::var_os(TASK_VARIABLE)
}
