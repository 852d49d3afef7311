//! The packages as crates.io would serve them: a folder with our packages and all of their dependencies, from which cargo installs
//! without a network.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use serde_json::json;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use walkdir::WalkDir;

use crate::own_crate::UNOPTIMISED_DEPENDENCIES;
use crate::suites::workspace;

/// The environment variable that has the programs optimised as they are for users. `cargo xtask bench install` sets it. The tests
/// install unoptimised programs, and follow the tutorial with unoptimised dependencies, which takes half the time.
const OPTIMISED: &str = "BENCHBOOK_OPTIMISED_INSTALL";

/// A folder outside of the checkout, with the configuration of cargo that replaces crates.io.
///
/// The packages themselves and cargo's output are in the output folder of this workspace, so that only our own packages are compiled again in
/// the next run. With `BENCHBOOK_OPTIMISED_INSTALL`, whose times count, all are compiled.
pub struct PackageFolder {
    folder: TempDir,
    crates: PathBuf,
}

impl PackageFolder {
    /// Packages the crates, and downloads their dependencies.
    pub fn new() -> Result<Self> {
        let workspace = workspace()?;
        let folder = tempfile::tempdir()?;
        let root = if is_optimised() { folder.path().to_owned() } else { workspace.target().join("packages") };
        let own = Self { folder, crates: root.join("crates") };
        run(Command::new("cargo").current_dir(workspace.root()).args(["xtask", "package", "--no-page"]))?;
        run(Command::new("cargo")
            .current_dir(workspace.root())
            .args(["vendor", "--locked", "--versioned-dirs"])
            .arg(&own.crates))?;
        for package in workspace.published() {
            let name = format!("{}-{}", package.name, package.version);
            let archive = workspace.target().join(format!("package/{name}.crate"));
            unpack(&archive, &own.crates)?;
            let bytes = fs::read(&archive).with_context(|| format!("failed to read {}", archive.display()))?;
            let checksum: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            let checksums = json!({ "files": {}, "package": checksum });
            fs::write(own.crates.join(&name).join(".cargo-checksum.json"), checksums.to_string())?;
        }
        let target = root.join("target");
        let published: Vec<String> = workspace.published().iter().map(|package| format!("{}-", package.name)).collect();
        forget_builds(&target, &published)?;
        let mut config = format!(
            "[source.crates-io]\nreplace-with = \"packages\"\n\n[source.packages]\ndirectory = {:?}\n\n\
             [net]\noffline = true\n\n[build]\ntarget-dir = {target:?}\n\n",
            own.crates
        );
        if !is_optimised() {
            config += UNOPTIMISED_DEPENDENCIES;
        }
        own.write(".cargo/config.toml", &config)?;
        Ok(own)
    }

    /// The folder. Crates in it use the packages.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Installs the programs of a package. Returns the folder of the executables.
    pub fn install(&self, package: &str) -> Result<PathBuf> {
        let installed = self.path().join("installed");
        let workspace = workspace()?;
        let name = format!("{package}-{}", workspace.package(package)?.version);
        unpack(&workspace.target().join(format!("package/{name}.crate")), self.path())?;
        // With the name alone, cargo would ignore the configuration of this folder.
        let source = self.path().join(name);
        let mut cargo = Command::new("cargo");
        cargo
            .current_dir(self.path())
            .args(["install", "--locked", "--path"])
            .arg(source)
            .arg("--root")
            .arg(&installed);
        if !is_optimised() {
            cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
        }
        run(&mut cargo)?;
        Ok(installed.join("bin"))
    }

    /// Writes a file.
    pub fn write(&self, file: &str, text: &str) -> Result<()> {
        let path = self.path().join(file);
        fs::create_dir_all(path.parent().context("the file has no folder (this is a bug)")?)?;
        fs::write(&path, text).with_context(|| format!("failed to write {}", path.display()))
    }
}

fn is_optimised() -> bool {
    env::var_os(OPTIMISED).is_some()
}

fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    run(Command::new("tar").current_dir(folder).arg("-xzf").arg(archive)).map(drop)
}

/// Has cargo compile packages again: it takes a package from crates.io with the same version for unchanged.
///
/// * `prefixes`: of the names of their fingerprints.
fn forget_builds(target: &Path, prefixes: &[String]) -> Result<()> {
    let is_fingerprint = |path: &Path| path.parent().is_some_and(|parent| parent.ends_with(".fingerprint"));
    let mut entries = WalkDir::new(target).max_depth(4).into_iter();
    while let Some(entry) = entries.next() {
        let Ok(entry) = entry else { continue };
        let name = entry.file_name().to_string_lossy();
        if is_fingerprint(entry.path()) && prefixes.iter().any(|prefix| name.starts_with(prefix.as_str())) {
            fs::remove_dir_all(entry.path()).with_context(|| format!("failed to delete {}", entry.path().display()))?;
            entries.skip_current_dir();
        }
    }
    Ok(())
}

/// Runs a command, and returns its standard output. If it fails, the error contains its output.
pub fn run(command: &mut Command) -> Result<String> {
    // The tests' own settings do not apply to users.
    for variable in ["CARGO_TARGET_DIR", "RUSTFLAGS"] {
        if command.get_args().next().is_some_and(|argument| argument != "xtask") {
            command.env_remove(variable);
        }
    }
    let output = command.output().with_context(|| format!("failed to start {command:?}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    ensure!(
        output.status.success(),
        "{command:?} failed with {}:\n{}\n{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    );
    Ok(text(&output.stdout))
}
