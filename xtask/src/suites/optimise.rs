//! Optimises a suite's wasm module.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};
use xshell::cmd;
use xtask::workspace::Workspace;

use crate::tools::Tool;

/// Returns the optimised module; wasm-opt runs only if `module` has changed.
///
/// wasm-opt reads the allowed features from the section `target_features`, and omits the names of functions. Delete
/// target/suites after a change of its options.
pub(super) fn module(workspace: &Workspace, wasm_opt: &Tool, name: &str, module: &Path) -> Result<PathBuf> {
    let folder = workspace.built_suites().join(format!("wasm-opt-{}", wasm_opt.version.major));
    let optimised = folder.join(format!("{name}.wasm"));
    // Equal times, not newer ones: cargo can restore an older build.
    let compiled_at = modified(module)?;
    if modified(&optimised).is_ok_and(|source| source == compiled_at) {
        return Ok(optimised);
    }
    let optimising = || format!("optimising {}", module.display());
    fs::create_dir_all(&folder).with_context(optimising)?;
    let shell = workspace.shell()?;
    let tool = &wasm_opt.path;
    cmd!(shell, "{tool} -O3 --strip-debug --strip-producers {module} --output {optimised}")
        .quiet()
        .run()
        .with_context(optimising)?;
    File::options().write(true).open(&optimised)?.set_modified(compiled_at).with_context(optimising)?;
    Ok(optimised)
}

fn modified(path: &Path) -> Result<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).with_context(|| format!("reading {}", path.display()))
}
