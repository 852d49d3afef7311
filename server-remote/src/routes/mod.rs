//! What the runner answers: a router a resource.

mod asked;
mod catalog;
mod health;
mod machine;
mod measure;
mod openapi;
mod page;
mod results;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::any;
use benchbook::api::ROOT;

use crate::error::ApiError;
use crate::runner::Runner;

/// The whole service; `page` is the folder of the built notebook.
pub fn app(runner: Arc<Runner>, page: Option<&std::path::Path>) -> Router {
    let limit = DefaultBodyLimit::max(runner.limits.body_bytes as usize);
    let api = Router::new()
        .merge(catalog::router())
        .merge(machine::router())
        .merge(measure::router())
        .merge(results::router())
        .merge(openapi::router())
        .fallback(unknown)
        .method_not_allowed_fallback(other_method)
        .layer(map_response(never_kept))
        .layer(limit);
    // A nested router does not get its own address with a slash behind it.
    let root = Router::new().route(&format!("{ROOT}/"), any(unknown));
    Router::new()
        .nest(ROOT, api)
        .merge(root)
        .merge(health::router())
        .with_state(Arc::clone(&runner))
        .merge(page::router(&runner, page))
}

/// What is told now is another thing in a second.
async fn never_kept(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn unknown() -> ApiError {
    ApiError::Unknown(format!("There is no such thing under {ROOT}; {ROOT}/openapi.json lists what there is."))
}

async fn other_method() -> ApiError {
    ApiError::OtherMethod
}
