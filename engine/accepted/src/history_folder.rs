//! The folder of accepted results: a file for each, so that git merges those of several branches.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use benchbook_host::history::{AcceptedResult, Benchmark, VERSION};
use serde::Deserialize;
use thiserror::Error;
use walkdir::WalkDir;

use crate::folders::create_folder;

/// The extension of an accepted result.
const EXTENSION: &str = "json";

/// The maximum size of a file in bytes. A result with three points of ten processes has about 1 kB.
const MAX_BYTES: u64 = 1 << 20;

/// A folder of accepted results. It need not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryFolder {
    /// The folder.
    pub path: PathBuf,
    /// Whether the user named it, so that it should exist.
    pub is_chosen: bool,
}

/// The readable results of a folder, and what is wrong with the other files.
#[derive(Debug, Default)]
pub struct ReadHistory {
    /// The results and their files, the oldest first.
    pub files: Vec<(PathBuf, AcceptedResult)>,
    /// A sentence for each unreadable file, with its path in the folder.
    pub problems: Vec<String>,
}

/// A result could not be written.
#[derive(Debug, Error)]
#[error("the result was not accepted: writing to {}: {reason}", folder.display())]
pub struct UnwrittenResult {
    folder: PathBuf,
    reason: io::Error,
}

/// The version of a file whose other fields may be unknown.
#[derive(Deserialize)]
struct Version {
    benchbook_history: u32,
}

impl HistoryFolder {
    /// Reads all results. A damaged file, or one of a later version, is a problem, but does not hide the others. Symbolic links are
    /// skipped.
    pub fn read(&self) -> ReadHistory {
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
                Ok(entry) if entry.file_type().is_file() && is_result(entry.path()) => entry.into_path(),
                Ok(_) => continue,
                Err(error) => {
                    let part = error.path().map_or_else(String::new, |path| format!(" {}", self.relative(path)));
                    let reason = error.io_error().map_or_else(|| "it cannot be read".to_owned(), io::Error::to_string);
                    read.problems.push(format!("a part of the accepted results{part} was ignored: {reason}"));
                    continue;
                }
            };
            match read_file(&path) {
                Ok(result) => read.files.push((path, result)),
                Err(problem) => read.problems.push(format!("{} was ignored: {problem}", self.relative(&path))),
            }
        }
        read.files.sort_by(|(_, one), (_, other)| one.result.measured.total_cmp(&other.result.measured));
        read
    }

    /// A path in the folder, with `/` between its parts.
    fn relative(&self, path: &Path) -> String {
        let parts = path.strip_prefix(&self.path).unwrap_or(path).iter().map(|part| part.to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    }

    /// Adds a result, and returns its file. The file appears under its name only when it is complete. If the result was accepted before,
    /// the note and the name are replaced.
    ///
    /// # Errors
    /// If the disk is full or the folder cannot be written.
    pub fn add(&self, accepted: &AcceptedResult) -> Result<PathBuf, UnwrittenResult> {
        let Benchmark { suite, function, .. } = &accepted.result.benchmark;
        let folder = self.path.join(plain(suite)).join(plain(function));
        let name = format!("{}.{EXTENSION}", accepted.id());
        write(&folder, &name, accepted).map_err(|reason| UnwrittenResult { folder, reason })
    }
}

fn write(folder: &Path, name: &str, accepted: &AcceptedResult) -> io::Result<PathBuf> {
    let text = serde_json::to_string_pretty(accepted)? + "\n";
    create_folder(folder)?;
    let unfinished = folder.join(format!("{name}.unfinished"));
    let written = fs::File::create(&unfinished).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let path = folder.join(name);
    match written.and_then(|()| fs::rename(&unfinished, &path)) {
        Ok(()) => Ok(path),
        Err(error) => {
            // It may not exist.
            let _ = fs::remove_file(&unfinished);
            Err(error)
        }
    }
}

/// Reads a file.
///
/// # Errors
/// What is wrong with it.
fn read_file(path: &Path) -> Result<AcceptedResult, String> {
    let bytes = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if bytes > MAX_BYTES {
        return Err(format!("it has more than {MAX_BYTES} bytes"));
    }
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let damaged = |error: serde_json::Error| format!("it is damaged: {error}");
    let Version { benchbook_history } = serde_json::from_str(&text).map_err(damaged)?;
    if benchbook_history > VERSION {
        return Err(format!(
            "it has version {benchbook_history} of the format, which a later cargo-benchbook wrote. Update the tool"
        ));
    }
    let accepted: AcceptedResult = serde_json::from_str(&text).map_err(damaged)?;
    accepted.check().map_err(|problem| format!("it is damaged: {problem}"))?;
    Ok(accepted)
}

impl ReadHistory {
    /// The results, the oldest first.
    pub fn results(&self) -> impl Iterator<Item = &AcceptedResult> {
        self.files.iter().map(|(_, result)| result)
    }
}

/// The longest part of a path, in characters: file systems allow 255 bytes.
const MAX_NAME: usize = 60;

/// A name without characters that file systems reserve: `sort<u32>` becomes `sort(u32)`, and `a::b` becomes `a.b`. It never leads
/// to another folder, since a client of a runner chooses it.
fn plain(name: &str) -> String {
    let name = name.replace("::", ".").replace('<', "(").replace('>', ")");
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-.,() ".contains(letter);
    let plain: String = name.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).take(MAX_NAME).collect();
    match plain.strip_prefix('.') {
        Some(rest) => format!("_{rest}"),
        None if plain.is_empty() => "_".to_owned(),
        None => plain,
    }
}

#[cfg(test)]
mod tests {
    use benchbook_host::history::Acceptance;

    use super::*;
    use crate::examples::accepted;

    #[test]
    fn results_are_read_in_the_order_of_their_times() {
        let folder = tempfile::tempdir().expect("a folder");
        let history = HistoryFolder { path: folder.path().join("history"), is_chosen: false };
        let empty = history.read();
        assert!(empty.files.is_empty() && empty.problems.is_empty(), "no folder is needed");
        let chosen = HistoryFolder { is_chosen: true, ..history.clone() };
        assert!(chosen.read().problems.concat().contains("history does not exist"), "the name may be misspelt");
        let (later, earlier) = (accepted("a::sort<u32>", 20.0), accepted("b", 10.0));
        let file = history.add(&later).expect("it is written");
        assert_eq!(file.file_stem().and_then(|name| name.to_str()), Some(later.id().as_str()));
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
        let good = accepted("sort", 1.0);
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
        let error = history.add(&accepted("sort", 1.0)).expect_err("there is no folder").to_string();
        assert!(error.starts_with("the result was not accepted: writing to "), "{error}");
        assert_eq!(fs::read_dir(folder.path()).expect("it is read").count(), 1);
    }

    /// Each byte that is written to `/dev/full` fails like one on a full disk.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let history = HistoryFolder { path: folder.path().to_owned(), is_chosen: true };
        let file = history.add(&accepted("sort", 1.0)).expect("it is written");
        fs::remove_file(&file).expect("it is removed");
        let unfinished = PathBuf::from(format!("{}.unfinished", file.display()));
        std::os::unix::fs::symlink("/dev/full", &unfinished).expect("a link");
        let error = history.add(&accepted("sort", 1.0)).expect_err("the disk is full");
        assert_eq!(error.reason.kind(), io::ErrorKind::StorageFull);
        assert!(!file.exists() && !unfinished.is_symlink());
        assert!(history.read().files.is_empty());
    }

    #[test]
    fn names_lead_to_no_other_folder() {
        for (name, expected) in [
            ("..", "_."),
            (".", "_"),
            ("", "_"),
            ("../a", "_._a"),
            (".git", "_git"),
            ("a/b\\c", "a_b_c"),
            ("a::<b>", "a.(b)"),
        ] {
            assert_eq!(plain(name), expected);
        }
        let folder = tempfile::tempdir().expect("a folder");
        let history = HistoryFolder { path: folder.path().join("history"), is_chosen: true };
        let mut outside = accepted("..", 1.0);
        "..".clone_into(&mut outside.result.benchmark.suite);
        let file = history.add(&outside).expect("it is written");
        assert_eq!(file.parent(), Some(history.path.join("_./_.").as_path()));
        assert_eq!(history.read().files.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_and_large_files_are_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let other = HistoryFolder { path: folder.path().join("other"), is_chosen: true };
        let file = other.add(&accepted("sort", 1.0)).expect("it is written");
        let history = HistoryFolder { path: folder.path().join("history"), is_chosen: true };
        history.add(&accepted("search", 1.0)).expect("it is written");
        std::os::unix::fs::symlink(&file, history.path.join("link.json")).expect("it is linked");
        let large = fs::File::create(history.path.join("large.json")).expect("it is written");
        large.set_len(MAX_BYTES + 1).expect("it grows");
        let read = history.read();
        assert_eq!(read.results().map(|one| one.result.benchmark.function.as_str()).collect::<Vec<_>>(), ["search"]);
        assert_eq!(read.problems, ["large.json was ignored: it has more than 1048576 bytes"]);
    }
}
