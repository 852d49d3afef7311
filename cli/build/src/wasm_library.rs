//! Rust's standard library for wasm, without which no suite can be built for the page.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::rustflags::rustc;
use crate::target::WASM;

/// The arguments of `rustup` that install the library.
pub const RUSTUP_ARGUMENTS: [&str; 3] = ["target", "add", WASM];

/// Whether the library is installed.
///
/// # Errors
/// If rustc does not start.
pub fn is_installed() -> Result<bool> {
    is_installed_for(WASM)
}

/// Whether the standard library for a target is installed.
///
/// # Errors
/// If rustc does not start.
pub fn is_installed_for(target: &str) -> Result<bool> {
    let folder =
        rustc(&["--print", "target-libdir", "--target", target]).context("failed to query rustc for its libraries")?;
    Ok(Path::new(folder.trim()).read_dir().is_ok_and(|mut files| {
        files.any(|file| file.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libstd-")))
    }))
}

/// Whether rustup can install the library.
pub fn can_install() -> bool {
    which::which("rustup").is_ok()
}

/// Installs the library with rustup, which prints its progress.
///
/// # Errors
/// If rustup fails.
pub fn install() -> Result<()> {
    let status = Command::new("rustup").args(RUSTUP_ARGUMENTS).status().context("failed to start rustup")?;
    ensure!(status.success(), "`rustup {}` failed", RUSTUP_ARGUMENTS.join(" "));
    Ok(())
}
