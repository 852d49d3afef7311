//! Access control, tested through the layers.

use axum::http::StatusCode;
use axum::routing::get;
use axum::{Router, response::Response};
use benchbook_host::api::ErrorBody;
use benchbook_server::config::{Environment, Invocation};
use benchbook_server::http::access::restrict;

use crate::routes::{body, header, send};

const TOKEN: &str = "0123456789abcdef";

/// A runner with a few routes; `arguments` follow the address on its command line.
fn runner(address: &str, arguments: &[&str], token: Option<&str>) -> Router {
    let environment = Environment { data_folder: Some("data".into()), ..Environment::default() };
    let words = ["benchbook-server", "--address", address].into_iter().chain(arguments.iter().copied());
    let variable = |name: &str| token.filter(|_| name == "BENCHBOOK_TOKEN").map(Into::into);
    let Ok(Invocation::Serve(mut config)) = Invocation::read(words.map(Into::into), variable, &environment) else {
        panic!("the configuration is valid");
    };
    if config.is_token_generated {
        config.token = None;
    }
    let routes = Router::new()
        .route("/", get(|| async { "the page" }))
        .route("/healthz", get(|| async { "ok" }))
        .route("/metrics", get(|| async { "1" }))
        .route("/api/v1/catalog", get(|| async { "a catalog" }).post(|| async { "measured" }));
    restrict(routes, config.access_policy(config.address))
}

async fn error(response: Response) -> String {
    serde_json::from_slice::<ErrorBody>(&body(response).await).expect("an error body").error
}

#[tokio::test]
async fn accepts_its_own_hosts_only() {
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
        let response = send(&runner(address, arguments, None), "GET", "/", &[("host", host)]).await;
        assert_eq!(response.status(), expected, "{address} {host}");
    }
    let runner = runner("127.0.0.1:4040", &[], None);
    let error = error(send(&runner, "GET", "/", &[("host", "evil.example")]).await).await;
    assert!(error.contains("http://127.0.0.1:4040/") && error.contains("--host evil.example"), "{error}");
    let twice = [("host", "localhost"), ("host", "localhost")];
    assert_eq!(send(&runner, "GET", "/", &twice).await.status(), StatusCode::BAD_REQUEST);
    assert_eq!(send(&runner, "GET", "/", &[]).await.status(), StatusCode::BAD_REQUEST);
    // HTTP/2 has the host in the request's target.
    assert_eq!(send(&runner, "GET", "https://localhost/", &[]).await.status(), StatusCode::OK);
    assert_eq!(send(&runner, "GET", "https://evil.example/", &[]).await.status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn accepts_configured_origins_only() {
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
        for (method, path) in [("GET", "/api/v1/catalog"), ("POST", "/api/v1/catalog"), ("GET", "/")] {
            let response = send(&runner, method, path, &[("host", "127.0.0.1:4040"), ("origin", origin)]).await;
            assert_eq!(response.status(), expected, "{method} {path} {origin}");
            assert_eq!(header(response.headers(), "vary"), Some("origin"));
            let allowed = (expected == 200).then_some(origin);
            assert_eq!(header(response.headers(), "access-control-allow-origin"), allowed);
        }
    }
    let headers = [("host", "127.0.0.1:4040"), ("origin", "https://evil.example")];
    let error = error(send(&runner, "GET", "/api/v1/catalog", &headers).await).await;
    assert!(error.contains("--origin https://evil.example"), "{error}");
}

#[tokio::test]
async fn responds_to_preflight_requests() {
    let runner = runner("127.0.0.1:4040", &["--origin", "https://bench.example.org"], Some(TOKEN));
    let preflight = async |origin, more: &[(&str, &str)]| {
        let mut headers = vec![("host", "127.0.0.1"), ("origin", origin), ("access-control-request-method", "POST")];
        headers.extend(more);
        send(&runner, "OPTIONS", "/api/v1/catalog", &headers).await
    };
    let response = preflight("https://bench.example.org", &[]).await;
    assert_eq!(response.status(), StatusCode::NO_CONTENT);
    assert_eq!(header(response.headers(), "access-control-allow-origin"), Some("https://bench.example.org"));
    assert_eq!(header(response.headers(), "access-control-allow-headers"), Some("authorization,content-type"));
    assert_eq!(header(response.headers(), "access-control-allow-methods"), Some("GET,POST,DELETE"));
    assert_eq!(header(response.headers(), "access-control-max-age"), Some("7200"));
    assert_eq!(header(response.headers(), "access-control-allow-private-network"), None);
    let private = [("access-control-request-private-network", "true")];
    let response = preflight("https://bench.example.org", &private).await;
    assert_eq!(header(response.headers(), "access-control-allow-private-network"), Some("true"));
    let response = preflight("https://evil.example", &private).await;
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
    assert_eq!(header(response.headers(), "access-control-allow-origin"), None);
    assert_eq!(header(response.headers(), "access-control-allow-private-network"), None);
}

#[tokio::test]
async fn requires_the_token_for_the_api_only() {
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
        let response = send(&runner, "GET", path, &headers).await;
        assert_eq!(response.status(), expected, "{path} {authorization}");
        // A page of another origin can read the error.
        assert_eq!(header(response.headers(), "access-control-allow-origin"), Some("https://bench.example.org"));
        assert_eq!(header(response.headers(), "www-authenticate").is_some(), expected == 401);
        if expected == 401 {
            assert!(error(response).await.contains("Authorization: Bearer TOKEN"));
        }
    }
}
