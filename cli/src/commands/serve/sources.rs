//! Watches the source files of the suites.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

use anyhow::Result;
use benchbook_build::source_folders::{Dependencies, source_folders};
use cargo_metadata::Package;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use walkdir::{DirEntry, WalkDir};

use crate::project::Project;

/// A burst of saves ends when nothing changes for this time.
const QUIET: Duration = Duration::from_millis(50);

/// The longest time to wait for the end of a burst.
const MAX_BURST: Duration = Duration::from_secs(1);

/// The interval at which the files are read even if the system reports no change: it does not see all of them, for example in
/// folders of other machines.
const RESCAN: Duration = Duration::from_secs(5);

/// What identifies a version of a file: the time of its last change, and its size in bytes.
type SeenVersion = (Option<SystemTime>, u64);

/// The source files of the suites of a workspace.
pub(super) struct WatchedSources {
    files: WatchedFiles,
    watcher: RecommendedWatcher,
    watched: BTreeSet<PathBuf>,
    events: Receiver<()>,
}

/// The folders and files from which suites are built.
struct WatchedFiles {
    /// The folders of cargo's output, which do not count.
    targets: BTreeSet<PathBuf>,
    folders: BTreeSet<PathBuf>,
    versions: BTreeMap<PathBuf, SeenVersion>,
}

impl WatchedSources {
    /// The sources as they are now. Changes from now on are reported.
    ///
    /// # Errors
    /// If the system cannot watch files.
    pub(super) fn new(project: &Project) -> Result<Self> {
        let (sender, events) = channel();
        let watcher = notify::recommended_watcher(move |_: notify::Result<notify::Event>| {
            // An error means that the watcher has ended.
            let _ = sender.send(());
        })?;
        let mut sources = Self { files: WatchedFiles::new(project)?, watcher, watched: BTreeSet::new(), events };
        sources.watch();
        Ok(sources)
    }

    /// Waits until a source file has changed since the last call, and a burst of changes has ended.
    pub(super) fn wait(&mut self) {
        loop {
            match self.events.recv_timeout(RESCAN) {
                Ok(()) => self.wait_for_quiet(),
                Err(RecvTimeoutError::Timeout) => {}
                // The watcher lives as long as this value.
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(RESCAN),
            }
            let has_changed = self.files.update();
            self.watch();
            if has_changed {
                return;
            }
        }
    }

    /// Follows the current dependencies of the project.
    ///
    /// # Errors
    /// If cargo rejects the Cargo.toml of a dependency; the folders stay as they were.
    pub(super) fn follow(&mut self, project: &Project) -> Result<()> {
        let old = std::mem::replace(&mut self.files, WatchedFiles::new(project)?);
        // A change since the last call is still to be reported.
        for (path, version) in old.versions {
            self.files.versions.entry(path).and_modify(|new| *new = version);
        }
        self.watch();
        Ok(())
    }

    /// The file was written by the build itself.
    pub(super) fn accept(&mut self, file: &Path) {
        if let Some(version) = file.metadata().ok().map(|metadata| version_of(&metadata)) {
            self.files.versions.insert(file.to_owned(), version);
        }
    }

    fn wait_for_quiet(&self) {
        let start = Instant::now();
        while start.elapsed() < MAX_BURST && self.events.recv_timeout(QUIET).is_ok() {}
    }

    /// Watches each folder of the sources by itself: a recursive watch would include cargo's output.
    fn watch(&mut self) {
        let folders = self.files.all_folders();
        for gone in self.watched.difference(&folders) {
            // A deleted folder is no longer watched.
            let _ = self.watcher.unwatch(gone);
        }
        // Folders that cannot be watched are read from time to time.
        self.watched = folders
            .into_iter()
            .filter(|folder| {
                self.watched.contains(folder) || self.watcher.watch(folder, RecursiveMode::NonRecursive).is_ok()
            })
            .collect();
    }
}

impl WatchedFiles {
    fn new(project: &Project) -> Result<Self> {
        let (mut targets, mut folders) = (BTreeSet::new(), BTreeSet::new());
        for part in &project.parts {
            let metadata = &part.metadata;
            let is_suite = |package: &&Package| part.suites().any(|suite| package.name == suite.package);
            let packages: Vec<Package> = metadata.packages.iter().filter(is_suite).cloned().collect();
            let sources = source_folders(&metadata.packages, packages, Dependencies::Development)?;
            folders.extend(sources.iter().map(|folder| part.original(folder)));
            let root = part.original(metadata.workspace_root.as_std_path());
            folders.extend(["Cargo.toml", "Cargo.lock", ".cargo"].map(|file| root.join(file)));
            targets.insert(part.original(metadata.target_directory.as_std_path()));
        }
        let mut files = Self { targets, folders, versions: BTreeMap::new() };
        files.update();
        Ok(files)
    }

    /// Reads the versions again, and returns whether any has changed.
    fn update(&mut self) -> bool {
        let files = self.entries().filter(|entry| entry.file_type().is_file());
        let new: BTreeMap<PathBuf, SeenVersion> =
            files.filter_map(|file| Some((file.path().to_owned(), version_of(&file.metadata().ok()?)))).collect();
        let has_changed = new != self.versions;
        self.versions = new;
        has_changed
    }

    fn all_folders(&self) -> BTreeSet<PathBuf> {
        let root = self.folders.iter().filter_map(|path| Some(path.parent()?.to_owned()).filter(|_| path.is_file()));
        let folders = self.entries().filter(|entry| entry.file_type().is_dir()).map(DirEntry::into_path);
        folders.chain(root).collect()
    }

    fn entries(&self) -> impl Iterator<Item = DirEntry> {
        let is_source = |entry: &DirEntry| {
            let name = entry.file_name().to_string_lossy();
            let is_skipped = name.starts_with('.') || name == "target" || name == "node_modules";
            entry.depth() == 0 || !(is_skipped || self.targets.contains(entry.path()))
        };
        self.folders.iter().flat_map(move |folder| WalkDir::new(folder).into_iter().filter_entry(is_source)).flatten()
    }
}

fn version_of(metadata: &Metadata) -> SeenVersion {
    (metadata.modified().ok(), metadata.len())
}
