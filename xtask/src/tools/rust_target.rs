//! The standard library for the browser.

use std::path::Path;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

/// The target of page and suites.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

pub(super) fn ensure() -> Result<()> {
    let shell = Shell::new()?;
    let libraries = cmd!(shell, "rustc --print target-libdir --target {WASM}")
        .quiet()
        .read()
        .context("asking rustc where its libraries are")?;
    if has_std(Path::new(&libraries)) {
        return Ok(());
    }
    println!("Adding Rust's library for {WASM}: some seconds, once");
    cmd!(shell, "rustup target add {WASM}").run().with_context(|| {
        format!(
            "Rust cannot compile for {WASM} here; `rustup target add {WASM}` adds it, or your system's package of it"
        )
    })
}

fn has_std(libraries: &Path) -> bool {
    libraries.read_dir().is_ok_and(|mut files| {
        files.any(|file| file.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libstd-")))
    })
}
