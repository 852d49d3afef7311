//! `GET catalog` returns the suites and qualities; `GET queue` returns the load.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use benchbook_host::api::{QueueLoad, RunnerCatalog};

use crate::runner::Runner;

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route("/catalog", get(catalog)).route("/queue", get(queue))
}

async fn catalog(State(runner): State<Arc<Runner>>) -> Json<RunnerCatalog> {
    Json(RunnerCatalog {
        runner: runner.setup.name.clone(),
        suites: runner.setup.suites.iter().map(|suite| suite.entry.clone()).collect(),
        qualities: runner.setup.qualities.clone(),
    })
}

async fn queue(State(runner): State<Arc<Runner>>) -> Json<QueueLoad> {
    Json(runner.hub.load())
}
