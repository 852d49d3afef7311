//! Values that are paths. Each file is checked once.

use std::fs;
use std::path::PathBuf;

use benchbook_host::child::PackageEnvironment;

use super::environment::Environment;
use super::problem::ConfigProblem;
use super::values::{RawValue, RawValues};

/// The files of a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuiteFiles {
    /// The native executable.
    pub executable: PathBuf,
    /// The wasm build: the path of the executable with the extension `wasm`. `None` if that file does not exist.
    pub wasm: Option<PathBuf>,
    /// The environment of its processes, if cargo would have started them.
    pub environment: PackageEnvironment,
}

/// The path of an existing file.
pub(super) fn file(raw: &RawValue) -> Result<PathBuf, String> {
    let path = raw.path().ok_or("allowed: the path of a file")?;
    match fs::metadata(&path) {
        Ok(found) if found.is_file() => Ok(path),
        Ok(_) => Err(format!("{} is not a file", path.display())),
        Err(error) => Err(format!("cannot read {}: {error}", path.display())),
    }
}

pub(super) fn suite(raw: &RawValue) -> Result<SuiteFiles, String> {
    let executable = file(raw).map_err(|problem| format!("{problem}; allowed: the native executable of a suite"))?;
    if executable.extension().is_some_and(|extension| extension == "wasm") {
        return Err(
            "this is the suite's wasm build; allowed: its native executable, with the wasm build next to it".to_owned()
        );
    }
    // The system searches PATH for a bare name.
    let executable = std::path::absolute(&executable).unwrap_or(executable);
    let wasm = Some(executable.with_extension("wasm")).filter(|wasm| wasm.is_file());
    Ok(SuiteFiles { executable, wasm, environment: PackageEnvironment::default() })
}

pub(super) fn page(raw: &RawValue) -> Result<PathBuf, String> {
    let folder = raw.path().ok_or("allowed: the folder of a built page")?;
    if folder.join("index.html").is_file() {
        Ok(folder)
    } else {
        let folder = folder.display();
        Err(format!("{folder} has no index.html; allowed: the output folder of `cargo xtask build`, dist"))
    }
}

pub(super) fn notebooks(raw: &RawValue) -> Result<PathBuf, String> {
    let allowed = "allowed: an existing folder of notebook files (*.benchbook.json) that the runner's user can read";
    readable_folder(raw, allowed)
}

pub(super) fn history(raw: &RawValue) -> Result<PathBuf, String> {
    let allowed = "allowed: an existing folder of accepted results that the runner's user can read and write";
    readable_folder(raw, allowed)
}

pub(super) fn uploads(raw: &RawValue) -> Result<PathBuf, String> {
    readable_folder(raw, "allowed: an existing folder that only the runner's user can write to")
}

/// The absolute path of a folder. It is not resolved, so that a symbolic link to the folder may be replaced later.
fn readable_folder(raw: &RawValue, allowed: &str) -> Result<PathBuf, String> {
    let folder = raw.path().ok_or(allowed)?;
    let is_readable = fs::read_dir(&folder).and_then(|_| std::path::absolute(&folder));
    is_readable.map_err(|error| format!("cannot read {}: {error}; {allowed}", folder.display()))
}

/// Folders that an isolated suite has of its own.
const OWN_FOLDERS: [&str; 4] = ["/dev", "/proc", "/scratch", "/sys"];

/// The absolute path of an existing file or folder that isolated suites can see.
pub(super) fn readable(raw: &RawValue) -> Result<PathBuf, String> {
    let path = existing(raw)?;
    match OWN_FOLDERS.into_iter().find(|own| path.starts_with(own)) {
        Some(own) => Err(format!("isolated suites have a folder {own} of their own; move the files to another one")),
        None => Ok(path),
    }
}

fn existing(raw: &RawValue) -> Result<PathBuf, String> {
    let path = raw.path().ok_or("allowed: the path of a file or folder")?;
    fs::canonicalize(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// The absolute path of an existing folder.
pub(super) fn folder(raw: &RawValue) -> Result<PathBuf, String> {
    let path = existing(raw)?;
    if path.is_dir() { Ok(path) } else { Err(format!("{} is not a folder", path.display())) }
}

/// Absent only if that adds a problem to `values`.
pub(super) fn database(values: &mut RawValues, environment: &Environment) -> Option<PathBuf> {
    if values.get("database").is_some() {
        let allowed = "allowed: the path of a file, which need not exist yet";
        return values.read("database", |raw| raw.path().filter(|path| !path.is_dir()).ok_or(allowed));
    }
    if environment.data_folder.is_none() {
        let advice = "database: this user has no data folder; add --database FILE";
        values.problems.push(ConfigProblem::missing(advice));
    }
    environment.data_folder.as_ref().map(|folder| folder.join("results.sqlite"))
}
