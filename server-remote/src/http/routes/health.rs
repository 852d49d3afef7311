//! `GET /healthz` and `GET /metrics`, for monitoring.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::measure::runner::Runner;
use crate::metrics::OPEN_METRICS;

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route("/healthz", get("ok\n")).route("/metrics", get(metrics))
}

async fn metrics(State(runner): State<Arc<Runner>>) -> impl IntoResponse {
    let reading = runner.read_metrics().await;
    ([(header::CONTENT_TYPE, OPEN_METRICS)], runner.metrics.encode(&reading))
}
