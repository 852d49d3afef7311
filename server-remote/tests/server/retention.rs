//! Deletes results beyond the limits, but never the newest one of a point.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use benchbook_host::response::{Failure, FailureKind, Outcome};
use benchbook_server::store::{NewResult, PruneMode, Pruning, ResultFilter, Retention, Store};
use benchbook_store_support::synthetic::{World, query_for};
use rusqlite::Connection;

use crate::database::{DatabaseFolder, measured};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Results of at least a day.
const OLD: Retention = Retention { max_age: Some(DAY), max_bytes: None };

/// A database of old results, with increasing numbers from 1.
fn old_database(results: &[NewResult]) -> DatabaseFolder {
    let folder = DatabaseFolder::new();
    folder.open().add_all(results).expect("the results are stored");
    // January 2024.
    folder.sql("UPDATE results SET stored = 1704067200000; UPDATE subjects SET newest = 1704067200000");
    folder
}

fn prune(folder: &DatabaseFolder, retention: Retention) -> Pruning {
    let store = folder.open();
    let before = store.revision();
    let trial = store.prune(retention, PruneMode::DryRun).expect("the results can be read");
    assert_eq!(store.revision(), before, "nothing was deleted");
    let pruned = store.prune(retention, PruneMode::ReleaseSpace).expect("the results can be deleted");
    assert_eq!(trial, pruned, "a dry run reports what is deleted");
    assert_eq!(store.revision() > before, !pruned.deleted.is_empty());
    drop(store);
    assert_consistent(folder);
    pruned
}

fn remaining(folder: &DatabaseFolder) -> Vec<u64> {
    let filter = ResultFilter { limit: 1_000, ..ResultFilter::default() };
    let results = folder.open().results(&filter).expect("the query succeeds");
    results.iter().rev().map(|card| card.id).collect()
}

/// Checks the counts, and that no row refers to a deleted one or is unused.
fn assert_consistent(folder: &DatabaseFolder) {
    let database = Connection::open(folder.path()).expect("a database");
    for sql in [
        "SELECT count(*) FROM pragma_foreign_key_check",
        "SELECT count(*) FROM subjects WHERE results <> (SELECT count(*) FROM listed WHERE subject = subjects.id)",
        "SELECT count(*) FROM subjects WHERE newest <> \
         (SELECT stored FROM results JOIN listed ON result = results.id WHERE subject = subjects.id \
          ORDER BY result DESC LIMIT 1)",
        "SELECT count(*) FROM subjects WHERE results = 0",
        "SELECT count(*) FROM series WHERE id NOT IN (SELECT series FROM points)",
        "SELECT count(*) FROM suites WHERE id NOT IN (SELECT suite FROM results)",
        "SELECT count(*) FROM machines WHERE id NOT IN (SELECT machine FROM series)",
        "SELECT count(*) FROM results WHERE points <> (SELECT count(*) FROM points WHERE result = results.id)",
    ] {
        let inconsistent: u64 = database.query_row(sql, (), |row| row.get(0)).expect("valid SQL");
        assert_eq!(inconsistent, 0, "{sql}");
    }
}

fn deleted(pruned: &Pruning) -> Vec<u64> {
    pruned.deleted.iter().map(|result| result.id).collect()
}

#[test]
fn deletes_old_results_except_the_newest() {
    let new = measured();
    let old = old_database(&[new.clone(), new.clone(), new.clone()]);
    let pruned = prune(&old, OLD);
    assert_eq!((deleted(&pruned), pruned.remaining), (vec![1, 2], 1));
    let first = &pruned.deleted[0];
    assert_eq!((first.day.as_str(), first.points), ("2024-01-01", new.response.points.len() as u64));
    assert_eq!(first.suite, new.response.suite.name);
    let functions: BTreeSet<&str> = first.functions.split(',').collect();
    assert_eq!(functions, new.response.request.functions.iter().map(String::as_str).collect());
    let store = old.open();
    assert!(store.find(&query_for(&new)).expect("the query succeeds").iter().all(|found| found.result == 3));
    assert_eq!(store.add(&new).expect("the result is stored"), 4, "numbers are never reused");
}

#[test]
fn keeps_results_within_the_limits() {
    let new = measured();
    let old = old_database(&[new.clone(), new.clone()]);
    old.open().add_all(&[new.clone(), new]).expect("the results are stored");
    let unlimited = Retention::default();
    let large = Retention { max_age: None, max_bytes: Some(1 << 30) };
    let long = Retention { max_age: Some(100_000 * DAY), max_bytes: Some(1 << 30) };
    for retention in [unlimited, large, long] {
        assert!(prune(&old, retention).deleted.is_empty());
    }
    assert_eq!(deleted(&prune(&old, OLD)), [1, 2], "the third is new");
    assert_eq!(remaining(&old), [3, 4]);
}

#[test]
fn keeps_the_newest_figures_of_each_point() {
    let new = measured();
    let mut failed = new.clone();
    for point in &mut failed.response.points {
        let reason = "index out of bounds".to_owned();
        point.outcome = Outcome::Failed(Failure { kind: FailureKind::Panic, reason });
    }
    let old = old_database(&[new.clone(), failed.clone()]);
    assert_eq!(deleted(&prune(&old, OLD)), [2], "a failure supersedes no figures");
    let old = old_database(&[failed.clone(), failed]);
    assert_eq!(deleted(&prune(&old, OLD)), [1], "the newest failure remains if there are no figures");
    // The same point of another build on another machine.
    let mut other = new.clone();
    other.response.suite.fingerprint = "other".to_owned();
    other.machine = "other".to_owned();
    let old = old_database(&[new.clone(), other]);
    assert_eq!(deleted(&prune(&old, OLD)), [1]);
    let mut other = new.clone();
    other.response.request.generator = "other".to_owned();
    let old = old_database(&[new, other]);
    assert!(prune(&old, OLD).deleted.is_empty(), "another generator");
}

#[test]
fn keeps_exactly_the_newest_results_of_points() {
    let results: Vec<NewResult> = (0..150).map(|seed| World::SMALL.result(seed)).collect();
    // The newest result by point, with and without figures.
    let mut newest: BTreeMap<String, (Option<u64>, u64)> = BTreeMap::new();
    for (id, result) in (1..).zip(&results) {
        let response = &result.response;
        let mut arguments = response.request.arguments.clone();
        arguments.remove(&result.axis);
        for point in &response.points {
            let generator = &response.request.generator;
            let key = format!("{} {} {generator} {arguments:?} {}", response.suite.name, point.function, point.x);
            let (figures, any) = newest.entry(key).or_insert((None, id));
            *any = id;
            if point.measured().is_some() {
                *figures = Some(id);
            }
        }
    }
    let expected: BTreeSet<u64> = newest.values().map(|(figures, any)| figures.unwrap_or(*any)).collect();
    assert!(expected.len() < 100, "{} remain", expected.len());
    let old = old_database(&results);
    let pruned = prune(&old, OLD);
    assert_eq!(pruned.remaining, expected.len() as u64);
    assert_eq!(remaining(&old), expected.into_iter().collect::<Vec<_>>());
}

#[test]
fn deletes_the_oldest_results_of_a_large_database() {
    let new = measured();
    let results = vec![new; 200];
    let old = old_database(&results);
    let Pruning { bytes, .. } = prune(&old, Retention::default());
    let half = Retention { max_age: None, max_bytes: Some(bytes / 2) };
    let pruned = prune(&old, half);
    let ids = deleted(&pruned);
    assert_eq!(ids, (1..=ids.len() as u64).collect::<Vec<_>>(), "the oldest");
    assert!((80..120).contains(&ids.len()), "{}", ids.len());
    assert!(pruned.bytes <= bytes / 2);
    let size = std::fs::metadata(old.path()).expect("the file exists").len();
    assert!(size <= bytes / 2, "{size} bytes");
    // The tables alone are larger than this limit.
    let pruned = prune(&old, Retention { max_age: None, max_bytes: Some(1) });
    assert_eq!((pruned.remaining, remaining(&old)), (1, vec![200]));
}

#[cfg(unix)]
#[test]
fn deletes_nothing_after_the_database_was_moved() {
    let new = measured();
    let old = old_database(&[new.clone(), new]);
    let store = old.open();
    std::fs::rename(old.path(), old.file("moved.db")).expect("a movable file");
    assert!(store.prune(OLD, PruneMode::ReuseSpace).is_err());
    std::fs::rename(old.file("moved.db"), old.path()).expect("a movable file");
    assert_eq!(store.count().expect("the query succeeds"), 2);
}
