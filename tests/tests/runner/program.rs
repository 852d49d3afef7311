//! The runner's command line: deleting results, and logging.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use benchbook_host::api::StoredResults;
use benchbook_tests::ready_runner::RunnerSetup;
use benchbook_tests::runner::{RunnerProgram, command};
use benchbook_tests::suites::fixture;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::Value;

/// Starts a runner with these arguments and returns its number of results.
async fn results(database: &Path, arguments: &[&str]) -> usize {
    let runner = RunnerProgram::start_at(database, &[&fixture("ladder").unwrap().program], arguments).unwrap();
    let listed: StoredResults = runner.get("results").send().await.unwrap().json().await.unwrap();
    let (status, log) = runner.terminate().unwrap();
    assert!(status.success(), "{status}: {log:?}");
    listed.results.len()
}

/// Creates a database with one result. Returns its path and that of its suite.
async fn one_result(folder: &Path) -> (PathBuf, PathBuf) {
    let database = folder.join("results.sqlite");
    let suite = fixture("ladder").unwrap().program;
    let start = RunnerSetup { database: Some(database.clone()), ..RunnerSetup::with(&suite) };
    let ready = start.start().await.unwrap();
    ready.measure(&ready.request(&["rungs::one"], 1)).await.unwrap();
    ready.runner.terminate().unwrap();
    (database, suite)
}

#[tokio::test(flavor = "current_thread")]
async fn empty_requires_yes_without_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let (database, suite) = one_result(folder.path()).await;

    let error = RunnerProgram::start_at(&database, &[&suite], &["--empty"]).err().unwrap().to_string();
    assert!(error.contains("exit status: 1") && error.contains("standard input is not a terminal"), "{error}");
    assert!(error.contains("add --yes"), "{error}");
    assert_eq!(results(&database, &[]).await, 1);
    assert_eq!(results(&database, &["--empty", "--yes"]).await, 0);
    assert_eq!(results(&database, &[]).await, 0);
}

#[tokio::test(flavor = "current_thread")]
async fn empty_requires_confirmation_at_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let (database, suite) = one_result(folder.path()).await;

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
        let runner = RunnerProgram::start_command(command, &database, &[&suite], &["--empty"]);
        drop(other_end);
        runner
    };
    let error = type_in("no\n").err().unwrap().to_string();
    assert!(error.contains("Delete all 1 stored results permanently?"), "{error}");
    assert!(error.contains("nothing was deleted"), "{error}");
    assert_eq!(results(&database, &[]).await, 1);
    type_in("yes\n").unwrap().terminate().unwrap();
    assert_eq!(results(&database, &[]).await, 0);
}

/// The limits apply, and isolation that is not configured is not missing.
#[tokio::test(flavor = "current_thread")]
async fn the_log_of_a_quiet_start_has_no_warnings_about_protections() {
    let suite = fixture("ladder").unwrap().program;
    let runner = RunnerProgram::start(&[&suite], &["--isolation", "none"]).unwrap();
    let (status, log) = runner.terminate().unwrap();
    let log = log.concat();
    assert!(status.success() && !log.contains("suites run without") && !log.contains("does not apply"), "{log}");
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
    let suite = fixture("misbehaving").unwrap().program;
    let start =
        RunnerSetup { lines: "log = { format = \"json\", level = \"debug\" }".to_owned(), ..RunnerSetup::with(&suite) };
    let ready = start.start().await.unwrap();
    ready.measure(&ready.request(&["functions::exits"], 1)).await.unwrap();
    let (_, log) = ready.runner.terminate().unwrap();
    let logged = messages(log.iter().map(String::as_str));
    for part in ["opened ", "shutting down"] {
        assert!(logged.iter().any(|message| message.contains(part)), "{logged:?} has no `{part}`");
    }

    // This includes errors at startup.
    let arguments = ["--log-format", "json", "--empty"];
    let error = RunnerProgram::start(&[&suite], &arguments).err().unwrap().to_string();
    let (_, log) = error.split_once("): ").unwrap();
    let logged = messages(log.lines());
    assert!(logged.last().unwrap().contains("add --yes"), "{logged:?}");
}
