//! Watches the source files of the suites.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::Result;
use benchbook_build::source_files::SourceFiles;
use benchbook_build::source_folders::{Dependencies, source_folders};
use cargo_metadata::Package;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use crate::project::Project;

/// A burst of saves ends when nothing changes for this time.
const QUIET: Duration = Duration::from_millis(50);

/// The longest time to wait for the end of a burst.
const MAX_BURST: Duration = Duration::from_secs(1);

/// The interval at which the files are read even if the system reports no change: it does not see all of them, for example in
/// folders of other machines.
const RESCAN: Duration = Duration::from_secs(5);

/// The source files of the suites of a workspace.
pub(super) struct WatchedSources {
    files: SourceFiles,
    watcher: RecommendedWatcher,
    watched: BTreeSet<PathBuf>,
    events: Receiver<()>,
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
        let mut sources = Self { files: files(project)?, watcher, watched: BTreeSet::new(), events };
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
        self.files.follow(files(project)?);
        self.watch();
        Ok(())
    }

    /// The file was written by the build itself.
    pub(super) fn accept(&mut self, file: &Path) {
        self.files.accept(file);
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

/// The folders and files from which the suites are built.
fn files(project: &Project) -> Result<SourceFiles> {
    let (mut outputs, mut folders) = (BTreeSet::new(), BTreeSet::new());
    for part in &project.parts {
        let metadata = &part.metadata;
        let is_suite = |package: &&Package| part.suites().any(|suite| package.name == suite.package);
        let packages: Vec<Package> = metadata.packages.iter().filter(is_suite).cloned().collect();
        let sources = source_folders(&metadata.packages, packages, Dependencies::Development)?;
        folders.extend(sources.iter().map(|folder| part.original(folder)));
        let root = part.original(metadata.workspace_root.as_std_path());
        folders.extend(["Cargo.toml", "Cargo.lock", ".cargo"].map(|file| root.join(file)));
        outputs.insert(part.original(metadata.target_directory.as_std_path()));
    }
    Ok(SourceFiles::new(folders, outputs))
}
