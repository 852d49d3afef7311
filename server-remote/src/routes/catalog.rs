//! `GET catalog` returns the suites and qualities; `GET queue` returns the load.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::Uri;
use axum::middleware::map_request;
use axum::routing::{get, get_service};
use axum::{Json, Router};
use benchbook_host::api::{MetricCard, QueueLoad, RunnerCatalog};

use crate::assets::AssetTable;
use crate::runner::Runner;
use crate::setup::Setup;

/// The address of the catalog in its table. The extension determines the content type.
const FILE: &str = "/catalog.json";

pub(super) fn router(setup: &Setup) -> Router<Arc<Runner>> {
    let catalog = get_service(catalog(setup).serve()).layer(map_request(locate_file));
    Router::new().route("/catalog", catalog).route("/queue", get(queue))
}

/// The catalog, which is the same for all requests, compressed.
fn catalog(setup: &Setup) -> AssetTable {
    let catalog = RunnerCatalog {
        runner: setup.name.clone(),
        suites: setup.suites.iter().map(|suite| suite.entry.clone()).collect(),
        qualities: setup.qualities.clone(),
        metrics: MetricCard::all(),
        counters: setup.counters(),
        notebooks: setup.notebooks.is_some(),
    };
    let json = serde_json::to_vec(&catalog).expect("a catalog serializes to JSON");
    let table = AssetTable::new([(FILE.trim_start_matches('/').into(), json.into())]);
    table.compress();
    table
}

async fn locate_file(mut request: Request) -> Request {
    *request.uri_mut() = Uri::from_static(FILE);
    request
}

async fn queue(State(runner): State<Arc<Runner>>) -> Json<QueueLoad> {
    Json(runner.hub.load())
}
