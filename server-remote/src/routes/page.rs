//! The notebook itself, isolated from other origins so that its clock is fine, and the wasm twins of the suites.

use std::path::Path;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::get;
use serde_json::{Map, Value, json};
use tower_http::compression::CompressionLayer;
use tower_http::services::ServeDir;

use crate::runner::Runner;

/// What isolates a page: every file of it needs it.
const ISOLATION: [(&str, &str); 3] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// What the page is told of its host.
const NOTEBOOK: &str = "notebook.json";

pub(super) fn router(runner: &Runner, page: Option<&Path>) -> Router {
    let mut router = Router::new();
    for offered in &runner.suites {
        if let (Some(address), Some(module)) = (&offered.offer.wasm, &offered.wasm) {
            let module = module.clone();
            let answer = move || async { ([(header::CONTENT_TYPE, "application/wasm")], module) };
            router = router.route(&format!("/{address}"), get(answer));
        }
    }
    if let Some(folder) = page {
        let notebook = notebook(runner, folder).to_string();
        let answer = move || async { ([(header::CONTENT_TYPE, "application/json")], notebook) };
        router = router.route(&format!("/{NOTEBOOK}"), get(answer)).fallback_service(ServeDir::new(folder));
    }
    router.layer(CompressionLayer::new()).layer(map_response(isolated))
}

async fn isolated(mut response: Response) -> Response {
    for (name, value) in ISOLATION {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// The page's own `notebook.json`, with this runner and its suites in the place of those that it names; examples of other
/// suites go.
fn notebook(runner: &Runner, folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join(NOTEBOOK)).unwrap_or_default();
    let mut notebook: Map<String, Value> = serde_json::from_str(&text).unwrap_or_default();
    let suites: Vec<&String> = runner.suites.iter().filter_map(|offered| offered.offer.wasm.as_ref()).collect();
    if let Some(Value::Array(examples)) = notebook.get_mut("examples") {
        let is_of = |link: &str, name: &str| link.starts_with(&format!("suite={name}&"));
        examples.retain(|example| {
            let link = example["link"].as_str().unwrap_or_default();
            runner.suites.iter().any(|offered| is_of(link, offered.name()))
        });
    }
    notebook.insert("suites".to_owned(), json!(suites));
    notebook.insert("runner".to_owned(), json!("./"));
    Value::Object(notebook)
}
