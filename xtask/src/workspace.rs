//! The checkout: where things are in it, and which versions its files ask for.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use cargo_metadata::{MetadataCommand, Package};
use semver::Version;
use serde::Deserialize;
use xshell::{Cmd, Shell};

/// The checkout that this xtask was built from, whatever the current folder is.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    target: PathBuf,
    packages: Vec<Package>,
}

impl Workspace {
    /// Asks cargo for it.
    ///
    /// # Errors
    /// Where a Cargo.toml of it is wrong.
    pub fn find() -> Result<Self> {
        let metadata = MetadataCommand::new()
            .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
            // Without this, cargo downloads every dependency of every platform.
            .no_deps()
            .exec()
            .context("reading the workspace's Cargo.toml")?;
        Ok(Self {
            root: metadata.workspace_root.into(),
            target: metadata.target_directory.into(),
            packages: metadata.packages,
        })
    }

    /// The folder of the workspace's Cargo.toml.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where cargo puts what it builds.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Where trunk puts the page.
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// Where a suite's executable and its module stand side by side.
    pub fn built_suites(&self) -> PathBuf {
        self.target.join("suites")
    }

    /// A shell in the root.
    ///
    /// # Errors
    /// Where the current folder is gone.
    pub fn shell(&self) -> Result<Shell> {
        let shell = Shell::new()?;
        shell.change_dir(&self.root);
        Ok(shell)
    }

    /// The packages whose manifest lies under `suites/`.
    pub fn suites(&self) -> Vec<&Package> {
        let folder = self.root.join("suites");
        self.packages.iter().filter(|package| package.manifest_path.as_std_path().starts_with(&folder)).collect()
    }

    /// One of its packages.
    ///
    /// # Errors
    /// Where there is none of that name.
    pub fn package(&self, name: &str) -> Result<&Package> {
        self.packages
            .iter()
            .find(|package| package.name == name)
            .with_context(|| format!("no package `{name}` in the workspace: is it among the members in Cargo.toml?"))
    }

    /// The version that `wasm-bindgen`'s command must have: exactly that of the library.
    ///
    /// # Errors
    /// Where Cargo.lock doesn't tell.
    pub fn wasm_bindgen(&self) -> Result<Version> {
        locked_version(&self.read("Cargo.lock")?, "wasm-bindgen")
    }

    /// The release of `wasm-opt` that trunk will ask for: that of Trunk.toml, unless the environment names another.
    ///
    /// # Errors
    /// Where neither tells.
    pub fn wasm_opt(&self) -> Result<u64> {
        match env::var(TRUNK_TOOLS_WASM_OPT) {
            Ok(release) => release_number(&release)
                .with_context(|| format!("{TRUNK_TOOLS_WASM_OPT} should be version_<number>, and is {release}")),
            Err(_) => trunk_wasm_opt(&self.read("Trunk.toml")?),
        }
    }

    fn read(&self, file: &str) -> Result<String> {
        let path = self.root.join(file);
        std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))
    }
}

/// A cargo that builds as one that a person starts would: without what the cargo that started this program told it of
/// its package. Build scripts watch these variables (that of `ring` does), and what they build would be built anew at each change
/// between an xtask, a test and a person.
pub fn as_if_by_hand(cargo: Cmd<'_>) -> Cmd<'_> {
    env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"))
        .fold(cargo, Cmd::env_remove)
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<LockedPackage>,
}

#[derive(Deserialize)]
struct LockedPackage {
    name: String,
    version: Version,
}

fn locked_version(lock: &str, name: &str) -> Result<Version> {
    let lock: Lock = toml::from_str(lock).context("Cargo.lock")?;
    let mut versions = lock.package.into_iter().filter(|package| package.name == name).map(|package| package.version);
    match (versions.next(), versions.next()) {
        (Some(version), None) => Ok(version),
        (None, _) => bail!("Cargo.lock has no `{name}`: `cargo generate-lockfile` writes it anew"),
        (Some(_), Some(_)) => bail!("Cargo.lock has two versions of `{name}`; the page can be built with one only"),
    }
}

/// The variable by which trunk takes another release of `wasm-opt` than that of Trunk.toml.
pub const TRUNK_TOOLS_WASM_OPT: &str = "TRUNK_TOOLS_WASM_OPT";

fn trunk_wasm_opt(trunk: &str) -> Result<u64> {
    let trunk: toml::Table = toml::from_str(trunk).context("Trunk.toml")?;
    trunk
        .get("tools")
        .and_then(|tools| tools.get("wasm_opt"))
        .and_then(toml::Value::as_str)
        .and_then(release_number)
        .context("Trunk.toml should say under [tools]: wasm_opt = \"version_<number>\"")
}

/// As Binaryen names its releases: `version_132`.
fn release_number(release: &str) -> Option<u64> {
    release.strip_prefix("version_")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = r#"
        version = 4
        [[package]]
        name = "wasm-bindgen"
        version = "0.2.130"
        source = "registry"
        dependencies = ["cfg-if"]
        [[package]]
        name = "syn"
        version = "2.0.1"
        [[package]]
        name = "syn"
        version = "3.0.0"
    "#;

    #[cfg(unix)]
    #[test]
    fn what_cargo_told_this_program_is_not_handed_on() {
        use xshell::cmd;

        let shell = Shell::new().unwrap();
        let told = |variables: &str| variables.lines().filter(|line| line.starts_with("CARGO_PKG_")).count();
        assert_ne!(told(&cmd!(shell, "env").quiet().read().unwrap()), 0);
        assert_eq!(told(&as_if_by_hand(cmd!(shell, "env").quiet()).read().unwrap()), 0);
    }

    #[test]
    fn a_version_is_read_from_the_lock_file() {
        assert_eq!(locked_version(LOCK, "wasm-bindgen").unwrap(), Version::new(0, 2, 130));
    }

    #[test]
    fn a_missing_or_doubled_package_is_named() {
        assert!(locked_version(LOCK, "yew").unwrap_err().to_string().contains("no `yew`"));
        assert!(locked_version(LOCK, "syn").unwrap_err().to_string().contains("two versions of `syn`"));
    }

    #[test]
    fn trunk_names_the_release_of_wasm_opt() {
        assert_eq!(trunk_wasm_opt("[tools]\nwasm_opt = \"version_132\"").unwrap(), 132);
        assert!(trunk_wasm_opt("[tools]\nwasm_opt = \"132\"").is_err());
        assert!(trunk_wasm_opt("[build]").is_err());
    }
}
