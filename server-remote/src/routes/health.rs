//! `GET /healthz` and `GET /metrics`: for those who watch over the runner.

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

/// In the text format of Prometheus.
async fn metrics(State(runner): State<Arc<Runner>>) -> impl IntoResponse {
    let load = runner.hub.load();
    let counted = &runner.counted;
    let table = [
        ("benchbook_measurements_running", "gauge", "Measurements at work.", u64::from(load.running)),
        ("benchbook_measurements_waiting", "gauge", "Measurements that wait.", u64::from(load.waiting)),
        ("benchbook_clients", "gauge", "Clients that wait for an answer.", u64::from(load.clients)),
        ("benchbook_answers_stored_total", "counter", "Answers found in the store.", counted.stored()),
        ("benchbook_measurements_done_total", "counter", "Measurements done.", counted.done()),
        (
            "benchbook_measurements_failed_total",
            "counter",
            "Measurements that could not be finished.",
            counted.failed(),
        ),
        ("benchbook_points_failed_total", "counter", "Points that have no figures.", counted.failed_points()),
    ];
    let line = |(name, kind, help, value): &(&str, &str, &str, u64)| {
        format!("# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n")
    };
    let text: String = table.iter().map(line).collect();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}
