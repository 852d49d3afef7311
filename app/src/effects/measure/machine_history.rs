//! The history of this browser, in its storage.

use std::sync::Arc;

use benchbook_host::repeatability::{MachineHistory, PastMeasurements};
use benchbook_host::request::Request;
use benchbook_host::response::Point;
use web_sys::Storage;

use crate::effects::browser::is_embedded;

/// The storage key.
const KEY: &str = "benchbook-history";

/// The storage of this browser. A frame in another site's page stores nothing.
fn storage() -> Option<Storage> {
    if is_embedded() {
        return None;
    }
    web_sys::window()?.local_storage().ok().flatten()
}

/// The stored history; empty without one, or if another version of the page wrote it.
fn stored() -> MachineHistory {
    let text = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// The history at the start of a measurement. `build`: the fingerprint of the suite's module; `now`: in seconds since 1970.
pub(super) fn past(build: &str, now: f64) -> PastMeasurements {
    Arc::new(stored()).at(build, now)
}

/// Records the points of a request.
pub(super) fn record(past: &PastMeasurements, request: &Request, points: &[Point]) {
    let mut history = stored();
    history.record(past, request, points);
    let Some((storage, text)) = storage().zip(serde_json::to_string(&history).ok()) else { return };
    // A private window may reject it, and a full storage: then another day remains unknown.
    let _ = storage.set_item(KEY, &text);
}
