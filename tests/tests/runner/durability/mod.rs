//! An acknowledged result survives a power cut at any moment and any failure of the disk.

mod power;
mod vfs;

use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use benchbook_contract::parameter::Argument;
use benchbook_host::response::{Outcome, Response};
use benchbook_server::store::{NewResult, ResultFilter, SqliteStore, Store};
use benchbook_store_support::synthetic::World;
use power::Disk;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rusqlite::Connection;
use tempfile::TempDir;
use vfs::{Fault, Operation, WatchedFolder};

/// Creates a result by its number. Numbers start at 1.
type Results = fn(u64) -> NewResult;

/// A result of a few database pages.
fn small(number: u64) -> NewResult {
    World::SMALL.result(number)
}

/// A result that fills the log quickly.
fn bulky(number: u64) -> NewResult {
    let mut result = small(number);
    let text = format!("{number:0>10000}");
    result.response.request.arguments.insert("text".to_owned(), Argument::Text(text));
    result
}

/// A folder with an empty database.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder can be created");
    drop(open(folder.path()));
    folder
}

fn open(folder: &Path) -> SqliteStore {
    SqliteStore::open(&folder.join("results.db")).expect("the database opens")
}

/// The disk operations of a runner.
struct Recording {
    results: Results,
    before: Disk,
    operations: Vec<Operation>,
}

/// The state of the disk after a power cut.
struct Cut<'a> {
    /// The number of completed operations.
    after: usize,
    disk: &'a Disk,
    /// The number of results acknowledged by then.
    acknowledged: u64,
    /// Whether the last operation changed the synced data or acknowledged a result; most do neither.
    is_safer: bool,
}

impl Recording {
    /// Records a runner that stores results in several sessions. Results are numbered from 1.
    fn of(results: Results, sessions: &[RangeInclusive<u64>]) -> Self {
        Self::in_folder(&folder(), results, sessions, |_| {})
    }

    /// As [`Recording::of`], in an existing folder; `prepare` is called with the recording folder first.
    fn in_folder(
        folder: &TempDir,
        results: Results,
        sessions: &[RangeInclusive<u64>],
        prepare: impl FnOnce(WatchedFolder),
    ) -> Self {
        let before = Disk::of(folder.path());
        let watched = WatchedFolder::new(folder.path());
        prepare(watched);
        for numbers in sessions {
            let store = open(folder.path());
            for number in numbers.clone() {
                assert_eq!(store.add(&results(number)).expect("the result is stored"), number);
                watched.acknowledge(number);
            }
        }
        let operations = watched.operations();
        Self { results, before, operations }
    }

    /// The number of logs written: each starts with its header.
    fn logs(&self) -> usize {
        let is_header = |operation: &&Operation| matches!(operation, Operation::Write { name, at: 0, .. } if name == "results.db-wal");
        self.operations.iter().filter(is_header).count()
    }

    /// Calls `look` with the state of the disk after each operation.
    fn cut(&self, mut look: impl FnMut(Cut<'_>)) {
        let mut disk = self.before.clone();
        let mut acknowledged = 0;
        for (index, operation) in self.operations.iter().enumerate() {
            disk.take(operation);
            let is_safer =
                matches!(operation, Operation::Sync { .. } | Operation::Delete { .. } | Operation::Acknowledged { .. });
            if let Operation::Acknowledged { result } = operation {
                acknowledged = *result;
            }
            look(Cut { after: index + 1, disk: &disk, acknowledged, is_safer });
        }
    }

    /// Asserts that the acknowledged results survive a cut after each operation if unsynced data is lost, and after
    /// every `one_of`-th operation if a random part of it is written.
    fn assert_durable(&self, one_of: usize) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        self.cut(|Cut { after, disk, acknowledged, is_safer }| {
            if is_safer {
                let synced = disk.synced_files();
                assert_eq!(problem(self.results, &synced, acknowledged), Ok(()), "cut after operation {after}");
            }
            if after % one_of == 0 {
                let some = disk.randomly_written(&mut rng);
                assert_eq!(
                    problem(self.results, &some, acknowledged),
                    Ok(()),
                    "cut after operation {after}, some more written"
                );
            }
        });
    }
}

/// Opens the files of a disk and returns what is wrong with their database.
fn problem(results: Results, files: &BTreeMap<String, Vec<u8>>, acknowledged: u64) -> Result<(), String> {
    let folder = TempDir::new().expect("a temporary folder can be created");
    let path = folder.path().join("results.db");
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("a file can be written");
    }
    let store = SqliteStore::open(&path).map_err(|error| error.to_string())?;
    let cards =
        store.results(&ResultFilter { limit: 100, ..ResultFilter::default() }).map_err(|error| error.to_string())?;
    let mut ids: Vec<u64> = cards.iter().map(|card| card.id).collect();
    ids.reverse();
    // The result in progress may be present.
    let is_expected = [acknowledged, acknowledged + 1].iter().any(|&last| ids.iter().copied().eq(1..=last));
    if !is_expected {
        return Err(format!("{acknowledged} were acknowledged, {ids:?} are there"));
    }
    for id in ids {
        if response(&store, id)? != results(id).response {
            return Err(format!("{id} is not whole"));
        }
    }
    drop(store);
    let database = Connection::open(&path).map_err(|error| error.to_string())?;
    let verdict: String =
        database.query_row("PRAGMA integrity_check", (), |row| row.get(0)).map_err(|error| error.to_string())?;
    if verdict == "ok" { Ok(()) } else { Err(verdict) }
}

/// Reads a result including its raw samples.
fn response(store: &SqliteStore, id: u64) -> Result<Response, String> {
    let stored = store.result(id).map_err(|error| error.to_string())?;
    let mut response = stored.ok_or("it is listed and not there")?.response;
    for point in &mut response.points {
        let samples = store.samples(id, &point.function, &point.x).map_err(|error| error.to_string())?;
        if let Outcome::Measured(measured) = &mut point.outcome {
            measured.runs = samples.ok_or("samples are missing")?.runs;
        }
    }
    Ok(response)
}

#[test]
fn no_acknowledged_result_is_lost_in_a_power_cut() {
    Recording::of(small, &[1..=5, 6..=9]).assert_durable(1);
}

#[test]
fn none_is_lost_during_a_checkpoint() {
    let recording = Recording::of(bulky, &[1..=40]);
    assert_eq!(recording.logs(), 2);
    recording.assert_durable(32);
}

/// A new database gets its final name only when it is complete.
#[test]
fn an_incomplete_new_database_is_recreated() {
    let folder = TempDir::new().expect("a temporary folder can be created");
    let mut recording = Recording::in_folder(&folder, small, &[1..=1], |_| {});
    let is_unfinished = |operation: &Operation| operation.name().is_some_and(|name| name.starts_with("results.db.new"));
    let named = recording.operations.iter().position(|operation| !is_unfinished(operation));
    recording.operations.truncate(named.unwrap_or(usize::MAX));
    assert!(recording.operations.iter().any(|operation| matches!(operation, Operation::Sync { .. })));
    recording.assert_durable(1);
}

#[test]
fn with_synchronous_off_power_cuts_lose_results() {
    let mut lost = 0;
    Recording::in_folder(&folder(), small, &[1..=5, 6..=9], WatchedFolder::disable_sync).cut(
        |Cut { disk, acknowledged, .. }| {
            lost += usize::from(problem(small, &disk.synced_files(), acknowledged).is_err());
        },
    );
    assert!(lost > 0);
}

#[test]
fn a_full_disk_fails_one_result_and_the_next_is_stored() {
    let folder = folder();
    let watched = WatchedFolder::new(folder.path());
    let store = open(folder.path());
    store.add(&small(1)).expect("the result is stored");
    watched.inject(Some(Fault::Full));
    let refused = store.add(&small(2)).expect_err("there is no room").to_string();
    assert!(refused.contains("full"), "{refused}");
    assert!(store.clear().is_err());
    assert_eq!(response(&store, 1), Ok(small(1).response), "stored results can be read");
    watched.inject(None);
    assert_eq!(store.add(&small(2)).expect("there is space again"), 2);
    drop(store);
    assert_eq!(problem(small, &Disk::of(folder.path()).synced_files(), 2), Ok(()));
}

#[test]
fn a_failed_operation_never_stores_a_partial_result() {
    let folder = folder();
    let watched = WatchedFolder::new(folder.path());
    let store = open(folder.path());
    let mut acknowledged = 0;
    for after in 0.. {
        watched.inject(Some(Fault::Once(after)));
        let added = store.add(&small(acknowledged + 1));
        let was_injected = !watched.has_fault();
        watched.inject(None);
        assert_eq!(added.is_err(), was_injected, "operation {after}: {added:?}");
        acknowledged += u64::from(added.is_ok());
        assert_eq!(store.add(&small(acknowledged + 1)).expect("the next result is stored"), acknowledged + 1);
        acknowledged += 1;
        if !was_injected {
            break;
        }
    }
    drop(store);
    assert_eq!(problem(small, &Disk::of(folder.path()).synced_files(), acknowledged), Ok(()));
}
