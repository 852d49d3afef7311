//! Optional components of Rust.

use std::process::Command;

use anyhow::{Context, Result};
use benchbook_build::{WASM, wasm_library};
use xshell::{Shell, cmd};

use super::platform::Platform;
use super::requirement::{Installation, Requirement};
use super::run::run;

/// A component of Rust.
pub(super) enum RustComponent {
    /// The standard library for wasm.
    WasmLibrary,
    /// A subcommand of cargo: the name of the component, and the subcommand.
    Command(&'static str, &'static str),
}

impl RustComponent {
    /// The arguments of `rustup`.
    fn rustup_arguments(&self) -> [&str; 3] {
        match self {
            Self::WasmLibrary => wasm_library::RUSTUP_ARGUMENTS,
            Self::Command(component, _) => ["component", "add", component],
        }
    }

    fn with_rustup(&self) -> Result<()> {
        let shell = Shell::new()?;
        let add = self.rustup_arguments();
        run(cmd!(shell, "rustup {add...}"))
    }
}

impl Requirement for RustComponent {
    fn name(&self) -> String {
        match self {
            Self::WasmLibrary => format!("Rust's standard library for {WASM}"),
            Self::Command(component, _) => format!("Rust's {component}"),
        }
    }

    fn is_installed(&self) -> Result<bool> {
        match self {
            Self::WasmLibrary => wasm_library::is_installed(),
            Self::Command(_, subcommand) => {
                let output =
                    Command::new("cargo").args([subcommand, "--version"]).output().context("failed to start cargo")?;
                Ok(output.status.success())
            }
        }
    }

    fn installations(&self) -> Vec<Installation<'_>> {
        if which::which("rustup").is_err() {
            return Vec::new();
        }
        let description = format!("Installing {} with rustup: a few seconds, once", self.name());
        vec![Installation { description, install: Box::new(|| self.with_rustup()) }]
    }

    fn fix(&self, platform: Platform) -> String {
        let rustup = match platform {
            Platform::Debian | Platform::Linux => "see https://rustup.rs",
            Platform::Mac => "brew install rustup",
            Platform::Windows => "winget install Rustlang.Rustup",
        };
        format!("rustup {}\n(if rustup is missing: {rustup})", self.rustup_arguments().join(" "))
    }
}
