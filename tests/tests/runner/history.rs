//! The accepted results of a runner: the list, adding some, and damaged files.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::fs;
use std::path::PathBuf;

use benchbook_host::api::{AcceptedHistory, AcceptedResults, ErrorBody, HistoryFunction, RunnerCatalog};
use benchbook_host::history::AcceptedResult;
use benchbook_tests::accepted_history::{FUNCTION, accepted_history, write_history};
use benchbook_tests::runner::RunnerProgram;
use reqwest::Response;
use serde_json::{Value, json};
use tempfile::TempDir;

const TOKEN: &str = "a-token-of-sufficient-length-0123";

/// A folder of accepted results next to another one.
struct Folder {
    folder: TempDir,
}

impl Folder {
    fn new() -> Self {
        let folder = Self { folder: TempDir::new().unwrap() };
        fs::create_dir(folder.history()).unwrap();
        folder
    }

    fn history(&self) -> PathBuf {
        self.folder.path().join("history")
    }

    fn start(&self) -> RunnerProgram {
        RunnerProgram::start(&[], &["--history", self.history().to_str().unwrap()]).unwrap()
    }
}

async fn list(runner: &RunnerProgram, query: &str) -> AcceptedHistory {
    let response = runner.get(&format!("history{query}")).send().await.unwrap();
    response.error_for_status().unwrap().json().await.unwrap()
}

async fn add(runner: &RunnerProgram, results: &[AcceptedResult]) -> Response {
    runner.post("history").json(&AcceptedResults { results: results.to_vec() }).send().await.unwrap()
}

/// The status and the message of an error.
async fn error(response: Response) -> (u16, ErrorBody) {
    (response.status().as_u16(), response.json().await.unwrap())
}

#[tokio::test(flavor = "current_thread")]
async fn lists_results_by_time_suite_and_function() {
    let folder = Folder::new();
    let mut expected = accepted_history();
    "sorting::sort_unstable".clone_into(&mut expected[3].result.benchmark.function);
    write_history(&folder.history(), &expected).unwrap();
    let runner = folder.start();
    assert_eq!(list(&runner, "").await, AcceptedHistory { results: expected.clone(), warnings: Vec::new() });
    let unstable = list(&runner, "?suite=demo&function=sorting::sort_unstable").await;
    assert_eq!(unstable.results, [expected[3].clone()]);
    assert_eq!(list(&runner, "?suite=other").await, AcceptedHistory::default());
    let newest = list(&runner, "?limit=2").await;
    assert_eq!(newest.results, expected[expected.len() - 2..]);
    assert!(newest.warnings.concat().contains("only the newest 2 of 25"), "{:?}", newest.warnings);
    let functions: Vec<HistoryFunction> = runner.get("history/functions").send().await.unwrap().json().await.unwrap();
    let counts: Vec<(&str, u64)> = functions.iter().map(|known| (known.function.as_str(), known.results)).collect();
    assert_eq!(counts, [(FUNCTION, 24), ("sorting::sort_unstable", 1)]);
    let catalog: RunnerCatalog = runner.get("catalog").send().await.unwrap().json().await.unwrap();
    assert!(catalog.history);
}

#[tokio::test(flavor = "current_thread")]
async fn added_results_are_files_and_duplicates_are_harmless() {
    let folder = Folder::new();
    let runner = folder.start();
    let mut results = accepted_history()[..3].to_vec();
    for _ in 0..2 {
        assert_eq!(add(&runner, &results).await.status().as_u16(), 204);
    }
    assert_eq!(list(&runner, "").await.results, results);
    results[1].accepted.note = "measured again".to_owned();
    assert_eq!(add(&runner, &results[1..2]).await.status().as_u16(), 204);
    assert_eq!(list(&runner, "").await.results, results);
    let file = folder.history().join("demo/sorting.sort_stable").join(format!("{}.json", results[0].id()));
    let stored: AcceptedResult = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(stored, results[0]);
}

#[tokio::test(flavor = "current_thread")]
async fn a_damaged_file_is_a_warning() {
    let folder = Folder::new();
    let results = accepted_history()[..2].to_vec();
    write_history(&folder.history(), &results).unwrap();
    fs::write(folder.history().join("demo/damaged.json"), "{").unwrap();
    fs::write(folder.history().join("later.json"), r#"{"benchbook_history": 2}"#).unwrap();
    fs::write(folder.history().join("README.md"), "not a result").unwrap();
    let listed = list(&folder.start(), "").await;
    assert_eq!(listed.results, results);
    let [damaged, later] = &listed.warnings[..] else { panic!("two warnings: {:?}", listed.warnings) };
    assert!(damaged.starts_with("demo/damaged.json was ignored: it is damaged"), "{damaged}");
    assert!(later.starts_with("later.json was ignored: it has version 2"), "{later}");
    // Warnings contain no path of the machine.
    assert!(!listed.warnings.concat().contains(folder.folder.path().to_str().unwrap()));
}

#[tokio::test(flavor = "current_thread")]
async fn invalid_results_are_rejected_and_not_stored() {
    let folder = Folder::new();
    let runner = folder.start();
    let valid = accepted_history().remove(0);
    let mut negative = valid.clone();
    negative.result.points[0].means[0] = -1.0;
    let (status, body) = error(add(&runner, &[valid.clone(), negative]).await).await;
    assert_eq!((status, body.error.as_str()), (422, "The results are invalid."));
    let locations: Vec<&str> = body.problems.iter().map(|problem| problem.location.as_str()).collect();
    assert_eq!(locations, ["results[1]"]);
    assert_eq!(error(add(&runner, &[]).await).await.0, 400);
    let unknown = json!({ "results": [valid], "replace": true });
    for (status, body) in [(400, unknown), (400, json!({})), (400, Value::from("results"))] {
        assert_eq!(error(runner.post("history").json(&body).send().await.unwrap()).await.0, status, "{body}");
    }
    let long = "n".repeat(1 << 19);
    let response = runner.post("history").body(long).send().await.unwrap();
    // Its body was not read to the end: the next request needs another connection.
    assert_eq!(response.headers()["connection"], "close");
    let (status, body) = error(response).await;
    assert!(status == 413 && body.error.contains("Send fewer results"), "{status}: {}", body.error);
    assert_eq!(list(&runner, "").await, AcceptedHistory::default());
}

#[tokio::test(flavor = "current_thread")]
async fn names_of_a_client_lead_to_no_other_folder() {
    let folder = Folder::new();
    let runner = folder.start();
    let mut outside = accepted_history().remove(0);
    for name in ["..", "../..", "/tmp", ".git"] {
        name.clone_into(&mut outside.result.benchmark.suite);
        name.clone_into(&mut outside.result.benchmark.function);
        assert_eq!(add(&runner, std::slice::from_ref(&outside)).await.status().as_u16(), 204, "{name}");
    }
    assert_eq!(list(&runner, "").await.results.len(), 4);
    let entries: Vec<_> = fs::read_dir(folder.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(entries, ["history"]);
}

#[tokio::test(flavor = "current_thread")]
async fn histories_require_the_token() {
    let folder = Folder::new();
    let token = folder.folder.path().join("token");
    fs::write(&token, TOKEN).unwrap();
    let history = folder.history();
    let arguments = ["--history", history.to_str().unwrap(), "--token-file", token.to_str().unwrap()];
    let runner = RunnerProgram::start(&[], &arguments).unwrap();
    let body = AcceptedResults { results: accepted_history()[..1].to_vec() };
    for (expected, request) in [
        (401, runner.get("history")),
        (401, runner.get("history/functions")),
        (401, runner.post("history").json(&body)),
        (403, runner.post("history").json(&body).bearer_auth(TOKEN).header("origin", "https://other.example.org")),
        (204, runner.post("history").json(&body).bearer_auth(TOKEN)),
    ] {
        assert_eq!(request.send().await.unwrap().status().as_u16(), expected);
    }
    let listed: AcceptedHistory = runner.get("history").bearer_auth(TOKEN).send().await.unwrap().json().await.unwrap();
    assert_eq!(listed.results, body.results);
}

#[tokio::test(flavor = "current_thread")]
async fn without_the_option_there_is_no_history() {
    let runner = RunnerProgram::start(&[], &[]).unwrap();
    assert_eq!(list(&runner, "").await, AcceptedHistory::default());
    let (status, body) = error(add(&runner, &accepted_history()[..1]).await).await;
    assert!(status == 404 && body.error.contains("--history DIR"), "{status}: {}", body.error);
    let catalog: RunnerCatalog = runner.get("catalog").send().await.unwrap().json().await.unwrap();
    assert!(!catalog.history);
}
