//! Paths of notebook files, for the list and for requests.

use std::path::{Component, Path};

use benchbook_notebook::file::EXTENSION;

/// The maximum number of parts of a path: nine folders and the file.
pub(super) const MAX_PARTS: usize = 10;

/// The maximum length of a path in characters, so that the addresses of all files are short enough for every client.
pub(super) const MAX_PATH: usize = 1_000;

/// Folders of build outputs and dependencies, which may be large.
const SKIPPED_FOLDERS: [&str; 2] = ["node_modules", "target"];

/// The path of a notebook file in the folder: names without `..` and the like, with `/` in between.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NotebookPath(String);

impl NotebookPath {
    /// Checks a path; absent if no notebook can have it.
    pub(super) fn new(text: &str) -> Option<Self> {
        let (folders, name) = text.rsplit_once('/').map_or((None, text), |(folders, name)| (Some(folders), name));
        let is_folder = |name: &str| is_name(name) && is_searched(name);
        let is_valid = text.chars().count() <= MAX_PATH
            && text.split('/').count() <= MAX_PARTS
            && folders.is_none_or(|folders| folders.split('/').all(is_folder))
            && is_name(name)
            && is_notebook(name);
        is_valid.then(|| Self(text.to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The names of the folders, from the outside, and of the file.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }
}

/// Whether the file is a notebook, by its name.
pub(super) fn is_notebook(name: &str) -> bool {
    !is_hidden(name) && name.ends_with(EXTENSION)
}

/// Whether the folder may contain notebooks, by its name.
pub(super) fn is_searched(name: &str) -> bool {
    !is_hidden(name) && !SKIPPED_FOLDERS.contains(&name)
}

/// Hidden names include `.` and `..`.
fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

/// Whether this is one name on every system, rather than a path or a drive.
fn is_name(name: &str) -> bool {
    let mut components = Path::new(name).components();
    let is_one = matches!(components.next(), Some(Component::Normal(one)) if one == name);
    is_one && components.next().is_none() && !name.contains(['/', '\\']) && !name.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_the_paths_of_notebooks() {
        for path in [
            "a.benchbook.json",
            "sorting/Nearly sorted keys (2).benchbook.json",
            "größe/1:2.benchbook.json",
            "a..b.benchbook.json",
            "targets/node_modules.benchbook.json",
            "1/2/3/4/5/6/7/8/9/a.benchbook.json",
        ] {
            let parsed = NotebookPath::new(path).unwrap_or_else(|| panic!("{path}"));
            assert_eq!((parsed.as_str(), parsed.parts().count()), (path, 1 + path.matches('/').count()));
        }
    }

    #[test]
    fn rejects_everything_else() {
        let long = format!("{}.benchbook.json", "a/".repeat(MAX_PATH));
        for path in [
            "",
            "/",
            ".",
            "..",
            ".benchbook.json",
            ".hidden.benchbook.json",
            "/a.benchbook.json",
            "//a.benchbook.json",
            "../a.benchbook.json",
            "sub/../a.benchbook.json",
            "sub/./a.benchbook.json",
            "sub//a.benchbook.json",
            "sub/a.benchbook.json/",
            "sub/a.benchbook.json/..",
            ".git/a.benchbook.json",
            "target/a.benchbook.json",
            "sub/node_modules/a.benchbook.json",
            "sub\\a.benchbook.json",
            "..\\a.benchbook.json",
            "a\0.benchbook.json",
            "a.json\0.benchbook.json",
            "a\n.benchbook.json",
            "a.json",
            "a.benchbook.JSON",
            "a.benchbook.json.txt",
            "1/2/3/4/5/6/7/8/9/10/a.benchbook.json",
            &long,
        ] {
            assert_eq!(NotebookPath::new(path), None, "{path:?}");
        }
    }
}
