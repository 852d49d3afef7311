//! PATH and the variables that trunk requires: for the shell in which we run it, and for the user's shell.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};
use xshell::Shell;
use xtask::workspace::{TRUNK_TOOLS_WASM_OPT, Workspace};

use benchbook_build::tool::Tool;

/// The installed tools of the page.
pub(crate) struct PageTools {
    pub(super) trunk: Tool,
    pub(super) wasm_bindgen: Tool,
    pub(super) wasm_opt: Tool,
    /// The release that trunk requires by default.
    pub(super) required_wasm_opt: u64,
}

impl PageTools {
    /// A shell in the root of the workspace.
    pub(crate) fn shell(&self, workspace: &Workspace) -> Result<Shell> {
        let shell = workspace.shell()?;
        let path = env::var_os("PATH").unwrap_or_default();
        shell.set_var("PATH", env::join_paths(self.folders().into_iter().chain(env::split_paths(&path)))?);
        for (name, value) in self.variables() {
            shell.set_var(name, value);
        }
        Ok(shell)
    }

    /// Lines for a shell to evaluate: for PowerShell on Windows, for a Unix shell elsewhere.
    pub(crate) fn script(&self) -> Result<String> {
        let folders = env::join_paths(self.folders())?
            .into_string()
            .ok()
            .context("the path of the cache is not valid Unicode")?;
        Ok(script(cfg!(windows), &folders, &self.variables()))
    }

    /// If `trunk` is not on PATH, prints the command that adds it.
    pub(crate) fn print_advice(&self) {
        let evaluate = if cfg!(windows) {
            "cargo xtask tools | Out-String | Invoke-Expression"
        } else {
            "eval \"$(cargo xtask tools)\""
        };
        if !is_on_path(&self.trunk) {
            println!("To put trunk on the PATH of your shell: {evaluate}");
        }
    }

    /// The folders to add to PATH. Each contains only that tool: `/usr/bin` as the first folder would add its own cargo.
    fn folders(&self) -> Vec<PathBuf> {
        let tools = [&self.trunk, &self.wasm_bindgen, &self.wasm_opt];
        tools.into_iter().filter(|tool| !is_on_path(tool)).filter_map(|tool| Some(tool.path.parent()?.into())).collect()
    }

    fn variables(&self) -> Vec<(&'static str, String)> {
        let mut variables = vec![("TRUNK_SKIP_VERSION_CHECK", "true".to_owned())];
        if self.wasm_opt.version.major != self.required_wasm_opt {
            variables.push((TRUNK_TOOLS_WASM_OPT, format!("version_{}", self.wasm_opt.version.major)));
        }
        // By convention any value of NO_COLOR counts; trunk accepts only `true` and `false`.
        if env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
            variables.push(("NO_COLOR", "true".to_owned()));
        }
        variables
    }
}

fn is_on_path(tool: &Tool) -> bool {
    tool.path.file_stem().and_then(|name| which::which(name).ok()).is_some_and(|found| found == tool.path)
}

fn script(power_shell: bool, folders: &str, variables: &[(&str, String)]) -> String {
    let mut lines = Vec::new();
    if power_shell {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
        if !folders.is_empty() {
            lines.push(format!("$env:PATH = {} + ';' + $env:PATH", quoted(folders)));
        }
        lines.extend(variables.iter().map(|(name, value)| format!("$env:{name} = {}", quoted(value))));
    } else {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
        if !folders.is_empty() {
            lines.push(format!("export PATH={}:\"$PATH\"", quoted(folders)));
        }
        lines.extend(variables.iter().map(|(name, value)| format!("export {name}={}", quoted(value))));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables() -> [(&'static str, String); 1] {
        [("TRUNK_SKIP_VERSION_CHECK", "true".to_owned())]
    }

    #[test]
    fn quotes_the_lines_for_each_shell() {
        assert_eq!(
            script(false, "/home/o'neill/a:/b", &variables()),
            "export PATH='/home/o'\\''neill/a:/b':\"$PATH\"\nexport TRUNK_SKIP_VERSION_CHECK='true'\n"
        );
        assert_eq!(
            script(true, r"C:\o'neill", &variables()),
            "$env:PATH = 'C:\\o''neill' + ';' + $env:PATH\n$env:TRUNK_SKIP_VERSION_CHECK = 'true'\n"
        );
    }

    #[test]
    fn leaves_path_unchanged_if_it_has_all_tools() {
        assert_eq!(script(false, "", &variables()), "export TRUNK_SKIP_VERSION_CHECK='true'\n");
    }
}
