//! The compiler's flags for suites, added to the user's own.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use anyhow::{Context, Result, ensure};
use cargo_platform::{Cfg, Platform};

use crate::target::{Target, WASM};

/// Aligns innermost loops to cache lines (64 bytes). A loop of a few instructions can take a few cycles more per iteration
/// at one address than at another, which the empty loop does not cancel. See docs/decisions/0036-aligned-loops.md.
const ALIGNED_LOOPS: &str = "-Cllvm-args=-x86-experimental-pref-innermost-loop-alignment=6";

/// SIMD instructions of 128 bits, which every current browser has.
const SIMD: &str = "-Ctarget-feature=+simd128";

/// Lets getrandom from 0.3.4 on compile without the browser's functions, which no host of a suite provides: a suite has no randomness from
/// outside. It is a dependency of `rand`, also where the seeds are fixed. A benchmark that needs it fails, and others are measured. Of the user's
/// own choices, only `custom`, and `wasm_js` of getrandom 0.3, take precedence. <https://docs.rs/getrandom/0.4/getrandom/#unsupported-backend>
const WITHOUT_RANDOMNESS: &str = "--cfg=getrandom_backend=\"unsupported\"";

/// With frame pointers, profilers find the callers without debug information.
const FRAME_POINTERS: &str = "-Cforce-frame-pointers=yes";

/// The environment variables whose flags replace all others: those that suit this machine do not suit wasm.
pub(crate) const VARIABLES: [&str; 2] = ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"];

/// The platform of the compiler, such as `x86_64-unknown-linux-gnu`.
///
/// # Errors
/// If rustc does not start.
pub fn host() -> Result<String> {
    let version = rustc(&["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("`rustc -vV` names no host")
}

/// The compiler's flag for native suites on this platform, if it has one.
pub fn native_flag(host: &str) -> Option<&'static str> {
    host.starts_with("x86_64").then_some(ALIGNED_LOOPS)
}

/// The arguments of cargo that select the target and add the flags; `root` is the folder of the workspace.
///
/// # Errors
/// If rustc does not start.
pub(crate) fn arguments(root: &Path, target: Target, has_frame_pointers: bool) -> Result<Vec<String>> {
    let (triple, mut flags) = match target {
        Target::Wasm => (WASM.to_owned(), vec![SIMD, WITHOUT_RANDOMNESS]),
        Target::Native => {
            let host = host()?;
            let flags = native_flag(&host).into_iter().collect();
            (host, flags)
        }
    };
    if has_frame_pointers {
        flags.push(FRAME_POINTERS);
    }
    let mut arguments = vec!["--target".to_owned(), triple.clone()];
    if !flags.is_empty() {
        // Cargo joins all lists of the same key. Flags of a target replace those of `[build]`, so that ours must use the
        // key that applies to the user's flags too. Those of `[build]` are meant for this machine, not for wasm.
        let has_own_flags = target == Target::Wasm || has_target_flags(&config_files(root), &triple)?;
        let key = if has_own_flags { format!("target.{triple}") } else { "build".to_owned() };
        arguments.extend(["--config".to_owned(), format!("{key}.rustflags = {flags:?}")]);
    }
    Ok(arguments)
}

/// Cargo's configuration files that apply in a folder, those that override others first.
pub(crate) fn config_files(folder: &Path) -> Vec<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let folders = folder.ancestors().map(|folder| folder.join(".cargo")).chain(home);
    folders.flat_map(|folder| ["config.toml", "config"].map(|file| folder.join(file))).collect()
}

/// Whether a configuration has flags for a target. Invalid files count as empty: cargo reports them.
fn has_target_flags(files: &[PathBuf], triple: &str) -> Result<bool> {
    let tables = files.iter().filter_map(|file| fs::read_to_string(file).ok()?.parse::<toml::Table>().ok());
    let keys: Vec<String> = tables
        .filter_map(|mut config| config.remove("target")?.try_into::<toml::Table>().ok())
        .flatten()
        .filter(|(_, settings)| settings.get("rustflags").is_some())
        .map(|(key, _)| key)
        .collect();
    if keys.is_empty() {
        return Ok(false);
    }
    let cfgs: Vec<Cfg> =
        rustc(&["--print", "cfg", "--target", triple])?.lines().filter_map(|line| line.parse().ok()).collect();
    Ok(keys.iter().filter_map(|key| Platform::from_str(key).ok()).any(|platform| platform.matches(triple, &cfgs)))
}

/// Runs rustc, and returns its output.
///
/// # Errors
/// If it does not start, or fails.
pub(crate) fn rustc(arguments: &[&str]) -> Result<String> {
    let program = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(program).args(arguments).output().context("failed to start rustc")?;
    ensure!(output.status.success(), "rustc failed: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).context("failed to read rustc's output")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_recognise_the_flag() {
        assert_eq!(ALIGNED_LOOPS, benchbook_contract::compilation::ALIGNED_LOOPS);
    }

    #[test]
    fn our_flags_use_the_key_of_the_users_flags() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        for (config, expected) in [
            ("", false),
            ("[build]\nrustflags = [\"-Cdebuginfo=1\"]", false),
            ("[target.x86_64-unknown-linux-gnu]\nlinker = \"ld\"", false),
            ("[target.x86_64-unknown-linux-gnu]\nrustflags = [\"-Ctarget-cpu=native\"]", true),
            ("[target.'cfg(target_arch = \"x86_64\")']\nrustflags = \"-Ctarget-cpu=native\"", true),
            ("[target.'cfg(target_arch = \"wasm32\")']\nrustflags = \"-Ctarget-feature=+simd128\"", false),
            ("[target", false),
        ] {
            fs::write(&file, config).unwrap();
            let found = has_target_flags(&[file.clone(), folder.path().join("absent")], "x86_64-unknown-linux-gnu");
            assert_eq!(found.unwrap(), expected, "{config}");
        }
    }

    #[test]
    fn wasm_has_simd_and_no_randomness() {
        let arguments = arguments(Path::new("."), Target::Wasm, false).unwrap();
        let flags = r#"target.wasm32-unknown-unknown.rustflags = ["-Ctarget-feature=+simd128", "--cfg=getrandom_backend=\"unsupported\""]"#;
        assert_eq!(arguments, ["--target", WASM, "--config", flags]);
    }
}
