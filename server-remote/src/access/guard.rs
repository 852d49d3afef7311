//! The decisions as a layer over all routes.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{Access, Decision};

/// Lets a request through to its route, or answers it. For `axum::middleware::from_fn_with_state`, outside of all routes,
/// those that find nothing included.
pub async fn guard(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    match access.decide(&head) {
        Decision::Preflight(headers) => (StatusCode::NO_CONTENT, headers).into_response(),
        Decision::Pass(headers) => {
            let mut response = next.run(Request::from_parts(head, body)).await;
            for (name, value) in &headers {
                // A route may vary by more.
                response.headers_mut().append(name, value.clone());
            }
            response
        }
        Decision::Refuse { status, headers, refusal } => {
            tracing::info!(%status, path = head.uri.path(), "refused: {}", refusal.error);
            (status, headers, Json(refusal)).into_response()
        }
    }
}
