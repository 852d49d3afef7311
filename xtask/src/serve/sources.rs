//! The source files of the page and of the suites, and which of them have changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::time::SystemTime;

use anyhow::Result;
use walkdir::{DirEntry, WalkDir};
use xtask::workspace::Workspace;

/// A part of the notebook that is built by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BuildPart {
    /// The page with the suites.
    Page,
    /// Only the suites.
    Suites,
}

impl fmt::Display for BuildPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Page => "the page and the suites",
            Self::Suites => "the suites",
        })
    }
}

/// The package of the page.
const PAGE: &str = "benchbook-app";

/// Files besides packages from which the page is built.
const PAGE_FILES: [&str; 3] = ["index.html", "Trunk.toml", "static"];

/// Files besides packages on which every build depends.
const COMMON_FILES: [&str; 3] = ["Cargo.toml", "Cargo.lock", ".cargo"];

/// The source files of both parts.
pub(super) struct Sources {
    workspace: Workspace,
    page: SourceFiles,
    suites: SourceFiles,
}

/// The files in some folders, with the times at which they were modified.
struct SourceFiles {
    folders: BTreeSet<PathBuf>,
    times: BTreeMap<PathBuf, SystemTime>,
}

impl Sources {
    /// Reads the sources as they are now.
    ///
    /// # Errors
    /// If cargo rejects a Cargo.toml.
    pub(super) fn read(workspace: &Workspace) -> Result<Self> {
        let workspace = workspace.reload()?;
        let suites = workspace.suites()?;
        let suites: BTreeSet<&str> = suites.iter().flatten().map(|suite| suite.package.as_str()).collect();
        let suites: Vec<&str> = suites.into_iter().collect();
        let page = files(&workspace, &[PAGE], &PAGE_FILES)?;
        // The folder of all suites: a new crate in it is a new suite.
        let suites = files(&workspace, &suites, &["suites"])?;
        Ok(Self { workspace, page, suites })
    }

    /// Reads the times again, and returns the part that must be rebuilt, if any. A build of the page includes the suites.
    pub(super) fn changed_part(&mut self) -> Option<BuildPart> {
        let old = [&self.page, &self.suites].map(|files| files.times.clone());
        let new = [&self.page, &self.suites].map(|files| times(&self.workspace, &files.folders));
        if old == new {
            return None;
        }
        let part = if old[0] == new[0] { BuildPart::Suites } else { BuildPart::Page };
        [self.page.times, self.suites.times] = new;
        // Dependencies may have changed. While a Cargo.toml is invalid, the known folders stay.
        if let Ok(reloaded) = Self::read(&self.workspace) {
            *self = reloaded;
        }
        Some(part)
    }
}

/// The sources of these packages and of their local dependencies, and these files and folders of the checkout.
fn files(workspace: &Workspace, packages: &[&str], others: &[&str]) -> Result<SourceFiles> {
    let mut folders = workspace.source_folders(packages)?;
    folders.extend(others.iter().chain(&COMMON_FILES).map(|file| workspace.root().join(file)));
    let times = times(workspace, &folders);
    Ok(SourceFiles { folders, times })
}

fn times(workspace: &Workspace, folders: &BTreeSet<PathBuf>) -> BTreeMap<PathBuf, SystemTime> {
    let outputs = [workspace.target().to_owned(), workspace.dist()];
    let is_source = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        let is_skipped = name.starts_with('.') || name == "target" || name == "node_modules";
        entry.depth() == 0 || !(is_skipped || outputs.iter().any(|output| output == entry.path()))
    };
    let entries = folders.iter().flat_map(|folder| WalkDir::new(folder).into_iter().filter_entry(is_source)).flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    files.filter_map(|file| Some((file.path().to_owned(), file.metadata().ok()?.modified().ok()?))).collect()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::path::Path;
    use std::time::Duration;

    use super::*;

    /// A checkout with a page, a suite, and a library outside of it on which the suite depends.
    fn checkout(folder: &Path) -> Workspace {
        write(folder, "checkout/Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"app\", \"suites/*\"]");
        package(folder, "checkout/app", PAGE, "", "fn main() {}");
        package(folder, "outside", "outside", "", "fn main() {}");
        suite(folder, "mine", "outside = { path = \"../../../outside\" }");
        Workspace::at(&folder.join("checkout/Cargo.toml")).unwrap()
    }

    fn suite(folder: &Path, name: &str, dependencies: &str) {
        package(folder, &format!("checkout/suites/{name}"), name, dependencies, "benchbook::suite!(\"mine\");");
    }

    fn package(folder: &Path, path: &str, name: &str, dependencies: &str, source: &str) {
        let manifest = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n[dependencies]\n{dependencies}");
        write(folder, &format!("{path}/Cargo.toml"), &manifest);
        write(folder, &format!("{path}/src/main.rs"), source);
        write(folder, &format!("{path}/src/lib.rs"), "");
    }

    fn write(folder: &Path, path: &str, text: &str) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Changes the time of a file, since two writes can have the same.
    fn touch(folder: &Path, path: &str) {
        let file = File::options().write(true).open(folder.join(path)).unwrap();
        let time = file.metadata().unwrap().modified().unwrap();
        file.set_modified(time + Duration::from_secs(10)).unwrap();
    }

    #[test]
    fn an_edit_rebuilds_only_its_part() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path();
        let mut sources = Sources::read(&checkout(folder)).unwrap();
        assert_eq!(sources.changed_part(), None);
        for (path, part) in [
            ("checkout/suites/mine/src/main.rs", BuildPart::Suites),
            ("outside/src/lib.rs", BuildPart::Suites),
            ("outside/Cargo.toml", BuildPart::Suites),
            ("checkout/app/src/main.rs", BuildPart::Page),
            ("checkout/Cargo.toml", BuildPart::Page),
        ] {
            touch(folder, path);
            assert_eq!((sources.changed_part(), sources.changed_part()), (Some(part), None), "{path}");
        }
    }

    #[test]
    fn new_suites_and_dependencies_are_sources() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path();
        let mut sources = Sources::read(&checkout(folder)).unwrap();
        package(folder, "further", "further", "", "fn main() {}");
        assert_eq!(sources.changed_part(), None, "no part depends on it");
        suite(folder, "new", "further = { path = \"../../../further\" }");
        assert_eq!(sources.changed_part(), Some(BuildPart::Suites));
        touch(folder, "further/src/lib.rs");
        assert_eq!(sources.changed_part(), Some(BuildPart::Suites));
    }

    #[test]
    fn outputs_are_no_sources() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path();
        let mut sources = Sources::read(&checkout(folder)).unwrap();
        for path in ["outside/target/debug/x.d", "outside/.git/HEAD", "checkout/app/node_modules/x.js"] {
            write(folder, path, "");
        }
        assert_eq!(sources.changed_part(), None);
    }
}
