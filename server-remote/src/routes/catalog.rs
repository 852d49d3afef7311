//! `GET catalog`: what can be measured here, and `GET queue`: how busy it is.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use benchbook_host::api::{Catalog, Load};

use crate::runner::Runner;

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route("/catalog", get(catalog)).route("/queue", get(queue))
}

async fn catalog(State(runner): State<Arc<Runner>>) -> Json<Catalog> {
    Json(Catalog {
        runner: runner.name.clone(),
        suites: runner.suites.iter().map(|offered| offered.offer.clone()).collect(),
        qualities: runner.qualities.clone(),
    })
}

async fn queue(State(runner): State<Arc<Runner>>) -> Json<Load> {
    Json(runner.hub.load())
}
