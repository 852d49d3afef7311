//! `GET builds` streams the state of the builds of suites that follow their sources; `POST builds` uploads a build, and
//! `GET builds/{fingerprint}` describes one.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{self, Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use benchbook_host::api::{BuildReport, STREAM};
use benchbook_host::response::SuiteCard;
use futures_util::stream;
use tokio::sync::watch::Receiver;
use tokio::time::timeout;

#[cfg(test)]
use super::document::{Document, Method, json};
use super::input::{ApiInput, client_address};
use crate::error::ApiError;
use crate::measure::runner::Runner;
use crate::suites::uploads::UploadError;

/// The report is repeated after this time, so that both sides notice a broken connection.
const SILENCE: Duration = Duration::from_secs(10);

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route("/builds", get(builds).post(upload)).route("/builds/{fingerprint}", get(build))
}

/// What the routes accept and return.
#[cfg(test)]
pub(super) fn describe(document: &mut Document) {
    document
        .operation(Method::GET, "/builds", "The builds of suites that follow their sources")
        .description("A runner that `cargo benchbook` starts builds its suites again when their sources change. The stream contains the current report, then each change, and repeats the report after 10 s without one. It ends when the runner shuts down.")
        .streams::<BuildReport>("A line per report.")
        .error(404, "The suites of this runner are fixed.");
    document
        .operation(Method::POST, "/builds", "Upload a build of a suite")
        .description("The body is the executable of a suite. The runner starts it in an isolated process, computes its fingerprint, and stores it, unless it has this build already. The least recently used builds are removed if a limit of the runner is reached.")
        .body_of("application/octet-stream", json!({"type": "string", "format": "binary"}))
        .returns::<SuiteCard>("The build can be measured.")
        .error(400, "The body is incomplete, or the request has no Host header, an invalid one, or several.")
        .error(403, "The runner accepts no builds, or not this origin or host name.")
        .error(408, "The body did not arrive in time.")
        .error(413, "The executable is too large.")
        .error(422, "The executable is not a suite, or does not run on this machine; `problems` contains the reason.")
        .retryable_error(429, "Several clients upload builds, or all stored builds are waiting for measurements.", None)
        .error(503, "The folder of uploaded builds cannot be written.");
    document
        .operation(Method::GET, "/builds/{fingerprint}", "A build that the runner can measure")
        .description("The current build of a suite, an earlier one that the runner keeps, or an uploaded one.")
        .fingerprint()
        .returns::<SuiteCard>("The build.")
        .error(404, "The runner has no such build.");
}

/// The current report, then each change, as lines.
async fn builds(State(runner): State<Arc<Runner>>) -> Result<Response, ApiError> {
    let feed = runner.setup.builds.as_ref().ok_or_else(|| {
        ApiError::NotFound(
            "The suites of this runner are fixed: only `cargo benchbook` builds them from their sources.".to_owned(),
        )
    })?;
    let mut reports = feed.follow();
    reports.mark_changed();
    let next = |mut reports: Receiver<Option<BuildReport>>| async {
        // A time-out repeats the report. The sender lives as long as the runner.
        let _ = timeout(SILENCE, reports.changed()).await;
        let report = reports.borrow_and_update().clone()?;
        let mut line = serde_json::to_vec(&report).expect("a report serializes to JSON");
        line.push(b'\n');
        Some((Ok::<_, Infallible>(Bytes::from(line)), reports))
    };
    let headers = [(header::CONTENT_TYPE, STREAM)];
    Ok((headers, Body::from_stream(stream::unfold(reports, next))).into_response())
}

/// Stores an executable, unless the runner has it already.
async fn upload(State(runner): State<Arc<Runner>>, http: extract::Request) -> Result<Json<SuiteCard>, ApiError> {
    let uploads = runner.setup.uploads.as_ref().ok_or_else(|| {
        let error = "This runner accepts no builds. Start it with --uploads DIR, a token, and --isolation required.";
        ApiError::Forbidden(error.to_owned())
    })?;
    // Rejects an executable that is too large before it is sent.
    let announced = http.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|bytes: u64| bytes > uploads.max_bytes()) {
        return Err(UploadError::TooLarge(uploads.max_bytes()).into());
    }
    let (address, patience) = (client_address(&http), runner.setup.limits.patience());
    let suite = uploads.add(address, http.into_body(), patience, Arc::clone(&runner.core)).await?;
    Ok(Json(suite.entry.card.clone()))
}

async fn build(
    State(runner): State<Arc<Runner>>,
    ApiInput(Path(fingerprint)): ApiInput<Path<String>>,
) -> Result<Json<SuiteCard>, ApiError> {
    let suite = runner.setup.build(&fingerprint).ok_or_else(|| ApiError::unknown_build(&fingerprint))?;
    Ok(Json(suite.entry.card.clone()))
}
