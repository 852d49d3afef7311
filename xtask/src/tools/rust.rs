//! Parts of Rust that are not always installed with it.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};
use xtask::compile::WASM;

use super::platform::Platform;
use super::requirement::{Requirement, Way};
use super::run::run;

/// A part of Rust.
pub(super) enum RustPart {
    /// The standard library for the browser.
    WasmLibrary,
    /// A command of cargo, such as `clippy`: the component, and the word after `cargo`.
    Command(&'static str, &'static str),
}

impl RustPart {
    /// What comes after `rustup`.
    fn rustup(&self) -> [&str; 3] {
        match self {
            Self::WasmLibrary => ["target", "add", WASM],
            Self::Command(component, _) => ["component", "add", component],
        }
    }

    fn with_rustup(&self) -> Result<()> {
        let shell = Shell::new()?;
        let add = self.rustup();
        run(cmd!(shell, "rustup {add...}"))
    }
}

impl Requirement for RustPart {
    fn name(&self) -> String {
        match self {
            Self::WasmLibrary => format!("Rust's library for {WASM}"),
            Self::Command(component, _) => format!("Rust's {component}"),
        }
    }

    fn is_there(&self) -> Result<bool> {
        match self {
            Self::WasmLibrary => {
                let shell = Shell::new()?;
                let libraries = cmd!(shell, "rustc --print target-libdir --target {WASM}").quiet().read();
                Ok(has_std(Path::new(&libraries.context("asking rustc where its libraries are")?)))
            }
            Self::Command(_, word) => {
                let answer = Command::new("cargo").args([word, "--version"]).output().context("starting cargo")?;
                Ok(answer.status.success())
            }
        }
    }

    fn ways(&self) -> Vec<Way<'_>> {
        if which::which("rustup").is_err() {
            return Vec::new();
        }
        let says = format!("Installing {} with rustup: some seconds, once", self.name());
        vec![Way { says, go: Box::new(|| self.with_rustup()) }]
    }

    fn remedy(&self, platform: Platform) -> String {
        let rustup = match platform {
            Platform::Debian | Platform::Linux => "https://rustup.rs tells how",
            Platform::Mac => "brew install rustup",
            Platform::Windows => "winget install Rustlang.Rustup",
        };
        format!("rustup {}\nwhich rustup does; where there is none: {rustup}", self.rustup().join(" "))
    }
}

fn has_std(libraries: &Path) -> bool {
    libraries.read_dir().is_ok_and(|mut files| {
        files.any(|file| file.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libstd-")))
    })
}
