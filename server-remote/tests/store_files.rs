//! Files that are no database of this runner, or no longer one: refused in words that help, and left as they were.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use benchbook_server::store::synthetic::World;
use benchbook_server::store::{Filter, SqliteStore, Store, StoreError};
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tempfile::TempDir;

/// A folder with a database in it, or what calls itself one.
struct Folder {
    folder: TempDir,
}

impl Folder {
    fn new() -> Self {
        Self { folder: TempDir::new().expect("a folder can be made") }
    }

    /// With a database of a few results, closed.
    fn with_results() -> Self {
        let folder = Self::new();
        let store = folder.open().expect("a database can be made");
        for seed in 0..20 {
            store.add(&World::SMALL.result(seed)).expect("it is stored");
        }
        drop(store);
        folder
    }

    /// The same as after a crash: what was written since is in the log alone.
    fn with_log(sql: &str) -> Self {
        let folder = Self::with_results();
        let database = folder.sql(sql);
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).expect("it is known");
        drop(database);
        assert!(fs::metadata(folder.beside("-wal")).expect("there is a log").len() > 0);
        folder
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("results.db")
    }

    fn beside(&self, end: &str) -> PathBuf {
        self.folder.path().join(format!("results.db{end}"))
    }

    fn open(&self) -> Result<SqliteStore, StoreError> {
        SqliteStore::open(&self.path())
    }

    fn sql(&self, sql: &str) -> Connection {
        let database = Connection::open(self.path()).expect("it is a database");
        database.execute_batch(sql).expect("it is SQL");
        database
    }

    /// Every file, byte for byte.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let entries = fs::read_dir(self.folder.path()).expect("the folder can be read");
        let paths = entries.map(|entry| entry.expect("the folder can be read").path());
        paths.map(|path| (path.clone(), fs::read(&path).expect("it can be read"))).collect()
    }

    /// That it is refused, saying all of `words`, and nothing changes.
    #[track_caller]
    fn assert_refused(&self, words: &[&str]) {
        let before = self.files();
        let refusal = match self.open() {
            Err(StoreError::Unusable(refusal)) => refusal,
            other => panic!("it is to be refused, not {other:?}"),
        };
        assert!(refusal.contains(&*self.path().to_string_lossy()), "{refusal}");
        assert!(words.iter().all(|word| refusal.contains(word)), "{refusal}");
        let after = self.files();
        assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
        assert!(before == after, "its bytes changed");
    }
}

fn overwrite(path: &Path, at: usize, bytes: &[u8]) {
    let mut file = fs::read(path).expect("it can be read");
    file[at..at + bytes.len()].copy_from_slice(bytes);
    fs::write(path, file).expect("it can be written");
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let folder = Folder::new();
    fs::write(folder.path(), "# Our notes\n".repeat(500)).expect("it can be written");
    folder.assert_refused(&["no database of benchbook-server", "name another file"]);
}

#[test]
fn an_empty_file_is_refused() {
    let folder = Folder::new();
    fs::write(folder.path(), "").expect("it can be written");
    folder.assert_refused(&["is empty", "remove it"]);
}

#[test]
fn a_folder_is_refused() {
    let folder = Folder::new();
    fs::create_dir(folder.path()).expect("it can be made");
    let refusal = folder.open().expect_err("it is to be refused").to_string();
    assert!(refusal.contains("cannot be read"), "{refusal}");
}

#[test]
fn another_programs_database_is_refused() {
    for sql in [
        "CREATE TABLE results (id INTEGER); INSERT INTO results VALUES (1)",
        "PRAGMA application_id = 7; PRAGMA user_version = -1; CREATE TABLE t (a)",
        "PRAGMA journal_mode = WAL; CREATE TABLE t (a)",
    ] {
        let folder = Folder::new();
        drop(folder.sql(sql));
        folder.assert_refused(&["no database of benchbook-server"]);
    }
}

#[test]
fn a_newer_version_is_refused() {
    let folder = Folder::with_results();
    drop(folder.sql("PRAGMA user_version = 99"));
    folder.assert_refused(&["version 99", "newer benchbook-server"]);
}

#[test]
fn a_newer_version_in_the_log_alone_is_refused() {
    Folder::with_log("PRAGMA user_version = 99").assert_refused(&["version 99", "newer benchbook-server"]);
}

#[test]
fn a_damaged_page_is_refused() {
    let folder = Folder::with_results();
    let last = fs::metadata(folder.path()).expect("it is there").len() as usize - 4096;
    for page in (4096..last).step_by(4096) {
        let good = folder.files();
        overwrite(&folder.path(), page, &[0xff; 64]);
        folder.assert_refused(&["is damaged", ".recover"]);
        fs::write(folder.path(), &good[&folder.path()]).expect("it can be written");
    }
    assert!(folder.open().is_ok());
}

#[test]
fn a_damaged_header_is_refused() {
    let folder = Folder::with_results();
    overwrite(&folder.path(), 0, b"SQLite formaz 3");
    folder.assert_refused(&["no database of benchbook-server"]);
}

#[test]
fn a_file_cut_short_is_refused() {
    let folder = Folder::with_results();
    let file = fs::read(folder.path()).expect("it can be read");
    fs::write(folder.path(), &file[..file.len() / 2]).expect("it can be written");
    folder.assert_refused(&["is damaged"]);
}

#[test]
fn a_log_without_its_database_is_refused() {
    let folder = Folder::with_log("DELETE FROM samples");
    fs::remove_file(folder.path()).expect("it can be removed");
    folder.assert_refused(&["is missing", "results.db-wal"]);
}

#[test]
fn a_second_runner_is_refused() {
    let folder = Folder::with_results();
    let store = folder.open().expect("it opens");
    folder.assert_refused(&["in use by another benchbook-server"]);
    store.add(&World::SMALL.result(0)).expect("the first goes on");
    drop(store);
    assert!(folder.open().is_ok());
}

#[test]
fn a_folder_that_is_missing_is_named() {
    let folder = Folder::new();
    let path = folder.folder.path().join("missing/results.db");
    let refusal = SqliteStore::open(&path).expect_err("it cannot be made").to_string();
    assert!(refusal.contains("missing/results.db") && refusal.contains("cannot be made"), "{refusal}");
}

#[test]
fn what_a_crash_left_of_making_it_is_in_nobodys_way() {
    let folder = Folder::new();
    for end in [".new", ".new-wal", ".new-journal"] {
        fs::write(folder.beside(end), "half").expect("it can be written");
    }
    let store = folder.open().expect("a database can be made");
    assert_eq!(store.add(&World::SMALL.result(0)).expect("it is stored"), 1);
}

#[test]
fn what_is_in_the_log_alone_is_read() {
    let folder = Folder::with_log("UPDATE subjects SET results = 77");
    let store = folder.open().expect("it opens");
    assert!(store.functions().expect("it can be asked").iter().all(|function| function.results % 77 == 0));
}

/// A text in it that is none of ours is an error of the question, and of no other.
#[test]
fn what_cannot_be_read_is_told() {
    let folder = Folder::with_results();
    drop(folder.sql("UPDATE results SET quality = '{' WHERE id = 20"));
    let store = folder.open().expect("it opens");
    assert!(matches!(store.result(20), Err(StoreError::Database(_))));
    assert!(store.result(19).expect("it can be read").is_some());
    let filter = Filter { before: Some(20), limit: 50, ..Filter::default() };
    assert_eq!(store.results(&filter).expect("they can be read").len(), 19);
}
