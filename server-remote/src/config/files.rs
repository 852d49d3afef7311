//! What of the configuration are files: each is looked at, once.

use std::fs;
use std::path::PathBuf;

use super::values::{Values, Written};
use super::{ConfigProblem, SuiteFiles, Surroundings};

/// A file that is there.
pub(super) fn file(written: &Written) -> Result<PathBuf, String> {
    let path = written.path().ok_or("allowed: the path of a file")?;
    match fs::metadata(&path) {
        Ok(found) if found.is_file() => Ok(path),
        Ok(_) => Err(format!("{} is no file", path.display())),
        Err(error) => Err(format!("{} cannot be read: {error}", path.display())),
    }
}

pub(super) fn suite(written: &Written) -> Result<SuiteFiles, String> {
    let executable = file(written).map_err(|wrong| format!("{wrong}; allowed: the native executable of a suite"))?;
    if executable.extension().is_some_and(|extension| extension == "wasm") {
        return Err("it is the suite's wasm; allowed: its native executable, with the wasm beside it".to_owned());
    }
    // A bare name would be looked for among the installed programs when it is started.
    let executable = std::path::absolute(&executable).unwrap_or(executable);
    let wasm = Some(executable.with_extension("wasm")).filter(|wasm| wasm.is_file());
    Ok(SuiteFiles { executable, wasm })
}

pub(super) fn page(written: &Written) -> Result<PathBuf, String> {
    let folder = written.path().ok_or("allowed: the folder of the built notebook")?;
    if folder.join("index.html").is_file() {
        Ok(folder)
    } else {
        let folder = folder.display();
        Err(format!("{folder} has no index.html; allowed: the folder that `cargo xtask build` fills, dist"))
    }
}

/// Absent only where there is a problem.
pub(super) fn database(values: &mut Values, here: &Surroundings) -> Option<PathBuf> {
    if values.get("database").is_some() {
        let allowed = "allowed: the path of a file, which need not be there yet";
        return values.read("database", |written| written.path().filter(|path| !path.is_dir()).ok_or(allowed));
    }
    if here.data_folder.is_none() {
        let advice = "database: this user has no data folder to keep it in; give --database FILE";
        values.problems.push(ConfigProblem::missing(advice));
    }
    here.data_folder.as_ref().map(|folder| folder.join("results.sqlite"))
}
