//! The page that programs contain: without our own suites and notebooks.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use walkdir::WalkDir;

use crate::page_version;

/// The parts of the built page that belong to this project's own site. The suite `ladder` stays, for the page's self-test, which counts nothing.
const OWN: [&str; 4] = ["suites/demo.wasm", "suites/demo.counted.wasm", "suites/ladder.counted.wasm", "notebooks"];

/// The configuration of a page without suites.
const CONFIG: &str = "{ \"suites\": [] }\n";

/// Copies the built page to the folder from which programs embed it, in place of an older one.
///
/// # Errors
/// If the folder contains no page, or cannot be read or written.
pub fn write(page: &Path, into: &Path) -> Result<()> {
    if into.exists() {
        fs::remove_dir_all(into).with_context(|| format!("failed to delete {}", into.display()))?;
    }
    let is_own = |path: &Path| OWN.iter().any(|own| page.join(own) == path);
    for entry in WalkDir::new(page).into_iter().filter_entry(|entry| !is_own(entry.path())) {
        let entry = entry.context("failed to read the built page")?;
        let to = into.join(entry.path().strip_prefix(page)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(&to).with_context(|| format!("failed to create {}", to.display()))?;
        } else {
            fs::copy(entry.path(), &to).with_context(|| format!("failed to write {}", to.display()))?;
        }
    }
    fs::write(into.join("notebook.json"), CONFIG)?;
    page_version::write(into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_copied_without_our_suites_and_notebooks() {
        let folder = tempfile::tempdir().unwrap();
        let [page, into] = ["page", "into"].map(|name| folder.path().join(name));
        for (name, text) in [
            ("index.html", "<meta name=\"version\" content=\"\" />"),
            ("isolation-worker.js", "\nconst VERSION = \"\";\nconst FILES = {};\n"),
            ("notebook.json", "{ \"suites\": [\"suites/demo.wasm\"] }"),
            ("suites/demo.wasm", "suite"),
            ("suites/ladder.wasm", "suite"),
            ("suites/ladder.counted.wasm", "suite"),
            ("notebooks/maps.benchbook.json", "{}"),
        ] {
            fs::create_dir_all(page.join(name).parent().unwrap()).unwrap();
            fs::write(page.join(name), text).unwrap();
        }
        page_version::write(&page).unwrap();
        fs::create_dir_all(&into).unwrap();
        fs::write(into.join("old.js"), "").unwrap();
        write(&page, &into).unwrap();
        let mut files: Vec<_> = fs::read_dir(&into).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        files.sort();
        assert_eq!(files, ["index.html", "isolation-worker.js", "notebook.json", "suites"]);
        let suites: Vec<_> =
            fs::read_dir(into.join("suites")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(suites, ["ladder.wasm"]);
        let worker = fs::read_to_string(into.join("isolation-worker.js")).unwrap();
        assert!(!worker.contains("maps") && worker.contains("const FILES = {};"), "{worker}");
        assert_eq!(fs::read_to_string(into.join("notebook.json")).unwrap(), CONFIG);
    }
}
