//! The routes of the runner, one router per resource.

mod catalog;
mod health;
mod input;
mod machine;
mod measure;
mod openapi;
mod page;
mod results;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::any;
use benchbook_host::api::ROOT;

use crate::error::ApiError;
use crate::runner::Runner;

/// All routes; `page` is the folder of the built notebook.
pub fn app(runner: Arc<Runner>, page: Option<&std::path::Path>) -> Router {
    let api = Router::new()
        .merge(catalog::router())
        .merge(machine::router())
        .merge(measure::router())
        .merge(results::router())
        .merge(openapi::router())
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(map_response(without_caching));
    // A nested router does not match its own path with a trailing slash.
    let root = Router::new().route(&format!("{ROOT}/"), any(not_found));
    Router::new()
        .nest(ROOT, api)
        .merge(root)
        .merge(health::router())
        .with_state(Arc::clone(&runner))
        .merge(page::router(&runner.setup, page))
}

/// Forbids caching, since every response of the API may change at any time.
async fn without_caching(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn not_found() -> ApiError {
    ApiError::NotFound(format!("There is no such resource under {ROOT}. {ROOT}/openapi.json lists all of them."))
}

async fn method_not_allowed() -> ApiError {
    ApiError::MethodNotAllowed
}
