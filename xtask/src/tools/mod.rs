//! What the commands need beyond cargo. Each tool is looked for on PATH, then in the user's cache folder, by name and
//! version; what is in neither is installed there, once.

pub(crate) mod browser;
mod cache;
mod debian;
mod find;
mod rust_target;
mod trunk;
mod wasm_bindgen;
mod wasm_opt;

use std::env;
use std::path::Path;

use anyhow::Result;
use xshell::Shell;

use crate::workspace::Workspace;
pub(crate) use find::Tool;
pub(crate) use rust_target::WASM;

/// What building the page and its suites takes.
pub(crate) fn for_page(workspace: &Workspace) -> Result<PageTools> {
    rust_target::ensure()?;
    Ok(PageTools {
        trunk: trunk::get()?,
        wasm_bindgen: wasm_bindgen::get(&workspace.wasm_bindgen()?)?,
        wasm_opt: wasm_opt::get(&workspace.wasm_opt()?)?,
    })
}

/// What building a suite takes.
pub(crate) fn for_suites(workspace: &Workspace) -> Result<Tool> {
    rust_target::ensure()?;
    wasm_opt::get(&workspace.wasm_opt()?)
}

/// What compiling for the browser, without any further step, takes.
pub(crate) fn for_wasm() -> Result<()> {
    rust_target::ensure()
}

pub(crate) struct PageTools {
    trunk: Tool,
    wasm_bindgen: Tool,
    wasm_opt: Tool,
}

impl PageTools {
    /// A shell in the root, in which `trunk` is ours and finds what it calls.
    pub(crate) fn shell(&self, workspace: &Workspace) -> Result<Shell> {
        let shell = workspace.shell()?;
        let ours = [&self.trunk, &self.wasm_bindgen, &self.wasm_opt].into_iter().filter_map(|tool| tool.path.parent());
        let path = env::var_os("PATH").unwrap_or_default();
        shell.set_var("PATH", env::join_paths(ours.map(Path::to_path_buf).chain(env::split_paths(&path)))?);
        // Trunk.toml names one version; a newer one found on PATH serves as well.
        shell.set_var("TRUNK_TOOLS_WASM_OPT", format!("version_{}", self.wasm_opt.version.major));
        shell.set_var("TRUNK_SKIP_VERSION_CHECK", "true");
        // By convention any value of NO_COLOR counts; trunk stops at all but `true` and `false`.
        if env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
            shell.set_var("NO_COLOR", "true");
        }
        Ok(shell)
    }
}
