//! The accepted results of a runner: the list, adding some, and damaged files.

use std::fs;
use std::path::PathBuf;

use benchbook_accepted::HistoryFolder;
use benchbook_host::api::{AcceptedHistory, AcceptedResults, HistoryFunction, RunnerCatalog};
use benchbook_host::history::AcceptedResult;
use benchbook_server::history::RunnerHistory;
use benchbook_server::setup::Setup;
use benchbook_tests::accepted_history::{FUNCTION, accepted_history};
use reqwest::Response;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::routes::{Routes, error};

/// A runner with a folder of accepted results.
struct Folder {
    folder: TempDir,
    routes: Routes,
}

impl Folder {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("history");
        fs::create_dir(&path).unwrap();
        let history = Some(RunnerHistory::new(HistoryFolder { path, is_chosen: true }));
        Self { folder, routes: Routes::new(Setup { history, ..Setup::default() }) }
    }

    fn history(&self) -> PathBuf {
        self.folder.path().join("history")
    }

    async fn list(&self, query: &str) -> AcceptedHistory {
        list(&self.routes, query).await
    }

    async fn add(&self, results: &[AcceptedResult]) -> Response {
        add(&self.routes, results).await
    }
}

async fn list(routes: &Routes, query: &str) -> AcceptedHistory {
    let response = routes.send(routes.get(&format!("history{query}"))).await;
    response.error_for_status().unwrap().json().await.unwrap()
}

async fn add(routes: &Routes, results: &[AcceptedResult]) -> Response {
    routes.send(routes.post("history").json(&AcceptedResults { results: results.to_vec() })).await
}

#[tokio::test(flavor = "current_thread")]
async fn added_results_are_files_and_listed_by_suite_and_function() {
    let folder = Folder::new();
    let mut expected = accepted_history();
    "sorting::sort_unstable".clone_into(&mut expected[3].result.benchmark.function);
    for _ in 0..2 {
        assert_eq!(folder.add(&expected).await.status().as_u16(), 204, "duplicates are harmless");
    }
    assert_eq!(folder.list("").await, AcceptedHistory { results: expected.clone(), warnings: Vec::new() });
    let file = folder.history().join("demo/sorting.sort_stable").join(format!("{}.json", expected[0].id()));
    let stored: AcceptedResult = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(stored, expected[0]);
    let unstable = folder.list("?suite=demo&function=sorting::sort_unstable").await;
    assert_eq!(unstable.results, [expected[3].clone()]);
    assert_eq!(folder.list("?limit=2").await.results, expected[expected.len() - 2..]);
    let functions = folder.routes.send(folder.routes.get("history/functions")).await;
    let functions: Vec<HistoryFunction> = functions.json().await.unwrap();
    let counts: Vec<(&str, u64)> = functions.iter().map(|known| (known.function.as_str(), known.results)).collect();
    assert_eq!(counts, [(FUNCTION, 24), ("sorting::sort_unstable", 1)]);

    fs::write(folder.history().join("demo/damaged.json"), "{").unwrap();
    let listed = folder.list("").await;
    assert_eq!(listed.results, expected);
    let [warning] = &listed.warnings[..] else { panic!("a warning: {:?}", listed.warnings) };
    // It contains no path of the machine.
    assert!(warning.starts_with("demo/damaged.json was ignored: it is damaged"), "{warning}");
}

#[tokio::test(flavor = "current_thread")]
async fn invalid_results_are_rejected_and_not_stored() {
    let folder = Folder::new();
    let valid = accepted_history().remove(0);
    let mut negative = valid.clone();
    negative.result.points[0].means[0] = -1.0;
    let (status, body) = error(folder.add(&[valid.clone(), negative]).await).await;
    assert_eq!((status, body.error.as_str()), (422, "The results are invalid."));
    let locations: Vec<&str> = body.problems.iter().map(|problem| problem.location.as_str()).collect();
    assert_eq!(locations, ["results[1]"]);
    let unknown = json!({ "results": [valid], "replace": true });
    for body in [unknown, json!({ "results": [] }), json!({}), Value::from("results")] {
        let response = folder.routes.send(folder.routes.post("history").json(&body)).await;
        assert_eq!(error(response).await.0, 400, "{body}");
    }
    let long = "n".repeat(1 << 19);
    let response = folder.routes.send(folder.routes.post("history").body(long)).await;
    // Its body was not read to the end: the next request needs another connection.
    assert_eq!(response.headers()["connection"], "close");
    let (status, body) = error(response).await;
    assert!(status == 413 && body.error.contains("Send fewer results"), "{status}: {}", body.error);
    assert_eq!(folder.list("").await, AcceptedHistory::default());
}

#[tokio::test(flavor = "current_thread")]
async fn names_of_a_client_lead_to_no_other_folder() {
    let folder = Folder::new();
    let mut outside = accepted_history().remove(0);
    for name in ["..", "../..", "/tmp", ".git"] {
        name.clone_into(&mut outside.result.benchmark.suite);
        name.clone_into(&mut outside.result.benchmark.function);
        assert_eq!(folder.add(std::slice::from_ref(&outside)).await.status().as_u16(), 204, "{name}");
    }
    assert_eq!(folder.list("").await.results.len(), 4);
    let entries: Vec<_> = fs::read_dir(folder.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(entries, ["history"]);
}

#[tokio::test(flavor = "current_thread")]
async fn without_the_option_there_is_no_history() {
    let without = Routes::new(Setup::default());
    assert_eq!(list(&without, "").await, AcceptedHistory::default());
    let (status, body) = error(add(&without, &accepted_history()[..1]).await).await;
    assert!(status == 404 && body.error.contains("--history DIR"), "{status}: {}", body.error);
    for (routes, expected) in [(&without, false), (&Folder::new().routes, true)] {
        let catalog: RunnerCatalog = routes.send(routes.get("catalog")).await.json().await.unwrap();
        assert_eq!(catalog.history, expected);
    }
}
