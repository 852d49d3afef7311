//! A folder with a database, for tests of its files.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use benchbook_server::store::{NewResult, SqliteStore, Store};
use benchbook_store_support::synthetic::World;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tempfile::TempDir;

/// A folder with a database `results.db`, or with another file of this name.
pub struct DatabaseFolder {
    folder: TempDir,
}

impl DatabaseFolder {
    pub fn new() -> Self {
        Self { folder: TempDir::new().expect("a temporary folder") }
    }

    /// A folder with a closed database of the results that these seeds generate.
    pub fn of_results(seeds: Range<u64>) -> Self {
        let folder = Self::new();
        add(&folder.open(), seeds);
        folder
    }

    /// The path of the folder.
    pub fn text(&self) -> &str {
        self.folder.path().to_str().expect("a UTF-8 path")
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The path of the database.
    pub fn path(&self) -> PathBuf {
        self.file("results.db")
    }

    pub fn open(&self) -> SqliteStore {
        self.open_file("results.db")
    }

    pub fn open_file(&self, name: &str) -> SqliteStore {
        SqliteStore::open(&self.file(name)).expect("the database opens")
    }

    pub fn sql(&self, sql: &str) -> Connection {
        let database = Connection::open(self.path()).expect("a database");
        database.execute_batch(sql).expect("valid SQL");
        database
    }

    /// Executes `sql`. Its effects are only in the write-ahead log, as after a crash.
    pub fn sql_before_crash(&self, sql: &str) {
        let database = self.sql(sql);
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).expect("a known setting");
        drop(database);
        assert!(fs::metadata(self.file("results.db-wal")).expect("a write-ahead log").len() > 0);
    }

    /// The contents of all files.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let entries = fs::read_dir(self.folder.path()).expect("a readable folder");
        let paths = entries.map(|entry| entry.expect("a readable folder").path());
        paths.map(|path| (path.clone(), fs::read(&path).expect("it is readable"))).collect()
    }

    /// Checks that the folder has the same files as `before`.
    #[track_caller]
    pub fn assert_unchanged(&self, before: &BTreeMap<PathBuf, Vec<u8>>) {
        let after = self.files();
        assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
        assert!(*before == after, "a file changed");
    }
}

/// Stores the results that these seeds generate.
pub fn add(store: &SqliteStore, seeds: Range<u64>) {
    for seed in seeds {
        store.add(&World::SMALL.result(seed)).expect("the result is stored");
    }
}

/// A result without failed points.
pub fn measured() -> NewResult {
    let is_measured = |result: &NewResult| result.response.points.iter().all(|point| point.measured().is_some());
    (0..).map(|seed| World::SMALL.result(seed)).find(is_measured).expect("an infinite range")
}
