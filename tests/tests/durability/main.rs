//! No acknowledged result is lost, wherever the power is cut, and whatever a disk refuses.
#![cfg(unix)] // The file system that is watched is SQLite's for Unix.

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
use vfs::{Operation, Refusal, Watched};

/// Results in the order in which they are added; their numbers are from 1 on.
type Results = fn(u64) -> NewResult;

/// They fill a few pages each.
fn small(number: u64) -> NewResult {
    World::SMALL.result(number)
}

/// They fill the log soon.
fn bulky(number: u64) -> NewResult {
    let mut result = small(number);
    let text = format!("{number:0>10000}");
    result.response.request.arguments.insert("text".to_owned(), Argument::Text(text));
    result
}

/// A folder with a database in it that has nothing yet.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder can be made");
    drop(open(folder.path()));
    folder
}

fn open(folder: &Path) -> SqliteStore {
    SqliteStore::open(&folder.join("results.db")).expect("the database opens")
}

/// A runner's life: what it asked of its disk.
struct Recording {
    results: Results,
    before: Disk,
    operations: Vec<Operation>,
}

/// Where the power was cut.
struct Cut<'a> {
    /// After how many operations.
    after: usize,
    disk: &'a Disk,
    /// How many results were acknowledged until then.
    acknowledged: u64,
    /// Whether the last operation changed what is safe or what was acknowledged: most do neither.
    is_safer: bool,
}

impl Recording {
    /// Of a runner that stores results, ends, starts again, and stores others. Their numbers are from 1 on.
    fn of(results: Results, sessions: &[RangeInclusive<u64>]) -> Self {
        Self::in_folder(&folder(), results, sessions, |_| {})
    }

    /// The same in a folder as it is; `prepare` gets it when it is watched.
    fn in_folder(
        folder: &TempDir,
        results: Results,
        sessions: &[RangeInclusive<u64>],
        prepare: impl FnOnce(Watched),
    ) -> Self {
        let before = Disk::of(folder.path());
        let watched = Watched::new(folder.path());
        prepare(watched);
        for numbers in sessions {
            let store = open(folder.path());
            for number in numbers.clone() {
                assert_eq!(store.add(&results(number)).expect("it is stored"), number);
                watched.acknowledge(number);
            }
        }
        let operations = watched.operations();
        Self { results, before, operations }
    }

    /// How often a log was begun: its header is written first.
    fn logs(&self) -> usize {
        let is_header = |operation: &&Operation| matches!(operation, Operation::Write { name, at: 0, .. } if name == "results.db-wal");
        self.operations.iter().filter(is_header).count()
    }

    /// Cuts the power after each operation.
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

    /// At each cut what was not synced is gone; at one of so many also any part of it.
    fn assert_durable(&self, one_of: usize) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        self.cut(|Cut { after, disk, acknowledged, is_safer }| {
            if is_safer {
                let nothing_more = disk.with_nothing_more();
                assert_eq!(problem(self.results, &nothing_more, acknowledged), Ok(()), "cut after operation {after}");
            }
            if after % one_of == 0 {
                let some = disk.with_some(&mut rng);
                assert_eq!(
                    problem(self.results, &some, acknowledged),
                    Ok(()),
                    "cut after operation {after}, some more written"
                );
            }
        });
    }
}

/// What is wrong with a database that was found after a cut.
fn problem(results: Results, files: &BTreeMap<String, Vec<u8>>, acknowledged: u64) -> Result<(), String> {
    let folder = TempDir::new().expect("a folder can be made");
    let path = folder.path().join("results.db");
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("a file can be written");
    }
    let store = SqliteStore::open(&path).map_err(|error| error.to_string())?;
    let cards =
        store.results(&ResultFilter { limit: 100, ..ResultFilter::default() }).map_err(|error| error.to_string())?;
    let mut ids: Vec<u64> = cards.iter().map(|card| card.id).collect();
    ids.reverse();
    // That which was on its way may be there.
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

/// A result with its raw samples.
fn response(store: &SqliteStore, id: u64) -> Result<Response, String> {
    let stored = store.result(id).map_err(|error| error.to_string())?;
    let mut response = stored.ok_or("it is listed and not there")?.response;
    for point in &mut response.points {
        let samples = store.samples(id, &point.function, point.x).map_err(|error| error.to_string())?;
        if let Outcome::Measured(measured) = &mut point.outcome {
            measured.runs = samples.ok_or("samples are missing")?.runs;
        }
    }
    Ok(response)
}

#[test]
fn no_acknowledged_result_is_lost_wherever_the_power_is_cut() {
    Recording::of(small, &[1..=5, 6..=9]).assert_durable(1);
}

#[test]
fn none_is_lost_where_the_log_was_copied_and_begins_anew() {
    let recording = Recording::of(bulky, &[1..=40]);
    assert_eq!(recording.logs(), 2);
    recording.assert_durable(32);
}

#[test]
fn none_is_lost_while_an_older_database_gets_its_tables() {
    let folder = TempDir::new().expect("a folder can be made");
    let older = Connection::open(folder.path().join("results.db")).expect("a database can be made");
    // A version before the first: ours, and nothing in it.
    older.execute_batch("PRAGMA application_id = 0x426e426b; PRAGMA user_version = 0").expect("it is SQL");
    drop(older);
    let recording = Recording::in_folder(&folder, small, &[1..=2], |_| {});
    assert_eq!(recording.logs(), 1);
    recording.assert_durable(1);
}

/// Until it has its name: that it gets at once.
#[test]
fn a_database_whose_making_was_cut_off_is_made_anew() {
    let folder = TempDir::new().expect("a folder can be made");
    let mut recording = Recording::in_folder(&folder, small, &[1..=1], |_| {});
    let is_unfinished = |operation: &Operation| operation.name().is_some_and(|name| name.starts_with("results.db.new"));
    let named = recording.operations.iter().position(|operation| !is_unfinished(operation));
    recording.operations.truncate(named.unwrap_or(usize::MAX));
    assert!(recording.operations.iter().any(|operation| matches!(operation, Operation::Sync { .. })));
    recording.assert_durable(1);
}

#[test]
fn with_synchronous_off_the_same_cuts_lose_results() {
    let mut lost = 0;
    Recording::in_folder(&folder(), small, &[1..=5, 6..=9], Watched::be_hasty).cut(
        |Cut { disk, acknowledged, .. }| {
            lost += usize::from(problem(small, &disk.with_nothing_more(), acknowledged).is_err());
        },
    );
    assert!(lost > 0);
}

#[test]
fn a_full_disk_refuses_a_result_and_the_next_has_room() {
    let folder = folder();
    let watched = Watched::new(folder.path());
    let store = open(folder.path());
    store.add(&small(1)).expect("it is stored");
    watched.refuse(Some(Refusal::Full));
    let refused = store.add(&small(2)).expect_err("there is no room").to_string();
    assert!(refused.contains("full"), "{refused}");
    assert!(store.clear().is_err());
    assert_eq!(response(&store, 1), Ok(small(1).response), "what is there can be read");
    watched.refuse(None);
    assert_eq!(store.add(&small(2)).expect("there is room again"), 2);
    drop(store);
    assert_eq!(problem(small, &Disk::of(folder.path()).with_nothing_more(), 2), Ok(()));
}

#[test]
fn whichever_operation_does_not_work_nothing_is_half_stored() {
    let folder = folder();
    let watched = Watched::new(folder.path());
    let store = open(folder.path());
    let mut acknowledged = 0;
    for after in 0.. {
        watched.refuse(Some(Refusal::Once(after)));
        let added = store.add(&small(acknowledged + 1));
        let was_refused = !watched.refuses();
        watched.refuse(None);
        assert_eq!(added.is_err(), was_refused, "operation {after}: {added:?}");
        acknowledged += u64::from(added.is_ok());
        assert_eq!(store.add(&small(acknowledged + 1)).expect("the next is stored"), acknowledged + 1);
        acknowledged += 1;
        if !was_refused {
            break;
        }
    }
    drop(store);
    assert_eq!(problem(small, &Disk::of(folder.path()).with_nothing_more(), acknowledged), Ok(()));
}
