//! `GET /healthz` and `GET /metrics`, for monitoring.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::runner::Runner;

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route("/healthz", get("ok\n")).route("/metrics", get(metrics))
}

/// Metrics in the text format of Prometheus.
async fn metrics(State(runner): State<Arc<Runner>>) -> impl IntoResponse {
    let load = runner.hub.load();
    let metrics = &runner.metrics;
    let table = [
        ("benchbook_measurements_running", "gauge", "Running measurements.", u64::from(load.running)),
        ("benchbook_measurements_waiting", "gauge", "Waiting measurements.", u64::from(load.waiting)),
        ("benchbook_clients", "gauge", "Clients that wait for a response.", u64::from(load.clients)),
        ("benchbook_responses_stored_total", "counter", "Responses from stored points.", metrics.stored_responses()),
        ("benchbook_measurements_done_total", "counter", "Completed measurements.", metrics.completed_measurements()),
        (
            "benchbook_measurements_failed_total",
            "counter",
            "Measurements that could not be completed.",
            metrics.failed_measurements(),
        ),
        ("benchbook_points_failed_total", "counter", "Points without figures.", metrics.failed_points()),
    ];
    let line = |(name, kind, help, value): &(&str, &str, &str, u64)| {
        format!("# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n")
    };
    let text: String = table.iter().map(line).collect();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}
