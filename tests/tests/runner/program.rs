//! The runner's command line: deleting results, and logging.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use benchbook_server::store::{SqliteStore, Store};
use benchbook_store_support::synthetic::World;
use benchbook_tests::ready_runner::RunnerSetup;
use benchbook_tests::runner::{RunnerProgram, command};
use benchbook_tests::suites::native;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::Value;
use tempfile::TempDir;

/// A folder with a database of one result.
fn one_result() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let database = folder.path().join("results.sqlite");
    SqliteStore::open(&database).unwrap().add(&World::SMALL.result(1)).unwrap();
    (folder, database)
}

/// The number of results in a database that no runner uses.
fn count(database: &Path) -> u64 {
    SqliteStore::open(database).unwrap().count().unwrap()
}

#[test]
fn empty_requires_yes_without_a_terminal() {
    let (_folder, database) = one_result();
    let error = RunnerProgram::start_at(&database, &[], &["--empty"]).err().unwrap().to_string();
    assert!(error.contains("exit status: 1") && error.contains("standard input is not a terminal"), "{error}");
    assert!(error.contains("add --yes"), "{error}");
    assert_eq!(count(&database), 1);
    RunnerProgram::start_at(&database, &[], &["--empty", "--yes"]).unwrap().terminate().unwrap();
    assert_eq!(count(&database), 0);
}

#[test]
fn empty_requires_confirmation_at_a_terminal() {
    let (_folder, database) = one_result();
    // The other end of the terminal must stay open until the runner has read the reply.
    let type_in = |input: &str| {
        let other_end = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&other_end).unwrap();
        unlockpt(&other_end).unwrap();
        let terminal = ptsname(&other_end, Vec::new()).unwrap().into_string().unwrap();
        let mut other_end = File::from(other_end);
        let mut command = command().unwrap();
        command.stdin(File::open(terminal).unwrap());
        other_end.write_all(input.as_bytes()).unwrap();
        let runner = RunnerProgram::start_command(command, &database, &[], &["--empty"]);
        drop(other_end);
        runner
    };
    let error = type_in("no\n").err().unwrap().to_string();
    assert!(error.contains("Delete all 1 stored results permanently?"), "{error}");
    assert!(error.contains("nothing was deleted"), "{error}");
    assert_eq!(count(&database), 1);
    type_in("yes\n").unwrap().terminate().unwrap();
    assert_eq!(count(&database), 0);
}

/// The messages of a JSON log. Each line is an object with a timestamp, a level and a target.
fn messages<'a>(log: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let message = |line| {
        let line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"));
        assert!(["timestamp", "level", "target"].iter().all(|field| line[field].is_string()), "{line}");
        line["message"].as_str().unwrap().to_owned()
    };
    log.into_iter().map(message).collect()
}

#[tokio::test(flavor = "current_thread")]
async fn json_log_has_one_object_per_line() {
    let suite = native("ladder").unwrap();
    let lines = "isolation = \"none\"\nlog = { format = \"json\", level = \"debug\" }".to_owned();
    let ready = RunnerSetup { lines, ..RunnerSetup::with(&suite) }.start().await.unwrap();
    let (status, log) = ready.runner.terminate().unwrap();
    let logged = messages(log.iter().map(String::as_str));
    for part in ["opened ", "shutting down"] {
        assert!(status.success() && logged.iter().any(|message| message.contains(part)), "{logged:?} has no `{part}`");
    }
    // The limits apply, and isolation that is not configured is not missing.
    let log = log.concat();
    assert!(!log.contains("suites run without") && !log.contains("does not apply"), "{log}");

    // This includes errors at startup.
    let arguments = ["--log-format", "json", "--empty"];
    let error = RunnerProgram::start(&[&suite], &arguments).err().unwrap().to_string();
    let (_, log) = error.split_once("): ").unwrap();
    let logged = messages(log.lines());
    assert!(logged.last().unwrap().contains("add --yes"), "{logged:?}");
}
