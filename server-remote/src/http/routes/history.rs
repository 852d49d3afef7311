//! `GET history…` lists accepted results; `POST history` adds some.

use std::sync::Arc;

use axum::extract::{self, Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use benchbook_contract::catalog::MAX_NAME;
use benchbook_host::api::{AcceptedHistory, AcceptedResults, HistoryFunction};
use benchbook_host::history::AcceptedResult;
use benchbook_host::request::Problem;
use serde::Deserialize;

#[cfg(test)]
use super::document::{Document, Method};
use super::input::{ApiInput, check_limit, read_body};
use crate::error::ApiError;
use crate::history::HistoryFilter;
use crate::measure::runner::Runner;

/// The default and the maximum number of results in a list.
const DEFAULT_LIMIT: u32 = 1_000;
const MAX_LIMIT: u32 = 5_000;

/// The maximum number of results in a request. Usually, the limit on its size is lower.
const MAX_ADDED: usize = 1_000;

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route("/history", get(history).post(add)).route("/history/functions", get(functions))
}

/// What the routes accept and return.
#[cfg(test)]
pub(super) fn describe(document: &mut Document) {
    document
        .operation(Method::GET, "/history", "Accepted results of earlier builds, oldest first")
        .description("The files of the runner's folder. A damaged file is a warning, and does not hide the others. A list has at most 16 MiB.")
        .query::<HistoryQuery>()
        .returns::<AcceptedHistory>("The newest accepted results that match. Empty if the runner has no folder of accepted results.")
        .shared(503, "UnavailableHistory");
    document
        .operation(Method::POST, "/history", "Add accepted results")
        .description("Stores each result as a file in the runner's folder. A result that is there already replaces only its note and its name.")
        .body::<AcceptedResults>()
        .returns_nothing("The results are stored.")
        .error(400, "The body is not a list of accepted results, or the request has no Host header, an invalid one, or several.")
        .error(404, "The runner has no folder of accepted results.")
        .error(408, "The body did not arrive in time.")
        .error(413, "The body is too long.")
        .error(422, "A result is invalid; `problems` lists the reasons.")
        .shared(503, "UnavailableHistory");
    document
        .operation(Method::GET, "/history/functions", "Functions with accepted results")
        .returns::<Vec<HistoryFunction>>(
            "Ordered by suite and path. Empty if the runner has no folder of accepted results.",
        )
        .shared(503, "UnavailableHistory");
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct HistoryQuery {
    /// Results of this suite.
    #[cfg_attr(test, schemars(length(max = MAX_NAME)))]
    suite: Option<String>,
    /// Results of this function.
    #[cfg_attr(test, schemars(length(max = MAX_NAME)))]
    function: Option<String>,
    /// The maximum number of results.
    #[cfg_attr(test, schemars(range(min = 1, max = MAX_LIMIT), extend("default" = DEFAULT_LIMIT)))]
    limit: Option<u32>,
}

async fn history(
    State(runner): State<Arc<Runner>>,
    ApiInput(Query(query)): ApiInput<Query<HistoryQuery>>,
) -> Result<Json<AcceptedHistory>, ApiError> {
    let HistoryQuery { suite, function, limit } = query;
    for (parameter, name) in [("suite", &suite), ("function", &function)] {
        if name.as_ref().is_some_and(|name| name.chars().count() > MAX_NAME) {
            return Err(ApiError::Malformed(format!("{parameter}: expected at most {MAX_NAME} characters")));
        }
    }
    let limit = check_limit(limit.unwrap_or(DEFAULT_LIMIT), MAX_LIMIT)?;
    Ok(Json(match &runner.setup.history {
        Some(history) => history.list(HistoryFilter { suite, function, limit: limit as usize }).await?,
        None => AcceptedHistory::default(),
    }))
}

async fn functions(State(runner): State<Arc<Runner>>) -> Result<Json<Vec<HistoryFunction>>, ApiError> {
    Ok(Json(match &runner.setup.history {
        Some(history) => history.functions().await?,
        None => Vec::new(),
    }))
}

async fn add(State(runner): State<Arc<Runner>>, http: extract::Request) -> Result<StatusCode, ApiError> {
    let AcceptedResults { results } = read_body(&runner.setup.limits, http, "Send fewer results at a time.").await?;
    let history = runner.setup.history.as_ref().ok_or_else(|| {
        let error = "This runner stores no accepted results. Start it with --history DIR.";
        ApiError::NotFound(error.to_owned())
    })?;
    if !(1..=MAX_ADDED).contains(&results.len()) {
        return Err(ApiError::Malformed(format!("results: expected 1 to {MAX_ADDED} of them")));
    }
    let problem = |(index, checked): (usize, Result<(), String>)| {
        Some(Problem { location: format!("results[{index}]"), message: checked.err()? })
    };
    let problems: Vec<Problem> = results.iter().map(AcceptedResult::check).enumerate().filter_map(problem).collect();
    if !problems.is_empty() {
        return Err(ApiError::InvalidResults(problems));
    }
    history.add(results).await?;
    Ok(StatusCode::NO_CONTENT)
}
