//! The copy of a workspace: its manifests, and links to everything else.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cargo_metadata::Metadata;

use crate::project::mirror::{Mirror, symlink};

/// Cargo's lock file.
const LOCK: &str = "Cargo.lock";

/// What the root of the copy has of its own: two files that differ from the originals, and cargo's output.
const OWN: [&str; 3] = ["Cargo.toml", LOCK, "target"];

/// Makes the copy equal to the workspace, apart from cargo's output, and from the lock file as long as the original has not changed.
pub(super) fn update(mirror: &Mirror, workspace: &Metadata) -> Result<()> {
    let packages = workspace.workspace_packages();
    let folders = packages.iter().filter_map(|package| package.manifest_path.parent());
    let real = folders
        .flat_map(|folder| folder.ancestors())
        .map(|folder| folder.as_std_path().to_owned())
        .filter(|folder| folder.starts_with(&mirror.original))
        .chain([mirror.original.clone()])
        .collect();
    let target = workspace.target_directory.as_std_path();
    CopiedFolders { real, root: &mirror.original, copy: &mirror.folder, target }
        .copy(&mirror.original, &mirror.folder)?;
    copy_lock(mirror)
}

/// The folders of the copy that are not links.
struct CopiedFolders<'a> {
    /// Those with a manifest, and the ones around them.
    real: BTreeSet<PathBuf>,
    root: &'a Path,
    copy: &'a Path,
    target: &'a Path,
}

impl CopiedFolders<'_> {
    fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        fs::create_dir_all(to).with_context(|| format!("failed to create {}", to.display()))?;
        let mut names = BTreeSet::new();
        for entry in fs::read_dir(from).with_context(|| format!("failed to read {}", from.display()))? {
            let (name, path) = entry.map(|entry| (entry.file_name(), entry.path()))?;
            if self.is_skipped(&path, &name) {
                continue;
            }
            let copy = to.join(&name);
            if self.real.contains(&path) {
                remove_link(&copy)?;
                self.copy(&path, &copy)?;
            } else if name == "Cargo.toml" {
                write_if_new(&copy, &fs::read(&path).with_context(|| format!("failed to read {}", path.display()))?)?;
            } else if fs::read_link(&copy).ok().as_deref() != Some(&path) {
                remove(&copy)?;
                symlink(&path, &copy)?;
            }
            names.insert(name);
        }
        for entry in fs::read_dir(to)?.flatten() {
            let is_own = to == self.copy && OWN.iter().any(|name| entry.file_name() == *name);
            if !names.contains(&entry.file_name()) && !is_own {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }

    /// The root manifest and the lock file differ in the copy. With git's folder, it would be a repository in which every file has changed.
    fn is_skipped(&self, path: &Path, name: &OsStr) -> bool {
        name == ".git" || path == self.target || ["Cargo.toml", LOCK].iter().any(|file| path == self.root.join(file))
    }
}

/// Removes a file, a link, or a folder of the copy with all that is in it.
fn remove(path: &Path) -> Result<()> {
    let deleting = || format!("failed to delete {}", path.display());
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path).with_context(deleting),
        Ok(_) => fs::remove_file(path).with_context(deleting),
        Err(_) => Ok(()),
    }
}

/// Removes a link; other files and folders stay.
fn remove_link(path: &Path) -> Result<()> {
    let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    if is_link {
        fs::remove_file(path).with_context(|| format!("failed to delete {}", path.display()))?;
    }
    Ok(())
}

/// Writes a file unless it has this content: cargo compiles again what depends on a file with a new time.
///
/// # Errors
/// If that fails.
pub(super) fn write_if_new(path: &Path, content: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    let writing = || format!("failed to write {}", path.display());
    fs::create_dir_all(path.parent().context("the file has no folder (this is a bug)")?).with_context(writing)?;
    fs::write(path, content).with_context(writing)
}

/// Copies the lock file whenever the original has changed. In the copy, cargo adds what our crates need.
fn copy_lock(mirror: &Mirror) -> Result<()> {
    let Ok(original) = fs::read(mirror.original.join(LOCK)) else { return Ok(()) };
    let (seen, copy) = (mirror.companion("lock-file"), mirror.folder.join(LOCK));
    if fs::read(&seen).is_ok_and(|seen| seen == original) && copy.exists() {
        return Ok(());
    }
    fs::write(&copy, &original).with_context(|| format!("failed to write {}", copy.display()))?;
    write_if_new(&seen, &original)
}

#[cfg(test)]
mod tests {
    use benchbook_build::source_folders::metadata;

    use super::*;

    fn write(path: &Path, text: &str) {
        write_if_new(path, text.as_bytes()).unwrap();
    }

    #[test]
    #[cfg_attr(not(unix), ignore = "the copy needs symbolic links")]
    fn sources_are_links_and_manifests_are_copies() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let package = "[package]\nname = \"member\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
        write(&root.join("Cargo.toml"), "[workspace]\nmembers = [\"crates/member\"]\n");
        write(&root.join("crates/member/Cargo.toml"), package);
        for file in ["crates/member/src/lib.rs", "crates/member/data/a.txt", "target/built", ".git/HEAD", "Cargo.lock"]
        {
            write(&root.join(file), "first");
        }
        let mirror = Mirror::new("trials-of-tests", &root);
        let workspace = metadata(&root.join("Cargo.toml")).unwrap();
        let copied = |file: &str| fs::read_to_string(mirror.folder.join(file)).ok();
        update(&mirror, &workspace).unwrap();
        assert!(fs::read_link(mirror.folder.join("crates/member/src")).is_ok());
        assert!(fs::read_link(mirror.folder.join("crates/member/Cargo.toml")).is_err());
        assert_eq!(copied("crates/member/Cargo.toml").as_deref(), Some(package));
        assert_eq!((copied("target/built"), copied(".git/HEAD"), copied("Cargo.toml")), (None, None, None));
        // The copy has a lock file of its own until the original changes.
        write(&mirror.folder.join("Cargo.lock"), "with our crates");
        update(&mirror, &workspace).unwrap();
        assert_eq!(copied("Cargo.lock").as_deref(), Some("with our crates"));
        write(&root.join("Cargo.lock"), "second");
        write(&root.join("crates/member/src/lib.rs"), "second");
        fs::remove_dir_all(root.join("crates/member/data")).unwrap();
        update(&mirror, &workspace).unwrap();
        assert_eq!(copied("Cargo.lock").as_deref(), Some("second"));
        assert_eq!(copied("crates/member/src/lib.rs").as_deref(), Some("second"));
        assert!(mirror.folder.join("crates/member/data").symlink_metadata().is_err());
        // Members come and go.
        fs::rename(root.join("crates/member"), root.join("crates/renamed")).unwrap();
        write(&root.join("Cargo.toml"), "[workspace]\nmembers = [\"crates/renamed\"]\n");
        write(&mirror.folder.join("target/built"), "ours");
        update(&mirror, &metadata(&root.join("Cargo.toml")).unwrap()).unwrap();
        assert!(!mirror.folder.join("crates/member").exists());
        assert_eq!(copied("crates/renamed/src/lib.rs").as_deref(), Some("second"));
        write(&root.join("Cargo.toml"), "[workspace]\nmembers = []\n");
        update(&mirror, &metadata(&root.join("Cargo.toml")).unwrap()).unwrap();
        assert_eq!(copied("crates/renamed/src/lib.rs").as_deref(), Some("second"), "a link now");
        assert_eq!(copied("target/built").as_deref(), Some("ours"));
        mirror.delete().unwrap();
    }
}
