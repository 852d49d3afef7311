//! `GET catalog` returns the suites and qualities; `GET queue` returns the load.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::Uri;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use benchbook_host::api::{MetricCard, QueueLoad, RunnerCatalog};
use tower::ServiceExt;

#[cfg(test)]
use super::document::{Document, Method};
use crate::http::assets::AssetTable;
use crate::measure::runner::Runner;
use crate::setup::Setup;
use crate::suites::table::HostedSuites;

/// The address of the catalog in its table. The extension determines the content type.
const FILE: &str = "/catalog.json";

/// The catalog, compressed, of these suites.
type CachedCatalog = Mutex<Option<(Arc<HostedSuites>, AssetTable)>>;

pub(super) fn router() -> Router<Arc<Runner>> {
    let cached: Arc<CachedCatalog> = Arc::default();
    let serve = move |State(runner): State<Arc<Runner>>, mut request: Request| {
        *request.uri_mut() = Uri::from_static(FILE);
        let table = current(&runner.setup, &cached);
        async move {
            let served: Result<_, Infallible> = table.serve().oneshot(request).await;
            served.into_response()
        }
    };
    Router::new().route("/catalog", get(serve)).route("/queue", get(queue))
}

/// What the routes accept and return.
#[cfg(test)]
pub(super) fn describe(document: &mut Document) {
    document
        .operation(Method::GET, "/catalog", "The suites and their functions")
        .returns::<RunnerCatalog>("The suites, and the meaning of each priority.");
    document
        .operation(Method::GET, "/queue", "The load of the runner")
        .returns::<QueueLoad>("The running and the waiting measurements.");
}

/// The catalog of the current suites, which is the same for all requests.
fn current(setup: &Setup, cached: &CachedCatalog) -> AssetTable {
    let list = setup.suites.current();
    let mut cached = cached.lock().unwrap_or_else(PoisonError::into_inner);
    match &*cached {
        Some((of, table)) if Arc::ptr_eq(of, &list) => table.clone(),
        _ => {
            let table = catalog(setup, &list);
            *cached = Some((list, table.clone()));
            table
        }
    }
}

fn catalog(setup: &Setup, list: &HostedSuites) -> AssetTable {
    let catalog = RunnerCatalog {
        runner: setup.name.clone(),
        suites: list.entries(),
        qualities: setup.qualities.clone(),
        metrics: MetricCard::all(),
        counters: setup.counters(),
        notebooks: setup.notebooks.is_some(),
        history: setup.history.is_some(),
        builds: setup.builds.is_some(),
    };
    let json = serde_json::to_vec(&catalog).expect("a catalog serializes to JSON");
    let table = AssetTable::new([(FILE.trim_start_matches('/').into(), json.into())]);
    table.compress();
    table
}

async fn queue(State(runner): State<Arc<Runner>>) -> Json<QueueLoad> {
    Json(runner.hub.load())
}
