//! The version of a built page: `static/isolation-worker.js` stores the files of one version under its name.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use walkdir::WalkDir;

/// The page itself, which contains its version.
const INDEX: &str = "index.html";

/// The service worker, which contains the version and the list of files. Browsers never load it through itself.
const SERVICE_WORKER: &str = "isolation-worker.js";

/// Files that a site may change after the build.
const CONFIG: &str = "notebook.json";
const SUITES: &str = "suites/";

/// The end of the names of notebooks, which a visitor stores by reading them.
const NOTEBOOK: &str = ".benchbook.json";

/// Code, which the service worker stores only with the expected hash. Hosts may recompress images.
const CODE: [&str; 2] = [".js", ".wasm"];

/// The number of bytes of the version, which only has to differ from other versions of the same page.
const VERSION_BYTES: usize = 8;

/// Writes the version into the page in this folder and into its service worker, with the list of files that the worker
/// stores. A page that already has a version gets a new one.
///
/// # Errors
/// If the folder contains no page, or cannot be read or written.
pub fn write(folder: &Path) -> Result<()> {
    let files = read_files(folder)?;
    let version = version_of(&files);
    let stored = files.iter().filter(|(name, _)| ![INDEX, SERVICE_WORKER].contains(&name.as_str()));
    let stored: BTreeMap<&str, String> = stored
        .map(|(name, bytes)| (name.as_str(), if is_code(name) { integrity(bytes) } else { String::new() }))
        .collect();
    let stored = serde_json::to_string_pretty(&stored)?;
    replace(&folder.join(INDEX), "<meta name=\"version\" content=\"", "\"", &version)?;
    let worker = folder.join(SERVICE_WORKER);
    replace(&worker, "\nconst VERSION = \"", "\";\n", &version)?;
    replace(&worker, "\nconst FILES = ", ";\n", &stored)
}

/// The files of the page, by their names relative to the folder, with `/` between folders.
fn read_files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in WalkDir::new(folder) {
        let entry = entry.context("failed to read the built page")?;
        let parts = entry.path().strip_prefix(folder)?.iter().map(|part| part.to_string_lossy());
        let name = parts.collect::<Vec<_>>().join("/");
        let is_current = name == CONFIG || name.starts_with(SUITES) || name.ends_with(NOTEBOOK);
        if entry.file_type().is_file() && !is_current {
            let bytes = fs::read(entry.path()).with_context(|| format!("failed to read {}", entry.path().display()))?;
            files.insert(name, bytes);
        }
    }
    Ok(files)
}

fn version_of(files: &BTreeMap<String, Vec<u8>>) -> String {
    let mut hash = Sha256::new();
    for (name, bytes) in files {
        hash.update(format!("{name} {}\n", bytes.len()));
        hash.update(bytes);
    }
    hash.finalize()[..VERSION_BYTES].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_code(name: &str) -> bool {
    CODE.iter().any(|extension| name.ends_with(extension))
}

/// The hash of a file, as browsers expect it in the option `integrity`.
fn integrity(bytes: &[u8]) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(bytes)))
}

/// Replaces the text between `start`, which occurs once in the file, and the next `end`.
fn replace(path: &Path, start: &str, end: &str, new: &str) -> Result<()> {
    let text = fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))?;
    ensure!(text.matches(start).count() == 1, "{} does not contain `{}` once", path.display(), start.trim());
    let replaced = text.split_once(start).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(end)?;
        Some(format!("{before}{start}{new}{end}{after}"))
    });
    let replaced =
        replaced.with_context(|| format!("{}: no `{}` after `{}`", path.display(), end.trim(), start.trim()))?;
    fs::write(path, replaced).with_context(|| format!("failed to write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKER: &str = "\nconst VERSION = \"\";\nconst FILES = {};\n\nconst OTHER = 1;\n";

    fn page(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("suites")).unwrap();
        let index = "<meta name=\"version\" content=\"\" /><p title=\"Text\"></p>";
        let page = [(INDEX, index), (SERVICE_WORKER, WORKER), ("app.js", "run()"), ("icon.svg", "<svg/>")];
        for (name, text) in page.iter().chain(files) {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    fn written(folder: &Path) -> (String, String) {
        write(folder).unwrap();
        let [index, worker] = [INDEX, SERVICE_WORKER].map(|name| fs::read_to_string(folder.join(name)).unwrap());
        let version = index.split('"').nth(3).unwrap().to_owned();
        assert_eq!(index, format!("<meta name=\"version\" content=\"{version}\" /><p title=\"Text\"></p>"));
        assert!(worker.contains(&format!("const VERSION = \"{version}\";\n")), "{worker}");
        assert!(worker.ends_with("};\n\nconst OTHER = 1;\n"), "{worker}");
        let files = worker.split("const FILES = ").nth(1).unwrap().split(";\n").next().unwrap().to_owned();
        (version, files)
    }

    #[test]
    fn lists_the_built_files_with_the_hashes_of_code() {
        let page = page(&[("suites/demo.wasm", "suite"), (CONFIG, "{}"), ("maps.benchbook.json", "{}")]);
        let (version, files) = written(page.path());
        assert_eq!(version.len(), 2 * VERSION_BYTES);
        let files: BTreeMap<String, String> = serde_json::from_str(&files).unwrap();
        // Computed by `printf 'run()' | openssl dgst -sha256 -binary | base64`.
        assert_eq!(files["app.js"], "sha256-AvyuiL0SD1mVY3NNxR+V2uo+lhk6RMFrytWmRt6CrJQ=");
        assert_eq!(files["icon.svg"], "");
        assert_eq!(files.len(), 2, "{files:?}");
    }

    #[test]
    fn the_version_depends_on_the_built_files_only() {
        let version = |files: &[(&str, &str)]| written(page(files).path()).0;
        let first = version(&[]);
        assert_eq!(version(&[("suites/demo.wasm", "suite"), (CONFIG, "{}")]), first);
        assert_ne!(version(&[("app.js", "stop()")]), first);
        assert_ne!(version(&[("more.js", "")]), first);
        let worker = format!("// Changed.{WORKER}");
        assert_ne!(version(&[(SERVICE_WORKER, &worker)]), first);
    }

    #[test]
    fn a_page_gets_a_new_version_after_a_change() {
        let page = page(&[]);
        let (first, _) = written(page.path());
        fs::write(page.path().join("app.js"), "stop()").unwrap();
        assert_ne!(written(page.path()).0, first);
    }

    #[test]
    fn a_folder_without_a_service_worker_is_an_error() {
        let page = page(&[(SERVICE_WORKER, "")]);
        let error = write(page.path()).unwrap_err().to_string();
        assert!(error.contains("isolation-worker.js does not contain `const VERSION = \"` once"), "{error}");
    }
}
