//! The runner's program as its operator meets it: what it forgets, and what it logs.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use benchbook_host::api::StoredResults;
use benchbook_tests::ready::Start;
use benchbook_tests::runner::{RunnerProgram, command};
use benchbook_tests::suites::{fixture, impostor};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::Value;

/// How many results a runner has that starts with these arguments.
async fn results(database: &Path, arguments: &[&str]) -> usize {
    let runner = RunnerProgram::start_at(database, &[&fixture("ladder").unwrap().program], arguments).unwrap();
    let listed: StoredResults = runner.get("results").send().await.unwrap().json().await.unwrap();
    let (status, log) = runner.terminate().unwrap();
    assert!(status.success(), "{status}: {log:?}");
    listed.results.len()
}

/// A database with one result, in this folder, and the suite that it is of.
async fn one_result(folder: &Path) -> (PathBuf, PathBuf) {
    let database = folder.join("results.sqlite");
    let suite = fixture("ladder").unwrap().program;
    let start = Start { database: Some(database.clone()), ..Start::with(&suite) };
    let ready = start.start().await.unwrap();
    ready.measure(&ready.request(&["rungs::one"], 1)).await.unwrap();
    ready.runner.terminate().unwrap();
    (database, suite)
}

#[tokio::test(flavor = "current_thread")]
async fn results_are_forgotten_at_once_or_where_somebody_can_be_asked() {
    let folder = tempfile::tempdir().unwrap();
    let (database, suite) = one_result(folder.path()).await;

    let refused = RunnerProgram::start_at(&database, &[&suite], &["--empty"]).err().unwrap().to_string();
    assert!(refused.contains("exit status: 1") && refused.contains("standard input is not a terminal"), "{refused}");
    assert!(refused.contains("add --yes"), "{refused}");
    assert_eq!(results(&database, &[]).await, 1);
    assert_eq!(results(&database, &["--empty", "--yes"]).await, 0);
    assert_eq!(results(&database, &[]).await, 0);
}

#[tokio::test(flavor = "current_thread")]
async fn a_person_at_the_terminal_is_asked_before_results_are_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let (database, suite) = one_result(folder.path()).await;

    // The other end stays open until the answer is read.
    let type_in = |answer: &str| {
        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&person).unwrap();
        unlockpt(&person).unwrap();
        let terminal = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
        let mut person = File::from(person);
        let mut command = command().unwrap();
        command.stdin(File::open(terminal).unwrap());
        person.write_all(answer.as_bytes()).unwrap();
        let runner = RunnerProgram::start_by(command, &database, &[&suite], &["--empty"]);
        drop(person);
        runner
    };
    let refused = type_in("no\n").err().unwrap().to_string();
    assert!(refused.contains("Delete all 1 stored results permanently?"), "{refused}");
    assert!(refused.contains("nothing was deleted"), "{refused}");
    assert_eq!(results(&database, &[]).await, 1);
    type_in("yes\n").unwrap().terminate().unwrap();
    assert_eq!(results(&database, &[]).await, 0);
}

/// Other systems lack more than this one: a suite that runs on such a one tells its host what.
#[tokio::test(flavor = "current_thread")]
async fn what_protections_are_missing_is_told_at_the_start() {
    let runner = RunnerProgram::start(&[&impostor("unguarded").unwrap()], &[]).unwrap();
    let first = runner.log_has("run without a protection").unwrap();
    assert!(first.contains("WARN") && first.contains("unguarded run without a protection: niceness: there is none"));
    runner.log_has("run without a protection: memory: nobody counts it").unwrap();
    runner.terminate().unwrap();

    let suite = fixture("ladder").unwrap().program;
    let (status, log) = RunnerProgram::start(&[&suite], &[]).unwrap().terminate().unwrap();
    assert!(status.success() && !log.concat().contains("without a protection"), "{log:?}");
}

/// The messages of a log, each line of which is a JSON object with a time, a level and where it comes from.
fn messages<'a>(log: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let message = |line| {
        let line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"));
        assert!(["timestamp", "level", "target"].iter().all(|field| line[field].is_string()), "{line}");
        line["message"].as_str().unwrap().to_owned()
    };
    log.into_iter().map(message).collect()
}

#[tokio::test(flavor = "current_thread")]
async fn a_log_for_machines_is_json_in_each_line() {
    let suite = fixture("misbehaving").unwrap().program;
    let start = Start { lines: "log = { format = \"json\", level = \"debug\" }".to_owned(), ..Start::with(&suite) };
    let ready = start.start().await.unwrap();
    ready.measure(&ready.request(&["functions::exits"], 1)).await.unwrap();
    let (_, log) = ready.runner.terminate().unwrap();
    let told = messages(log.iter().map(String::as_str));
    for part in ["opened ", "shutting down"] {
        assert!(told.iter().any(|message| message.contains(part)), "{told:?} has no `{part}`");
    }

    // And where it does not start.
    let arguments = ["--log-format", "json", "--empty"];
    let refused = RunnerProgram::start(&[&suite], &arguments).err().unwrap().to_string();
    let (_, log) = refused.split_once("): ").unwrap();
    let told = messages(log.lines());
    assert!(told.last().unwrap().contains("add --yes"), "{told:?}");
}
