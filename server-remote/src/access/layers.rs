//! Applies the access policy to all routes.
//!
//! Three layers, from the outside: the guard rejects foreign hosts and origins; tower-http responds to preflight requests and
//! sets the CORS headers; the last layer checks the token. So a page of an allowed origin can read the rejection of its token.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, ORIGIN, RETRY_AFTER, VARY, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::policy::AccessPolicy;
use super::rejection::AccessRejection;

/// How long a browser may cache a preflight response: two hours, the maximum in Chromium.
const MAX_AGE: Duration = Duration::from_hours(2);

/// Restricts all routes, including the fallback, to what the policy allows.
pub fn restrict(routes: Router, policy: AccessPolicy) -> Router {
    let policy = Arc::new(policy);
    routes
        .layer(from_fn_with_state(Arc::clone(&policy), check_token))
        .layer(cors())
        .layer(from_fn_with_state(policy, check_sender))
}

fn cors() -> CorsLayer {
    CorsLayer::new()
        // The guard has rejected every foreign origin.
        .allow_origin(AllowOrigin::predicate(|_, _| true))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([AUTHORIZATION, CONTENT_TYPE])
        .allow_private_network(true)
        .expose_headers([RETRY_AFTER])
        .max_age(MAX_AGE)
        // The guard sets it, since its rejections need it too.
        .vary([])
}

/// Rejects foreign hosts and origins. tower-http only omits its headers for a foreign origin, after the route has run.
async fn check_sender(State(policy): State<Arc<AccessPolicy>>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let mut response = match policy.check_sender(&head) {
        Ok(()) => {
            let is_preflight = head.method == Method::OPTIONS;
            let mut response = next.run(Request::from_parts(head, body)).await;
            // tower-http responds to a preflight with an empty 200.
            if is_preflight && response.status() == StatusCode::OK {
                *response.status_mut() = StatusCode::NO_CONTENT;
            }
            response
        }
        Err(rejection) => reject(head.uri.path(), rejection),
    };
    // No cache may serve the response for one origin to another. A route may add further headers.
    response.headers_mut().append(VARY, HeaderValue::from(ORIGIN));
    response
}

async fn check_token(State(policy): State<Arc<AccessPolicy>>, request: Request, next: Next) -> Response {
    let checked = policy.check_token(request.uri().path(), request.headers());
    match checked {
        Ok(()) => next.run(request).await,
        Err(rejection) => {
            let mut response = reject(request.uri().path(), rejection);
            let challenge = HeaderValue::from_static("Bearer realm=\"benchbook\"");
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
            response
        }
    }
}

fn reject(path: &str, AccessRejection { status, body }: AccessRejection) -> Response {
    tracing::info!(%status, path, "rejected: {}", body.error);
    (status, Json(body)).into_response()
}
