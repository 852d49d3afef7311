//! `GET assembly`: the machine code of a function.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
#[cfg(test)]
use benchbook_contract::catalog::MAX_NAME;
use benchbook_host::alternative::Alternative;
use serde::Deserialize;
use tokio::task::spawn_blocking;

#[cfg(test)]
use super::document::{Document, Method};
use super::input::{ApiInput, check_name};
use crate::error::ApiError;
use crate::measure::runner::Runner;

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route("/assembly", get(assembly))
}

/// What the route accepts and returns.
#[cfg(test)]
pub(super) fn describe(document: &mut Document) {
    document
        .operation(Method::GET, "/assembly", "The machine code of a function")
        .description(
            "The code in the executable that is measured. It is read when it is first requested after a build.",
        )
        .query::<AssemblyQuery>()
        .returns::<benchbook_assembly::Listing>("The code of the function, or that into which it was inlined.")
        .error(404, "There is no such suite, build or function, or it has no code that this runner can show.");
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct AssemblyQuery {
    /// The suite's name.
    #[cfg_attr(test, schemars(length(max = MAX_NAME)))]
    suite: String,
    /// The function, as in requests: its path and, after `@`, a build that the runner keeps.
    function: String,
    /// The generator's path. The code of a function that was inlined into its timed loop depends on it.
    #[cfg_attr(test, schemars(length(max = MAX_NAME)))]
    generator: String,
}

async fn assembly(
    State(runner): State<Arc<Runner>>,
    ApiInput(Query(query)): ApiInput<Query<AssemblyQuery>>,
) -> Result<Response, ApiError> {
    let AssemblyQuery { suite: name, function, generator } = query;
    let Alternative { path, build } = Alternative::parse(&function);
    for (parameter, name) in [("suite", name.as_str()), ("function", path), ("generator", &generator)] {
        check_name(parameter, name)?;
    }
    let suites = runner.setup.suites.current();
    let mut builds = suites.builds(&name);
    let suite = match build {
        Some(build) => builds.find(|suite| suite.build_id() == build).ok_or_else(|| {
            ApiError::NotFound(format!(
                "The runner no longer has build {build} of suite `{name}`. Measure the current one."
            ))
        }),
        None => builds.next().ok_or_else(|| ApiError::NotFound(format!("The runner has no suite `{name}`."))),
    };
    let (suite, path) = (Arc::clone(suite?), path.to_owned());
    let read = move || match suite.code.listing(&suite.native, &path, &generator) {
        Ok(Some(listing)) => Ok(listing),
        Ok(None) => Err(format!(
            "There is no code of `{path}` with `{generator}`: there is no such function, it is a closure of a bench of another harness, or the executable has no symbols."
        )),
        Err(reason) => Err(reason.to_owned()),
    };
    let read = spawn_blocking(read).await;
    let read =
        read.map_err(|_| ApiError::MeasurementFailed("The runner failed to read the code. This is a bug.".to_owned()))?;
    let listing = read.map_err(ApiError::NotFound)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], listing).into_response())
}
