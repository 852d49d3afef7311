//! The executable of a suite.

use std::path::{Path, PathBuf};

use super::child_settings::ChildSettings;
use super::copy::PrivateCopy;
use super::process::Process;
use super::stop_handle::StopHandle;
use super::suite_error::SuiteError;

/// The executable of a suite as it was when opened, and the settings of its processes.
#[derive(Debug)]
pub struct SuiteProgram {
    /// The file that was copied.
    pub(super) path: PathBuf,
    /// The copy that is executed.
    pub(super) copy: PrivateCopy,
    /// The limits and the isolation of its processes.
    pub(super) settings: ChildSettings,
}

impl SuiteProgram {
    /// The file that was copied.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Starts a fresh process; `stop` ends its measurements. `is_contended`: whether its threads are to call functions at the same time, so
    /// that it needs more than one core.
    ///
    /// # Errors
    /// If the system cannot start it.
    pub(super) fn start(&self, is_contended: bool, stop: &StopHandle) -> Result<Process, SuiteError> {
        let guard = self.settings.guard.clone();
        let guard = if is_contended { guard.on_all_cores() } else { guard };
        Process::start(&self.copy, &self.path, &self.settings, guard, stop)
            .map_err(|source| SuiteError::Start { path: self.path.clone(), source })
    }
}
