//! Compiling a suite for one of its two faces.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cargo_metadata::Message;
use xshell::{Shell, cmd};

use crate::workspace::as_if_by_hand;

/// The target of page and suites.
pub const WASM: &str = "wasm32-unknown-unknown";

/// What a suite is compiled to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// For the page.
    Wasm,
    /// For a runner.
    Native,
}

/// The executables of a package, by name; `root` is the folder of its workspace.
///
/// One package a call: cargo would give the dependencies of several the features that any of them asks for.
///
/// # Errors
/// Where it does not compile; cargo has then said why.
pub fn executables(root: &Path, package: &str, face: Face) -> Result<BTreeMap<String, PathBuf>> {
    let shell = Shell::new()?;
    shell.change_dir(root);
    let target: &[&str] = match face {
        Face::Wasm => {
            // This variable, since it goes before every other way of setting flags, the user's own included.
            shell.set_var("CARGO_ENCODED_RUSTFLAGS", "-Ctarget-feature=+simd128");
            &["--target", WASM]
        }
        Face::Native => &[],
    };
    // Always the profile `suite`: a suite that is not optimised measures something else.
    build(&shell, package, "suite", target)
}

/// The executables of a package that is no suite, by name; `profile` is cargo's.
///
/// # Errors
/// Where it does not compile; cargo has then said why.
pub fn programs(root: &Path, package: &str, profile: &str) -> Result<BTreeMap<String, PathBuf>> {
    let shell = Shell::new()?;
    shell.change_dir(root);
    build(&shell, package, profile, &[])
}

fn build(shell: &Shell, package: &str, profile: &str, target: &[&str]) -> Result<BTreeMap<String, PathBuf>> {
    let build = cmd!(shell, "cargo build --package {package} --bins --profile {profile} {target...}");
    let messages = as_if_by_hand(build)
        .arg("--message-format=json-render-diagnostics")
        .quiet()
        .read()
        .with_context(|| format!("package `{package}` does not compile"))?;
    let mut executables = BTreeMap::new();
    for message in Message::parse_stream(messages.as_bytes()) {
        if let Message::CompilerArtifact(artifact) = message.context("cargo's messages")?
            && let Some(executable) = artifact.executable
        {
            executables.insert(artifact.target.name, executable.into());
        }
    }
    Ok(executables)
}
