//! The results of the last check, which can be accepted.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use benchbook_host::history::{CheckedResult, VERSION};
use serde::{Deserialize, Serialize};

use crate::advised_command::AdvisedCommand;
use crate::project::Project;

/// The results of the last check.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LastCheck {
    /// The version of the format of the results.
    benchbook_history: u32,
    /// The folder of the workspace: several may have the same output folder.
    root: PathBuf,
    /// The results.
    pub(crate) results: Vec<CheckedResult>,
    /// Whether a function was not measured, since its code is the same as that of the baseline.
    #[serde(default)]
    pub(crate) has_same_code: bool,
}

impl LastCheck {
    /// The results of a check so far.
    pub(crate) fn new(project: &Project, results: Vec<CheckedResult>, has_same_code: bool) -> Self {
        Self { benchbook_history: VERSION, root: project.root.clone(), results, has_same_code }
    }

    /// Replaces the results in the project's output folder. If the tool is interrupted, the earlier ones remain.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn write(&self, project: &Project) -> Result<()> {
        let path = file(project);
        let partial = path.with_extension("unfinished");
        let text = serde_json::to_string(self)?;
        fs::create_dir_all(&project.output)
            .and_then(|()| fs::write(&partial, text))
            .and_then(|()| fs::rename(&partial, &path))
            .with_context(|| format!("the results cannot be accepted later: writing {}", path.display()))
    }

    /// Reads the results from the project's output folder.
    ///
    /// # Errors
    /// If nothing was checked, or if the results are those of another workspace or version.
    pub(crate) fn read(project: &Project) -> Result<Self> {
        let advice = format!("Measure with\n  {}", AdvisedCommand::Check);
        let path = file(project);
        let text = fs::read_to_string(&path).with_context(|| format!("there are no results to accept. {advice}"))?;
        let last: Self =
            serde_json::from_str(&text).with_context(|| format!("{} is damaged. {advice}", path.display()))?;
        ensure!(
            last.benchbook_history == VERSION,
            "the last check was run with another version of cargo-benchbook. {advice}"
        );
        ensure!(
            last.root == project.root,
            "the last check was for the workspace {}, which shares this output folder. {advice}",
            last.root.display()
        );
        Ok(last)
    }
}

fn file(project: &Project) -> PathBuf {
    project.output.join("last-check.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accepted::fixtures::single_result;

    #[test]
    fn the_results_of_the_last_check_can_be_accepted_in_its_workspace_only() {
        let folder = tempfile::tempdir().unwrap();
        let project = |root: &str| Project {
            root: folder.path().join(root),
            output: folder.path().join("target/benchbook"),
            parts: Vec::new(),
            ..Project::default()
        };
        let error = |root: &str| format!("{:#}", LastCheck::read(&project(root)).unwrap_err());
        assert!(error("own").starts_with("there are no results to accept. "), "{}", error("own"));
        let results = vec![single_result("mix", 100.0)];
        LastCheck::new(&project("own"), results.clone(), false).write(&project("own")).unwrap();
        assert_eq!(LastCheck::read(&project("own")).unwrap().results, results);
        assert!(error("other").contains("which shares this output folder"), "{}", error("other"));
        fs::write(project("own").output.join("last-check.json"), "{").unwrap();
        assert!(error("own").contains("last-check.json is damaged"), "{}", error("own"));
    }
}
