//! `GET results…`: the stored results.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::routing::get;
use axum::{Json, Router};
use benchbook_contract::axis_value::AxisValue;
#[cfg(test)]
use benchbook_contract::catalog::MAX_NAME;
use benchbook_host::api::{StoredFunction, StoredGenerator, StoredResult, StoredResults, StoredSamples};
use benchbook_host::request::MAX_AXIS_TEXT;
use serde::Deserialize;

#[cfg(test)]
use super::document::{Document, Method, json};
use super::input::{ApiInput, check_limit, check_name};
use crate::error::ApiError;
use crate::measure::runner::Runner;
use crate::store::{ResultFilter, Store, StoreError};

/// The greatest number of a result: JSON represents greater integers inexactly.
const MAX_ID: u64 = (1 << 53) - 1;

/// The default and the maximum number of results per page.
const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 500;

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new()
        .route("/results", get(results))
        .route("/results/functions", get(functions))
        .route("/results/generators", get(generators))
        .route("/results/{id}", get(result))
        .route("/results/{id}/samples", get(samples))
}

/// What the routes accept and return.
#[cfg(test)]
pub(super) fn describe(document: &mut Document) {
    document
        .operation(Method::GET, "/results", "Results, newest first")
        .query::<ResultsQuery>()
        .returns::<StoredResults>("A page of results, without points.")
        .shared(503, "Unreachable");
    document
        .operation(Method::GET, "/results/functions", "Functions with results")
        .returns::<Vec<StoredFunction>>("Ordered by suite and path.")
        .shared(503, "Unreachable");
    document
        .operation(Method::GET, "/results/generators", "Generators that a function was measured with")
        .query::<FunctionQuery>()
        .returns::<Vec<StoredGenerator>>("Ordered by path.")
        .shared(503, "Unreachable");
    document
        .operation(Method::GET, "/results/{id}", "A result")
        .path_parameter("id", "The result's number.", id_schema())
        .returns::<StoredResult>("The result with its points, without raw samples.")
        .error(404, "There is no such result.")
        .shared(503, "Unreachable");
    document
        .operation(Method::GET, "/results/{id}/samples", "The raw samples of a point")
        .path_parameter("id", "The result's number.", id_schema())
        .query::<PointIdQuery>()
        .returns::<StoredSamples>("The samples, by process.")
        .error(404, "There is no such result or point.")
        .shared(503, "Unreachable");
}

#[cfg(test)]
fn id_schema() -> serde_json::Value {
    json!({ "type": "integer", "minimum": 0, "maximum": MAX_ID })
}

async fn functions(State(runner): State<Arc<Runner>>) -> Result<Json<Vec<StoredFunction>>, ApiError> {
    read(&runner, |store| store.functions()).await
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct FunctionQuery {
    /// The suite's name.
    #[cfg_attr(test, schemars(length(max = MAX_NAME)))]
    suite: String,
    /// The function's path.
    #[cfg_attr(test, schemars(length(max = MAX_NAME)))]
    function: String,
}

async fn generators(
    State(runner): State<Arc<Runner>>,
    ApiInput(Query(query)): ApiInput<Query<FunctionQuery>>,
) -> Result<Json<Vec<StoredGenerator>>, ApiError> {
    check_name("suite", &query.suite)?;
    check_name("function", &query.function)?;
    read(&runner, move |store| store.generators(&query.suite, &query.function)).await
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct ResultsQuery {
    /// Results of this suite.
    #[cfg_attr(test, schemars(length(max = MAX_NAME)))]
    suite: Option<String>,
    /// Results with points of this function.
    #[cfg_attr(test, schemars(length(max = MAX_NAME)))]
    function: Option<String>,
    /// Results of this generator.
    #[cfg_attr(test, schemars(length(max = MAX_NAME)))]
    generator: Option<String>,
    /// Results with smaller numbers.
    #[cfg_attr(test, schemars(range(max = MAX_ID)))]
    before: Option<u64>,
    /// The maximum number of results.
    #[cfg_attr(test, schemars(range(min = 1, max = MAX_LIMIT), extend("default" = DEFAULT_LIMIT)))]
    limit: Option<u32>,
}

async fn results(
    State(runner): State<Arc<Runner>>,
    ApiInput(Query(query)): ApiInput<Query<ResultsQuery>>,
) -> Result<Json<StoredResults>, ApiError> {
    let ResultsQuery { suite, function, generator, before, limit } = query;
    for (parameter, name) in [("suite", &suite), ("function", &function), ("generator", &generator)] {
        name.as_ref().map_or(Ok(()), |name| check_name(parameter, name))?;
    }
    before.map_or(Ok(()), |before| check_id("before", before))?;
    let limit = check_limit(limit.unwrap_or(DEFAULT_LIMIT), MAX_LIMIT)?;
    // Requests one more, to detect whether there is a next page.
    let filter = ResultFilter { suite, function, generator, before, limit: limit + 1 };
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
    ApiInput(Path(id)): ApiInput<Path<u64>>,
) -> Result<Json<StoredResult>, ApiError> {
    check_id("id", id)?;
    let found = read(&runner, move |store| store.result(id)).await?.0;
    found.map(Json).ok_or_else(|| not_found(id))
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct PointIdQuery {
    /// The function's path.
    #[cfg_attr(test, schemars(length(max = MAX_NAME)))]
    function: String,
    /// The axis value. Absent if the result has no axis.
    #[cfg_attr(test, schemars(with = "Option<AxisValue>"))]
    x: Option<String>,
}

impl PointIdQuery {
    /// The axis values that the query may refer to: a number may also be a text.
    fn axis_values(&self) -> Vec<AxisValue> {
        let Some(text) = &self.x else { return vec![AxisValue::Absent] };
        let number = text.parse().ok().filter(|value: &f64| value.is_finite()).map(AxisValue::Number);
        number.into_iter().chain([AxisValue::Text(text.clone())]).collect()
    }
}

async fn samples(
    State(runner): State<Arc<Runner>>,
    ApiInput(Path(id)): ApiInput<Path<u64>>,
    ApiInput(Query(query)): ApiInput<Query<PointIdQuery>>,
) -> Result<Json<StoredSamples>, ApiError> {
    check_id("id", id)?;
    check_name("function", &query.function)?;
    if query.x.as_ref().is_some_and(|x| x.chars().count() > MAX_AXIS_TEXT) {
        return Err(ApiError::Malformed(format!("x: expected at most {MAX_AXIS_TEXT} characters")));
    }
    let found = read(&runner, move |store| {
        let values = query.axis_values();
        let mut found = values.iter().map(|x| store.samples(id, &query.function, x));
        found.find(|samples| !matches!(samples, Ok(None))).unwrap_or(Ok(None))
    });
    let found = found.await?.0;
    found.map(Json).ok_or_else(|| {
        ApiError::NotFound(format!("Result {id} has no samples of that function at that axis value. See results/{id}."))
    })
}

fn check_id(parameter: &str, id: u64) -> Result<(), ApiError> {
    if id <= MAX_ID {
        return Ok(());
    }
    Err(ApiError::Malformed(format!("{parameter}: expected at most {MAX_ID}, not {id}")))
}

fn not_found(id: u64) -> ApiError {
    ApiError::NotFound(format!("There is no result {id}. The route results lists all of them."))
}

/// Reads from the store on a blocking thread.
async fn read<T: Send + 'static>(
    runner: &Arc<Runner>,
    read: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
) -> Result<Json<T>, ApiError> {
    Ok(Json(runner.with_store(read).await?))
}
