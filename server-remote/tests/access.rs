//! Who may use a runner: through the layer, as every request comes.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use axum::{Router, response::Response};
use benchbook_host::api::ErrorBody;
use benchbook_server::access::{Access, guard};
use benchbook_server::config::{Config, Surroundings};
use tower::ServiceExt;

const TOKEN: &str = "0123456789abcdef";

/// A runner with some routes; its command line says more than the address.
fn runner(address: &str, arguments: &[&str], token: Option<&str>) -> Router {
    let here = Surroundings { data_folder: Some("data".into()), ..Surroundings::default() };
    let words = ["benchbook-server", "--address", address].into_iter().chain(arguments.iter().copied());
    let variable = |name: &str| token.filter(|_| name == "BENCHBOOK_TOKEN").map(Into::into);
    let mut config = Config::read(words.map(Into::into), variable, &here).expect("it will do");
    if config.token_is_new {
        config.token = None;
    }
    let access = Arc::new(Access::new(config.address, &config));
    Router::new()
        .route("/", get(|| async { "the page" }))
        .route("/healthz", get(|| async { "ok" }))
        .route("/metrics", get(|| async { "1" }))
        .route("/api/v1/catalog", get(|| async { "a catalog" }).post(|| async { "measured" }))
        .layer(from_fn_with_state(access, guard))
}

async fn ask(runner: &Router, request: &str, headers: &[(&str, &str)]) -> Response {
    let (method, path) = request.split_once(' ').expect("a method and a path");
    let request = Request::builder().method(method).uri(path);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let request = request.body(Body::empty()).expect("it is a request");
    runner.clone().oneshot(request).await.expect("a router answers")
}

async fn refusal(response: Response) -> String {
    let body = to_bytes(response.into_body(), 10_000).await.expect("it has a body");
    let refusal: ErrorBody = serde_json::from_slice(&body).expect("it says what to do");
    refusal.error
}

fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    response.headers().get(name).map(|value| value.to_str().expect("it is a text"))
}

#[tokio::test]
async fn it_answers_to_its_own_names_only() {
    let loopback = ("127.0.0.1:4040", &[][..]);
    let named = ("127.0.0.1:4040", &["--host", "Bench.example.org"][..]);
    let everywhere = ("0.0.0.0:4040", &[][..]);
    let one = ("192.0.2.7:4040", &[][..]);
    let v6 = ("[::1]:4040", &[][..]);
    for ((address, arguments), host, expected) in [
        (loopback, "127.0.0.1:4040", 200),
        (loopback, "127.0.0.1", 200),
        (loopback, "localhost:9000", 200),
        (loopback, "LOCALHOST:4040", 200),
        (loopback, "[::1]:4040", 200),
        (loopback, "evil.example:4040", 403),
        (loopback, "127.0.0.1.evil.example", 403),
        (loopback, "localhost.evil.example", 403),
        (loopback, "192.0.2.7:4040", 403),
        (loopback, "2130706433", 403),
        (loopback, "user@127.0.0.1", 400),
        (loopback, "127.0.0.1:x", 400),
        (loopback, "", 400),
        (named, "bench.example.org", 200),
        (named, "BENCH.example.org:443", 200),
        (named, "other.example.org", 403),
        (everywhere, "192.0.2.7:4040", 200),
        (everywhere, "localhost:4040", 200),
        (everywhere, "evil.example", 403),
        (one, "192.0.2.7:4040", 200),
        (one, "192.0.2.8:4040", 403),
        (one, "localhost:4040", 403),
        (v6, "[::1]:4040", 200),
        (v6, "localhost:4040", 200),
        (v6, "[::2]:4040", 403),
    ] {
        let response = ask(&runner(address, arguments, None), "GET /", &[("host", host)]).await;
        assert_eq!(response.status(), expected, "{address} {host}");
    }
    let runner = runner("127.0.0.1:4040", &[], None);
    let told = refusal(ask(&runner, "GET /", &[("host", "evil.example")]).await).await;
    assert!(told.contains("http://127.0.0.1:4040/") && told.contains("--host evil.example"), "{told}");
    let twice = [("host", "localhost"), ("host", "localhost")];
    assert_eq!(ask(&runner, "GET /", &twice).await.status(), StatusCode::BAD_REQUEST);
    assert_eq!(ask(&runner, "GET /", &[]).await.status(), StatusCode::BAD_REQUEST);
    // HTTP/2 names it in this way.
    assert_eq!(ask(&runner, "GET https://localhost/", &[]).await.status(), StatusCode::OK);
    assert_eq!(ask(&runner, "GET https://evil.example/", &[]).await.status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn pages_of_exact_origins_may_use_it() {
    let runner = runner("127.0.0.1:4040", &["--origin", "https://bench.example.org"], None);
    for (origin, expected) in [
        ("http://127.0.0.1:4040", 200),
        ("https://bench.example.org", 200),
        ("https://bench.example.org:8443", 403),
        ("http://bench.example.org", 403),
        ("https://evil-bench.example.org", 403),
        ("https://bench.example.org.evil.example", 403),
        ("http://127.0.0.1:8080", 403),
        ("http://localhost:4040", 403),
        ("null", 403),
        ("", 403),
    ] {
        for request in ["GET /api/v1/catalog", "POST /api/v1/catalog", "GET /"] {
            let response = ask(&runner, request, &[("host", "127.0.0.1:4040"), ("origin", origin)]).await;
            assert_eq!(response.status(), expected, "{request} {origin}");
            assert_eq!(header(&response, "vary"), Some("Origin"));
            let allowed = (expected == 200).then_some(origin);
            assert_eq!(header(&response, "access-control-allow-origin"), allowed);
        }
    }
    let headers = [("host", "127.0.0.1:4040"), ("origin", "https://evil.example")];
    let told = refusal(ask(&runner, "GET /api/v1/catalog", &headers).await).await;
    assert!(told.contains("--origin https://evil.example"), "{told}");
}

#[tokio::test]
async fn a_browser_may_ask_first() {
    let runner = runner("127.0.0.1:4040", &["--origin", "https://bench.example.org"], Some(TOKEN));
    let preflight = async |origin, more: &[(&str, &str)]| {
        let mut headers = vec![("host", "127.0.0.1"), ("origin", origin), ("access-control-request-method", "POST")];
        headers.extend(more);
        ask(&runner, "OPTIONS /api/v1/catalog", &headers).await
    };
    let response = preflight("https://bench.example.org", &[]).await;
    assert_eq!(response.status(), StatusCode::NO_CONTENT);
    assert_eq!(header(&response, "access-control-allow-origin"), Some("https://bench.example.org"));
    assert_eq!(header(&response, "access-control-allow-headers"), Some("authorization, content-type"));
    assert!(header(&response, "access-control-allow-methods").is_some_and(|methods| methods.contains("POST")));
    assert_eq!(header(&response, "access-control-allow-private-network"), None);
    let private = [("access-control-request-private-network", "true")];
    let response = preflight("https://bench.example.org", &private).await;
    assert_eq!(header(&response, "access-control-allow-private-network"), Some("true"));
    let response = preflight("https://evil.example", &private).await;
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
    assert_eq!(header(&response, "access-control-allow-origin"), None);
    assert_eq!(header(&response, "access-control-allow-private-network"), None);
}

#[tokio::test]
async fn the_api_wants_the_token_and_the_page_does_not() {
    let runner = runner("127.0.0.1:4040", &["--origin", "https://bench.example.org"], Some(TOKEN));
    let right = format!("Bearer {TOKEN}");
    for (path, authorization, expected) in [
        ("/", "", 200),
        ("/healthz", "", 200),
        ("/api/v1/catalog", "", 401),
        ("/api/v1/nowhere", "", 401),
        ("/metrics", "", 401),
        ("/api/v1/catalog", right.as_str(), 200),
        ("/api/v1/catalog", "bearer 0123456789abcdef", 200),
        ("/api/v1/catalog", "Bearer 0123456789abcdeF", 401),
        ("/api/v1/catalog", "Bearer 0123456789abcde", 401),
        ("/api/v1/catalog", "Bearer 0123456789abcdef0", 401),
        ("/api/v1/catalog", "Basic 0123456789abcdef", 401),
        ("/api/v1/catalog", "0123456789abcdef", 401),
        ("/api/v1/nowhere", right.as_str(), 404),
    ] {
        let mut headers = vec![("host", "127.0.0.1"), ("origin", "https://bench.example.org")];
        headers.extend((!authorization.is_empty()).then_some(("authorization", authorization)));
        let response = ask(&runner, &format!("GET {path}"), &headers).await;
        assert_eq!(response.status(), expected, "{path} {authorization}");
        // The page elsewhere can read why.
        assert_eq!(header(&response, "access-control-allow-origin"), Some("https://bench.example.org"));
        assert_eq!(header(&response, "www-authenticate").is_some(), expected == 401);
        if expected == 401 {
            assert!(refusal(response).await.contains("Authorization: Bearer TOKEN"));
        }
    }
}
