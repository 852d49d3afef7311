//! Invalid database files: rejected with a fix, and unchanged.

use std::fs;
use std::path::Path;

use benchbook_server::store::{ResultFilter, SqliteStore, Store, StoreError};
use benchbook_store_support::synthetic::{World, query_for};

use crate::database::{DatabaseFolder, add, measured};

/// A folder with a closed database of a few results.
fn with_results() -> DatabaseFolder {
    DatabaseFolder::of_results(0..20)
}

/// A folder as after a crash: the write-ahead log contains the effects of `sql`.
fn with_log(sql: &str) -> DatabaseFolder {
    let folder = with_results();
    folder.sql_before_crash(sql);
    folder
}

/// Checks that opening fails with an error that contains all of `words`, and changes no file.
#[track_caller]
fn assert_rejected(folder: &DatabaseFolder, words: &[&str]) {
    let before = folder.files();
    let error = match SqliteStore::open(&folder.path()) {
        Err(StoreError::Unusable(error)) => error,
        other => panic!("expected a rejection, not {other:?}"),
    };
    assert!(error.contains(&*folder.path().to_string_lossy()), "{error}");
    assert!(words.iter().all(|word| error.contains(word)), "{error}");
    folder.assert_unchanged(&before);
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
        let folder = with_results();
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
        folder.sql(sql);
        folder
    };
    let without_database = with_log("DELETE FROM samples");
    fs::remove_file(without_database.path()).expect("a removable file");
    for (folder, words) in [
        (with_text("# Our notes\n".repeat(500)), [FOREIGN, "Choose another file"]),
        (with_text(String::new()), ["is an empty file", "Delete it"]),
        // The databases of other programs.
        (with_sql("CREATE TABLE results (id INTEGER); INSERT INTO results VALUES (1)"), [FOREIGN, ""]),
        (with_sql("PRAGMA application_id = 7; PRAGMA user_version = -1; CREATE TABLE t (a)"), [FOREIGN, ""]),
        (with_sql("PRAGMA journal_mode = WAL; CREATE TABLE t (a)"), [FOREIGN, ""]),
        // The version before the first released one.
        (prepared(|folder| drop(folder.sql("PRAGMA user_version = 2"))), ["version 2", "uses version 4"]),
        (prepared(|folder| drop(folder.sql("PRAGMA user_version = 99"))), ["version 99", "uses version 4"]),
        (with_log("PRAGMA user_version = 99"), ["version 99", "uses version 4"]),
        (prepared(overwritten), [FOREIGN, ""]),
        (prepared(truncated), ["is damaged", ""]),
        (without_database, ["is missing", "results.db-wal"]),
    ] {
        assert_rejected(&folder, &words);
    }
    let folder = DatabaseFolder::new();
    fs::create_dir(folder.path()).expect("a new folder");
    let error = SqliteStore::open(&folder.path()).expect_err("a rejection").to_string();
    assert!(error.contains("cannot be read"), "{error}");
}

#[test]
fn rejects_a_damaged_page() {
    let folder = with_results();
    let last = fs::metadata(folder.path()).expect("the file exists").len() as usize - 4096;
    for page in (4096..last).step_by(4096) {
        let good = folder.files();
        overwrite(&folder.path(), page, &[0xff; 64]);
        assert_rejected(&folder, &["is damaged", ".recover"]);
        fs::write(folder.path(), &good[&folder.path()]).expect("a writable file");
    }
    drop(folder.open());
}

#[test]
fn rejects_a_second_runner() {
    let folder = with_results();
    let store = folder.open();
    assert_rejected(&folder, &["in use by another benchbook-server"]);
    store.add(&World::SMALL.result(0)).expect("the first runner continues");
    drop(store);
    drop(folder.open());
}

#[test]
fn names_a_missing_folder() {
    let folder = DatabaseFolder::new();
    let path = folder.file("missing/results.db");
    let error = SqliteStore::open(&path).expect_err("the folder is missing").to_string();
    assert!(error.contains("missing/results.db") && error.contains("cannot create"), "{error}");
}

#[test]
fn errors_at_run_time_state_path_and_fix() {
    let folder = with_results();
    let store = folder.open();
    folder.sql("PRAGMA foreign_keys = OFF; DROP TABLE subjects");
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
    fs::copy(folder.path(), folder.file("results.db.copy")).expect("the file is readable");
    fs::rename(folder.file("results.db.copy"), folder.path()).expect("the folder is writable");
}

/// Changes the files of an open database.
#[cfg(unix)]
type FileChange = fn(&DatabaseFolder);

#[cfg(unix)]
#[test]
fn stores_nothing_after_the_files_were_moved_deleted_or_replaced() {
    let changes: [(&str, FileChange); 4] = [
        ("deleted", |folder| fs::remove_file(folder.path()).expect("a removable file")),
        ("moved", |folder| fs::rename(folder.path(), folder.file("results.db.moved")).expect("a movable file")),
        ("replaced", replace_by_copy),
        ("log deleted", |folder| fs::remove_file(folder.file("results.db-wal")).expect("a removable file")),
    ];
    for (name, change) in changes {
        let folder = with_results();
        let store = folder.open();
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
            fs::rename(folder.file("results.db.moved"), folder.path()).expect("a movable file");
            assert_eq!(store.add(&World::SMALL.result(1)).expect("the database is there again"), last + 1);
        }
    }
}

/// The names of the files in the folder.
#[cfg(unix)]
fn names(folder: &DatabaseFolder) -> Vec<String> {
    let files = folder.files();
    files.keys().map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned()).collect()
}

#[cfg(unix)]
#[test]
fn a_copy_that_replaced_the_database_is_used_without_the_previous_log() {
    let folder = with_results();
    fs::copy(folder.path(), folder.file("results.db.copy")).expect("the file is readable");
    let store = folder.open();
    store.add(&World::SMALL.result(0)).expect("the result is stored");
    fs::rename(folder.file("results.db.copy"), folder.path()).expect("the folder is writable");
    drop(store);
    let store = folder.open();
    assert_eq!(newest(&store, 50).len(), 20, "the copy does not contain the last result");
    assert_eq!(store.add(&World::SMALL.result(0)).expect("the result is stored"), 21);
    assert!(names(&folder).contains(&"results.db-wal.foreign-1".to_owned()), "{:?}", names(&folder));
}

/// As after a crash of the runner whose database was replaced.
#[test]
fn a_log_of_another_database_does_not_make_an_intact_one_unusable() {
    let folder = with_log(
        "INSERT INTO machines (identity) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) \
         SELECT i FROM n; DELETE FROM samples",
    );
    let other = DatabaseFolder::new();
    let store = other.open();
    add(&store, 100..110);
    let expected: Vec<_> = (1..=10).map(|id| store.result(id).expect("the query succeeds")).collect();
    drop(store);
    fs::copy(other.path(), folder.path()).expect("the folder is writable");
    let log = fs::read(folder.file("results.db-wal")).expect("a write-ahead log");

    let store = folder.open();
    assert_eq!((1..=10).map(|id| store.result(id).expect("the query succeeds")).collect::<Vec<_>>(), expected);
    assert_eq!(newest(&store, 50).len(), 10);
    assert_eq!(fs::read(folder.file("results.db-wal.foreign-1")).expect("the previous log"), log);
    assert_eq!(store.add(&World::SMALL.result(0)).expect("the result is stored"), 11);
}

#[test]
fn ignores_unfinished_files_of_a_crash() {
    let folder = DatabaseFolder::new();
    for end in [".new", ".new-wal", ".new-journal"] {
        fs::write(folder.file(&format!("results.db{end}")), "half").expect("a writable file");
    }
    let store = folder.open();
    assert_eq!(store.add(&World::SMALL.result(0)).expect("the result is stored"), 1);
}

#[test]
fn reads_the_log() {
    let folder = with_log("UPDATE subjects SET results = 77");
    let store = folder.open();
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
        let folder = with_results();
        folder.sql(&format!("UPDATE results SET {column} = '{{' WHERE id IN (18, 20)"));
        let store = folder.open();
        assert_eq!(newest(&store, 3), [19, 17, 16], "{column}");
        assert_eq!(newest(&store, 50).len(), 18);
        assert_eq!(store.result(20).expect("the query succeeds"), None);
        assert!(store.result(19).expect("the query succeeds").is_some());
        assert_eq!(store.unreadable_rows(), 2, "each counts once");
    }
}

#[test]
fn unreadable_points_count_as_not_stored() {
    let new = measured();
    let of_result = "IN (SELECT id FROM points WHERE result = RESULT)";
    for (damage, is_listed) in [
        ("UPDATE points SET measured = '{' WHERE result = RESULT".to_owned(), false),
        (format!("UPDATE samples SET runs = x'0102' WHERE point {of_result}"), true),
        (format!("DELETE FROM samples WHERE point {of_result}"), true),
    ] {
        let folder = DatabaseFolder::new();
        let store = folder.open();
        let ids = [(); 2].map(|()| store.add(&new).expect("the result is stored"));
        drop(store);
        folder.sql(&damage.replace("RESULT", &ids[1].to_string()));
        let store = folder.open();
        let found = store.find(&query_for(&new)).expect("the query succeeds");
        assert!(!found.is_empty() && found.iter().all(|found| found.result == ids[0]), "{damage}: {found:?}");
        let point = &new.response.points[0];
        let samples = store.samples(ids[1], &point.function, &point.x).expect("the query succeeds");
        assert_eq!(samples.is_none(), is_listed, "{damage}");
        let points = store.result(ids[1]).expect("the query succeeds").expect("the result is stored").response.points;
        assert_eq!(points.len(), if is_listed { new.response.points.len() } else { 0 });
        assert!(store.unreadable_rows() > 0);

        drop(store);
        folder.sql(&damage.replace("RESULT", &ids[0].to_string()));
        let store = folder.open();
        assert_eq!(store.find(&query_for(&new)).expect("the query succeeds"), []);
    }
}
