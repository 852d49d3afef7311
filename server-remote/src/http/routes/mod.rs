//! The routes of the runner, one router per resource.

mod assembly;
mod builds;
mod catalog;
#[cfg(test)]
mod document;
mod health;
mod history;
mod input;
mod machine;
mod measure;
mod notebooks;
mod openapi;
mod page;
mod results;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::any;
use benchbook_host::api::{ROOT, STREAM};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};

use crate::error::ApiError;
use crate::measure::runner::Runner;

pub use page::SitePage;

/// The size from which a response is compressed. A smaller one fits into one packet.
const COMPRESSED_BYTES: u64 = 1_400;

/// All routes.
pub fn app(runner: Arc<Runner>, page: Arc<SitePage>) -> Router {
    let api = Router::new()
        .merge(assembly::router())
        .merge(builds::router())
        .merge(catalog::router())
        .merge(machine::router())
        .merge(measure::router())
        .merge(results::router())
        .merge(notebooks::router())
        .merge(history::router())
        .merge(openapi::router())
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(map_response(without_caching))
        .layer(compression());
    // A nested router does not match its own path with a trailing slash.
    let root = Router::new().route(&format!("{ROOT}/"), any(not_found));
    let page = page::router(Arc::clone(&runner), page);
    Router::new().nest(ROOT, api).merge(root).merge(health::router()).with_state(runner).merge(page)
}

/// Compresses large responses, except streams: a compressor would delay their lines. The fastest level, since the machine is
/// there to measure.
fn compression() -> CompressionLayer<impl Predicate> {
    let is_compressed = SizeAbove::new(COMPRESSED_BYTES).and(NotForContentType::const_new(STREAM));
    CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(is_compressed)
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
