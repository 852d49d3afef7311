//! `GET openapi.json`: the OpenAPI document.

use std::sync::Arc;

use axum::Router;
use axum::http::header;
use axum::routing::get;

use crate::measure::runner::Runner;

/// The document. Tests check it against the routes and their responses.
pub const DOCUMENT: &str = include_str!("openapi.json");

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route("/openapi.json", get(([(header::CONTENT_TYPE, "application/json")], DOCUMENT)))
}
