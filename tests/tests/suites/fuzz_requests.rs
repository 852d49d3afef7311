//! Whatever a client sends to the runner's routes, the response is JSON, either valid or an error that names the
//! problem, and never an internal error.
//!
//! The routes run without a network and without a measuring thread. Cases are derived from valid requests: damaged
//! JSON, values and bytes, all seeded. `cargo xtask soak fuzz` runs many more of them.

use std::panic::AssertUnwindSafe;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request as HttpRequest, StatusCode};
use benchbook_host::api::{ErrorBody, STREAM};
use benchbook_host::child::NativeSuite;
use benchbook_tests::fuzz::{CaseRng, FEW, MANY, NUMBERS, cases, seed};
use benchbook_tests::requests::request;
use benchbook_tests::routes::{routes, setup};
use benchbook_tests::suites::native;
use serde_json::{Value, json};
use tower::ServiceExt;

/// The runner's routes with a suite and a store but without a measuring thread, and valid requests.
fn app() -> (Router, Vec<Value>) {
    let native = NativeSuite::open(&native("ladder").unwrap()).unwrap();
    let suite = native.suite().clone();
    let value_of = |functions: &[&str]| {
        let generator = suite.generator(&suite.function(functions[0]).unwrap().generators[0]).unwrap();
        let range = generator.default_axis().unwrap().numeric().unwrap().default_range();
        serde_json::to_value(request(&suite, functions, generator, range)).unwrap()
    };
    let mut valid =
        vec![value_of(&["rungs::one"]), value_of(&["rungs::one", "rungs::two"]), value_of(&["nothing::empty_several"])];
    for (field, value) in [("seed", json!(7)), ("precision", json!(0.5)), ("point_ms", json!(1.5))] {
        let mut with = valid[0].clone();
        with[field] = value;
        valid.push(with);
    }
    (routes(setup(native)), valid)
}

/// A damaged request body: numbers beyond JSON's limits, duplicate fields, deep nesting, and random bytes.
fn body(valid: &[Value], rng: &mut CaseRng) -> Vec<u8> {
    let mut value = valid[rng.below(valid.len())].clone();
    for _ in 0..rng.below(4) {
        rng.damage_value(&mut value);
    }
    let mut text = value.to_string();
    match rng.below(12) {
        0 => text = text.replacen('{', &format!("{{\"priority\":{},", rng.pick(NUMBERS)), 1),
        1 => {
            let deep = [1, 100, 127, 128, 10_000][rng.below(5)];
            text = text.replacen("null", &format!("{}{}", "[".repeat(deep), "]".repeat(deep)), 1);
            text = text.replacen("\"client\":", &format!("\"client\":{}", "[".repeat(deep)), 1);
        }
        2 => {
            text = text.replacen(
                ':',
                &format!(":{}", rng.pick(&["1e999", "-1e999", "01", "+1", ".5", "NaN", "Infinity"])),
                1,
            );
        }
        _ => {}
    }
    let mut bytes = text.into_bytes();
    if rng.one_in(6) {
        rng.damage_bytes(&mut bytes);
    }
    if rng.one_in(1_000) {
        bytes.resize(1 << 20, b' ');
    }
    bytes
}

/// A part of an address, percent-encoded or not.
fn part(rng: &mut CaseRng) -> String {
    let text = match rng.below(5) {
        0 => rng.pick(NUMBERS).to_string(),
        1 => String::from_utf8_lossy(&rng.bytes(12)).into_owned(),
        _ => rng.text(),
    };
    // Characters that an address cannot contain would never reach a route.
    let escaped = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b':' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let mut part: String = text.bytes().map(escaped).collect();
    if rng.one_in(10) {
        part.push_str(rng.pick(&["%", "%f", "%ff", "%zz", "+", "&", "=", "?", ";", "/"]));
    }
    part
}

const ROUTES: &[&str] = &[
    "catalog",
    "queue",
    "machine",
    "openapi.json",
    "results",
    "results/functions",
    "results/generators",
    "results/1",
    "results/1/samples",
    "clients/test",
    "measure",
    "",
];

const NAMES: &[&str] = &["suite", "function", "generator", "before", "limit", "x", "y", ""];

fn address(rng: &mut CaseRng) -> String {
    let mut address = format!("/api/v1/{}", rng.pick(ROUTES));
    if rng.one_in(4) {
        address = match rng.below(3) {
            0 => format!("/api/v1/results/{}", part(rng)),
            1 => format!("/api/v1/results/{}/samples", part(rng)),
            _ => format!("/api/v1/{}", part(rng)),
        };
    }
    for index in 0..rng.below(5) {
        let name = if rng.one_in(8) { part(rng) } else { rng.pick(NAMES).to_string() };
        address = format!("{address}{}{name}={}", if index == 0 { '?' } else { '&' }, part(rng));
    }
    address
}

/// A request to send.
struct Case {
    method: &'static str,
    address: String,
    accept: &'static str,
    body: Vec<u8>,
}

fn case(valid: &[Value], rng: &mut CaseRng) -> Case {
    let is_measure = rng.below(10) < 7;
    let method = if is_measure {
        "POST"
    } else {
        rng.pick(&["GET", "GET", "GET", "GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS"])
    };
    let address = if is_measure { "/api/v1/measure".to_owned() } else { address(rng) };
    // A valid request without streaming would wait forever for the measurement.
    let accept = if address.contains("/measure") { STREAM } else { "application/json" };
    Case { method, address, accept, body: body(valid, rng) }
}

/// Sends a request and checks the response.
async fn send(app: &Router, case: &Case) -> Result<StatusCode, String> {
    let request = HttpRequest::builder().method(case.method).uri(&case.address).header("accept", case.accept);
    // A server rejects an invalid address before it reaches the routes.
    let Ok(request) = request.body(Body::from(case.body.clone())) else { return Ok(StatusCode::BAD_REQUEST) };
    let response = app.clone().oneshot(request).await.unwrap();
    let status = response.status();
    if status.is_server_error() || status.is_redirection() {
        return Err(format!("{status}"));
    }
    if status == StatusCode::METHOD_NOT_ALLOWED && !response.headers().contains_key("allow") {
        return Err("405 without the header `allow`".to_owned());
    }
    let kind = response.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
    if kind.as_deref() == Some(STREAM) {
        // Its first line requires a measurement. Dropping the response disconnects.
        return Ok(status);
    }
    let bytes = to_bytes(response.into_body(), 1 << 20).await.map_err(|error| error.to_string())?;
    if bytes.is_empty() && (case.method == "HEAD" || status == StatusCode::NO_CONTENT) {
        return Ok(status);
    }
    if kind.as_deref() != Some("application/json") {
        return Err(format!("{status} with {kind:?}"));
    }
    if status.is_success() {
        serde_json::from_slice::<Value>(&bytes).map_err(|error| error.to_string())?;
        return Ok(status);
    }
    let body: ErrorBody = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    let length = body.error.len() + body.problems.iter().map(|problem| problem.message.len()).sum::<usize>();
    if body.error.is_empty() || length > 10 * (case.address.len() + case.body.len()) + 2_000 {
        return Err(format!("{status} with {length} bytes: {:.200}", body.error));
    }
    Ok(status)
}

#[test]
fn every_request_gets_a_response() {
    run(FEW);
}

#[test]
#[ignore = "nightly: more cases"]
fn each_of_many_requests_gets_a_response() {
    run(MANY);
}

fn run(usual: u64) {
    let (app, valid) = app();
    // The routes read the store on a blocking thread.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let mut statuses = std::collections::BTreeMap::<u16, u64>::new();
    for number in 0..cases(usual) {
        let mut rng = CaseRng::new(seed(), number);
        let case = case(&valid, &mut rng);
        let result = std::panic::catch_unwind(AssertUnwindSafe(|| runtime.block_on(send(&app, &case))));
        match result {
            Ok(Ok(status)) => *statuses.entry(status.as_u16()).or_default() += 1,
            Ok(Err(wrong)) => panic!("case {number}: {wrong}\n{case}"),
            Err(_) => panic!("case {number} panicked\n{case}"),
        }
    }
    println!("{statuses:?}");
    for status in [200, 204, 400, 404, 405, 413, 422] {
        assert!(statuses.contains_key(&status), "no response with status {status}: {statuses:?}");
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { method, address, accept, body } = self;
        write!(f, "{method} {address}\naccept: {accept}\n{}", body.escape_ascii())
    }
}
