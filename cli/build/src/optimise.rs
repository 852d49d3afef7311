//! Optimises a suite's wasm module.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use crate::derived::DerivedFile;
use crate::tool::Tool;

/// Optimises a module into the file `optimised`, and returns that; wasm-opt runs only if `module` has changed.
///
/// wasm-opt reads the allowed features from the section `target_features`, and omits the names of functions. Delete
/// the output folder after a change of its options.
pub(crate) fn module(wasm_opt: &Tool, module: &Path, optimised: PathBuf) -> Result<PathBuf> {
    DerivedFile { source: module, to: optimised, step: "Optimising" }.make(|module, optimised| {
        let shell = Shell::new()?;
        let tool = &wasm_opt.path;
        cmd!(shell, "{tool} -O3 --strip-debug --strip-producers {module} --output {optimised}")
            .quiet()
            .run()
            .with_context(|| format!("failed to optimise {}", module.display()))
    })
}
