//! The accepted results on a static page: files as a runner lists them, in a folder that `notebook.json` names.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use benchbook_host::api::{AcceptedHistory, HistoryFunction, MAX_RESULTS};
use benchbook_host::history::AcceptedResult;

/// The folder of the results, relative to the page.
pub(crate) const FOLDER: &str = "history/";

/// The accepted results of the suites of a page.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct SiteHistory {
    /// The functions that have results, and the results of each, the oldest first.
    functions: Vec<(HistoryFunction, AcceptedHistory)>,
}

impl SiteHistory {
    /// The results of these suites. Of a function with too many results, the newest.
    pub(crate) fn new(results: &[&AcceptedResult], suites: &BTreeSet<&str>) -> Self {
        let of_page: Vec<&AcceptedResult> =
            results.iter().copied().filter(|one| suites.contains(one.result.benchmark.suite.as_str())).collect();
        let functions = HistoryFunction::all(of_page.iter().copied()).into_iter().map(|function| {
            let is_of_function = |accepted: &&&AcceptedResult| {
                let benchmark = &accepted.result.benchmark;
                (&benchmark.suite, &benchmark.function) == (&function.suite, &function.function)
            };
            let results = of_page.iter().filter(is_of_function).map(|accepted| (*accepted).clone()).collect();
            let results = AcceptedHistory::newest(results, MAX_RESULTS);
            let mut warnings = Vec::new();
            if (results.len() as u64) < function.results {
                let count = results.len();
                warnings
                    .push(format!("this page has only the newest {count} of {} accepted results", function.results));
            }
            (HistoryFunction { results: results.len() as u64, ..function }, AcceptedHistory { results, warnings })
        });
        Self { functions: functions.collect() }
    }

    /// Whether no function has results.
    pub(crate) fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The number of results.
    pub(crate) fn count(&self) -> u64 {
        self.functions.iter().map(|(function, _)| function.results).sum()
    }

    /// A sentence for each function with too many results.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = String> {
        self.functions.iter().flat_map(|(function, history)| {
            history.warnings.iter().map(|warning| format!("{}: {warning}", function.function))
        })
    }

    /// Writes the files into the folder of a page, in place of those of an earlier build. Other files stay as they are.
    ///
    /// # Errors
    /// If a file cannot be written or deleted.
    pub(crate) fn write(&self, page: &Path) -> Result<()> {
        let folder = page.join(FOLDER);
        let writing = || format!("failed to write {}", folder.display());
        delete(&folder)?;
        if self.is_empty() {
            return Ok(());
        }
        fs::create_dir_all(&folder).with_context(writing)?;
        let list: Vec<&HistoryFunction> = self.functions.iter().map(|(function, _)| function).collect();
        fs::write(folder.join(HistoryFunction::LIST), serde_json::to_vec(&list)?).with_context(writing)?;
        for (function, history) in &self.functions {
            let file = HistoryFunction::file(&function.suite, &function.function);
            fs::write(folder.join(file), serde_json::to_vec(history)?).with_context(writing)?;
        }
        Ok(())
    }
}

/// Deletes the files of an earlier build.
fn delete(folder: &Path) -> Result<()> {
    let deleting = || format!("failed to delete the earlier files in {}", folder.display());
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.with_context(deleting)?,
    };
    for entry in entries {
        let entry = entry.with_context(deleting)?;
        if entry.file_name().to_str().is_some_and(HistoryFunction::is_file) {
            fs::remove_file(entry.path()).with_context(deleting)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accepted::fixtures::{accepted, sized_result};

    fn result(suite: &str, function: &str, measured: u32) -> AcceptedResult {
        let mut result = sized_result(function, 10.0, 20.0);
        suite.clone_into(&mut result.benchmark.suite);
        result.measured = f64::from(measured);
        accepted(result)
    }

    fn read(page: &Path, file: &str) -> String {
        fs::read_to_string(page.join(FOLDER).join(file)).unwrap()
    }

    #[test]
    fn each_function_of_the_page_has_a_file() {
        let results = [result("demo", "sort", 1), result("other", "sort", 2), result("demo", "<search>", 3)];
        let history = SiteHistory::new(&results.iter().collect::<Vec<_>>(), &BTreeSet::from(["demo"]));
        assert_eq!((history.count(), history.warnings().count()), (2, 0));
        let page = tempfile::tempdir().unwrap();
        history.write(page.path()).unwrap();
        let listed: Vec<HistoryFunction> = serde_json::from_str(&read(page.path(), HistoryFunction::LIST)).unwrap();
        assert_eq!(listed.iter().map(|one| one.function.as_str()).collect::<Vec<_>>(), ["<search>", "sort"]);
        let text = read(page.path(), &HistoryFunction::file("demo", "sort"));
        assert_eq!(AcceptedHistory::read(&text).unwrap().results, results[..1]);
    }

    #[test]
    fn a_later_build_replaces_the_files_and_no_others() {
        let page = tempfile::tempdir().unwrap();
        let (sort, search) = (result("demo", "sort", 1), result("demo", "search", 2));
        let suites = BTreeSet::from(["demo"]);
        SiteHistory::new(&[&sort], &suites).write(page.path()).unwrap();
        fs::write(page.path().join(FOLDER).join("notes.json"), "ours").unwrap();
        SiteHistory::new(&[&search], &suites).write(page.path()).unwrap();
        assert!(!page.path().join(FOLDER).join(HistoryFunction::file("demo", "sort")).exists());
        assert!(page.path().join(FOLDER).join(HistoryFunction::file("demo", "search")).exists());
        SiteHistory::default().write(page.path()).unwrap();
        let left: Vec<_> =
            fs::read_dir(page.path().join(FOLDER)).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(left, ["notes.json"]);
    }

    #[test]
    fn a_function_with_too_many_results_has_the_newest() {
        let results: Vec<AcceptedResult> = (0..5_002).map(|time| result("demo", "sort", time)).collect();
        let history = SiteHistory::new(&results.iter().collect::<Vec<_>>(), &BTreeSet::from(["demo"]));
        assert_eq!(history.count(), 5_000);
        let expected = "sort: this page has only the newest 5000 of 5002 accepted results";
        assert_eq!(history.warnings().collect::<Vec<_>>(), [expected]);
        let [(_, listed)] = &history.functions[..] else { panic!("one function") };
        assert_eq!(listed.results[0].result.measured, 2.0);
    }
}
