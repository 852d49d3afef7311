//! The harnesses of a workspace, and the crates of the same name that replace them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use benchbook_build::harness::Harness;
use cargo_metadata::semver::{Version, VersionReq};
use cargo_metadata::{Dependency, Package, Target, TargetKind};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, value};

use super::lock_file;
use super::workspace_copy::write_if_new;
use crate::project::library::LibraryOptions;

/// A version of a harness that a workspace depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReplacedHarness {
    pub(super) harness: &'static Harness,
    /// The package: the harness itself, or one with the same items.
    package: String,
    version: Version,
    /// The key of cargo's table `patch`: `crates-io`, or an address.
    source: String,
    /// The features that dependencies enable.
    features: BTreeSet<String>,
}

/// The features of criterion and divan in all versions. Dependencies outside of the workspace may enable them.
const FEATURES: [&str; 17] = [
    "async",
    "async_futures",
    "async_smol",
    "async_std",
    "async_tokio",
    "cargo_bench_support",
    "csv_output",
    "dyn_thread_local",
    "help",
    "html_reports",
    "internal_benches",
    "plotters",
    "rayon",
    "real_blackbox",
    "stable",
    "wrap_help",
    "default",
];

/// The features with which our crate compiles an executor. The others have no effect.
const PASSED: [&str; 3] = ["async_futures", "async_smol", "async_tokio"];

impl ReplacedHarness {
    /// The harnesses that some packages have benches for. `lock`: cargo's lock file, which knows their exact versions.
    pub(super) fn of(packages: &[&Package], lock: &Path) -> Result<Vec<Self>> {
        let locked = LockedVersions::read(lock);
        let mut replaced: Vec<Self> = Vec::new();
        for package in packages {
            for harness in &Harness::ALL {
                if !has_benches(package, harness)? {
                    continue;
                }
                for dependency in harness.dependencies(package) {
                    let Some(source) = dependency.source.as_ref().and_then(|source| patch_key(&source.repr)) else {
                        continue;
                    };
                    let version = locked.version(dependency);
                    let is_same = |one: &&mut Self| one.package == dependency.name && one.version == version;
                    let features = requested_features(package, dependency);
                    match replaced.iter_mut().find(is_same) {
                        Some(known) => known.features.extend(features),
                        None => replaced.push(Self {
                            harness,
                            package: dependency.name.clone(),
                            version,
                            source,
                            features: features.collect(),
                        }),
                    }
                }
            }
        }
        Ok(replaced)
    }

    /// The manifest of the crate that replaces it.
    fn manifest(&self, library: &LibraryOptions) -> Result<String> {
        let mut manifest = DocumentMut::new();
        let mut package = Table::new();
        package["name"] = value(&self.package);
        package["version"] = value(self.version.to_string());
        package["edition"] = value("2021");
        package["publish"] = value(false);
        manifest["package"] = Item::Table(package);
        let mut ours = library.dependency(self.harness.name)?;
        ours.insert("package", self.harness.ours.into());
        ours.insert("default-features", false.into());
        let mut dependencies = Table::new();
        dependencies["ours"] = value(ours);
        manifest["dependencies"] = Item::Table(dependencies);
        let mut features = Table::new();
        for feature in FEATURES.iter().map(|feature| (*feature).to_owned()).chain(self.features.iter().cloned()) {
            let is_passed = self.harness.name == "criterion" && PASSED.contains(&feature.as_str());
            features[&feature] = value(is_passed.then(|| format!("ours/{feature}")).into_iter().collect::<Array>());
        }
        manifest["features"] = Item::Table(features);
        // It is outside of the workspace.
        manifest["workspace"] = Item::Table(Table::new());
        Ok(manifest.to_string())
    }
}

/// Replaces harnesses in a root manifest. `to`: where to write it. `folder`: the folder of the crates that replace them.
///
/// # Errors
/// If a file cannot be read or written.
pub(super) fn patch(
    [manifest, to]: [&Path; 2],
    replaced: &[ReplacedHarness],
    folder: &Path,
    library: &LibraryOptions,
) -> Result<()> {
    let reading = || format!("failed to read {}", manifest.display());
    let text = fs::read_to_string(manifest).with_context(reading)?;
    let mut document: DocumentMut = text.parse().with_context(reading)?;
    let patches = document.entry("patch").or_insert(Item::Table(Table::new()));
    for one in replaced {
        // Cargo accepts no other characters.
        let name = format!("{}-{}", one.package, one.version).replace(['.', '+'], "-");
        let of_harness = folder.join(&name);
        write_if_new(&of_harness.join("Cargo.toml"), one.manifest(library)?.as_bytes())?;
        write_if_new(&of_harness.join("src/lib.rs"), b"pub use ours::*;\n")?;
        let mut entry = InlineTable::new();
        entry.insert("package", one.package.as_str().into());
        entry.insert("path", of_harness.to_str().context("the path of the cache folder is not Unicode")?.into());
        let source = patches[one.source.as_str()].or_insert(Item::Table(Table::new()));
        let source = source.as_table_like_mut().with_context(reading)?;
        // A patch of the user's own would be a second one for the same package.
        source.remove(&one.package);
        source.insert(&name, value(entry));
    }
    write_if_new(to, document.to_string().as_bytes())
}

/// Whether a target of a package is written for a harness.
fn has_benches(package: &Package, harness: &Harness) -> Result<bool> {
    if harness.dependencies(package).next().is_none() {
        return Ok(false);
    }
    let may_be_suite = |target: &&Target| {
        [TargetKind::Bench, TargetKind::Example, TargetKind::Bin].into_iter().any(|kind| target.is_kind(kind))
    };
    for target in package.targets.iter().filter(may_be_suite) {
        let source =
            fs::read_to_string(&target.src_path).with_context(|| format!("failed to read {}", target.src_path))?;
        if harness.is_used_in(&source) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The key of a source in cargo's table `patch`; `None` for other registries than crates.io.
fn patch_key(source: &str) -> Option<String> {
    match source.strip_prefix("git+") {
        Some(address) => Some(address.split(['?', '#']).next().unwrap_or(address).to_owned()),
        None => source.ends_with("github.com/rust-lang/crates.io-index").then(|| "crates-io".to_owned()),
    }
}

/// The features of a dependency that its own entry and the package's features enable.
fn requested_features(package: &Package, dependency: &Dependency) -> impl Iterator<Item = String> {
    let name = dependency.rename.as_ref().unwrap_or(&dependency.name);
    let of_package = package.features.values().flatten().filter_map(move |feature| {
        let (crate_name, feature) = feature.split_once('/')?;
        (crate_name.trim_end_matches('?') == name).then(|| feature.to_owned())
    });
    dependency.features.iter().cloned().chain(of_package)
}

/// The versions in a lock file, by package. Empty without one.
struct LockedVersions(BTreeMap<String, Vec<Version>>);

impl LockedVersions {
    fn read(lock: &Path) -> Self {
        Self(lock_file::versions(&fs::read_to_string(lock).unwrap_or_default()))
    }

    /// The version of a dependency: the locked one, or else the lowest one that it accepts.
    fn version(&self, dependency: &Dependency) -> Version {
        let locked = self.0.get(&dependency.name).into_iter().flatten().find(|version| dependency.req.matches(version));
        locked.cloned().unwrap_or_else(|| lowest(&dependency.req))
    }
}

/// The lowest version that a requirement accepts, at or right after one of those that it names.
fn lowest(requirement: &VersionReq) -> Version {
    let named = requirement.comparators.iter().map(|one| Version {
        pre: one.pre.clone(),
        ..Version::new(one.major, one.minor.unwrap_or(0), one.patch.unwrap_or(0))
    });
    let after = |one: Version| [one.clone(), Version::new(one.major, one.minor, one.patch + 1)];
    let accepted = named.flat_map(after).filter(|version| requirement.matches(version)).min();
    accepted.unwrap_or(Version::new(0, 5, 0))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use benchbook_build::source_folders::metadata;

    use super::*;

    /// The harnesses of a package with this manifest and with a bench for criterion, and the folder of the package.
    fn replaced(manifest: &str, lock: &str) -> (tempfile::TempDir, Vec<ReplacedHarness>) {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| write_if_new(&folder.path().join(file), text.as_bytes()).unwrap();
        let package = "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[[bench]]\nname = \"b\"\nharness = false\n";
        write("Cargo.toml", &format!("{package}{manifest}"));
        write("Cargo.lock", lock);
        write("src/lib.rs", "//! Unlike criterion_main!");
        write("benches/b.rs", "criterion::criterion_main!(benches);");
        let workspace = metadata(&folder.path().join("Cargo.toml")).unwrap();
        let found = ReplacedHarness::of(&workspace.workspace_packages(), &folder.path().join("Cargo.lock")).unwrap();
        (folder, found)
    }

    #[test]
    fn the_version_is_the_locked_one_or_the_lowest() {
        let lock = "[[package]]\nname = \"criterion\"\nversion = \"0.5.1\"\n\n[[package]]\nname = \"criterion\"\nversion = \"0.3.6\"\n";
        for (dependency, lock, expected) in [
            ("criterion = \"0.5\"", lock, Some("criterion 0.5.1")),
            ("criterion = \"0.3\"", lock, Some("criterion 0.3.6")),
            ("criterion = \"0.5\"", "", Some("criterion 0.5.0")),
            ("criterion = \">=0.4.2, <0.6\"", "", Some("criterion 0.4.2")),
            ("criterion = \"<0.6, >=0.4\"", "", Some("criterion 0.4.0")),
            ("criterion = \">0.5.0\"", "", Some("criterion 0.5.1")),
            (
                "criterion = { version = \"2\", package = \"codspeed-criterion-compat\" }",
                lock,
                Some("codspeed-criterion-compat 2.0.0"),
            ),
            ("criterion = { git = \"https://example.org/criterion.rs?x\" }", "", Some("criterion 0.5.0")),
            ("criterion = { version = \"0.5\", registry-index = \"https://example.org/index\" }", "", None),
            ("benchbook-criterion = \"0.1\"", lock, None),
        ] {
            let (_, found) = replaced(&format!("[dev-dependencies]\n{dependency}\n"), lock);
            let names: Vec<String> = found.iter().map(|one| format!("{} {}", one.package, one.version)).collect();
            assert_eq!(names.first().map(String::as_str), expected, "{dependency}");
        }
    }

    #[test]
    fn a_root_manifest_has_a_patch_for_each_version() {
        let manifest = "[dev-dependencies]\ncriterion = { version = \"0.5\", features = [\"async_tokio\", \"unheard_of\"] }\n\
                        [features]\nplots = [\"criterion/own_plots\"]\n[patch.crates-io]\nother = { path = \"other\" }\n";
        let (folder, found) = replaced(manifest, "");
        let [original, copy] = ["Cargo.toml", "copy/Cargo.toml"].map(|file| folder.path().join(file));
        let crates = folder.path().join("harnesses");
        patch([&original, &copy], &found, &crates, &LibraryOptions::default()).unwrap();
        let read = |path: &Path| fs::read_to_string(path).unwrap().parse::<toml::Table>().unwrap();
        let patches = &read(&copy)["patch"]["crates-io"];
        assert_eq!(patches["other"]["path"].as_str(), Some("other"), "those of the user stay");
        assert_eq!(patches["criterion-0-5-0"]["package"].as_str(), Some("criterion"));
        let ours = read(&crates.join("criterion-0-5-0/Cargo.toml"));
        assert_eq!(ours["package"]["version"].as_str(), Some("0.5.0"));
        assert_eq!(ours["dependencies"]["ours"]["package"].as_str(), Some("benchbook-criterion"));
        let features = ours["features"].as_table().unwrap();
        assert_eq!(features["async_tokio"].as_array().unwrap()[0].as_str(), Some("ours/async_tokio"));
        assert!(["unheard_of", "own_plots", "html_reports"].iter().all(|feature| features.contains_key(*feature)));
    }
}
