//! `GET machine`: where it is measured.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use benchbook_host::api::MachineCard;

use crate::runner::Runner;

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route("/machine", get(machine))
}

/// Read anew each time: load and frequencies change.
async fn machine(State(runner): State<Arc<Runner>>) -> Json<MachineCard> {
    // The kernel's own files need no disk.
    Json(runner.machine_card())
}
