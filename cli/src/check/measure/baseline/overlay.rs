//! The current files of a suite, laid over the checkout of a baseline: so new benchmarks measure old code, too.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use benchbook_build::suite_target::SuiteTarget;
use cargo_metadata::TargetKind;
use toml_edit::{DocumentMut, Item, TableLike};

use super::checkout::{BaselineCheckout, run};
use crate::project::commit::git;
use crate::project::suite_options::FOLDER;
use crate::project::{Project, folder_of};

/// The files of a suite that are not part of what it measures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SuiteFiles {
    /// The folder of its sources.
    folder: PathBuf,
    /// The Cargo.toml that declares it, and the name of its bench target; absent if that file is in the folder.
    manifest: Option<(PathBuf, String)>,
}

impl SuiteFiles {
    /// The files of a suite of a project: the package `benchbook/` next to a crate, or the folder of a bench target next to a library. `None` for others,
    /// which may contain what they measure.
    pub(super) fn of(project: &Project, suite: &SuiteTarget) -> Option<Self> {
        let part = project.parts.iter().find(|part| part.suites().any(|other| other == suite))?;
        let package = part.metadata.packages.iter().find(|package| *package.name == suite.package)?;
        let target = package.targets.iter().find(|target| suite.is(target))?;
        let own = part.original(folder_of(package));
        if own.file_name().is_some_and(|name| name == FOLDER) {
            return Some(Self { folder: own, manifest: None });
        }
        let folder = part.original(target.src_path.parent()?.as_std_path());
        let has_library = package.targets.iter().any(cargo_metadata::Target::is_lib);
        let is_apart = target.is_kind(TargetKind::Bench) && folder != own && !folder.starts_with(own.join("src"));
        let manifest = part.original(package.manifest_path.as_std_path());
        (has_library && is_apart).then(|| Self { folder, manifest: Some((manifest, target.name.clone())) })
    }

    /// The texts of its sources.
    pub(super) fn texts(&self) -> Vec<String> {
        let sources = files(&self.folder).into_iter().filter(|file| file.ends_with(".rs"));
        sources.filter_map(|file| fs::read_to_string(self.folder.join(file)).ok()).collect()
    }

    /// Lays the files over those of a checkout. Returns whether any of them was another one.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub(super) fn lay_over(&self, checkout: &BaselineCheckout) -> Result<bool> {
        let folder = checkout.mirror.counterpart(&self.folder)?;
        let [now, before] = [&self.folder, &folder].map(|folder| files(folder));
        let mut has_changed = false;
        for file in before.iter().filter(|file| !now.contains(file)) {
            fs::remove_file(folder.join(file)).with_context(|| format!("failed to delete {file}"))?;
            has_changed = true;
        }
        for file in &now {
            let bytes = fs::read(self.folder.join(file)).with_context(|| format!("failed to read {file}"))?;
            has_changed |= replace(&folder.join(file), &bytes)?;
        }
        if let Some((manifest, target)) = &self.manifest {
            let earlier = checkout.mirror.counterpart(manifest)?;
            let [now, before] = [manifest, &earlier].map(|path| fs::read_to_string(path).unwrap_or_default());
            has_changed |= replace(&earlier, with_bench(&before, &now, target)?.as_bytes())?;
        }
        Ok(has_changed)
    }

    /// Restores what the commit of a checkout contains.
    ///
    /// # Errors
    /// If git fails.
    pub(super) fn restore(&self, checkout: &BaselineCheckout) -> Result<()> {
        let paths = [Some(&self.folder), self.manifest.as_ref().map(|(manifest, _)| manifest)];
        for path in paths.into_iter().flatten() {
            let path = checkout.mirror.counterpart(path)?;
            let path = path.to_str().context("the path of the cache folder is not valid Unicode")?;
            let worktree = &checkout.mirror.folder;
            if git(worktree, &["ls-files", "--", path]).is_some_and(|files| !files.is_empty()) {
                run(worktree, &["checkout", "--quiet", "--force", "HEAD", "--", path])?;
            }
            run(worktree, &["clean", "--quiet", "-ffd", "--", path])?;
        }
        Ok(())
    }
}

/// The files in a folder that git does not ignore, relative to it.
pub(super) fn files(folder: &Path) -> Vec<String> {
    let listed = git(folder, &["ls-files", "--cached", "--others", "--exclude-standard", "-z"]).unwrap_or_default();
    let files = listed.split('\0').filter(|file| folder.join(file).is_file());
    files.map(str::to_owned).collect()
}

/// Writes a file unless it has these bytes: cargo compiles what has another time. Returns whether it was written.
fn replace(path: &Path, bytes: &[u8]) -> Result<bool> {
    if fs::read(path).is_ok_and(|known| known == bytes) {
        return Ok(false);
    }
    let writing = || format!("failed to write {}", path.display());
    fs::create_dir_all(path.parent().context("the file has no folder (this is a bug)")?).with_context(writing)?;
    fs::write(path, bytes).with_context(writing)?;
    Ok(true)
}

/// A Cargo.toml with the bench target and the dev-dependencies of another one that it lacks.
///
/// # Errors
/// If one of them is no TOML.
fn with_bench(manifest: &str, current: &str, target: &str) -> Result<String> {
    let mut manifest: DocumentMut = manifest.parse().context("the Cargo.toml of the baseline is invalid")?;
    let current: DocumentMut = current.parse().context("the Cargo.toml is invalid")?;
    let is_named = |table: &&toml_edit::Table| table.get("name").and_then(Item::as_str) == Some(target);
    let declared = |document: &DocumentMut| {
        let benches = document.get("bench").and_then(Item::as_array_of_tables);
        benches.and_then(|benches| benches.iter().find(is_named).cloned())
    };
    if let (Some(bench), None) = (declared(&current), declared(&manifest)) {
        let benches = manifest.entry("bench").or_insert(Item::ArrayOfTables(toml_edit::ArrayOfTables::new()));
        benches.as_array_of_tables_mut().context("`bench` is no list of tables")?.push(bench);
    }
    const DEPENDENCIES: &str = "dev-dependencies";
    for (name, dependency) in
        current.get(DEPENDENCIES).and_then(Item::as_table_like).into_iter().flat_map(TableLike::iter)
    {
        let known = manifest.entry(DEPENDENCIES).or_insert(toml_edit::table());
        let known = known.as_table_like_mut().context("`dev-dependencies` is no table")?;
        if !known.contains_key(name) {
            known.insert(name, dependency.clone());
        }
    }
    Ok(manifest.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::measure::baseline::checkout::tests::repository;

    #[test]
    fn a_manifest_gets_the_bench_that_it_lacks() {
        let before = "[package]\nname = \"mine\" # ours\n\n[dev-dependencies]\nrand = \"0.8\"\n";
        let now = "[package]\nname = \"other\"\n\n[dev-dependencies]\nrand = \"0.9\"\nbenchbook = \"0.1\"\n\n[[bench]]\nname = \"mixing\"\nharness = false\n";
        let text = with_bench(before, now, "mixing").unwrap();
        let expected = "[dev-dependencies]\nrand = \"0.8\"\nbenchbook = \"0.1\"\n\n[[bench]]\nname = \"mixing\"\nharness = false\n";
        assert!(text.starts_with("[package]\nname = \"mine\" # ours\n") && text.ends_with(expected), "{text}");
        assert_eq!(with_bench(&text, now, "mixing").unwrap(), text);
        assert_eq!(with_bench(before, "[package]\n", "mixing").unwrap(), before);
    }

    #[test]
    fn files_are_laid_over_those_of_a_checkout_and_restored() {
        let (folder, _) = repository();
        let checkout = BaselineCheckout::find(folder.path(), "main~1").unwrap();
        let _lock = checkout.check_out().unwrap();
        let (own, there) = (folder.path().join("member"), checkout.mirror.folder.join("member"));
        fs::create_dir(own.join("data")).unwrap();
        fs::write(own.join("data/new.txt"), "new").unwrap();
        fs::write(there.join("gone.rs"), "gone").unwrap();
        let files = SuiteFiles { folder: own, manifest: None };
        assert!(files.lay_over(&checkout).unwrap());
        let read = |file: &str| fs::read_to_string(there.join(file)).ok();
        assert_eq!(
            ["lib.rs", "data/new.txt", "gone.rs"].map(read),
            [Some("second".to_owned()), Some("new".to_owned()), None]
        );
        assert!(!files.lay_over(&checkout).unwrap());
        files.restore(&checkout).unwrap();
        assert_eq!(["lib.rs", "data/new.txt"].map(read), [Some("first".to_owned()), None]);
    }
}
