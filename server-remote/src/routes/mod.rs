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
use axum::http::{HeaderValue, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use benchbook_host::api::ROOT;

use crate::error::ApiError;
use crate::runner::Runner;

/// The whole service; `page` is the folder of the built notebook.
pub fn app(runner: Arc<Runner>, page: Option<&std::path::Path>) -> Router {
    let api = Router::new()
        .merge(catalog::router())
        .merge(machine::router())
        .merge(measure::clients())
        .merge(results::router())
        .merge(openapi::router())
        .fallback(unknown)
        .method_not_allowed_fallback(other_method)
        .layer(map_response(async |response| never_kept(response)));
    // A nested router does not get its own address with a slash behind it.
    let root = Router::new().route(&format!("{ROOT}/"), any(unknown));
    Router::new()
        .nest(ROOT, api)
        .merge(root)
        // Asked most by far: each layer would take a part of what an answer from memory does.
        .merge(measure::router())
        .merge(health::router())
        .with_state(Arc::clone(&runner))
        .merge(page::router(&runner, page))
}

/// What is told now is another thing in a second.
fn never_kept(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn unknown() -> ApiError {
    ApiError::Unknown(format!("There is no such thing under {ROOT}; {ROOT}/openapi.json lists what there is."))
}

async fn other_method() -> Response {
    never_kept(ApiError::OtherMethod.into_response())
}
