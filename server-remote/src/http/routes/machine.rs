//! `GET machine`: the environment card of the machine.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use benchbook_host::response::MachineCard;

#[cfg(test)]
use super::document::{Document, Method};
use crate::measure::runner::Runner;

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route("/machine", get(machine))
}

/// What the routes accept and return.
#[cfg(test)]
pub(super) fn describe(document: &mut Document) {
    document
        .operation(Method::GET, "/machine", "The machine")
        .returns::<MachineCard>("The machine's card, with warnings and the commands that fix them.");
}

/// Reads the card for each request, since load and frequencies change.
async fn machine(State(runner): State<Arc<Runner>>) -> Json<MachineCard> {
    // No blocking thread: the kernel's files are not on disk.
    Json(runner.machine_card())
}
