//! Optimises a suite's wasm module.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use crate::progress::{BuildStep, print_line};
use crate::tool::Tool;

/// Optimises a module into the file `optimised`, and returns that; wasm-opt runs only if `module` has changed.
///
/// wasm-opt reads the allowed features from the section `target_features`, and omits the names of functions. Delete
/// the output folder after a change of its options.
pub(crate) fn module(wasm_opt: &Tool, module: &Path, optimised: &Path) -> Result<PathBuf> {
    // Equal times, not newer ones: cargo can restore an older build.
    let compiled_at = modified(module)?;
    if modified(optimised).is_ok_and(|source| source == compiled_at) {
        return Ok(optimised.to_owned());
    }
    let optimising = || format!("failed to optimise {}", module.display());
    fs::create_dir_all(optimised.parent().context("the file has no folder (this is a bug)")?)
        .with_context(optimising)?;
    let name = optimised.file_name().unwrap_or_default().to_string_lossy();
    // Like cargo's lines, also without a terminal: a large module takes a minute.
    print_line(&format!("  Optimising {name}"));
    let _step = BuildStep::start(format!("Optimising {name}"));
    let shell = Shell::new()?;
    let tool = &wasm_opt.path;
    cmd!(shell, "{tool} -O3 --strip-debug --strip-producers {module} --output {optimised}")
        .quiet()
        .run()
        .with_context(optimising)?;
    File::options().write(true).open(optimised)?.set_modified(compiled_at).with_context(optimising)?;
    Ok(optimised.to_owned())
}

fn modified(path: &Path) -> Result<SystemTime> {
    fs::metadata(path)
        .and_then(|metadata| metadata.modified())
        .with_context(|| format!("failed to read {}", path.display()))
}
