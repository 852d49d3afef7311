//! `GET openapi.json`: the OpenAPI document.

use std::sync::Arc;

use axum::Router;
use axum::http::header;
use axum::routing::get;

#[cfg(test)]
use super::document::{Document, Method, json};
use crate::measure::runner::Runner;

/// The document, which a test derives from the types and from what is written next to the routes. Other tests check it against the routes and their
/// responses.
pub const DOCUMENT: &str = include_str!("openapi.json");

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route("/openapi.json", get(([(header::CONTENT_TYPE, "application/json")], DOCUMENT)))
}

/// What the routes accept and return.
#[cfg(test)]
pub(super) fn describe(document: &mut Document) {
    document.operation(Method::GET, "/openapi.json", "This document").success_content(
        "application/json",
        json!({"type": "object"}),
        "OpenAPI 3.1.",
    );
}

/// With `BENCHBOOK_BLESS`, the test writes the document.
#[test]
fn the_document_is_that_of_the_code() {
    let mut document = Document::new();
    for describe in [
        super::assembly::describe,
        super::builds::describe,
        super::catalog::describe,
        super::history::describe,
        super::machine::describe,
        super::measure::describe,
        super::notebooks::describe,
        super::results::describe,
        describe,
    ] {
        describe(&mut document);
    }
    let text = serde_json::to_string_pretty(&document.finish()).expect("JSON") + "\n";
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/http/routes/openapi.json");
        std::fs::write(path, &text).expect("the folder is writable");
    } else {
        assert!(DOCUMENT == text, "openapi.json differs from the code; BENCHBOOK_BLESS=1 writes it");
    }
}
