//! Compiling a suite for one of its two faces.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use cargo_metadata::Message;
use xshell::cmd;

use crate::tools::WASM;
use crate::workspace::Workspace;

#[derive(Clone, Copy)]
pub(super) enum Face {
    /// For the page.
    Wasm,
    /// For a runner.
    Native,
}

/// The executables of a package, by name. One package a call: cargo would give the dependencies of several the
/// features that any of them asks for.
pub(super) fn executables(workspace: &Workspace, package: &str, face: Face) -> Result<BTreeMap<String, PathBuf>> {
    let shell = workspace.shell()?;
    let target: &[&str] = match face {
        Face::Wasm => {
            // This variable, since it goes before every other way of setting flags, the user's own included.
            shell.set_var("CARGO_ENCODED_RUSTFLAGS", "-Ctarget-feature=+simd128");
            &["--target", WASM]
        }
        Face::Native => &[],
    };
    // Always the profile `suite`: a suite that is not optimised measures something else.
    let messages = cmd!(shell, "cargo build --package {package} --bins --profile suite {target...}")
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
