//! The decisions as a layer over all routes.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::VARY;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{Access, Decision};

/// Lets a request through to its route, or answers it. For `axum::middleware::from_fn_with_state`, outside of all routes,
/// those that find nothing included.
pub async fn guard(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let mut response = match access.decide(&head) {
        Decision::Preflight(headers) => (StatusCode::NO_CONTENT, headers).into_response(),
        Decision::Pass(headers) => {
            let mut response = next.run(Request::from_parts(head, body)).await;
            response.headers_mut().extend(headers);
            response
        }
        Decision::Refuse { status, headers, refusal } => {
            tracing::info!(%status, path = head.uri.path(), "refused: {}", refusal.error);
            (status, headers, Json(refusal)).into_response()
        }
    };
    // What is answered depends on it, so no cache may give one page what is another's. A route may vary by more.
    response.headers_mut().append(VARY, HeaderValue::from_static("Origin"));
    response
}
