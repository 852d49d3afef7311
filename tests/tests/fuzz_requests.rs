//! Whatever a client sends to the runner's routes: each answer is JSON with what is wrong, or a right one, and never an
//! error of the runner.
//!
//! The routes are asked without a network and with nothing that measures. Cases are made from valid requests by damage
//! of their JSON, of its values and of its bytes, from a seed; `cargo xtask soak fuzz` tries many more of the same.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::panic::AssertUnwindSafe;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request as Asked, StatusCode};
use benchbook_host::api::{ErrorBody, STREAM};
use benchbook_host::child::NativeSuite;
use benchbook_tests::fuzz::{Dice, NUMBERS, cases, seed};
use benchbook_tests::requests::request;
use benchbook_tests::routes::routes;
use benchbook_tests::suites::fixture;
use serde_json::{Value, json};
use tower::ServiceExt;

/// The runner's routes, with a suite and a store, and nobody who measures.
fn app() -> (Router, Vec<Value>) {
    let native = NativeSuite::open(&fixture("ladder").unwrap().program).unwrap();
    let suite = native.suite().clone();
    let ask = |functions: &[&str]| {
        let generator = suite.generator(&suite.function(functions[0]).unwrap().generators[0]).unwrap();
        let range = generator.default_axis().unwrap().numeric().unwrap().default_range();
        serde_json::to_value(request(&suite, functions, generator, range)).unwrap()
    };
    let mut valid = vec![ask(&["rungs::one"]), ask(&["rungs::one", "rungs::two"]), ask(&["nothing::empty_several"])];
    for (field, value) in [("seed", json!(7)), ("precision", json!(0.5)), ("point_ms", json!(1.5))] {
        let mut with = valid[0].clone();
        with[field] = value;
        valid.push(with);
    }
    (routes(native), valid)
}

/// The text of a request, damaged as a text: numbers too large for JSON's reader, fields twice, depth, and bytes.
fn body(valid: &[Value], dice: &mut Dice) -> Vec<u8> {
    let mut value = valid[dice.below(valid.len())].clone();
    for _ in 0..dice.below(4) {
        dice.damage_value(&mut value);
    }
    let mut text = value.to_string();
    match dice.below(12) {
        0 => text = text.replacen('{', &format!("{{\"priority\":{},", dice.pick(NUMBERS)), 1),
        1 => {
            let deep = [1, 100, 127, 128, 10_000][dice.below(5)];
            text = text.replacen("null", &format!("{}{}", "[".repeat(deep), "]".repeat(deep)), 1);
            text = text.replacen("\"client\":", &format!("\"client\":{}", "[".repeat(deep)), 1);
        }
        2 => {
            text = text.replacen(
                ':',
                &format!(":{}", dice.pick(&["1e999", "-1e999", "01", "+1", ".5", "NaN", "Infinity"])),
                1,
            );
        }
        _ => {}
    }
    let mut bytes = text.into_bytes();
    if dice.one_in(6) {
        dice.damage_bytes(&mut bytes);
    }
    if dice.one_in(1_000) {
        bytes.resize(1 << 20, b' ');
    }
    bytes
}

/// A part of an address, as it may be sent.
fn part(dice: &mut Dice) -> String {
    let text = match dice.below(5) {
        0 => dice.pick(NUMBERS).to_string(),
        1 => String::from_utf8_lossy(&dice.bytes(12)).into_owned(),
        _ => dice.text(),
    };
    // What an address cannot hold never comes to a route.
    let escaped = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b':' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let mut part: String = text.bytes().map(escaped).collect();
    if dice.one_in(10) {
        part.push_str(dice.pick(&["%", "%f", "%ff", "%zz", "+", "&", "=", "?", ";", "/"]));
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

fn address(dice: &mut Dice) -> String {
    let mut address = format!("/api/v1/{}", dice.pick(ROUTES));
    if dice.one_in(4) {
        address = match dice.below(3) {
            0 => format!("/api/v1/results/{}", part(dice)),
            1 => format!("/api/v1/results/{}/samples", part(dice)),
            _ => format!("/api/v1/{}", part(dice)),
        };
    }
    for index in 0..dice.below(5) {
        let name = if dice.one_in(8) { part(dice) } else { dice.pick(NAMES).to_string() };
        address = format!("{address}{}{name}={}", if index == 0 { '?' } else { '&' }, part(dice));
    }
    address
}

/// A case: what is sent.
struct Case {
    method: &'static str,
    address: String,
    accept: &'static str,
    body: Vec<u8>,
}

fn case(valid: &[Value], dice: &mut Dice) -> Case {
    let is_measure = dice.below(10) < 7;
    let method = if is_measure {
        "POST"
    } else {
        dice.pick(&["GET", "GET", "GET", "GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS"])
    };
    let address = if is_measure { "/api/v1/measure".to_owned() } else { address(dice) };
    // A valid request of another kind waits for an answer that nobody measures.
    let accept = if address.contains("/measure") { STREAM } else { "application/json" };
    Case { method, address, accept, body: body(valid, dice) }
}

/// Asks, and says what is wrong with the answer.
async fn ask(app: &Router, case: &Case) -> Result<StatusCode, String> {
    let asked = Asked::builder().method(case.method).uri(&case.address).header("accept", case.accept);
    // What is no address is none that a server would hand on.
    let Ok(asked) = asked.body(Body::from(case.body.clone())) else { return Ok(StatusCode::BAD_REQUEST) };
    let answer = app.clone().oneshot(asked).await.unwrap();
    let status = answer.status();
    if status.is_server_error() || status.is_redirection() {
        return Err(format!("{status}"));
    }
    if status == StatusCode::METHOD_NOT_ALLOWED && !answer.headers().contains_key("allow") {
        return Err("405, and no word of what is allowed".to_owned());
    }
    let kind = answer.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
    if kind.as_deref() == Some(STREAM) {
        // Its first line would come only where somebody measures; whoever drops it hangs up.
        return Ok(status);
    }
    let bytes = to_bytes(answer.into_body(), 1 << 20).await.map_err(|error| error.to_string())?;
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
    let refusal: ErrorBody = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    let told = refusal.error.len() + refusal.problems.iter().map(|problem| problem.message.len()).sum::<usize>();
    if refusal.error.is_empty() || told > 10 * (case.address.len() + case.body.len()) + 2_000 {
        return Err(format!("{status} that tells {told} bytes: {:.200}", refusal.error));
    }
    Ok(status)
}

#[test]
fn whatever_is_sent_is_answered() {
    let (app, valid) = app();
    // The routes read the store on a thread for what waits.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let mut statuses = std::collections::BTreeMap::<u16, u64>::new();
    for number in 0..cases() {
        let mut dice = Dice::of(seed(), number);
        let case = case(&valid, &mut dice);
        let asked = std::panic::catch_unwind(AssertUnwindSafe(|| runtime.block_on(ask(&app, &case))));
        match asked {
            Ok(Ok(status)) => *statuses.entry(status.as_u16()).or_default() += 1,
            Ok(Err(wrong)) => panic!("case {number}: {wrong}\n{case}"),
            Err(_) => panic!("case {number} panics\n{case}"),
        }
    }
    println!("{statuses:?}");
    for status in [200, 204, 400, 404, 405, 413, 422] {
        assert!(statuses.contains_key(&status), "no case was answered {status}: {statuses:?}");
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { method, address, accept, body } = self;
        write!(f, "{method} {address}\naccept: {accept}\n{}", body.escape_ascii())
    }
}
