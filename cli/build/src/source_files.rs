//! The files from which something is built, and whether any has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use walkdir::{DirEntry, WalkDir};

/// What identifies a version of a file: the time of its last change, and its size in bytes.
type SeenVersion = (Option<SystemTime>, u64);

/// The files in some folders. Skips hidden files, and folders named `target` or `node_modules`.
#[derive(Clone, Debug, Default)]
pub struct SourceFiles {
    /// The folders and single files.
    folders: BTreeSet<PathBuf>,
    /// Folders of outputs, which do not count.
    outputs: BTreeSet<PathBuf>,
    versions: BTreeMap<PathBuf, SeenVersion>,
}

impl SourceFiles {
    /// The files as they are now. `outputs`: folders within the others that do not count.
    pub fn new(folders: BTreeSet<PathBuf>, outputs: BTreeSet<PathBuf>) -> Self {
        let mut files = Self { folders, outputs, versions: BTreeMap::new() };
        files.update();
        files
    }

    /// Switches to the files of `other`. A change that [`Self::update`] has not reported yet is still reported.
    pub fn follow(&mut self, other: Self) {
        let old = std::mem::replace(self, other);
        for (path, version) in old.versions {
            self.versions.entry(path).and_modify(|new| *new = version);
        }
    }

    /// Reads the versions again, and returns whether any has changed.
    pub fn update(&mut self) -> bool {
        let files = self.entries().filter(|entry| entry.file_type().is_file());
        let new: BTreeMap<PathBuf, SeenVersion> =
            files.filter_map(|file| Some((file.path().to_owned(), version_of(&file.metadata().ok()?)))).collect();
        let has_changed = new != self.versions;
        self.versions = new;
        has_changed
    }

    /// Treats the current version of a file as seen, so that only later changes count.
    pub fn accept(&mut self, file: &Path) {
        if let Some(version) = file.metadata().ok().map(|metadata| version_of(&metadata)) {
            self.versions.insert(file.to_owned(), version);
        }
    }

    /// All source folders, at any depth, and the parents of single files.
    pub fn all_folders(&self) -> BTreeSet<PathBuf> {
        let of_files =
            self.folders.iter().filter_map(|path| Some(path.parent()?.to_owned()).filter(|_| path.is_file()));
        let folders = self.entries().filter(|entry| entry.file_type().is_dir()).map(DirEntry::into_path);
        folders.chain(of_files).collect()
    }

    fn entries(&self) -> impl Iterator<Item = DirEntry> {
        let is_source = |entry: &DirEntry| {
            let name = entry.file_name().to_string_lossy();
            let is_skipped = name.starts_with('.') || name == "target" || name == "node_modules";
            entry.depth() == 0 || !(is_skipped || self.outputs.contains(entry.path()))
        };
        self.folders.iter().flat_map(move |folder| WalkDir::new(folder).into_iter().filter_entry(is_source)).flatten()
    }
}

fn version_of(metadata: &Metadata) -> SeenVersion {
    (metadata.modified().ok(), metadata.len())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Creates a small tree, and reads it with `dist` as an output.
    fn files(root: &Path) -> SourceFiles {
        for file in ["src/main.rs", "dist/page.js", "target/suite", ".git/HEAD", "Cargo.toml"] {
            write(root, file, "");
        }
        SourceFiles::new([root.to_owned()].into(), [root.join("dist")].into())
    }

    fn write(root: &Path, file: &str, text: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_change_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let mut files = files(root);
        assert!(!files.update());
        write(root, "src/main.rs", "fn main() {}");
        assert_eq!((files.update(), files.update()), (true, false));
        write(root, "src/new.rs", "");
        assert_eq!((files.update(), files.update()), (true, false));
        fs::remove_file(root.join("src/new.rs")).unwrap();
        assert_eq!((files.update(), files.update()), (true, false));
    }

    #[test]
    fn outputs_are_no_sources() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let mut files = files(root);
        for output in ["dist/page.js", "target/suite", ".git/HEAD"] {
            write(root, output, "changed");
        }
        assert!(!files.update());
        assert_eq!(files.all_folders(), [root.to_owned(), root.join("src")].into());
    }

    #[test]
    fn a_change_before_other_files_are_followed_is_still_reported() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let mut files = files(root);
        write(root, "src/main.rs", "fn main() {}");
        files.follow(SourceFiles::new([root.join("src")].into(), BTreeSet::new()));
        assert_eq!((files.update(), files.update()), (true, false));
        write(root, "src/main.rs", "fn main() { }");
        files.accept(&root.join("src/main.rs"));
        assert!(!files.update(), "the build has written it");
    }
}
