//! The checkout: its folders and packages, and the versions of tools that its files require.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use benchbook_build::features::ChosenFeatures;
use benchbook_build::harness::HarnessCrates;
use benchbook_build::source_folders::{Dependencies, metadata, source_folders};
use benchbook_build::suite_target::{SuiteTarget, suites_of};
use cargo_metadata::{Package, TargetKind};
use semver::Version;
use serde::Deserialize;
use xshell::Shell;

/// A cargo workspace: the checkout that this xtask was built from, whatever the current folder is.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    target: PathBuf,
    packages: Vec<Package>,
}

impl Workspace {
    /// Reads the metadata of the checkout.
    ///
    /// # Errors
    /// If cargo rejects a Cargo.toml of the workspace.
    pub fn find() -> Result<Self> {
        Self::at(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")))
    }

    /// Reads the metadata of the workspace to which a Cargo.toml belongs.
    ///
    /// # Errors
    /// If cargo rejects a Cargo.toml of the workspace.
    pub fn at(manifest: &Path) -> Result<Self> {
        let metadata = metadata(manifest)?;
        Ok(Self {
            root: metadata.workspace_root.into(),
            target: metadata.target_directory.into(),
            packages: metadata.packages,
        })
    }

    /// Reads the metadata again, after a change.
    ///
    /// # Errors
    /// If cargo rejects a Cargo.toml of the workspace.
    pub fn reload(&self) -> Result<Self> {
        Self::at(&self.root.join("Cargo.toml"))
    }

    /// The folder of the workspace's Cargo.toml.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Cargo's output folder.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The folder of the built page.
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// The folder of the page that programs contain.
    pub fn embedded_page(&self) -> PathBuf {
        self.root.join("server-remote/page/files")
    }

    /// The folder of the built suites: their executables, and next to each its wasm module.
    pub fn built_suites(&self) -> PathBuf {
        self.target.join("suites")
    }

    /// A shell in the root.
    ///
    /// # Errors
    /// If the current folder does not exist.
    pub fn shell(&self) -> Result<Shell> {
        let shell = Shell::new()?;
        shell.change_dir(&self.root);
        Ok(shell)
    }

    /// The suites of each package below `suites/`. The libraries of suites may be there too.
    ///
    /// # Errors
    /// If a source file cannot be read, or if a program that depends on `benchbook` does not call `suite!`.
    pub fn suites(&self) -> Result<Vec<Vec<SuiteTarget>>> {
        let folder = self.root.join("suites");
        let mut found = Vec::new();
        for package in self.packages.iter().filter(|package| package.manifest_path.as_std_path().starts_with(&folder)) {
            let suites = own_suites(package)?;
            if !suites.is_empty() {
                found.push(suites);
            } else if package.targets.iter().any(|target| target.is_kind(TargetKind::Bin))
                && package.dependencies.iter().any(|dependency| dependency.name == "benchbook")
            {
                bail!(no_suite(&package.name));
            }
        }
        Ok(found)
    }

    /// The suites of one package, anywhere in the workspace.
    ///
    /// # Errors
    /// If there is no such package, or if it contains no suite.
    pub fn suites_of(&self, name: &str) -> Result<Vec<SuiteTarget>> {
        let suites = own_suites(self.package(name)?)?;
        if suites.is_empty() {
            bail!(no_suite(name));
        }
        Ok(suites)
    }

    /// One of the workspace's packages.
    ///
    /// # Errors
    /// If there is no such package.
    pub fn package(&self, name: &str) -> Result<&Package> {
        self.packages
            .iter()
            .find(|package| package.name == name)
            .with_context(|| format!("no package `{name}` in the workspace: add it to the members in Cargo.toml"))
    }

    /// The packages that are published on crates.io.
    pub fn published(&self) -> Vec<&Package> {
        // An empty list of registries means `publish = false`.
        let is_published =
            |package: &&Package| package.publish.as_ref().is_none_or(|registries| !registries.is_empty());
        self.packages.iter().filter(is_published).collect()
    }

    /// All packages of the workspace.
    pub fn packages(&self) -> &[Package] {
        &self.packages
    }

    /// The folders of these packages and of the local packages that they depend on, inside and outside of the checkout.
    ///
    /// # Errors
    /// If there is no such package, or if cargo rejects the Cargo.toml of a dependency.
    pub fn source_folders(&self, names: &[&str]) -> Result<BTreeSet<PathBuf>> {
        let packages: Vec<Package> = names.iter().map(|name| self.package(name).cloned()).collect::<Result<_>>()?;
        source_folders(&self.packages, packages, Dependencies::Normal)
    }

    /// The version of the command `wasm-bindgen`, which must equal that of the library.
    ///
    /// # Errors
    /// If Cargo.lock has no single version of it.
    pub fn wasm_bindgen(&self) -> Result<Version> {
        locked_version(&self.read_file("Cargo.lock")?, "wasm-bindgen")
    }

    /// The release of `wasm-opt` that trunk requires: that of Trunk.toml, unless the environment names another.
    ///
    /// # Errors
    /// If neither names a release.
    pub fn wasm_opt(&self) -> Result<u64> {
        match env::var(TRUNK_TOOLS_WASM_OPT) {
            Ok(release) => release_number(&release)
                .with_context(|| format!("{TRUNK_TOOLS_WASM_OPT} is {release}; expected version_<number>")),
            Err(_) => trunk_wasm_opt(&self.read_file("Trunk.toml")?),
        }
    }

    fn read_file(&self, file: &str) -> Result<String> {
        let path = self.root.join(file);
        fs::read_to_string(&path).with_context(|| format!("failed to read {}", path.display()))
    }
}

/// The suites of a package.
fn own_suites(package: &Package) -> Result<Vec<SuiteTarget>> {
    let found = suites_of(package, HarnessCrates::AsDeclared, &ChosenFeatures::default());
    let left_out = found.left_out.first();
    ensure!(left_out.is_none(), "{}", left_out.map(ToString::to_string).unwrap_or_default());
    Ok(found.suites)
}

fn no_suite(package: &str) -> String {
    format!("package `{package}` contains no suite: write `benchbook::suite!(\"{package}\");` in its src/main.rs")
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
    let lock: Lock = toml::from_str(lock).context("failed to read Cargo.lock")?;
    let mut versions = lock.package.into_iter().filter(|package| package.name == name).map(|package| package.version);
    match (versions.next(), versions.next()) {
        (Some(version), None) => Ok(version),
        (None, _) => bail!("Cargo.lock has no `{name}`: run `cargo generate-lockfile`"),
        (Some(_), Some(_)) => bail!("Cargo.lock has two versions of `{name}`; the page can be built with only one"),
    }
}

/// The variable that overrides the release of `wasm-opt` in Trunk.toml.
pub const TRUNK_TOOLS_WASM_OPT: &str = "TRUNK_TOOLS_WASM_OPT";

fn trunk_wasm_opt(trunk: &str) -> Result<u64> {
    let trunk: toml::Table = toml::from_str(trunk).context("failed to read Trunk.toml")?;
    trunk
        .get("tools")
        .and_then(|tools| tools.get("wasm_opt"))
        .and_then(toml::Value::as_str)
        .and_then(release_number)
        .context("Trunk.toml has no release of wasm-opt: write under [tools]: wasm_opt = \"version_<number>\"")
}

/// Parses Binaryen's name of a release, such as `version_132`.
fn release_number(release: &str) -> Option<u64> {
    release.strip_prefix("version_")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use benchbook_build::suite_target::{SuiteHarness, SuiteTargetKind};

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

    #[test]
    fn reads_a_version_from_the_lock_file() {
        assert_eq!(locked_version(LOCK, "wasm-bindgen").unwrap(), Version::new(0, 2, 130));
    }

    #[test]
    fn rejects_a_missing_or_duplicate_package() {
        assert!(locked_version(LOCK, "yew").unwrap_err().to_string().contains("no `yew`"));
        assert!(locked_version(LOCK, "syn").unwrap_err().to_string().contains("two versions of `syn`"));
    }

    #[test]
    fn reads_the_release_of_wasm_opt_from_trunk_toml() {
        assert_eq!(trunk_wasm_opt("[tools]\nwasm_opt = \"version_132\"").unwrap(), 132);
        assert!(trunk_wasm_opt("[tools]\nwasm_opt = \"132\"").is_err());
        assert!(trunk_wasm_opt("[build]").is_err());
    }

    /// A workspace with a suite, a library nested in the suite's folder, a library next to the suite, and a library outside.
    fn workspace_with_libraries() -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().unwrap();
        let package = |path: &str, dependencies: &str, source: &str, text: &str| {
            let name = path.rsplit('/').next().unwrap();
            let path = folder.path().join(path);
            fs::create_dir_all(path.join("src")).unwrap();
            let manifest = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n[dependencies]\n{dependencies}");
            fs::write(path.join("Cargo.toml"), manifest).unwrap();
            fs::write(path.join("src").join(source), text).unwrap();
        };
        let dependencies = "nested = { path = \"nested\" }\noutside = { path = \"../../../outside\" }";
        package("checkout/suites/mine", dependencies, "main.rs", "benchbook::suite!(\"mine\");");
        package("checkout/suites/mine/nested", "", "lib.rs", "");
        package("checkout/suites/shared", "", "lib.rs", "");
        package("outside", "further = { path = \"../further\" }", "lib.rs", "");
        package("further", "", "lib.rs", "");
        let manifest = folder.path().join("checkout/Cargo.toml");
        fs::write(&manifest, "[workspace]\nresolver = \"3\"\nmembers = [\"suites/*\"]").unwrap();
        let workspace = Workspace::at(&manifest).unwrap();
        (folder, workspace)
    }

    #[test]
    fn a_library_below_the_suites_is_not_a_suite() {
        let (_folder, workspace) = workspace_with_libraries();
        assert!(workspace.package("nested").is_ok() && workspace.package("shared").is_ok());
        let (kind, harness) = (SuiteTargetKind::Bin, SuiteHarness::Benchbook);
        let mine =
            SuiteTarget { package: "mine".to_owned(), kind, name: "mine".to_owned(), harness, is_qualified: false };
        assert_eq!(workspace.suites().unwrap(), [vec![mine.clone()]]);
        assert_eq!(workspace.suites_of("mine").unwrap(), [mine]);
        let error = workspace.suites_of("nested").unwrap_err().to_string();
        assert!(error.contains("benchbook::suite!(\"nested\")") && error.contains("src/main.rs"), "{error}");
    }

    #[test]
    fn a_program_that_forgets_the_suite_is_an_error() {
        let (folder, workspace) = workspace_with_libraries();
        let mine = folder.path().join("checkout/suites/mine");
        fs::write(mine.join("src/main.rs"), "fn main() {}").unwrap();
        assert!(workspace.suites().unwrap().is_empty(), "a program of another kind");
        let manifest = fs::read_to_string(mine.join("Cargo.toml")).unwrap();
        fs::write(mine.join("Cargo.toml"), format!("{manifest}\nbenchbook = \"0.1\"")).unwrap();
        let error = workspace.reload().unwrap().suites().unwrap_err().to_string();
        assert!(error.contains("`mine` contains no suite") && error.contains("benchbook::suite!(\"mine\")"), "{error}");
    }

    #[test]
    fn source_folders_include_path_dependencies_outside_of_the_checkout() {
        let (folder, workspace) = workspace_with_libraries();
        let folders = workspace.source_folders(&["mine"]).unwrap();
        let root = folder.path().canonicalize().unwrap();
        let relative: Vec<_> =
            folders.iter().map(|path| path.canonicalize().unwrap().strip_prefix(&root).unwrap().to_owned()).collect();
        assert_eq!(
            relative.iter().map(|path| path.to_str().unwrap()).collect::<Vec<_>>(),
            ["checkout/suites/mine", "checkout/suites/mine/nested", "further", "outside"]
        );
    }
}
