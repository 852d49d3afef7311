//! The runner's OpenAPI document describes exactly the routes and responses of the real program.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use benchbook_contract::parameter::Argument;
use benchbook_host::api::{
    BuildMeasurement, BuildProblem, BuildReport, BuildSeverity, ErrorBody, Event, QueueLoad, STREAM,
};
use benchbook_host::quality::Quality;
use benchbook_host::request::Request;
use benchbook_server::config::Limits;
use benchbook_server::http::routes::app;
use benchbook_server::measure::runner::Runner;
use benchbook_server::metrics::Metrics;
use benchbook_server::setup::Setup;
use benchbook_server::suites::build_feed::BuildFeed;
use benchbook_store_support::MemoryStore;
use benchbook_tests::accepted_history::{accepted_history, write_history};
use benchbook_tests::openapi::{Document, addresses};
use benchbook_tests::ready_runner::{ReadyRunner, RunnerSetup};
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::suites::native;
use futures_util::StreamExt;
use futures_util::future::join_all;
use reqwest::{Method, RequestBuilder, Response};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::TOKEN;
use crate::routes::{Routes, ladder};

/// The path of a notebook in the runner's folder.
const NOTEBOOK: &str = "maps.benchbook.json";

/// A fingerprint that no build has.
const FINGERPRINT: &str = "77c0a41f0b12";

/// The time limit for a request to be queued.
const TIMEOUT: Duration = Duration::from_secs(60);

async fn document_of(routes: &Routes) -> Document {
    Document::read(&routes.send(routes.get("openapi.json")).await.text().await.unwrap()).unwrap()
}

/// A request that matches a route of the document, such as `GET /results/{id}`: method, documented path, and address.
fn address(route: &str) -> (Method, &str, String) {
    let (method, path) = route.split_once(' ').unwrap();
    let address = path.trim_start_matches('/').replace("{id}", "1").replace("{client}", "absent");
    let address = address.replace("{fingerprint}", FINGERPRINT);
    (method.parse().unwrap(), path, address)
}

#[tokio::test(flavor = "current_thread")]
async fn document_lists_exactly_the_supported_routes_and_methods() {
    let routes = Routes::new(Setup::default());
    let mut document = document_of(&routes).await;
    // The runner itself reports the supported methods of each address.
    let mut supported = BTreeSet::new();
    for path in addresses(&routes.router) {
        let (method, _, address) = address(&format!("LOOK {path}"));
        let response = routes.send(routes.request(method, &address)).await;
        let allowed = response.headers().get("allow").unwrap_or_else(|| panic!("{path} accepts an unknown method"));
        let allowed = allowed.to_str().unwrap().to_owned();
        document.check_response("LOOK", &path, response).await.unwrap();
        // GET implies HEAD.
        let methods = allowed.split(',').filter(|method| *method != "HEAD");
        supported.extend(methods.map(|method| format!("{method} {path}")));
    }
    assert_eq!(supported, document.routes());

    for address in ["", "nothing", "catalog/", "results/1/more"] {
        let response = routes.send(routes.get(address)).await;
        assert_eq!(response.status().as_u16(), 404, "{address}");
        document.check_response("GET", "/nothing", response).await.unwrap();
    }
}

#[tokio::test(flavor = "current_thread")]
async fn machine_cards_match_the_schema() {
    let document = document_of(&Routes::new(ladder().0)).await;
    // Only the program isolates its children.
    let runner = RunnerProgram::start(&[&native("ladder").unwrap()], &[]).unwrap();
    let card: Value = runner.get("machine").send().await.unwrap().json().await.unwrap();
    assert!(card["clock"]["resolution"].as_f64().is_some_and(|step| step > 0.0), "{card}");
    // Cards of other machines contain more or fewer fields.
    let others = include_str!("../../../engine/accepted/tests/golden/machines.txt");
    let others = serde_json::Deserializer::from_str(others).into_iter().map(Result::unwrap);
    let cards: Vec<Value> = others.chain([card]).collect();
    assert!(cards.len() > 5);
    let mut fields = BTreeSet::new();
    for card in &cards {
        document.check_schema("MachineCard", card).unwrap();
        fields.extend(card.as_object().unwrap().keys().cloned());
        // Unknown fields are rejected at every level.
        for pointer in ["", "/frequency", "/measuring", "/clock", "/counters", "/warnings/0"] {
            let mut more = card.clone();
            if let Some(object) = more.pointer_mut(pointer) {
                object["more"] = json!(1);
                assert!(
                    document.check_schema("MachineCard", &more).is_err(),
                    "{pointer} allows unknown fields: {more}"
                );
            }
        }
    }
    assert_eq!(fields, document.properties("MachineCard"));
}

/// A runner whose responses are checked against its document.
struct CheckedRunner {
    ready: ReadyRunner,
    document: Document,
}

impl CheckedRunner {
    /// Sends a request and checks the response to a route, such as `GET /results/{id}`.
    async fn request(&mut self, route: &str, status: u16, request: RequestBuilder) -> String {
        check(&mut self.document, route, status, request).await
    }

    /// Requests a measurement, as one object and as a stream.
    async fn measure(&mut self, status: u16, body: &str) -> [String; 2] {
        let post = |accept| self.ready.runner.post("measure").header("accept", accept).body(body.to_owned());
        let [object, stream] = ["application/json", STREAM].map(post);
        [self.request("POST /measure", status, object).await, self.request("POST /measure", status, stream).await]
    }

    /// Requests a measurement of a build, which need not exist.
    async fn measure_build(&mut self, status: u16, fingerprint: &str, body: &Value) {
        let request = self.ready.runner.post(&format!("builds/{fingerprint}/measure")).json(body);
        self.request("POST /builds/{fingerprint}/measure", status, request).await;
    }

    /// The fingerprint of a suite's build.
    fn fingerprint(&self, suite: &str) -> String {
        let entry = self.ready.catalog.suites.iter().find(|entry| entry.suite.name == suite).unwrap();
        entry.card.fingerprint.clone()
    }

    /// The body of a request for a build.
    fn build_measurement(&self, request: &Request) -> Value {
        let quality = Quality { timeout_ms: None, ..self.ready.catalog.qualities.of(request.priority).clone() };
        json!(BuildMeasurement { request: request.clone(), quality })
    }
}

async fn check(document: &mut Document, route: &str, status: u16, request: RequestBuilder) -> String {
    check_response(document, route, status, request.send().await.unwrap()).await
}

async fn check_response(document: &mut Document, route: &str, status: u16, response: Response) -> String {
    let (method, path, _) = address(route);
    let (found, again) = (response.status().as_u16(), response.headers().get("retry-after").cloned());
    let text = document.check_response(method.as_str(), path, response).await.unwrap();
    assert_eq!(found, status, "{route}: {text}");
    if status >= 400 {
        let body: ErrorBody = serde_json::from_str(&text).unwrap();
        let again = again.map(|seconds| seconds.to_str().unwrap().parse().unwrap());
        assert_eq!(body.retry_after, again, "{route}: {text}");
        assert_eq!(body.problems.is_empty(), status != 422, "{route}: {text}");
        // Internal errors don't disclose paths on the runner.
        assert!(status < 500 || !body.error.contains('/'), "{route}: {text}");
    }
    text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_response_matches_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let (database, temporary) = (folder.path().join("results.sqlite"), folder.path().join("temporary"));
    std::fs::create_dir(&temporary).unwrap();
    let notebooks = folder.path().join("notebooks");
    std::fs::create_dir(&notebooks).unwrap();
    std::fs::write(notebooks.join(NOTEBOOK), r#"{"benchbook": 1, "cells": []}"#).unwrap();
    std::fs::write(notebooks.join("damaged.benchbook.json"), "{").unwrap();
    let history = folder.path().join("history");
    write_history(&history, &accepted_history()).unwrap();
    std::fs::write(history.join("damaged.json"), "{").unwrap();
    let start = RunnerSetup {
        suites: ["misbehaving", "ladder"].map(|name| native(name).unwrap()).to_vec(),
        lines: format!(
            "isolation = \"none\"\nnotebooks = {notebooks:?}\nhistory = {history:?}\n\
             [limits]\nbody_bytes = 4096\nqueued_seconds = 60\npoints = 35\nclients = 1\n"
        ),
        timeout_ms: Some(3_600_000),
        database: Some(database.clone()),
        temporary: Some(temporary.clone()),
        ..RunnerSetup::default()
    };
    let ready = start.start().await.unwrap();
    let document =
        Document::read(&ready.runner.get("openapi.json").send().await.unwrap().text().await.unwrap()).unwrap();
    let mut checked = CheckedRunner { ready, document };
    valid_and_invalid_requests(&mut checked).await;
    unauthorised_requests(&mut checked.document).await;
    incomplete_requests(&mut checked.document).await;
    rejected_and_cancelled_requests(&mut checked).await;
    suite_that_cannot_start(&mut checked, &temporary).await;
    unavailable_results(&mut checked, &Connection::open(&database).unwrap()).await;
    unavailable_notebooks(&mut checked, &notebooks).await;
    accepted_results(&mut checked, &history).await;
    reported_builds(&mut checked.document).await;
    let has_uploads = uploaded_builds(&mut checked.document).await;
    shutdown_during_a_request(checked, has_uploads).await;
}

async fn valid_and_invalid_requests(checked: &mut CheckedRunner) {
    let one = checked.ready.request(&["rungs::one"], 1);
    let two = checked.ready.request(&["rungs::one", "rungs::two"], 2);
    let many = checked.ready.request(&["rungs::one", "rungs::two", "rungs::four", "rungs::eight"], 4);
    let changed = |field: &str, value: Value| {
        let mut request = json!(one);
        request[field] = value;
        request.to_string()
    };
    for (status, body) in [
        (200, json!(one).to_string()),
        (200, json!(two).to_string()),
        (400, "{".to_owned()),
        (400, changed("priority", json!(5))),
        (404, changed("suite", json!("another"))),
        (413, changed("client", json!("c".repeat(5_000)))),
        (413, changed("point_ms", json!(3_600_000))),
        (413, json!(many).to_string()),
        (422, changed("functions", json!(["rungs::none"]))),
    ] {
        checked.measure(status, &body).await;
    }
    let ladder = checked.fingerprint("ladder");
    let measurement = checked.build_measurement(&one);
    let changed = |pointer: &str, value: Value| {
        let mut changed = measurement.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        changed
    };
    for (status, fingerprint, body) in [
        (200, ladder.as_str(), measurement.clone()),
        (400, &ladder, json!({})),
        (422, &ladder, changed("/quality/processes", json!(101))),
        (404, FINGERPRINT, measurement.clone()),
        (413, &ladder, changed("/quality/point_ms", json!(3_600_000))),
        (422, &ladder, changed("/request/suite", json!("another"))),
        (422, &ladder, changed("/request/functions", json!([format!("rungs::one@{}", &ladder[..12])]))),
        (413, &ladder, changed("/quality/processes", json!(36))),
        (422, &ladder, changed("/quality/warm_up/ms", json!(1_000))),
        (422, &ladder, changed("/quality/warm_up/at_most", json!(501))),
        (422, &ladder, changed("/quality/samples/at_most", json!(5_001))),
    ] {
        checked.measure_build(status, fingerprint, &body).await;
    }
    let mut patient = measurement.clone();
    patient["quality"]["timeout_ms"] = json!(3_600_000);
    checked.measure_build(422, &ladder, &patient).await;
    let upload = checked.ready.runner.post("builds").body("not a suite");
    checked.request("POST /builds", 403, upload).await;
    let of_one = "suite=ladder&function=rungs::one";
    let build = format!("builds/{ladder}");
    let samples = format!("results/1/samples?function=rungs::one&x={}", first_x(&one));
    for (route, address, status) in [
        ("GET /catalog", "catalog", 200),
        ("GET /queue", "queue", 200),
        ("GET /builds", "builds", 404),
        ("GET /builds/{fingerprint}", &build, 200),
        ("GET /builds/{fingerprint}", "builds/%FF", 400),
        ("GET /builds/{fingerprint}", &format!("builds/{FINGERPRINT}"), 404),
        ("GET /builds/{fingerprint}", "builds/..%2f..%2fetc%2fpasswd", 404),
        ("GET /machine", "machine", 200),
        ("GET /assembly", &format!("assembly?{of_one}&generator={}", one.generator), 200),
        ("GET /assembly", "assembly?suite=ladder", 400),
        ("GET /assembly", &format!("assembly?{of_one}&generator=missing"), 404),
        ("GET /openapi.json", "openapi.json", 200),
        ("GET /results", "results", 200),
        ("GET /results", &format!("results?{of_one}&limit=1"), 200),
        ("GET /results", "results?limit=0", 400),
        ("GET /results", "results?newest=1", 400),
        ("GET /results/functions", "results/functions", 200),
        ("GET /results/generators", &format!("results/generators?{of_one}"), 200),
        ("GET /results/generators", "results/generators", 400),
        ("GET /results/{id}", "results/1", 200),
        ("GET /results/{id}", "results/first", 400),
        ("GET /results/{id}", "results/1000", 404),
        ("GET /results/{id}/samples", &samples, 200),
        ("GET /results/{id}/samples", "results/1/samples", 400),
        ("GET /results/{id}/samples", "results/1/samples?function=rungs::one&x=0.5", 404),
        ("GET /notebooks", "notebooks", 200),
        ("GET /notebooks/file", &format!("notebooks/file?path={NOTEBOOK}"), 200),
        ("GET /notebooks/file", "notebooks/file", 400),
        ("GET /notebooks/file", "notebooks/file?path=../results.sqlite", 404),
        ("GET /history", "history?suite=demo&function=sorting::sort_stable&limit=1", 200),
        ("GET /history", "history?limit=0", 400),
        ("GET /history/functions", "history/functions", 200),
        ("DELETE /clients/{client}", "clients/absent", 204),
        ("DELETE /clients/{client}", "clients/%FF", 400),
    ] {
        let (method, _, _) = self::address(route);
        let request = checked.ready.runner.request(method, address);
        checked.request(route, status, request).await;
    }
}

/// The first axis value of a request.
fn first_x(request: &Request) -> f64 {
    let range = |argument: &Argument| if let Argument::Range(range) = argument { Some(range.low) } else { None };
    request.arguments.values().find_map(range).unwrap()
}

/// Requests without a token, from foreign origins, or with a foreign or duplicate host.
async fn unauthorised_requests(document: &mut Document) {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("benchbook.toml");
    std::fs::write(&config, format!("token = {TOKEN:?}\n")).unwrap();
    let runner = RunnerProgram::start(&[], &["--config", config.to_str().unwrap()]).unwrap();
    for route in document.routes() {
        let (method, _, address) = address(&route);
        let request = || runner.request(method.clone(), &address);
        let shown = || request().bearer_auth(TOKEN);
        for (status, request) in [
            (400, shown().header("host", "localhost").header("host", "localhost")),
            (401, request()),
            (401, request().bearer_auth("a-token-of-sufficient-length-0124")),
            (403, shown().header("host", "rebound.example.org")),
            (403, shown().header("origin", "https://other.example.org")),
        ] {
            check(document, &route, status, request).await;
        }
    }
}

/// Requests whose bodies never arrive.
async fn incomplete_requests(document: &mut Document) {
    let limits = Limits { patience_seconds: 1, ..Limits::default() };
    let routes = Routes::new(Setup { limits, ..Setup::default() });
    let incomplete = ["POST /measure", "POST /history", "POST /builds/{fingerprint}/measure"];
    let responses = join_all(incomplete.map(|route| routes.send(routes.post(&address(route).2).body(nothing())))).await;
    for (route, response) in incomplete.into_iter().zip(responses) {
        check_response(document, route, 408, response).await;
    }
}

/// A body that never arrives.
fn nothing() -> reqwest::Body {
    reqwest::Body::wrap_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>())
}

/// A client occupies the runner, another one is rejected, and then the first one cancels its request.
async fn rejected_and_cancelled_requests(checked: &mut CheckedRunner) {
    let hangs = checked.ready.request(&["functions::hangs"], 1);
    let misbehaving = checked.fingerprint("misbehaving");
    let of_build = (format!("builds/{misbehaving}/measure"), checked.build_measurement(&hangs));
    for (path, (address, body)) in
        [("/measure", ("measure".to_owned(), json!(hangs))), ("/builds/{fingerprint}/measure", of_build)]
    {
        let waits = tokio::spawn(checked.ready.runner.post(&address).json(&body).send());
        until_taken(&checked.ready, 1).await;
        let another = Request { client: "another".to_owned(), ..hangs.clone() };
        checked.measure(429, &json!(another).to_string()).await;
        let another = checked.build_measurement(&another);
        checked.measure_build(429, &misbehaving, &another).await;

        let cancel = checked.ready.runner.request(Method::DELETE, &format!("clients/{}", hangs.client));
        checked.request("DELETE /clients/{client}", 204, cancel).await;
        let response = waits.await.unwrap().unwrap();
        assert_eq!(response.status().as_u16(), 409);
        checked.document.check_response("POST", path, response).await.unwrap();
        checked.ready.runner.wait_for_log("no client is waiting for it").unwrap();
    }
}

/// A runner that accepts builds. Returns whether this system can isolate them.
async fn uploaded_builds(document: &mut Document) -> bool {
    const UPLOADS: &str = "POST /builds";
    let folder = tempfile::tempdir().unwrap();
    let [uploads, away] = ["uploads", "away"].map(|name| folder.path().join(name));
    std::fs::create_dir(&uploads).unwrap();
    let executable = std::fs::read(native("ladder").unwrap()).unwrap();
    let bytes = executable.len();
    let lines = format!(
        "uploads = {uploads:?}\ntoken = {TOKEN:?}\nisolation = \"required\"\n\
         [limits]\nupload_bytes = {bytes}\nuploads_bytes = {}\npatience_seconds = 3\n",
        2 * bytes
    );
    let config = folder.path().join("benchbook.toml");
    std::fs::write(&config, lines).unwrap();
    let started = RunnerProgram::start(&[], &["--config", config.to_str().unwrap()]);
    let Ok(runner) = started.inspect_err(|error| eprintln!("skipped: {error}")) else { return false };
    let post = |body: reqwest::Body| runner.post("builds").bearer_auth(TOKEN).body(body);
    // As many as may upload at the same time from one address.
    let waiting = || tokio::spawn(post(nothing()).send());
    let waiting = [waiting(), waiting()];
    while std::fs::read_dir(&uploads).unwrap().count() < waiting.len() {
        tokio::task::yield_now().await;
    }
    check(document, UPLOADS, 429, post(executable.clone().into())).await;
    for waits in waiting {
        let response = waits.await.unwrap().unwrap();
        assert_eq!(response.status().as_u16(), 408);
        document.check_response("POST", "/builds", response).await.unwrap();
    }
    assert_eq!(std::fs::read_dir(&uploads).unwrap().count(), 0);
    for (status, body) in [(200, executable.clone()), (422, b"not a suite".to_vec())] {
        check(document, UPLOADS, status, post(body.into())).await;
    }
    // Rejected before it arrives.
    check(document, UPLOADS, 413, post(nothing()).header("content-length", bytes + 1)).await;
    std::fs::rename(&uploads, &away).unwrap();
    check(document, UPLOADS, 503, post(executable.into())).await;
    true
}

/// Waits until the runner has queued this number of requests.
async fn until_taken(ready: &ReadyRunner, requests: u32) {
    let is_taken = async {
        loop {
            let load: QueueLoad = ready.runner.get("queue").send().await.unwrap().json().await.unwrap();
            if load.running + load.waiting >= requests {
                return;
            }
        }
    };
    tokio::time::timeout(TIMEOUT, is_taken).await.unwrap();
}

/// The scratch folders of its processes cannot be created.
async fn suite_that_cannot_start(checked: &mut CheckedRunner, temporary: &Path) {
    let body = json!(checked.ready.request(&["rungs::four"], 1)).to_string();
    std::fs::remove_dir(temporary).unwrap();
    let request = checked.ready.runner.post("measure").body(body.clone());
    checked.request("POST /measure", 502, request).await;
    let of_build = checked.build_measurement(&checked.ready.request(&["rungs::four"], 1));
    let ladder = checked.fingerprint("ladder");
    checked.measure_build(502, &ladder, &of_build).await;
    let request = checked.ready.runner.post("measure").header("accept", STREAM).body(body.clone());
    let stream = checked.request("POST /measure", 200, request).await;
    let last: Event = serde_json::from_str(stream.lines().last().unwrap()).unwrap();
    assert!(
        matches!(&last, Event::Failed { reason } if reason.contains("Cannot measure with the suite") && !reason.contains('/')),
        "{last:?}"
    );
    std::fs::create_dir(temporary).unwrap();
    checked.measure(200, &body).await;
}

/// The database's tables are renamed, and then restored.
async fn unavailable_results(checked: &mut CheckedRunner, database: &Connection) {
    let request = checked.ready.request(&["rungs::one"], 1);
    let of_results: Vec<String> =
        checked.document.routes().into_iter().filter(|route| route.contains("/results")).collect();
    assert_eq!(of_results.len(), 5);
    let of_function = "?suite=ladder&function=rungs::one";
    let of_point = format!("?function=rungs::one&x={}", first_x(&request));
    let tables = ["results", "subjects", "points", "samples"];
    for (status, from, to) in [(503, "", "away_"), (200, "away_", "")] {
        for table in tables {
            database.execute_batch(&format!("ALTER TABLE {from}{table} RENAME TO {to}{table}")).unwrap();
        }
        for route in &of_results {
            let (method, path, address) = address(route);
            let request = match path {
                "/results/generators" => address + of_function,
                "/results/{id}/samples" => address + &of_point,
                _ => address,
            };
            let request = checked.ready.runner.request(method, &request);
            checked.request(route, status, request).await;
        }
        checked.measure(status, &json!(request).to_string()).await;
    }
}

/// The folder of notebooks is renamed, and then restored.
async fn unavailable_notebooks(checked: &mut CheckedRunner, notebooks: &Path) {
    let away = notebooks.with_extension("away");
    for (status, from, to) in [(503, notebooks, away.as_path()), (200, &away, notebooks)] {
        std::fs::rename(from, to).unwrap();
        for (route, query) in [("GET /notebooks", ""), ("GET /notebooks/file", &format!("?path={NOTEBOOK}"))] {
            let (method, _, address) = address(route);
            let request = checked.ready.runner.request(method, &format!("{address}{query}"));
            checked.request(route, status, request).await;
        }
    }
}

/// Results are added, and the folder is renamed, and then restored.
async fn accepted_results(checked: &mut CheckedRunner, history: &Path) {
    let valid = json!(accepted_history()[0]);
    let changed = |pointer: &str, value: Value| {
        let mut changed = valid.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        json!({ "results": [changed] })
    };
    let valid_body = json!({ "results": [valid.clone()] });
    for (status, body) in [
        (204, valid_body.clone()),
        (400, json!({ "results": [] })),
        (413, changed("/accepted/note", json!("n".repeat(5_000)))),
        (422, changed("/measured", json!(-1.0))),
    ] {
        let request = checked.ready.runner.post("history").json(&body);
        checked.request("POST /history", status, request).await;
    }
    let without = Routes::new(Setup::default());
    let rejected = without.send(without.post("history").json(&valid_body)).await;
    check_response(&mut checked.document, "POST /history", 404, rejected).await;
    let away = history.with_extension("away");
    for (statuses, from, to) in [([503, 503], history, away.as_path()), ([200, 204], &away, history)] {
        std::fs::rename(from, to).unwrap();
        for (route, status) in
            [("GET /history", statuses[0]), ("GET /history/functions", statuses[0]), ("POST /history", statuses[1])]
        {
            let (method, _, address) = address(route);
            let request = checked.ready.runner.request(method.clone(), &address);
            let request = if method == Method::POST { request.json(&valid_body) } else { request };
            checked.request(route, status, request).await;
        }
    }
}

/// A runner whose suites follow their sources reports the state of the builds, each change, and the end.
async fn reported_builds(document: &mut Document) {
    let setup = Setup { builds: Some(BuildFeed::default()), ..Setup::default() };
    let runner = Arc::new(Runner::new(setup, Arc::new(MemoryStore::default()), Metrics::default()));
    let routes = Routes::of(app(Arc::clone(&runner), Arc::default()));
    let response = routes.send(routes.get("builds")).await;
    assert_eq!((response.status().as_u16(), &response.headers()["content-type"]), (200, &STREAM.parse().unwrap()));
    let feed = runner.setup.builds.as_ref().unwrap();
    let mut lines = response.bytes_stream();
    let problem = BuildProblem {
        summary: "`demo` does not compile.".to_owned(),
        details: "error: …".to_owned(),
        severity: BuildSeverity::Failed,
    };
    let change = |step: usize| match step {
        0 => {}
        1 => feed.start(),
        2 => feed.end(false, vec![problem.clone()]),
        _ => feed.end(true, Vec::new()),
    };
    for (step, (revision, building, problems)) in
        [(0, false, 0), (0, true, 0), (0, false, 1), (1, false, 0)].into_iter().enumerate()
    {
        change(step);
        let line = lines.next().await.unwrap().unwrap();
        let text = std::str::from_utf8(&line).unwrap();
        document.check_body("GET", "/builds", 200, STREAM, text).unwrap();
        let report: BuildReport = serde_json::from_str(text).unwrap();
        assert_eq!((report.revision, report.building, report.problems.len()), (revision, building, problems), "{text}");
    }
    feed.close();
    assert!(lines.next().await.is_none());
}

/// A waiting client gets `Retry-After`; by now, every documented response has been received.
async fn shutdown_during_a_request(checked: CheckedRunner, has_uploads: bool) {
    let hangs = checked.ready.request(&["functions::hangs"], 1);
    let address = format!("builds/{}/measure", checked.fingerprint("misbehaving"));
    let of_build = (address, checked.build_measurement(&hangs));
    let CheckedRunner { ready, mut document } = checked;
    let waits = tokio::spawn(ready.runner.post("measure").json(&hangs).send());
    let of_build = ready.runner.post(&of_build.0).json(&of_build.1);
    let waits_for_build = tokio::spawn(of_build.send());
    until_taken(&ready, 2).await;
    let ended = tokio::task::spawn_blocking(move || ready.runner.terminate());
    for (path, waits) in [("/measure", waits), ("/builds/{fingerprint}/measure", waits_for_build)] {
        let response = waits.await.unwrap().unwrap();
        assert_eq!((response.status().as_u16(), &response.headers()["retry-after"]), (503, &"60".parse().unwrap()));
        document.check_response("POST", path, response).await.unwrap();
    }
    let (status, log) = ended.await.unwrap().unwrap();
    assert!(status.success(), "{status}: {log:?}");
    let mut unseen = document.unseen();
    unseen.retain(|response| has_uploads || !response.starts_with("POST /builds "));
    assert_eq!(unseen, BTreeSet::new());
}
