//! `GET builds` streams the state of the builds of suites that follow their sources.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use benchbook_host::api::{BuildReport, STREAM};
use futures_util::stream;
use tokio::sync::watch::Receiver;
use tokio::time::timeout;

use crate::error::ApiError;
use crate::runner::Runner;

/// The report is repeated after this time, so that both sides notice a broken connection.
const SILENCE: Duration = Duration::from_secs(10);

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route("/builds", get(builds))
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
