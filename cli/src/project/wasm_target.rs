//! Offers to install what the browser's builds of suites need.

use anyhow::Result;
use benchbook_build::wasm_library::{self, RUSTUP_ARGUMENTS};
use benchbook_host::api::{BuildProblem, BuildSeverity};

use crate::question::confirms;

/// The consequence of the missing library.
const MISSING_LIBRARY: &str =
    "Rust's standard library for WebAssembly is missing, so browsers cannot measure the suites; the runner can.";

/// Whether suites can be built for the browser. If Rust's standard library for wasm is missing, a user at a terminal can have it
/// installed by rustup.
///
/// # Errors
/// If rustc does not start.
pub(crate) fn ensure_installed() -> Result<bool> {
    if wasm_library::is_installed()? {
        return Ok(true);
    }
    let command = install_command();
    if !wasm_library::can_install() {
        anstream::eprintln!(
            "warning: {MISSING_LIBRARY} Install it as you installed Rust: with rustup (`{command}`), or the package of your distribution (Debian and Ubuntu: \
             libstd-rust-dev-wasm32, Fedora: rust-std-static-wasm32-unknown-unknown, Arch: rust-wasm). Then run this command again."
        );
        return Ok(false);
    }
    if confirms(&format!("Browsers need Rust's standard library for WebAssembly. Run `{command}` now?"))? {
        match wasm_library::install() {
            Ok(()) => return Ok(true),
            Err(error) => anstream::eprintln!("warning: {error:#}"),
        }
    }
    anstream::eprintln!(
        "warning: without Rust's standard library for WebAssembly, only the runner can measure the suites. Run `{command}`, then start \
         again."
    );
    Ok(false)
}

/// The problem that the page shows if it is not installed.
pub(crate) fn missing_library_problem() -> BuildProblem {
    BuildProblem {
        summary: MISSING_LIBRARY.to_owned(),
        details: format!(
            "Install it with `{}`, or with a package of your distribution, which the terminal names. Then start `cargo benchbook` again.",
            install_command()
        ),
        severity: BuildSeverity::Problem,
    }
}

fn install_command() -> String {
    format!("rustup {}", RUSTUP_ARGUMENTS.join(" "))
}
