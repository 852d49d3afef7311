//! The results of the last check, which can be accepted.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use benchbook_host::history::{CheckedResult, VERSION};
use serde::{Deserialize, Serialize};

use crate::project::Project;

/// The results of the last check.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct LastCheck {
    /// The version of the format of the results.
    benchbook_history: u32,
    /// The results.
    pub(super) results: Vec<CheckedResult>,
}

impl LastCheck {
    /// Replaces the results in the project's output folder.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write(&self, project: &Project) -> Result<()> {
        let path = file(project);
        let text = serde_json::to_string(&Self { benchbook_history: VERSION, results: self.results.clone() })?;
        fs::create_dir_all(&project.output)
            .and_then(|()| fs::write(&path, text))
            .with_context(|| format!("writing {}", path.display()))
    }

    /// Reads the results from the project's output folder.
    ///
    /// # Errors
    /// If there are none, or if another version of the tool wrote them.
    pub(super) fn read(project: &Project) -> Result<Self> {
        let path = file(project);
        let text = fs::read_to_string(&path)
            .context("there are no results to accept. Measure some with\n  cargo benchbook check")?;
        let last: Self = serde_json::from_str(&text)
            .with_context(|| format!("{} is damaged. Measure again with\n  cargo benchbook check", path.display()))?;
        ensure!(
            last.benchbook_history == VERSION,
            "another version of cargo-benchbook wrote the results of the last check. Measure again with\n  cargo benchbook check"
        );
        Ok(last)
    }
}

fn file(project: &Project) -> PathBuf {
    project.output.join("last-check.json")
}
