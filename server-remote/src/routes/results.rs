//! `GET results…`: what was measured before.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::routing::get;
use axum::{Json, Router};
use benchbook_host::api::{StoredFunction, StoredGenerator, StoredResult, StoredResults, StoredSamples};
use serde::Deserialize;

use crate::error::ApiError;
use crate::routes::asked::Asked;
use crate::runner::Runner;
use crate::store::{Filter, Store, StoreError};

/// Results on a page where nothing else is asked, and the most.
const USUAL: u32 = 50;
const MOST: u32 = 500;

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new()
        .route("/results", get(results))
        .route("/results/functions", get(functions))
        .route("/results/generators", get(generators))
        .route("/results/{id}", get(result))
        .route("/results/{id}/samples", get(samples))
}

async fn functions(State(runner): State<Arc<Runner>>) -> Result<Json<Vec<StoredFunction>>, ApiError> {
    read(&runner, |store| store.functions()).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfFunction {
    suite: String,
    function: String,
}

async fn generators(
    State(runner): State<Arc<Runner>>,
    Asked(Query(asked)): Asked<Query<OfFunction>>,
) -> Result<Json<Vec<StoredGenerator>>, ApiError> {
    read(&runner, move |store| store.generators(&asked.suite, &asked.function)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    suite: Option<String>,
    function: Option<String>,
    generator: Option<String>,
    before: Option<u64>,
    limit: Option<u32>,
}

async fn results(
    State(runner): State<Arc<Runner>>,
    Asked(Query(which)): Asked<Query<Which>>,
) -> Result<Json<StoredResults>, ApiError> {
    let Which { suite, function, generator, before, limit } = which;
    let limit = limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(ApiError::NotUnderstood(format!("limit: expected 1 to {MOST}, not {limit}")));
    }
    // One more than asked tells whether there is a next page.
    let filter = Filter { suite, function, generator, before, limit: limit + 1 };
    read(&runner, move |store| {
        let mut results = store.results(&filter)?;
        let has_more = results.len() > limit as usize;
        results.truncate(limit as usize);
        let next = results.last().filter(|_| has_more).map(|card| card.id);
        Ok(StoredResults { results, next })
    })
    .await
}

async fn result(
    State(runner): State<Arc<Runner>>,
    Asked(Path(id)): Asked<Path<u64>>,
) -> Result<Json<StoredResult>, ApiError> {
    let found = read(&runner, move |store| store.result(id)).await?.0;
    found.map(Json).ok_or_else(|| unknown(id))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfPoint {
    function: String,
    x: f64,
}

async fn samples(
    State(runner): State<Arc<Runner>>,
    Asked(Path(id)): Asked<Path<u64>>,
    Asked(Query(OfPoint { function, x })): Asked<Query<OfPoint>>,
) -> Result<Json<StoredSamples>, ApiError> {
    let found = read(&runner, move |store| store.samples(id, &function, x)).await?.0;
    found.map(Json).ok_or_else(|| {
        ApiError::Unknown(format!("Result {id} has no samples of that function at that axis value; see results/{id}."))
    })
}

fn unknown(id: u64) -> ApiError {
    ApiError::Unknown(format!("There is no result {id}; results lists those that there are."))
}

/// Reads from the store, off the threads that answer everyone.
async fn read<T: Send + 'static>(
    runner: &Arc<Runner>,
    read: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
) -> Result<Json<T>, ApiError> {
    Ok(Json(runner.with_store(read).await?))
}
