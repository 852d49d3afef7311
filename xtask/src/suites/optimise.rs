//! The step between the compiler's module and the one that is shipped.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};
use xshell::cmd;
use xtask::workspace::Workspace;

use crate::tools::Tool;

/// The optimised module, made anew if `module` is another than last time.
///
/// wasm-opt reads from the module's section `target_features` what it may use, and leaves the names of functions out.
/// Change its options, and target/suites must go.
pub(super) fn module(workspace: &Workspace, wasm_opt: &Tool, name: &str, module: &Path) -> Result<PathBuf> {
    let folder = workspace.built_suites().join(format!("wasm-opt-{}", wasm_opt.version.major));
    let optimised = folder.join(format!("{name}.wasm"));
    // Not "newer than": cargo can put an older build back in place.
    let compiled_at = changed(module)?;
    if changed(&optimised).is_ok_and(|made_from| made_from == compiled_at) {
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

fn changed(path: &Path) -> Result<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).with_context(|| format!("reading {}", path.display()))
}
