//! The folder of accepted results: a file for each, so that git merges those of several branches.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use benchbook_host::fingerprint::fingerprint;
use benchbook_host::history::{AcceptedResult, Benchmark, VERSION};
use serde::Deserialize;
use walkdir::WalkDir;

use crate::project::Project;

/// The extension of an accepted result.
const EXTENSION: &str = "json";

/// The digits of the hash in the name of a file.
const HASH_DIGITS: usize = 8;

/// A folder of accepted results. It need not exist.
#[derive(Clone, Debug)]
pub(crate) struct HistoryFolder {
    pub(crate) path: PathBuf,
    /// Whether the user named it.
    pub(crate) is_chosen: bool,
}

/// The readable results of a folder, and what is wrong with the other files.
#[derive(Debug, Default)]
pub(crate) struct ReadHistory {
    /// The results and their files, the oldest first.
    pub(crate) files: Vec<(PathBuf, AcceptedResult)>,
    /// A sentence for each unreadable file.
    pub(crate) problems: Vec<String>,
}

/// The version of a file whose other fields may be unknown.
#[derive(Deserialize)]
struct Version {
    benchbook_history: u32,
}

impl HistoryFolder {
    /// The chosen folder, or that of the project's local results.
    pub(crate) fn of(project: &Project, chosen: Option<&Path>) -> Self {
        Self {
            path: chosen.map_or_else(|| project.output.join("history"), Path::to_owned),
            is_chosen: chosen.is_some(),
        }
    }

    /// Reads all results. A damaged file, or one of a later version, is a problem, but does not hide the others.
    pub(crate) fn read(&self) -> ReadHistory {
        let mut read = ReadHistory::default();
        let is_result = |path: &Path| path.extension().is_some_and(|extension| extension == EXTENSION);
        if !self.path.exists() {
            if self.is_chosen {
                read.problems
                    .push(format!("the folder {} does not exist, so it has no accepted results", self.path.display()));
            }
            return read;
        }
        for entry in WalkDir::new(&self.path).sort_by_file_name() {
            let path = match entry {
                Ok(entry) if is_result(entry.path()) => entry.into_path(),
                Ok(_) => continue,
                Err(error) => {
                    read.problems.push(format!("a part of the accepted results was ignored: {error}"));
                    continue;
                }
            };
            match read_file(&path) {
                Ok(result) => read.files.push((path, result)),
                Err(problem) => read.problems.push(format!("{} was ignored: {problem:#}", path.display())),
            }
        }
        read.files.sort_by(|(_, one), (_, other)| one.result.measured.total_cmp(&other.result.measured));
        read
    }

    /// Adds a result, and returns its file. The file appears under its name only when it is complete. If the result was accepted before,
    /// the note and the name are replaced.
    ///
    /// # Errors
    /// If the disk is full or the folder cannot be written.
    pub(crate) fn add(&self, result: &AcceptedResult) -> Result<PathBuf> {
        let text = serde_json::to_string_pretty(result)? + "\n";
        let hash = fingerprint(serde_json::to_string(&result.result)?.as_bytes());
        let Benchmark { suite, function, .. } = &result.result.benchmark;
        let name = format!("{:.0}-{}.{EXTENSION}", result.result.measured, &hash[..HASH_DIGITS]);
        let folder = self.path.join(plain(suite)).join(plain(function));
        let write = || {
            fs::create_dir_all(&folder)?;
            let unfinished = folder.join(format!("{name}.unfinished"));
            let written = fs::File::create(&unfinished).and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                file.sync_all()
            });
            let path = folder.join(&name);
            match written.and_then(|()| fs::rename(&unfinished, &path)) {
                Ok(()) => Ok(path),
                Err(error) => {
                    // It may not exist.
                    let _ = fs::remove_file(&unfinished);
                    Err(error)
                }
            }
        };
        write().with_context(|| format!("the result was not accepted: writing to {}", folder.display()))
    }
}

fn read_file(path: &Path) -> Result<AcceptedResult> {
    let text = fs::read_to_string(path)?;
    let Version { benchbook_history } = serde_json::from_str(&text).context("it is damaged")?;
    anyhow::ensure!(
        benchbook_history <= VERSION,
        "it has version {benchbook_history} of the format, which a later cargo-benchbook wrote. Update the tool"
    );
    serde_json::from_str(&text).context("it is damaged")
}

impl ReadHistory {
    /// The results, the oldest first.
    pub(crate) fn results(&self) -> impl Iterator<Item = &AcceptedResult> {
        self.files.iter().map(|(_, result)| result)
    }
}

/// The longest part of a path, in characters: file systems allow 255 bytes.
const MAX_NAME: usize = 60;

/// A name without characters that file systems reserve: `sort<u32>` becomes `sort(u32)`, and `a::b` becomes `a.b`.
fn plain(name: &str) -> String {
    let name = name.replace("::", ".").replace('<', "(").replace('>', ")");
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-.,() ".contains(letter);
    name.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).take(MAX_NAME).collect()
}

#[cfg(test)]
mod tests {
    use benchbook_host::history::{Acceptance, CheckedResult};

    use super::*;
    use crate::check::fixtures::{accepted, single_result};

    fn result(function: &str, measured: f64) -> AcceptedResult {
        accepted(CheckedResult { measured, ..single_result(function, 2.0) })
    }

    #[test]
    fn results_are_read_in_the_order_of_their_times() {
        let folder = tempfile::tempdir().expect("a folder");
        let history = HistoryFolder { path: folder.path().join("history"), is_chosen: false };
        let empty = history.read();
        assert!(empty.files.is_empty() && empty.problems.is_empty(), "no folder is needed");
        let chosen = HistoryFolder { is_chosen: true, ..history.clone() };
        assert!(chosen.read().problems.concat().contains("history does not exist"), "the name may be misspelt");
        let (later, earlier) = (result("a::sort<u32>", 20.0), result("b", 10.0));
        let file = history.add(&later).expect("it is written");
        assert!(file.starts_with(history.path.join("demo/a.sort(u32)")), "{}", file.display());
        history.add(&earlier).expect("it is written");
        let read = history.read();
        assert_eq!((read.results().collect::<Vec<_>>(), &read.problems), (vec![&earlier, &later], &Vec::new()));
        // Accepting again replaces the note only.
        let noted = Acceptance { note: "again".to_owned(), ..later.accepted.clone() };
        assert_eq!(history.add(&AcceptedResult { accepted: noted, ..later.clone() }).expect("it is written"), file);
        assert_eq!(history.read().files.len(), 2);
    }

    #[test]
    fn damaged_and_later_files_are_reported_and_hide_no_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let history = HistoryFolder { path: folder.path().to_owned(), is_chosen: true };
        let good = result("sort", 1.0);
        let text = fs::read_to_string(history.add(&good).expect("it is written")).expect("it is read");
        fs::write(folder.path().join("1.json"), &text[..text.len() / 2]).expect("it is written");
        fs::write(folder.path().join("2.json"), "{\"benchbook_history\": 2, \"unknown\": 1}").expect("it is written");
        fs::write(folder.path().join("README.md"), "no result").expect("it is written");
        let read = history.read();
        assert_eq!(read.results().collect::<Vec<_>>(), [&good]);
        let [damaged, later] = read.problems.as_slice() else { panic!("two problems: {:?}", read.problems) };
        assert!(damaged.contains("1.json was ignored: it is damaged"), "{damaged}");
        assert!(later.contains("version 2 of the format") && later.contains("Update the tool"), "{later}");
    }

    #[test]
    fn a_result_that_cannot_be_written_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("demo"), "a file instead of a folder").expect("it is written");
        let history = HistoryFolder { path: folder.path().to_owned(), is_chosen: true };
        let error = format!("{:#}", history.add(&result("sort", 1.0)).expect_err("there is no folder"));
        assert!(error.starts_with("the result was not accepted: writing to "), "{error}");
        assert_eq!(fs::read_dir(folder.path()).expect("it is read").count(), 1);
    }
}
