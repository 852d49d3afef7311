//! The page, isolated from other origins so that its clock has full resolution, and the wasm builds of the suites.

use std::path::Path;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::get;
use serde_json::{Map, Value, json};
use tower_http::compression::CompressionLayer;
use tower_http::services::ServeDir;

use crate::setup::{HostedSuite, Setup};

/// The headers that isolate a page. Every file of the page needs them.
const ISOLATION: [(&str, &str); 3] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// The page's configuration.
const SITE_CONFIG: &str = "notebook.json";

pub(super) fn router(setup: &Setup, page: Option<&Path>) -> Router {
    let mut router = Router::new();
    for suite in &setup.suites {
        if let (Some(path), Some(module)) = (&suite.entry.wasm, &suite.wasm) {
            let module = module.clone();
            let respond = move || async { ([(header::CONTENT_TYPE, "application/wasm")], module) };
            router = router.route(&format!("/{path}"), get(respond));
        }
    }
    if let Some(folder) = page {
        let config = site_config(setup, folder).to_string();
        let respond = move || async { ([(header::CONTENT_TYPE, "application/json")], config) };
        router = router.route(&format!("/{SITE_CONFIG}"), get(respond)).fallback_service(ServeDir::new(folder));
    }
    router.layer(CompressionLayer::new()).layer(map_response(isolate))
}

async fn isolate(mut response: Response) -> Response {
    for (name, value) in ISOLATION {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// The page's `notebook.json` with this runner and its suites instead of those that it names, and without examples of other
/// suites.
fn site_config(setup: &Setup, folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join(SITE_CONFIG)).unwrap_or_default();
    let mut config: Map<String, Value> = serde_json::from_str(&text).unwrap_or_default();
    let suites: Vec<&String> = setup.suites.iter().filter_map(|suite| suite.entry.wasm.as_ref()).collect();
    if let Some(Value::Array(examples)) = config.get_mut("examples") {
        let is_example_of = |link: &str, name: &str| link.starts_with(&format!("suite={name}&"));
        examples.retain(|example| {
            let link = example["link"].as_str().unwrap_or_default();
            setup.suites.iter().map(HostedSuite::name).any(|name| is_example_of(link, name))
        });
    }
    config.insert("suites".to_owned(), json!(suites));
    config.insert("runner".to_owned(), json!("./"));
    Value::Object(config)
}
