//! The commands that work on the database, run as programs.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use benchbook_contract::parameter::Argument;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::api::StoredResult;
use benchbook_host::response::{Outcome, Point};
use benchbook_host::units::SPACE;
use benchbook_server::store::{NewResult, SqliteStore, Store};
use benchbook_store_support::synthetic::World;

use crate::database::{DatabaseFolder, add};

/// All results.
fn contents(store: &SqliteStore) -> Vec<StoredResult> {
    let results = (1..).map_while(|id| store.result(id).expect("the query succeeds")).collect::<Vec<_>>();
    assert_eq!(results.len() as u64, store.count().expect("the query succeeds"));
    results
}

/// Runs `benchbook-server`. `FOLDER` is replaced in the arguments.
fn run(folder: &DatabaseFolder, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_benchbook-server"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("BENCHBOOK_")) {
        command.env_remove(name);
    }
    let folder = folder.text();
    command.args(arguments.split_whitespace().map(|word| word.replace("FOLDER", folder)));
    command.args(["--database", &format!("{folder}/results.db")]).output().expect("the program starts")
}

/// The output of a command that succeeds, without the folder's path.
#[track_caller]
fn succeed(folder: &DatabaseFolder, arguments: &str) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.replace(folder.text(), "FOLDER")
}

/// Checks that a command exits with 1, states all of `words`, and changes no file.
#[track_caller]
fn fail(folder: &DatabaseFolder, arguments: &str, words: &[&str]) {
    let before = folder.files();
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(error.starts_with("error: ") && words.iter().all(|word| error.contains(word)), "{error}");
    folder.assert_unchanged(&before);
}

/// Damages a page in the middle of a file.
fn damage(path: &Path) {
    let mut file = fs::read(path).expect("it is readable");
    let middle = file.len() / 2 / 4096 * 4096;
    file[middle..middle + 64].fill(0xff);
    fs::write(path, file).expect("a writable file");
}

#[test]
fn backs_up_a_database_in_use() {
    let folder = DatabaseFolder::of_results(0..10);
    let store = folder.open();
    add(&store, 10..15);
    let expected = contents(&store);
    let points: usize = expected.iter().map(|result| result.response.points.len()).sum();
    let output = succeed(&folder, "backup FOLDER/copy.db");
    assert_eq!(
        output,
        format!("The backup FOLDER/copy.db of FOLDER/results.db is complete: results: 15, points: {points}.\n")
    );
    add(&store, 15..16);
    assert_eq!(contents(&folder.open_file("copy.db")), expected);
    assert_eq!(contents(&store).len(), 16, "the runner continues");
}

#[test]
fn a_backup_creates_one_file() {
    let folder = DatabaseFolder::of_results(0..10);
    let before = folder.files();
    succeed(&folder, "backup FOLDER/copy.db");
    let mut after = folder.files();
    assert!(after.remove(&folder.file("copy.db")).is_some());
    assert!(before == after, "another file changed");
    fail(&folder, "backup FOLDER/copy.db", &["copy.db already exists", "Choose another file"]);
    fail(&folder, "backup FOLDER/results.db", &["results.db already exists"]);
    fail(
        &folder,
        "backup FOLDER/missing/copy.db",
        &["missing/copy.db cannot be created", "Check that its folder exists"],
    );
    damage(&folder.path());
    fail(&folder, "backup FOLDER/other.db", &["is damaged"]);
    fs::remove_file(folder.path()).expect("a removable file");
    fail(&folder, "backup FOLDER/other.db", &["results.db does not exist"]);
}

#[test]
fn verifies_without_writing() {
    let folder = DatabaseFolder::of_results(0..10);
    let before = folder.files();
    let points: usize = contents(&folder.open()).iter().map(|result| result.response.points.len()).sum();
    let intact = format!("The database FOLDER/results.db is intact: version 4, results: 10, points: {points}.\n");
    assert_eq!(succeed(&folder, "verify"), intact);
    assert_eq!(succeed(&folder, "verify FOLDER/results.db"), intact);
    folder.assert_unchanged(&before);
    let store = folder.open();
    assert_eq!(succeed(&folder, "verify"), intact, "in use");
    drop(store);
    fail(&folder, "verify FOLDER/missing.db", &["missing.db does not exist"]);
    damage(&folder.path());
    fail(&folder, "verify", &["results.db is damaged", "benchbook-server restore FILE"]);
}

#[test]
fn restores_a_backup_and_keeps_the_previous_database() {
    let folder = DatabaseFolder::of_results(0..10);
    let backup = contents(&folder.open());
    succeed(&folder, "backup FOLDER/copy.db");
    let store = folder.open();
    add(&store, 10..15);
    let previous = contents(&store);
    fail(&folder, "restore FOLDER/copy.db", &["in use by another benchbook-server"]);
    drop(store);
    // As after a crash: some of the previous results are only in the log.
    folder.sql_before_crash("UPDATE subjects SET newest = 7");

    fail(&folder, "restore FOLDER/results.db", &["is the database to be replaced"]);
    let output = succeed(&folder, "restore FOLDER/copy.db");
    let lines: Vec<&str> = output.lines().collect();
    assert!(
        lines[0].starts_with("The database FOLDER/results.db was restored from FOLDER/copy.db: results: 10, "),
        "{output}"
    );
    assert_eq!(lines[1], "The previous database is now FOLDER/results.db.previous-1.");
    assert_eq!(contents(&folder.open()), backup);
    let restored = folder.open_file("results.db.previous-1");
    assert_eq!(contents(&restored), previous);
    assert!(restored.functions().expect("the query succeeds").iter().all(|function| function.newest == 7));
    assert!(succeed(&folder, "restore FOLDER/copy.db").contains("results.db.previous-2"));
}

#[test]
fn restores_to_a_new_path() {
    let folder = DatabaseFolder::of_results(0..3);
    let backup = contents(&folder.open());
    let other = DatabaseFolder::of_results(5..6);
    fs::remove_file(other.path()).expect("a removable file");
    fs::copy(folder.path(), other.file("copy.db")).expect("the folder is writable");
    let output = succeed(&other, "restore FOLDER/copy.db");
    assert!(!output.contains("previous"), "{output}");
    assert_eq!(contents(&other.open()), backup);
}

#[test]
fn restores_only_intact_backups() {
    let folder = DatabaseFolder::of_results(0..10);
    fs::copy(folder.path(), folder.file("copy.db")).expect("the folder is writable");
    damage(&folder.file("copy.db"));
    fs::write(folder.file("notes.txt"), "# Our notes\n".repeat(500)).expect("a writable file");
    fail(&folder, "restore FOLDER/copy.db", &["copy.db is damaged"]);
    fail(&folder, "restore FOLDER/notes.txt", &["is not a database of benchbook-server"]);
    fail(&folder, "restore FOLDER/missing.db", &["missing.db does not exist"]);
}

/// A result of a function that takes 10 ns per item and of one that takes 1 µs, up to 64 000 items, with intervals of ±20%.
fn linear_and_constant() -> NewResult {
    let mut result =
        (0..).map(|seed| World::SMALL.result(seed)).find(|result| result.response.points[0].measured().is_some());
    let result = result.as_mut().expect("most points are measured");
    let response = &mut result.response;
    response.request.functions = ["sorting::linear", "sorting::constant"].map(str::to_owned).to_vec();
    let point = response.points[0].clone();
    let at = |function: &str, x: f64, mean: f64| {
        let mut measured = point.measured().expect("it is measured").clone();
        measured.summary.mean = mean;
        measured.summary.mean_interval = Some(Interval { low: 0.8 * mean, high: 1.2 * mean });
        Point { function: function.to_owned(), x: x.into(), outcome: Outcome::Measured(Box::new(measured)) }
    };
    let sizes = (0..7).map(|index| f64::from(1_000 << index));
    response.points =
        sizes.flat_map(|x| [at("sorting::linear", x, 10.0 * x), at("sorting::constant", x, 1e3)]).collect();
    result.clone()
}

#[test]
fn prints_the_largest_value_within_a_time() {
    let folder = DatabaseFolder::new();
    let store = folder.open();
    store.add(&linear_and_constant()).expect("the result is stored");
    let expected = "sorting::linear: up to size = 10 000 (8 300 to 12 500) within 100 µs.\n\
                    sorting::constant stays within 100 µs up to size = 64 000, the largest measured value.\n";
    let output = |arguments| succeed(&folder, arguments).replace(SPACE, " ");
    assert_eq!(output("largest 1 --time 100us"), expected, "in use");
    drop(store);
    let before = folder.files();
    assert_eq!(output("largest 1 --time 100us"), expected);
    assert!(
        output("largest 1 --time 1ns")
            .contains("sorting::constant takes more than 1 ns even at size = 1 000, the smallest measured value.")
    );
    folder.assert_unchanged(&before);
    fail(&folder, "largest 2 --time 1ms", &["results.db has no result 2"]);
    fs::remove_file(folder.path()).expect("a removable file");
    fail(&folder, "largest 1 --time 1ms", &["results.db does not exist"]);
}

#[test]
fn a_single_value_has_no_largest_one() {
    let folder = DatabaseFolder::new();
    let store = folder.open();
    let mut result = linear_and_constant();
    result.response.points.truncate(2);
    store.add(&result).expect("the result is stored");
    result.response.request.arguments.insert("size".to_owned(), Argument::Number(1_000.0));
    store.add(&result).expect("the result is stored");
    drop(store);
    fail(&folder, "largest 1 --time 1ms", &["two or more values of size", "Choose another result"]);
    fail(&folder, "largest 2 --time 1ms", &["the result has no axis"]);
}

/// A database with two old results of the same points.
fn two_old_results() -> DatabaseFolder {
    let folder = DatabaseFolder::of_results(7..8);
    add(&folder.open(), 7..8);
    folder.sql("UPDATE results SET stored = 1704067200000");
    folder
}

#[test]
fn prunes_a_database() {
    let folder = two_old_results();
    let trial = succeed(&folder, "prune --older-than 365d --dry-run");
    assert!(trial.starts_with("1: 2024-01-01, suite suite-") && trial.lines().count() == 2, "{trial}");
    assert!(trial.contains("\nWould delete 1 of 2 results. 1 remain, with "), "{trial}");
    assert_eq!(folder.open().count().expect("the query succeeds"), 2);
    let pruned = succeed(&folder, "prune --older-than 365d");
    assert_eq!(pruned.lines().next(), trial.lines().next());
    assert!(pruned.contains("\nDeleted 1 of 2 results. 1 remain, with "), "{pruned}");
    let rest = succeed(&folder, "prune --max-size 1kB");
    assert!(rest.contains("Deleted 0 of 1 results") && rest.contains("is the newest one of a point"), "{rest}");
    let store = folder.open();
    fail(&folder, "prune --older-than 365d", &["in use by another benchbook-server"]);
    drop(store);
    fs::remove_file(folder.path()).expect("a removable file");
    fail(&folder, "prune --older-than 365d", &["does not exist"]);
}

#[test]
fn a_runner_prunes_at_startup() {
    let folder = two_old_results();
    let mut command = Command::new(env!("CARGO_BIN_EXE_benchbook-server"));
    command
        .args(["--port", "0", "--core", "none", "--database"])
        .arg(folder.path())
        .env("BENCHBOOK_RETENTION_DAYS", "365");
    let mut runner = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let log = BufReader::new(runner.stderr.take().expect("standard error is piped"));
    let line = log.lines().map_while(Result::ok).find(|line| line.contains("`retention`"));
    runner.kill().and_then(|()| runner.wait()).expect("the program can be killed");
    assert!(line.as_ref().is_some_and(|line| line.contains("deleted=1 remaining=1")), "{line:?}");
    assert_eq!(folder.open().count().expect("the query succeeds"), 1);
}
