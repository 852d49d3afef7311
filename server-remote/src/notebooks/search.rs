//! Searches the folder for notebook files.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use super::path::{MAX_PARTS, MAX_PATH, NotebookPath, is_notebook, is_searched};

/// Limits on a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchLimits {
    /// The maximum number of notebooks.
    pub(super) notebooks: usize,
    /// The maximum number of files and folders to look at.
    pub(super) entries: usize,
}

impl Default for SearchLimits {
    /// More notebooks than a person can browse, and a search of about a second at most.
    fn default() -> Self {
        Self { notebooks: 1_000, entries: 100_000 }
    }
}

/// The notebooks in a folder.
#[derive(Debug, Default)]
pub(super) struct FoundNotebooks {
    /// Their paths, in order.
    pub(super) paths: Vec<NotebookPath>,
    /// Why some may be missing, each with what to do.
    pub(super) warnings: Vec<String>,
}

/// Finds all notebooks in a folder and its subfolders. Symbolic links, hidden files and the folders of build outputs are
/// skipped.
///
/// # Errors
/// If the folder itself cannot be read.
pub(super) fn search(folder: &Path, limits: SearchLimits) -> io::Result<FoundNotebooks> {
    let mut found = FoundNotebooks::default();
    let [mut unreadable, mut deep, mut misnamed] = [const { Skipped { count: 0, example: None } }; 3];
    // Sorted, so that the same notebooks are listed each time if there are too many.
    let walk = WalkDir::new(folder).max_depth(MAX_PARTS).sort_by_file_name();
    for (index, entry) in walk.into_iter().filter_entry(is_visible).enumerate() {
        if index > limits.entries {
            let count = limits.entries;
            found.warnings.push(format!(
                "The runner's folder has more than {count} files and folders, and the rest was not searched. Choose a folder that \
                 contains less besides notebooks (`--notebooks`)."
            ));
            break;
        }
        let entry = match entry {
            Ok(entry) if entry.depth() == 0 && !entry.file_type().is_dir() => {
                return Err(ErrorKind::NotADirectory.into());
            }
            Ok(entry) => entry,
            Err(error) if error.depth() == 0 => return Err(error.into()),
            // A folder that was deleted in the meantime.
            Err(error) if error.io_error().is_some_and(|reason| reason.kind() == ErrorKind::NotFound) => continue,
            Err(error) => {
                unreadable.add(error.path().and_then(|path| path.strip_prefix(folder).ok()));
                continue;
            }
        };
        let relative = entry.path().strip_prefix(folder).ok();
        if entry.file_type().is_dir() && entry.depth() == MAX_PARTS {
            deep.add(relative);
        }
        if !entry.file_type().is_file() || !is_notebook(&entry.file_name().to_string_lossy()) {
            continue;
        }
        match relative.and_then(notebook_path) {
            None => misnamed.add(relative),
            Some(_) if found.paths.len() == limits.notebooks => {
                let count = limits.notebooks;
                found.warnings.push(format!(
                    "The runner's folder has more than {count} notebooks, and the list contains only {count} of them. Choose a \
                     smaller folder (`--notebooks`)."
                ));
                break;
            }
            Some(path) => found.paths.push(path),
        }
    }
    found.paths.sort_unstable();
    let fixes = [
        (unreadable, "Folders that the runner cannot read", "Make them readable for the runner's user."),
        (deep, &format!("Folders that are nested too deeply (more than {} levels)", MAX_PARTS - 1), "Move them up."),
        (
            misnamed,
            &format!(
                "Notebooks whose paths are not text, contain \\ or control characters, or exceed {MAX_PATH} characters"
            ),
            "Rename them.",
        ),
    ];
    found.warnings.extend(fixes.into_iter().filter_map(|(skipped, problem, fix)| skipped.warning(problem, fix)));
    Ok(found)
}

/// Files or folders that were skipped for the same reason.
struct Skipped {
    count: usize,
    /// The relative path of the first one.
    example: Option<String>,
}

impl Skipped {
    fn add(&mut self, path: Option<&Path>) {
        self.count += 1;
        if self.example.is_none() {
            self.example = path.map(|path| path.display().to_string());
        }
    }

    /// The problem, the number and an example, and then the fix. Absent if nothing was skipped.
    fn warning(&self, problem: &str, fix: &str) -> Option<String> {
        let mut warning = format!("{problem}: {}", self.count);
        if let Some(example) = &self.example {
            write!(warning, ", such as `{}`", example.escape_debug()).expect("writing to a string cannot fail");
        }
        (self.count > 0).then(|| format!("{warning}. {fix}"))
    }
}

fn is_visible(entry: &DirEntry) -> bool {
    entry.depth() == 0 || !entry.file_type().is_dir() || is_searched(&entry.file_name().to_string_lossy())
}

/// The path with `/` on every system.
fn notebook_path(relative: &Path) -> Option<NotebookPath> {
    let parts: Option<Vec<&str>> = relative.iter().map(OsStr::to_str).collect();
    NotebookPath::new(&parts?.join("/"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    fn create(folder: &TempDir, files: &[&str]) {
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
    }

    fn paths(found: &FoundNotebooks) -> Vec<&str> {
        found.paths.iter().map(NotebookPath::as_str).collect()
    }

    #[test]
    fn finds_notebooks_in_the_order_of_their_paths() {
        let folder = TempDir::new().unwrap();
        create(
            &folder,
            &[
                "b/c.benchbook.json",
                "b.benchbook.json",
                "a/1/2/3/4/5/6/7/8/x.benchbook.json",
                "B.benchbook.json",
                "readme.md",
                "a.json",
                ".benchbook.json",
                ".hidden.benchbook.json",
                ".git/x.benchbook.json",
                "target/x.benchbook.json",
                "a/node_modules/x.benchbook.json",
            ],
        );
        fs::create_dir(folder.path().join("folder.benchbook.json")).unwrap();
        let found = search(folder.path(), SearchLimits::default()).unwrap();
        let expected =
            ["B.benchbook.json", "a/1/2/3/4/5/6/7/8/x.benchbook.json", "b.benchbook.json", "b/c.benchbook.json"];
        assert_eq!((paths(&found), &found.warnings), (expected.to_vec(), &Vec::new()));
    }

    #[test]
    fn warns_of_notebooks_that_may_be_missing() {
        let folder = TempDir::new().unwrap();
        create(&folder, &["a.benchbook.json", "b.benchbook.json", "c.benchbook.json"]);
        let limited = |notebooks, entries| search(folder.path(), SearchLimits { notebooks, entries }).unwrap();
        assert_eq!(limited(3, 3).warnings, [""; 0]);
        let found = limited(2, 3);
        assert_eq!(paths(&found), ["a.benchbook.json", "b.benchbook.json"]);
        assert!(found.warnings[0].contains("more than 2 notebooks"), "{:?}", found.warnings);
        let found = limited(3, 1);
        assert_eq!(paths(&found), ["a.benchbook.json"]);
        assert!(found.warnings[0].contains("more than 1 files and folders"), "{:?}", found.warnings);

        create(&folder, &["1/2/3/4/5/6/7/8/9/10/11/x.benchbook.json"]);
        let found = search(folder.path(), SearchLimits::default()).unwrap();
        assert_eq!(paths(&found).len(), 3);
        let deep =
            "Folders that are nested too deeply (more than 9 levels): 1, such as `1/2/3/4/5/6/7/8/9/10`. Move them up.";
        assert_eq!(found.warnings, [deep]);
    }

    #[cfg(unix)]
    #[test]
    fn names_that_cannot_be_in_an_address_are_skipped_with_a_warning() {
        use std::os::unix::ffi::OsStrExt;

        let folder = TempDir::new().unwrap();
        create(&folder, &["a\\b.benchbook.json"]);
        fs::write(folder.path().join(OsStr::from_bytes(b"\xff.benchbook.json")), "").unwrap();
        let found = search(folder.path(), SearchLimits::default()).unwrap();
        assert!(found.paths.is_empty() && found.warnings[0].contains(": 2, such as `a\\\\b."), "{found:?}");
    }

    #[cfg(unix)]
    #[test]
    fn follows_no_links() {
        use std::os::unix::fs::symlink;

        let outside = TempDir::new().unwrap();
        create(&outside, &["x.benchbook.json"]);
        let folder = TempDir::new().unwrap();
        create(&folder, &["a.benchbook.json"]);
        symlink(outside.path(), folder.path().join("link")).unwrap();
        symlink(outside.path().join("x.benchbook.json"), folder.path().join("x.benchbook.json")).unwrap();
        symlink(".", folder.path().join("loop")).unwrap();
        assert_eq!(paths(&search(folder.path(), SearchLimits::default()).unwrap()), ["a.benchbook.json"]);
    }

    #[test]
    fn a_folder_that_cannot_be_read_is_an_error() {
        let folder = TempDir::new().unwrap();
        create(&folder, &["a.benchbook.json"]);
        for (path, kind) in [("absent", ErrorKind::NotFound), ("a.benchbook.json", ErrorKind::NotADirectory)] {
            let error = search(&folder.path().join(path), SearchLimits::default()).unwrap_err();
            assert_eq!(error.kind(), kind, "{path}");
        }
    }
}
