//! Checks of stored results: the exit status, what a second measurement confirms, and what counts as normal once it is accepted.

use std::fs;

use benchbook_accepted::HistoryFolder;
use benchbook_host::history::{Acceptance, CheckedResult};
use clap::Parser as _;

use super::accept::record;
use super::fixtures::{single_result, to_compare};
use super::last_check::LastCheck;
use super::*;

#[derive(clap::Parser)]
struct Parsed {
    #[command(flatten)]
    check: CheckOptions,
}

fn options(arguments: &[&str]) -> CheckOptions {
    Parsed::parse_from(["check"].iter().chain(arguments)).check
}

/// The result of a build of a day, with this time in nanoseconds.
fn result(day: f64, mean: f64) -> CheckedResult {
    CheckedResult { measured: day * 86_400.0, ..single_result("mix", mean) }
}

/// A folder of accepted results.
struct StoredHistory {
    folder: tempfile::TempDir,
}

impl StoredHistory {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn folder(&self) -> HistoryFolder {
        HistoryFolder { path: self.folder.path().join("history"), is_chosen: false }
    }

    fn accept(&self, result: CheckedResult, replaces: bool) {
        let accepted = Acceptance { by: "Ada".to_owned(), note: "normal".to_owned() };
        record(vec![result], &accepted, &HistoryLocation::Folder(self.folder()), replaces).unwrap();
    }

    /// Compares a result, and if it has a regression, `again`. Returns the exit status and the first line of the report.
    fn check(&self, arguments: &[&str], result: &CheckedResult, again: &CheckedResult) -> (u8, String) {
        let options = options(arguments);
        let history = self.folder().read();
        let accepted: Vec<&AcceptedResult> = history.results().collect();
        let results = [to_compare(result.clone())];
        let rule = options.reached_rule(&results, &accepted);
        let compared = ComparedRun::confirmed(&results, &accepted, rule, |_| vec![to_compare(again.clone())]);
        let report = CheckReport::new(compared, &results, &accepted, Vec::new(), rule);
        let text = report.text().replace('\u{202f}', " ");
        (options.status(&report), text.lines().nth(1).unwrap_or_default().to_owned())
    }
}

#[test]
fn a_slower_function_fails_the_check_until_it_is_accepted() {
    let history = StoredHistory::new();
    let (normal, slow) = (result(1.0, 100.0), result(2.0, 200.0));
    let check = |arguments: &[&str], result, again| history.check(arguments, result, again);
    assert_eq!(check(&[], &normal, &normal), (0, "Nothing was compared: 1 new.".to_owned()));
    history.accept(normal.clone(), false);
    assert_eq!(check(&[], &slow, &slow), (1, "Slower than the accepted results: 1 slower.".to_owned()));
    let refuted = "Undecided for 1 of 1 point.".to_owned();
    assert_eq!(check(&[], &slow, &normal), (0, refuted.clone()), "the second measurement does not confirm it");
    assert_eq!(check(&["--strict"], &slow, &normal), (1, refuted));

    // Both are normal now.
    history.accept(slow.clone(), false);
    for result in [&normal, &slow] {
        assert_eq!(check(&[], result, result).0, 0);
    }
    history.accept(result(3.0, 200.0), true);
    assert_eq!(history.folder().read().files.len(), 1, "the earlier ones are replaced");
    assert_eq!(check(&[], &normal, &normal), (0, "No regression found: 1 faster.".to_owned()));
}

#[test]
fn a_failed_measurement_has_a_status_of_its_own_but_a_regression_is_more_important() {
    let history = StoredHistory::new();
    history.accept(result(1.0, 100.0), false);
    let read = history.folder().read();
    let accepted: Vec<&AcceptedResult> = read.results().collect();
    let status = |mean: f64| {
        let results = [to_compare(result(2.0, mean))];
        let options = options(&[]);
        let rule = options.reached_rule(&results, &accepted);
        let compared = ComparedRun::of(&results, &accepted, rule);
        options.status(&CheckReport::new(compared, &results, &accepted, vec!["`add` failed".to_owned()], rule))
    };
    assert_eq!([100.0, 300.0].map(status), [FAILED, REGRESSION]);
}

#[test]
fn undecided_comparisons_lower_the_confidence_as_far_as_permitted() {
    let history = StoredHistory::new();
    history.accept(result(1.0, 100.0), false);
    let read = history.folder().read();
    let accepted: Vec<&AcceptedResult> = read.results().collect();
    let mut noisy = result(2.0, 100.0);
    noisy.points[0].means = vec![90.0, 120.0, 100.0, 110.0];
    let reached = |arguments: &[&str], result: &CheckedResult| {
        options(arguments).reached_rule(&[to_compare(result.clone())], &accepted).confidence
    };
    let lowered = ["--least-confidence", "95%"];
    assert_eq!(reached(&lowered, &result(2.0, 100.0)), 0.99, "it is decided");
    assert!((reached(&lowered, &noisy) - 0.95).abs() < 1e-9);
    assert_eq!(reached(&[], &noisy), 0.99);
}

#[test]
fn the_results_of_the_last_check_can_be_accepted_in_its_workspace_only() {
    let folder = tempfile::tempdir().unwrap();
    let project = |root: &str| Project {
        root: folder.path().join(root),
        output: folder.path().join("target/benchbook"),
        parts: Vec::new(),
        ..Project::default()
    };
    let error = |root: &str| format!("{:#}", LastCheck::read(&project(root)).unwrap_err());
    assert!(error("own").starts_with("there are no results to accept. "), "{}", error("own"));
    let results = vec![result(1.0, 100.0)];
    LastCheck::new(&project("own"), results.clone()).write(&project("own")).unwrap();
    assert_eq!(LastCheck::read(&project("own")).unwrap().results, results);
    assert!(error("other").contains("which shares this output folder"), "{}", error("other"));
    fs::write(project("own").output.join("last-check.json"), "{").unwrap();
    assert!(error("own").contains("last-check.json is damaged"), "{}", error("own"));
}

#[test]
fn percentages_are_checked() {
    assert_eq!(["90%", "99%"].map(|text| confidence(text).ok()), [Some(0.9), Some(0.99)]);
    assert!(confidence("99.9%").is_ok());
    assert!(["89%", "99.95%", "99"].iter().all(|text| confidence(text).is_err()));
}
