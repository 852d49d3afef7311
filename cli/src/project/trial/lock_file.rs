//! The lock file of the copy: the versions of the workspace's own, as far as our crates allow them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use cargo_metadata::semver::Version;
use toml_edit::{DocumentMut, Item};

/// Adds what our crates need to the lock file in the folder. A locked version that is too old for them is replaced by the latest one.
/// Returns the packages with other versions than before, such as `libc 0.2.171 → 0.2.180`. If there is no solution, the build will show cargo's reason.
///
/// # Errors
/// If cargo cannot be started, or if the file cannot be read or written.
pub(super) fn resolve(folder: &Path, is_offline: bool) -> Result<Vec<String>> {
    let path = folder.join("Cargo.lock");
    let read = || fs::read_to_string(&path).with_context(|| format!("failed to read {}", path.display()));
    let Ok(original) = read() else { return Ok(Vec::new()) };
    let mut released = BTreeSet::new();
    loop {
        // Without downloads; all other packages keep their versions.
        let mut update = Command::new("cargo");
        update.current_dir(folder).args(["update", "--workspace", "--quiet"]).args(is_offline.then_some("--offline"));
        let output = update.output().context("failed to start cargo")?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        let conflict = conflicting(&stderr).filter(|name| !output.status.success() && !released.contains(*name));
        let Some(name) = conflict else { break };
        fs::write(&path, without(&read()?, name)?).with_context(|| format!("failed to write {}", path.display()))?;
        released.insert(name.to_owned());
    }
    let (before, after) = (versions(&original), versions(&read()?));
    let listed = |versions: &[Version]| versions.iter().map(Version::to_string).collect::<Vec<_>>().join(", ");
    let change = |(name, before): (&String, &Vec<Version>)| {
        let after = after.get(name)?;
        // Others disappear with the harness that needed them.
        let is_replaced = before.len() == after.len() && before != after;
        is_replaced.then(|| format!("{name} {} → {}", listed(before), listed(after)))
    };
    Ok(before.iter().filter_map(change).collect())
}

/// The package of which cargo can select no version.
fn conflicting(stderr: &str) -> Option<&str> {
    let rest = stderr.lines().find_map(|line| line.strip_prefix("error: failed to select a version for "))?;
    let name = rest.strip_prefix("the requirement ").unwrap_or(rest).strip_prefix('`')?;
    name.split(['`', ' ']).next()
}

/// A lock file without a package.
fn without(lock: &str, name: &str) -> Result<String> {
    let mut lock: DocumentMut = lock.parse().context("Cargo.lock is damaged")?;
    if let Some(packages) = lock.get_mut("package").and_then(Item::as_array_of_tables_mut) {
        packages.retain(|package| package.get("name").and_then(Item::as_str) != Some(name));
    }
    Ok(lock.to_string())
}

/// The versions of each package in a lock file. Empty if it is damaged.
pub(super) fn versions(lock: &str) -> BTreeMap<String, Vec<Version>> {
    let lock: DocumentMut = lock.parse().unwrap_or_default();
    let mut versions: BTreeMap<String, Vec<Version>> = BTreeMap::new();
    for package in lock.get("package").and_then(Item::as_array_of_tables).into_iter().flatten() {
        let text = |key: &str| package.get(key).and_then(Item::as_str);
        if let (Some(name), Some(Ok(version))) = (text("name"), text("version").map(Version::parse)) {
            versions.entry(name.to_owned()).or_default().push(version);
        }
    }
    versions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_without_a_version_is_found() {
        for (stderr, expected) in [
            (
                "    Updating crates.io index\nerror: failed to select a version for `libc`.\n    ... required by",
                Some("libc"),
            ),
            (
                "error: failed to select a version for the requirement `serde_derive = \"=1.0.229\"`\n",
                Some("serde_derive"),
            ),
            ("error: no matching package named `libc` found", None),
        ] {
            assert_eq!(conflicting(stderr), expected, "{stderr}");
        }
    }

    /// Two packages, one with an exact requirement on the other, are locked to versions that are too old for a new dependency.
    #[test]
    fn only_versions_that_are_too_old_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let package = |folder: &str, name: &str, version: &str, dependencies: &str| {
            let package = format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2021\"\n");
            write(&format!("{folder}/Cargo.toml"), &format!("{package}[dependencies]\n{dependencies}\n"));
            write(&format!("{folder}/src/lib.rs"), "");
        };
        let publish = |version: &str| {
            let exact = format!("part = \"={version}\"");
            let packages =
                [("whole", &*exact), ("part", ""), ("other", ""), ("harness", ""), ("new", "whole = \"1.0.1\"")];
            for (name, dependencies) in packages {
                package(&format!("registry/{name}-{version}"), name, version, dependencies);
                write(&format!("registry/{name}-{version}/.cargo-checksum.json"), "{\"files\":{}}");
            }
        };
        let source = "[source.crates-io]\nreplace-with = \"local\"\n[source.local]\ndirectory = \"registry\"\n";
        write(".cargo/config.toml", source);
        let theirs = "whole = \"1\"\nother = \"1\"\nharness = \"1\"\n";
        package("user", "user", "0.1.0", theirs);
        publish("1.0.0");
        let user = folder.path().join("user");
        let locked = Command::new("cargo").current_dir(&user).arg("generate-lockfile").output().unwrap();
        assert!(locked.status.success(), "{}", String::from_utf8_lossy(&locked.stderr));
        publish("1.0.1");
        assert_eq!(resolve(&user, true).unwrap(), [""; 0], "nothing needs other versions");

        package("ours", "harness", "1.0.0", "new = \"1\"\n");
        package("user", "user", "0.1.0", &format!("{theirs}[patch.crates-io]\nharness = {{ path = \"../ours\" }}\n"));
        assert_eq!(resolve(&user, true).unwrap(), ["part 1.0.0 → 1.0.1", "whole 1.0.0 → 1.0.1"]);
        let lock = fs::read_to_string(user.join("Cargo.lock")).unwrap();
        assert_eq!(versions(&lock)["other"], [Version::new(1, 0, 0)]);
    }
}
