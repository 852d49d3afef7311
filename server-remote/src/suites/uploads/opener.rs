//! Opens uploaded executables.

use std::path::Path;

use benchbook_host::child::SuiteError;

use super::error::UploadError;
use crate::config::{Config, SuiteFiles};
use crate::suites::Protections;
use crate::suites::table::HostedSuite;
use crate::suites::{check_name, open_executable};

/// Opens executables as this runner's suites, in isolated child processes.
#[derive(Clone, Debug)]
pub(crate) struct BuildOpener {
    config: Config,
    protections: Protections,
}

impl BuildOpener {
    /// Opens executables under the protections of a runner.
    pub(crate) fn new(config: Config, protections: Protections) -> Self {
        Self { config, protections }
    }

    /// Starts an executable in an isolated process, which describes itself.
    ///
    /// # Errors
    /// If it is not a suite, does not run on this machine, or if a limit does not apply to it.
    pub(super) fn open(&self, executable: &Path) -> Result<HostedSuite, UploadError> {
        let files = SuiteFiles { executable: executable.to_owned(), ..SuiteFiles::default() };
        let suite = open_executable(&files, &self.config, &self.protections).map_err(|error| {
            UploadError::Unusable(match error {
                SuiteError::Contract { reason, .. } => reason,
                SuiteError::Start { source, .. } => source.to_string(),
                other => other.to_string(),
            })
        })?;
        if let Some(missing) = suite.native.unenforced().first() {
            return Err(UploadError::Unusable(format!("this runner cannot limit its processes: {missing}")));
        }
        check_name(suite.name(), std::iter::empty()).map_err(|error| UploadError::Unusable(error.to_string()))?;
        Ok(suite)
    }
}
