//! The runner's OpenAPI document: held against the routes, and against every answer of the real program on loopback.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use benchbook_contract::parameter::Argument;
use benchbook_host::api::{ErrorBody, Event, Load, STREAM};
use benchbook_host::quality::Qualities;
use benchbook_host::request::Request;
use benchbook_server::config::Limits;
use benchbook_server::counted::Counted;
use benchbook_server::hub::Hub;
use benchbook_server::kept::Kept;
use benchbook_server::queue::Bounds;
use benchbook_server::routes;
use benchbook_server::runner::Runner;
use benchbook_server::store::MemoryStore;
use benchbook_tests::openapi::{Document, addresses};
use benchbook_tests::ready::{Ready, Start};
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::suites::fixture;
use reqwest::{Method, RequestBuilder};
use rusqlite::Connection;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

const TOKEN: &str = "a-token-of-sufficient-length-0123";

/// How long it may take until the runner has taken what was asked.
const PATIENCE: Duration = Duration::from_secs(60);

/// The routes as they are served, with nothing that they could answer from.
fn router() -> axum::Router {
    let runner = Runner {
        name: String::new(),
        identity: String::new(),
        core: None,
        suites: Vec::new(),
        qualities: Qualities::default(),
        limits: Limits::default(),
        store: Arc::new(MemoryStore::default()),
        hub: Hub::new(Bounds { clients: 1, client_ms: 1 }),
        streams: Arc::new(Semaphore::new(1)),
        kept: Kept::default(),
        counted: Counted::default(),
    };
    routes::app(Arc::new(runner), None)
}

async fn document_of(runner: &RunnerProgram) -> Document {
    let answer = runner.get("openapi.json").send().await.unwrap();
    Document::read(&answer.text().await.unwrap()).unwrap()
}

/// An address for which a route is answered: the route as the document writes it, such as `GET /results/{id}`.
fn address(route: &str) -> (Method, &str, String) {
    let (method, path) = route.split_once(' ').unwrap();
    let address = path.trim_start_matches('/').replace("{id}", "1").replace("{client}", "nobody");
    (method.parse().unwrap(), path, address)
}

#[tokio::test(flavor = "current_thread")]
async fn the_document_has_every_route_and_method_and_no_other() {
    let runner = RunnerProgram::start(&[], &[]).unwrap();
    let mut document = document_of(&runner).await;
    // Of each address the runner itself says which methods it answers there.
    let mut answered = BTreeSet::new();
    for path in addresses(&router()) {
        let (method, _, address) = address(&format!("LOOK {path}"));
        let refused = runner.ask(method, &address).send().await.unwrap();
        let allowed = refused.headers().get("allow").unwrap_or_else(|| panic!("{path} answers whatever is asked"));
        let allowed = allowed.to_str().unwrap().to_owned();
        document.hold_answer("LOOK", &path, refused).await.unwrap();
        // Whatever can be got has a head.
        let methods = allowed.split(',').filter(|method| *method != "HEAD");
        answered.extend(methods.map(|method| format!("{method} {path}")));
    }
    assert_eq!(answered, document.routes());

    for address in ["", "nothing", "catalog/", "results/1/more"] {
        let refused = runner.get(address).send().await.unwrap();
        assert_eq!(refused.status().as_u16(), 404, "{address}");
        document.hold_answer("GET", "/nothing", refused).await.unwrap();
    }
}

#[tokio::test(flavor = "current_thread")]
async fn the_card_of_any_machine_is_as_the_document_has_it() {
    let runner = RunnerProgram::start(&[&fixture("ladder").unwrap().program], &[]).unwrap();
    let document = document_of(&runner).await;
    let card: Value = runner.get("machine").send().await.unwrap().json().await.unwrap();
    assert!(card["clock"]["resolution"].as_f64().is_some_and(|step| step > 0.0), "{card}");
    document.hold_schema("MachineCard", &card).unwrap();
    // Others tell more, or less: what a kernel says of several machines.
    let others = include_str!("../../server-remote/tests/golden/machines.txt");
    let others = serde_json::Deserializer::from_str(others).into_iter().map(Result::unwrap);
    let cards: Vec<Value> = others.chain([card]).collect();
    assert!(cards.len() > 5);
    let mut told = BTreeSet::new();
    for card in &cards {
        document.hold_schema("MachineCard", card).unwrap();
        told.extend(card.as_object().unwrap().keys().cloned());
        // What it does not know of is refused, wherever it stands.
        for place in ["", "/frequency", "/measuring", "/clock", "/warnings/0"] {
            let mut more = card.clone();
            if let Some(object) = more.pointer_mut(place) {
                object["more"] = json!(1);
                assert!(document.hold_schema("MachineCard", &more).is_err(), "{place} may have more: {more}");
            }
        }
    }
    assert_eq!(told, document.properties("MachineCard"));
}

/// A runner, its document, and which answers were seen.
struct Held {
    ready: Ready,
    document: Document,
}

impl Held {
    /// Asks, and holds the answer to what is promised of the route, such as `GET /results/{id}`.
    async fn ask(&mut self, route: &str, status: u16, asked: RequestBuilder) -> String {
        hold(&mut self.document, route, status, asked).await
    }

    /// Asks for a measurement, as one object and as a stream.
    async fn measure(&mut self, status: u16, body: &str) -> [String; 2] {
        let ask = |accept| self.ready.runner.post("measure").header("accept", accept).body(body.to_owned());
        let [object, stream] = ["application/json", STREAM].map(ask);
        [self.ask("POST /measure", status, object).await, self.ask("POST /measure", status, stream).await]
    }
}

async fn hold(document: &mut Document, route: &str, status: u16, asked: RequestBuilder) -> String {
    let (method, path, _) = address(route);
    let answer = asked.send().await.unwrap();
    let (found, again) = (answer.status().as_u16(), answer.headers().get("retry-after").cloned());
    let text = document.hold_answer(method.as_str(), path, answer).await.unwrap();
    assert_eq!(found, status, "{route}: {text}");
    if status >= 400 {
        let refusal: ErrorBody = serde_json::from_str(&text).unwrap();
        let again = again.map(|seconds| seconds.to_str().unwrap().parse().unwrap());
        assert_eq!(refusal.retry_after, again, "{route}: {text}");
        assert_eq!(refusal.problems.is_empty(), status != 422, "{route}: {text}");
        // Where files are on the runner is nobody's business.
        assert!(status < 500 || !refusal.error.contains('/'), "{route}: {text}");
    }
    text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_is_one_that_the_document_promises() {
    let folder = tempfile::tempdir().unwrap();
    let (database, temporary) = (folder.path().join("results.sqlite"), folder.path().join("temporary"));
    std::fs::create_dir(&temporary).unwrap();
    let start = Start {
        suites: ["misbehaving", "ladder"].map(|name| fixture(name).unwrap().program).to_vec(),
        lines: "[limits]\nbody_bytes = 4096\nqueued_seconds = 1\npoints = 35\nclients = 1\n".to_owned(),
        timeout_ms: Some(3_600_000),
        database: Some(database.clone()),
        temporary: Some(temporary.clone()),
        ..Start::default()
    };
    let ready = start.start().await.unwrap();
    let document = document_of(&ready.runner).await;
    let mut held = Held { ready, document };
    what_is_asked_rightly_and_wrongly(&mut held).await;
    what_others_may_not(&mut held.document).await;
    half_a_request(&mut held.document).await;
    too_many_and_taken_back(&mut held).await;
    a_suite_that_cannot_be_started(&mut held, &temporary).await;
    results_that_cannot_be_reached(&mut held, &Connection::open(&database).unwrap()).await;
    an_end_meanwhile(held).await;
}

async fn what_is_asked_rightly_and_wrongly(held: &mut Held) {
    let one = held.ready.request(&["rungs::one"], 1);
    let two = held.ready.request(&["rungs::one", "rungs::two"], 2);
    let many = held.ready.request(&["rungs::one", "rungs::two", "rungs::four", "rungs::eight"], 4);
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
        held.measure(status, &body).await;
    }
    let of_one = "suite=ladder&function=rungs::one";
    let samples = format!("results/1/samples?function=rungs::one&x={}", low(&one));
    for (route, address, status) in [
        ("GET /catalog", "catalog", 200),
        ("GET /queue", "queue", 200),
        ("GET /machine", "machine", 200),
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
        ("DELETE /clients/{client}", "clients/nobody", 204),
        ("DELETE /clients/{client}", "clients/%FF", 400),
    ] {
        let (method, _, _) = self::address(route);
        let asked = held.ready.runner.ask(method, address);
        held.ask(route, status, asked).await;
    }
}

/// The axis value of its first point.
fn low(request: &Request) -> f64 {
    let range = |argument: &Argument| if let Argument::Range(range) = argument { Some(range.low) } else { None };
    request.arguments.values().find_map(range).unwrap()
}

/// Whoever has no token, comes from elsewhere, or calls the runner by another name, or by two.
async fn what_others_may_not(document: &mut Document) {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("benchbook.toml");
    std::fs::write(&config, format!("token = {TOKEN:?}\n")).unwrap();
    let runner = RunnerProgram::start(&[], &["--config", config.to_str().unwrap()]).unwrap();
    for route in document.routes() {
        let (method, _, address) = address(&route);
        let asked = || runner.ask(method.clone(), &address);
        let shown = || asked().bearer_auth(TOKEN);
        for (status, asked) in [
            (400, shown().header("host", "localhost").header("host", "localhost")),
            (401, asked()),
            (401, asked().bearer_auth("a-token-of-sufficient-length-0124")),
            (403, shown().header("host", "rebound.example.org")),
            (403, shown().header("origin", "https://other.example.org")),
        ] {
            hold(document, &route, status, asked).await;
        }
    }
}

/// A body that does not come.
async fn half_a_request(document: &mut Document) {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("benchbook.toml");
    std::fs::write(&config, "limits.patience_seconds = 1\n").unwrap();
    let runner = RunnerProgram::start(&[], &["--config", config.to_str().unwrap()]).unwrap();
    let nothing = futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>();
    let asked = runner.post("measure").body(reqwest::Body::wrap_stream(nothing));
    hold(document, "POST /measure", 408, asked).await;
}

/// A client that hangs, and takes that back when another was refused.
async fn too_many_and_taken_back(held: &mut Held) {
    let hangs = held.ready.request(&["functions::hangs"], 1);
    let waits = tokio::spawn(held.ready.runner.post("measure").json(&hangs).send());
    until_taken(&held.ready).await;
    let another = Request { client: "another".to_owned(), ..hangs.clone() };
    held.measure(429, &json!(another).to_string()).await;

    let address = format!("clients/{}", hangs.client);
    let takes_back = held.ready.runner.ask(Method::DELETE, &address);
    held.ask("DELETE /clients/{client}", 204, takes_back).await;
    let answer = waits.await.unwrap().unwrap();
    assert_eq!(answer.status().as_u16(), 409);
    held.document.hold_answer("POST", "/measure", answer).await.unwrap();
    held.ready.runner.log_has("nobody waits for it").unwrap();
}

/// Waits until the runner has taken what somebody asked.
async fn until_taken(ready: &Ready) {
    let is_taken = async {
        loop {
            let load: Load = ready.runner.get("queue").send().await.unwrap().json().await.unwrap();
            if load.clients > 0 {
                return;
            }
        }
    };
    tokio::time::timeout(PATIENCE, is_taken).await.unwrap();
}

/// Its processes have a folder each for their files, which cannot be made.
async fn a_suite_that_cannot_be_started(held: &mut Held, temporary: &std::path::Path) {
    let request = json!(held.ready.request(&["rungs::four"], 1)).to_string();
    std::fs::remove_dir(temporary).unwrap();
    let asked = held.ready.runner.post("measure").body(request.clone());
    held.ask("POST /measure", 502, asked).await;
    let asked = held.ready.runner.post("measure").header("accept", STREAM).body(request.clone());
    let told = held.ask("POST /measure", 200, asked).await;
    let last: Event = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    assert!(
        matches!(&last, Event::Failed { reason } if reason.contains("cannot be started") && !reason.contains('/')),
        "{last:?}"
    );
    std::fs::create_dir(temporary).unwrap();
    held.measure(200, &request).await;
}

/// Somebody takes its tables away, and puts them back.
async fn results_that_cannot_be_reached(held: &mut Held, database: &Connection) {
    let request = held.ready.request(&["rungs::one"], 1);
    let of_results: Vec<String> =
        held.document.routes().into_iter().filter(|route| route.contains("/results")).collect();
    assert_eq!(of_results.len(), 5);
    let of_function = "?suite=ladder&function=rungs::one";
    let of_point = format!("?function=rungs::one&x={}", low(&request));
    let tables = ["results", "subjects", "points", "samples"];
    for (status, from, to) in [(503, "", "away_"), (200, "away_", "")] {
        for table in tables {
            database.execute_batch(&format!("ALTER TABLE {from}{table} RENAME TO {to}{table}")).unwrap();
        }
        for route in &of_results {
            let (method, path, address) = address(route);
            let asked = match path {
                "/results/generators" => address + of_function,
                "/results/{id}/samples" => address + &of_point,
                _ => address,
            };
            let asked = held.ready.runner.ask(method, &asked);
            held.ask(route, status, asked).await;
        }
        held.measure(status, &json!(request).to_string()).await;
    }
}

/// Whoever waits is told when to come back, and nothing that the document promises was left out.
async fn an_end_meanwhile(held: Held) {
    let Held { ready, mut document } = held;
    let hangs = ready.request(&["functions::hangs"], 1);
    let waits = tokio::spawn(ready.runner.post("measure").json(&hangs).send());
    until_taken(&ready).await;
    let ended = tokio::task::spawn_blocking(move || ready.runner.terminate());
    let answer = waits.await.unwrap().unwrap();
    assert_eq!((answer.status().as_u16(), &answer.headers()["retry-after"]), (503, &"60".parse().unwrap()));
    document.hold_answer("POST", "/measure", answer).await.unwrap();
    let (status, log) = ended.await.unwrap().unwrap();
    assert!(status.success(), "{status}: {log:?}");
    assert_eq!(document.unseen(), BTreeSet::new());
}
