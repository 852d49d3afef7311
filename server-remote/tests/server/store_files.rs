//! Invalid database files: rejected with a remedy, and unchanged.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use benchbook_server::store::{NewResult, ResultFilter, SqliteStore, Store, StoreError};
use benchbook_store_support::synthetic::{World, query_for};
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tempfile::TempDir;

/// A folder with a database or another file of its name.
struct DatabaseFolder {
    folder: TempDir,
}

impl DatabaseFolder {
    fn new() -> Self {
        Self { folder: TempDir::new().expect("a temporary folder") }
    }

    /// A folder with a closed database of a few results.
    fn with_results() -> Self {
        let folder = Self::new();
        let store = folder.open().expect("a new database");
        for seed in 0..20 {
            store.add(&World::SMALL.result(seed)).expect("the result is stored");
        }
        drop(store);
        folder
    }

    /// A folder as after a crash: the write-ahead log contains the effects of `sql`.
    fn with_log(sql: &str) -> Self {
        let folder = Self::with_results();
        let database = folder.sql(sql);
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).expect("a known setting");
        drop(database);
        assert!(fs::metadata(folder.sibling("-wal")).expect("a write-ahead log").len() > 0);
        folder
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("results.db")
    }

    fn sibling(&self, end: &str) -> PathBuf {
        self.folder.path().join(format!("results.db{end}"))
    }

    fn open(&self) -> Result<SqliteStore, StoreError> {
        SqliteStore::open(&self.path())
    }

    fn sql(&self, sql: &str) -> Connection {
        let database = Connection::open(self.path()).expect("a database");
        database.execute_batch(sql).expect("valid SQL");
        database
    }

    /// The contents of all files.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let entries = fs::read_dir(self.folder.path()).expect("a readable folder");
        let paths = entries.map(|entry| entry.expect("a readable folder").path());
        paths.map(|path| (path.clone(), fs::read(&path).expect("it is readable"))).collect()
    }

    /// Checks that opening fails with an error that contains all of `words`, and changes no file.
    #[track_caller]
    fn assert_rejected(&self, words: &[&str]) {
        let before = self.files();
        let error = match self.open() {
            Err(StoreError::Unusable(error)) => error,
            other => panic!("expected a rejection, not {other:?}"),
        };
        assert!(error.contains(&*self.path().to_string_lossy()), "{error}");
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
        let after = self.files();
        assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
        assert!(before == after, "a file changed");
    }
}

fn overwrite(path: &Path, at: usize, bytes: &[u8]) {
    let mut file = fs::read(path).expect("it is readable");
    file[at..at + bytes.len()].copy_from_slice(bytes);
    fs::write(path, file).expect("a writable file");
}

/// Prepares the file at the path of the database.
type Preparation = fn(&DatabaseFolder);

#[test]
fn rejects_files_that_are_no_usable_database() {
    const FOREIGN: &str = "not a database of benchbook-server";
    let overwritten: Preparation = |folder| overwrite(&folder.path(), 0, b"SQLite formaz 3");
    let truncated: Preparation = |folder| {
        let file = fs::read(folder.path()).expect("it is readable");
        fs::write(folder.path(), &file[..file.len() / 2]).expect("a writable file");
    };
    let prepared = |prepare: Preparation| {
        let folder = DatabaseFolder::with_results();
        prepare(&folder);
        folder
    };
    let with_text = |text: String| {
        let folder = DatabaseFolder::new();
        fs::write(folder.path(), text).expect("a writable file");
        folder
    };
    let with_sql = |sql: &str| {
        let folder = DatabaseFolder::new();
        drop(folder.sql(sql));
        folder
    };
    let without_database = DatabaseFolder::with_log("DELETE FROM samples");
    fs::remove_file(without_database.path()).expect("a removable file");
    for (folder, words) in [
        (with_text("# Our notes\n".repeat(500)), [FOREIGN, "Choose another file"]),
        (with_text(String::new()), ["is an empty file", "Delete it"]),
        // The databases of other programs.
        (with_sql("CREATE TABLE results (id INTEGER); INSERT INTO results VALUES (1)"), [FOREIGN, ""]),
        (with_sql("PRAGMA application_id = 7; PRAGMA user_version = -1; CREATE TABLE t (a)"), [FOREIGN, ""]),
        (with_sql("PRAGMA journal_mode = WAL; CREATE TABLE t (a)"), [FOREIGN, ""]),
        (prepared(|folder| drop(folder.sql("PRAGMA user_version = 99"))), ["version 99", "newer benchbook-server"]),
        (DatabaseFolder::with_log("PRAGMA user_version = 99"), ["version 99", "newer benchbook-server"]),
        (prepared(overwritten), [FOREIGN, ""]),
        (prepared(truncated), ["is damaged", ""]),
        (without_database, ["is missing", "results.db-wal"]),
    ] {
        folder.assert_rejected(&words);
    }
    let folder = DatabaseFolder::new();
    fs::create_dir(folder.path()).expect("a new folder");
    let error = folder.open().expect_err("a rejection").to_string();
    assert!(error.contains("cannot be read"), "{error}");
}

#[test]
fn rejects_a_damaged_page() {
    let folder = DatabaseFolder::with_results();
    let last = fs::metadata(folder.path()).expect("the file exists").len() as usize - 4096;
    for page in (4096..last).step_by(4096) {
        let good = folder.files();
        overwrite(&folder.path(), page, &[0xff; 64]);
        folder.assert_rejected(&["is damaged", ".recover"]);
        fs::write(folder.path(), &good[&folder.path()]).expect("a writable file");
    }
    assert!(folder.open().is_ok());
}

#[test]
fn rejects_a_second_runner() {
    let folder = DatabaseFolder::with_results();
    let store = folder.open().expect("the database opens");
    folder.assert_rejected(&["in use by another benchbook-server"]);
    store.add(&World::SMALL.result(0)).expect("the first runner continues");
    drop(store);
    assert!(folder.open().is_ok());
}

#[test]
fn names_a_missing_folder() {
    let folder = DatabaseFolder::new();
    let path = folder.folder.path().join("missing/results.db");
    let error = SqliteStore::open(&path).expect_err("the folder is missing").to_string();
    assert!(error.contains("missing/results.db") && error.contains("cannot create"), "{error}");
}

#[test]
fn errors_at_run_time_state_path_and_remedy() {
    let folder = DatabaseFolder::with_results();
    let store = folder.open().expect("the database opens");
    drop(folder.sql("PRAGMA foreign_keys = OFF; DROP TABLE subjects"));
    let reading = store.functions().expect_err("the table is missing");
    let writing = store.add(&World::SMALL.result(0)).expect_err("the table is missing");
    for error in [reading, writing] {
        let text = error.to_string();
        assert!(text.contains(&*folder.path().to_string_lossy()) && text.contains("no such table"), "{text}");
        assert!(text.contains("Restart the runner"), "{text}");
    }
}

/// Replaces the database by a copy, as a backup program does.
#[cfg(unix)]
fn replace_by_copy(folder: &DatabaseFolder) {
    fs::copy(folder.path(), folder.sibling(".copy")).expect("the file is readable");
    fs::rename(folder.sibling(".copy"), folder.path()).expect("the folder is writable");
}

/// Changes the files of an open database.
#[cfg(unix)]
type FileChange = fn(&DatabaseFolder);

#[cfg(unix)]
#[test]
fn stores_nothing_after_the_files_were_moved_deleted_or_replaced() {
    let changes: [(&str, FileChange); 4] = [
        ("deleted", |folder| fs::remove_file(folder.path()).expect("a removable file")),
        ("moved", |folder| fs::rename(folder.path(), folder.sibling(".moved")).expect("a movable file")),
        ("replaced", replace_by_copy),
        ("log deleted", |folder| fs::remove_file(folder.sibling("-wal")).expect("a removable file")),
    ];
    for (name, change) in changes {
        let folder = DatabaseFolder::with_results();
        let store = folder.open().expect("the database opens");
        let last = store.add(&World::SMALL.result(0)).expect("the result is stored");
        let before = (newest(&store, 3), store.revision());
        change(&folder);
        let error = store.add(&World::SMALL.result(1)).expect_err(name).to_string();
        assert!(error.contains(&*folder.path().to_string_lossy()), "{error}");
        assert!(error.contains("moved, deleted or replaced") && error.contains("restart the runner"), "{error}");
        assert!(store.clear().is_err(), "{name}");
        assert_eq!((newest(&store, 3), store.revision()), before, "{name}: stored results can be read");
        assert_eq!(before.0[0], last);
        if name == "moved" {
            fs::rename(folder.sibling(".moved"), folder.path()).expect("a movable file");
            assert_eq!(store.add(&World::SMALL.result(1)).expect("the database is there again"), last + 1);
        }
    }
}

/// The names of the files in the folder.
#[cfg(unix)]
fn names(folder: &DatabaseFolder) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    folder.files().keys().map(name).collect()
}

#[cfg(unix)]
#[test]
fn a_copy_that_replaced_the_database_is_used_without_the_previous_log() {
    let folder = DatabaseFolder::with_results();
    fs::copy(folder.path(), folder.sibling(".copy")).expect("the file is readable");
    let store = folder.open().expect("the database opens");
    store.add(&World::SMALL.result(0)).expect("the result is stored");
    fs::rename(folder.sibling(".copy"), folder.path()).expect("the folder is writable");
    drop(store);
    let store = folder.open().expect("the copy opens");
    assert_eq!(newest(&store, 50).len(), 20, "the copy does not contain the last result");
    assert_eq!(store.add(&World::SMALL.result(0)).expect("the result is stored"), 21);
    assert!(names(&folder).contains(&"results.db-wal.foreign-1".to_owned()), "{:?}", names(&folder));
}

/// As after a crash of the runner whose database was replaced.
#[test]
fn a_log_of_another_database_does_not_make_an_intact_one_unusable() {
    let folder = DatabaseFolder::with_log(
        "INSERT INTO machines (identity) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) \
         SELECT i FROM n; DELETE FROM samples",
    );
    let other = DatabaseFolder::new();
    let store = other.open().expect("a new database");
    for seed in 100..110 {
        store.add(&World::SMALL.result(seed)).expect("the result is stored");
    }
    let expected: Vec<_> = (1..=10).map(|id| store.result(id).expect("the query succeeds")).collect();
    drop(store);
    fs::copy(other.path(), folder.path()).expect("the folder is writable");
    let log = fs::read(folder.sibling("-wal")).expect("a write-ahead log");

    let store = folder.open().expect("the database opens");
    assert_eq!((1..=10).map(|id| store.result(id).expect("the query succeeds")).collect::<Vec<_>>(), expected);
    assert_eq!(newest(&store, 50).len(), 10);
    assert_eq!(fs::read(folder.sibling("-wal.foreign-1")).expect("the previous log"), log);
    assert_eq!(store.add(&World::SMALL.result(0)).expect("the result is stored"), 11);
}

#[test]
fn ignores_unfinished_files_of_a_crash() {
    let folder = DatabaseFolder::new();
    for end in [".new", ".new-wal", ".new-journal"] {
        fs::write(folder.sibling(end), "half").expect("a writable file");
    }
    let store = folder.open().expect("a new database");
    assert_eq!(store.add(&World::SMALL.result(0)).expect("the result is stored"), 1);
}

#[test]
fn reads_the_log() {
    let folder = DatabaseFolder::with_log("UPDATE subjects SET results = 77");
    let store = folder.open().expect("the database opens");
    assert!(store.functions().expect("the query succeeds").iter().all(|function| function.results % 77 == 0));
}

/// The numbers of the newest results.
fn newest(store: &SqliteStore, limit: u32) -> Vec<u64> {
    let filter = ResultFilter { limit, ..ResultFilter::default() };
    store.results(&filter).expect("the query succeeds").iter().map(|card| card.id).collect()
}

/// A page contains older results instead.
#[test]
fn skips_unreadable_results() {
    for column in ["request", "quality", "machine", "comparisons"] {
        let folder = DatabaseFolder::with_results();
        drop(folder.sql(&format!("UPDATE results SET {column} = '{{' WHERE id IN (18, 20)")));
        let store = folder.open().expect("the database opens");
        assert_eq!(newest(&store, 3), [19, 17, 16], "{column}");
        assert_eq!(newest(&store, 50).len(), 18);
        assert_eq!(store.result(20).expect("the query succeeds"), None);
        assert!(store.result(19).expect("the query succeeds").is_some());
        assert_eq!(store.unreadable_rows(), 2, "each counts once");
    }
}

#[test]
fn unreadable_points_count_as_not_stored() {
    let is_measured = |result: &NewResult| result.response.points.iter().all(|point| point.measured().is_some());
    let new = (0..).map(|seed| World::SMALL.result(seed)).find(is_measured).expect("an infinite range");
    let of_result = "IN (SELECT id FROM points WHERE result = RESULT)";
    for (damage, is_listed) in [
        ("UPDATE points SET measured = '{' WHERE result = RESULT".to_owned(), false),
        (format!("UPDATE samples SET runs = x'0102' WHERE point {of_result}"), true),
        (format!("DELETE FROM samples WHERE point {of_result}"), true),
    ] {
        let folder = DatabaseFolder::new();
        let store = folder.open().expect("a new database");
        let ids = [(); 2].map(|()| store.add(&new).expect("the result is stored"));
        drop(store);
        drop(folder.sql(&damage.replace("RESULT", &ids[1].to_string())));
        let store = folder.open().expect("the database opens");
        let found = store.find(&query_for(&new)).expect("the query succeeds");
        assert!(!found.is_empty() && found.iter().all(|found| found.result == ids[0]), "{damage}: {found:?}");
        let point = &new.response.points[0];
        let samples = store.samples(ids[1], &point.function, &point.x).expect("the query succeeds");
        assert_eq!(samples.is_none(), is_listed, "{damage}");
        let points = store.result(ids[1]).expect("the query succeeds").expect("the result is stored").response.points;
        assert_eq!(points.len(), if is_listed { new.response.points.len() } else { 0 });
        assert!(store.unreadable_rows() > 0);

        drop(store);
        drop(folder.sql(&damage.replace("RESULT", &ids[0].to_string())));
        let store = folder.open().expect("the database opens");
        assert_eq!(store.find(&query_for(&new)).expect("the query succeeds"), []);
    }
}
