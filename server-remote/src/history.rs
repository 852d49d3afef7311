//! The folder of accepted results as the routes use it: one reader or writer at a time.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::Arc;

use benchbook_accepted::{HistoryFolder, ReadHistory};
use benchbook_host::api::{AcceptedHistory, HistoryFunction, first_warnings};
use benchbook_host::history::AcceptedResult;
use thiserror::Error;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

/// The folder of accepted results of a runner. Every request reads it again, since the files may have changed.
#[derive(Clone, Debug)]
pub struct RunnerHistory {
    folder: HistoryFolder,
    turn: Arc<Mutex<()>>,
}

/// Which accepted results a client requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryFilter {
    /// Only results of this suite.
    pub suite: Option<String>,
    /// Only results of this function.
    pub function: Option<String>,
    /// The maximum number of results; the newest ones are listed.
    pub limit: usize,
}

/// The folder cannot be read or written.
#[derive(Debug, Error)]
#[error("the accepted results in {} are unavailable: {reason}", folder.display())]
pub struct UnavailableHistory {
    folder: PathBuf,
    reason: String,
}

impl RunnerHistory {
    /// Accepted results in this folder.
    pub fn new(folder: HistoryFolder) -> Self {
        Self { folder, turn: Arc::default() }
    }

    /// Lists accepted results.
    ///
    /// # Errors
    /// If the folder cannot be read. A damaged file is a warning in the list.
    pub async fn list(&self, filter: HistoryFilter) -> Result<AcceptedHistory, UnavailableHistory> {
        self.read(move |read| list(read, &filter)).await
    }

    /// Lists the functions that have accepted results.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub async fn functions(&self) -> Result<Vec<HistoryFunction>, UnavailableHistory> {
        self.read(|read| HistoryFunction::all(read.results())).await
    }

    /// Adds results, which have been checked. If one cannot be written, the ones before it are stored.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub async fn add(&self, results: Vec<AcceptedResult>) -> Result<(), UnavailableHistory> {
        self.in_turn(move |folder| {
            results.iter().try_for_each(|accepted| folder.add(accepted).map(drop).map_err(|error| error.to_string()))
        })
        .await
    }

    async fn read<T: Send + 'static>(
        &self,
        select: impl FnOnce(ReadHistory) -> T + Send + 'static,
    ) -> Result<T, UnavailableHistory> {
        self.in_turn(move |folder| Ok(select(folder.read()))).await
    }

    /// Does `work` on a blocking thread, unless the folder is missing.
    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce(&HistoryFolder) -> Result<T, String> + Send + 'static,
    ) -> Result<T, UnavailableHistory> {
        // Waits here rather than on a blocking thread, since the store needs those too.
        let turn = Arc::clone(&self.turn).lock_owned().await;
        let folder = self.folder.clone();
        let done = spawn_blocking(move || {
            let _turn = turn;
            check_readable(&folder).map_err(|error| error.to_string())?;
            work(&folder)
        });
        let done = done.await.unwrap_or_else(|error| Err(error.to_string()));
        done.map_err(|reason| UnavailableHistory { folder: self.folder.path.clone(), reason })
    }
}

/// Checks that the folder can be read. One that no user has named need not exist yet.
fn check_readable(folder: &HistoryFolder) -> io::Result<()> {
    match fs::read_dir(&folder.path) {
        Err(error) if error.kind() == ErrorKind::NotFound && !folder.is_chosen => Ok(()),
        read => read.map(drop),
    }
}

/// The newest results that match, within the limits.
fn list(read: ReadHistory, HistoryFilter { suite, function, limit }: &HistoryFilter) -> AcceptedHistory {
    let matches = |wanted: &Option<String>, name: &String| wanted.as_ref().is_none_or(|wanted| wanted == name);
    let is_wanted = |accepted: &AcceptedResult| {
        let benchmark = &accepted.result.benchmark;
        matches(suite, &benchmark.suite) && matches(function, &benchmark.function)
    };
    let mut warnings = first_warnings(read.problems);
    let matching: Vec<AcceptedResult> =
        read.files.into_iter().map(|(_, accepted)| accepted).filter(is_wanted).collect();
    let total = matching.len();
    let results = AcceptedHistory::newest(matching, *limit);
    if results.len() < total {
        let count = results.len();
        warnings.push(format!(
            "only the newest {count} of {total} accepted results are listed. Request those of one function, or a greater limit"
        ));
    }
    AcceptedHistory { results, warnings }
}

#[cfg(test)]
mod tests {
    use super::*;
    use benchbook_accepted::examples::accepted;

    fn read(count: u32) -> ReadHistory {
        let file = |number: u32| {
            let function = if number.is_multiple_of(2) { "even" } else { "odd" };
            (PathBuf::new(), accepted(function, f64::from(number)))
        };
        ReadHistory { files: (0..count).map(file).collect(), problems: Vec::new() }
    }

    fn times(history: &AcceptedHistory) -> Vec<f64> {
        history.results.iter().map(|accepted| accepted.result.measured).collect()
    }

    #[test]
    fn the_newest_results_that_match_are_listed() {
        let all = HistoryFilter { limit: 10, ..HistoryFilter::default() };
        assert_eq!(times(&list(read(4), &all)), [0.0, 1.0, 2.0, 3.0]);
        let odd = HistoryFilter { function: Some("odd".to_owned()), ..all.clone() };
        let listed = list(read(4), &odd);
        assert_eq!((times(&listed), listed.warnings.len()), (vec![1.0, 3.0], 0));
        assert!(list(read(4), &HistoryFilter { suite: Some("other".to_owned()), ..all.clone() }).results.is_empty());
        let two = list(read(4), &HistoryFilter { limit: 2, ..all });
        assert_eq!(times(&two), [2.0, 3.0]);
        assert!(two.warnings.concat().contains("only the newest 2 of 4"), "{:?}", two.warnings);
        let functions = HistoryFunction::all(read(3).results());
        let counts: Vec<(&str, u64, f64)> =
            functions.iter().map(|known| (known.function.as_str(), known.results, known.newest)).collect();
        assert_eq!(counts, [("even", 2, 2.0), ("odd", 1, 1.0)]);
    }

    #[test]
    fn a_list_has_a_limited_number_of_warnings() {
        let problems = (0..150).map(|number| format!("{number}.json was ignored")).collect();
        let damaged = ReadHistory { problems, ..read(0) };
        let warnings = list(damaged, &HistoryFilter::default()).warnings;
        assert_eq!((warnings.len(), warnings[100].as_str()), (101, "50 further problems are omitted"));
    }
}
