//! The templates for continuous integration: what their steps run in a shell, as the services do.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::suites::workspace;
use anyhow::{Context, Result};
use serde_json::Value;

/// The options of the shell in which GitHub and GitLab run scripts.
const SHELL: [&str; 5] = ["--noprofile", "--norc", "-eo", "pipefail", "-c"];

/// What a step runs.
#[derive(Clone, Debug)]
pub struct ShellStep {
    /// The text for the shell.
    pub script: String,
    /// The variables that the step sets.
    pub variables: BTreeMap<String, String>,
}

impl ShellStep {
    /// The shell with the script, in a folder.
    pub fn command(&self, folder: &Path) -> Command {
        let mut shell = Command::new("bash");
        shell.args(SHELL).arg(&self.script).current_dir(folder).envs(&self.variables);
        shell
    }
}

/// Reads a YAML file of the repository.
pub fn yaml(path: &str) -> Result<Value> {
    let text = fs::read_to_string(workspace()?.root().join(path))?;
    serde_saphyr::from_str(&text).with_context(|| format!("failed to read {path}"))
}

/// The steps of `action.yml` that run in a shell, for a pull request with this number. `inputs`: those that are not the default.
pub fn action_steps(inputs: &[(&str, &str)], pull_request: u32) -> Result<Vec<ShellStep>> {
    let action = yaml("action.yml")?;
    let value = |expression: &str| {
        let name = expression.trim_start_matches("${{ ").trim_end_matches(" }}");
        match name.strip_prefix("inputs.") {
            Some(input) => {
                let given = inputs.iter().find(|(name, _)| *name == input).map(|(_, value)| (*value).to_owned());
                let default = || action["inputs"][input]["default"].as_str().map(str::to_owned);
                given.or_else(default).with_context(|| format!("there is no input `{input}`"))
            }
            None => Ok(pull_request.to_string()),
        }
    };
    let steps = action["runs"]["steps"].as_array().context("there are no steps")?;
    let steps = steps.iter().filter_map(|step| Some((step["run"].as_str()?, step["env"].as_object()?)));
    let steps = steps.map(|(script, variables)| {
        let variables =
            variables.iter().map(|(name, text)| Ok((name.clone(), value(text.as_str().unwrap_or_default())?)));
        Ok(ShellStep { script: script.to_owned(), variables: variables.collect::<Result<_>>()? })
    });
    steps.collect()
}

/// The script of GitLab's template, for a merge request that is based on a revision. `arguments`: further ones of the check.
pub fn gitlab_step(baseline: &str, arguments: &str) -> Result<ShellStep> {
    let template = yaml("docs/ci/gitlab.yml")?;
    let lines = template["benchmarks"]["script"].as_array().context("there is no script")?;
    let lines: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
    let variables = [("CI_MERGE_REQUEST_DIFF_BASE_SHA", baseline), ("BENCHBOOK_ARGUMENTS", arguments)];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Ok(ShellStep { script: lines.join("\n"), variables: variables.into() })
}
