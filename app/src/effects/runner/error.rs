//! Errors of a runner's responses.

use benchbook_host::api::ErrorBody;

use crate::state::machines::runner::{RunnerEndpoint, RunnerError};

/// The error for a response's status and message.
pub(crate) fn error(endpoint: &RunnerEndpoint, status: i32, message: &str) -> RunnerError {
    let origin = web_sys::window().and_then(|window| window.location().origin().ok()).unwrap_or_default();
    endpoint.error(&origin, status, message)
}

/// The body of an error response; `None` if it is something else.
pub(crate) fn error_body(body: &str) -> Option<ErrorBody> {
    serde_json::from_str(body).ok()
}
