//! What is made of a suite's module that was compiled with debug information: the module that is timed, without it, and one that counts
//! what it executes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use benchbook_assembly::{LISTINGS_FORMAT, LISTINGS_SECTION, SourceFiles, WasmModule, measured_functions};
use benchbook_instrument::{
    COUNTING_MODULE, FORMAT, Options, PathPrefix, append_section, counting_module, without_debug_information,
};

use crate::derived::DerivedFile;
use crate::files::write;
use crate::wasm;

/// Writes the module without debug information, and returns its path. `folder`: that of the built suites.
pub(crate) fn timed_module(compiled: &Path, folder: &Path, stem: &str) -> Result<PathBuf> {
    let to = versioned(folder, "timed").join(format!("{stem}.wasm"));
    DerivedFile { source: compiled, to, step: "Stripping" }
        .make(|compiled, timed| write(timed, without_debug_information(&read(compiled)?)?))
}

/// Writes the counting module, which also contains the code of all measured functions if that can be read, and returns its path. `root`: the folder of the
/// workspace, to which paths of source files are relative.
///
/// It is made from what the compiler wrote. wasm-opt would remove about one operator in twenty, but not everybody has it.
///
/// # Errors
/// If the module cannot be counted.
pub(crate) fn counted_module(compiled: &Path, folder: &Path, stem: &str, root: &Path) -> Result<PathBuf> {
    let to = versioned(folder, &format!("counting-{LISTINGS_FORMAT}")).join(format!("{stem}.{COUNTING_MODULE}"));
    DerivedFile { source: compiled, to, step: "Instrumenting" }.make(|compiled, counted| {
        let workspace = PathPrefix { folder: root.to_string_lossy().into_owned(), replacement: String::new() };
        let options = Options { path_prefixes: vec![workspace], read_source: Some(read_source) };
        let compiled = read(compiled)?;
        let mut counting = counting_module(&compiled, &options)?;
        // Counts are useful without them.
        if let Ok(listings) = listings(&compiled, &root.to_string_lossy()) {
            append_section(&mut counting, LISTINGS_SECTION, &listings);
        }
        write(counted, counting)
    })
}

/// The code of all measured functions of a module, as JSON.
fn listings(compiled: &[u8], workspace: &str) -> Result<Vec<u8>> {
    let catalog = wasm::describe(compiled)?;
    let module = WasmModule::read(compiled, Some(SourceFiles { workspace, read: read_source }))?;
    Ok(serde_json::to_vec(&measured_functions(&module, catalog.bindings()))?)
}

/// The folder of files that this version makes.
fn versioned(folder: &Path, kind: &str) -> PathBuf {
    folder.join(format!("{kind}-{}-{FORMAT}", env!("CARGO_PKG_VERSION")))
}

/// Reads a source file, but none of the standard library: not everybody has its sources, and the counts of all must agree.
fn read_source(path: &str) -> Option<String> {
    let is_of_library = path.replace('\\', "/").contains("/rustlib/src/rust/");
    (!is_of_library).then(|| fs::read_to_string(path).ok()).flatten()
}

fn read(module: &Path) -> Result<Vec<u8>> {
    fs::read(module).with_context(|| format!("failed to read {}", module.display()))
}
