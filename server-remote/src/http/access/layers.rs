//! Applies the access policy to all routes.
//!
//! Three layers, from the outside: the guard rejects foreign hosts and origins; tower-http responds to preflight requests and
//! sets the CORS headers; the last layer checks the token. So a page of an allowed origin can read the rejection of its token.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, ORIGIN, RETRY_AFTER, VARY, WWW_AUTHENTICATE};
use axum::http::{Extensions, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::rejection::AccessRejection;
use super::rejection_log::RejectionLog;
use crate::config::AccessPolicy;

/// How long a browser may cache a preflight response: two hours, the maximum in Chromium.
const MAX_AGE: Duration = Duration::from_hours(2);

/// The policy, and the log of its rejections.
#[derive(Clone, Debug)]
struct AccessControl {
    policy: Arc<AccessPolicy>,
    log: Arc<RejectionLog>,
}

/// Restricts all routes, including the fallback, to what the policy allows.
pub fn restrict(routes: Router, policy: AccessPolicy) -> Router {
    let control = AccessControl { policy: Arc::new(policy), log: Arc::default() };
    routes
        .layer(from_fn_with_state(control.clone(), check_token))
        .layer(cors())
        .layer(from_fn_with_state(control, check_sender))
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
async fn check_sender(State(control): State<AccessControl>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let mut response = match control.policy.check_sender(&head) {
        Ok(()) => {
            let is_preflight = head.method == Method::OPTIONS;
            let mut response = next.run(Request::from_parts(head, body)).await;
            // tower-http responds to a preflight with an empty 200.
            if is_preflight && response.status() == StatusCode::OK {
                *response.status_mut() = StatusCode::NO_CONTENT;
            }
            response
        }
        Err(rejection) => control.reject(&head.extensions, head.uri.path(), rejection),
    };
    // No cache may serve the response for one origin to another. A route may add further headers.
    response.headers_mut().append(VARY, HeaderValue::from(ORIGIN));
    response
}

async fn check_token(State(control): State<AccessControl>, request: Request, next: Next) -> Response {
    let checked = control.policy.check_token(request.uri().path(), request.headers());
    match checked {
        Ok(()) => next.run(request).await,
        Err(rejection) => {
            let mut response = control.reject(request.extensions(), request.uri().path(), rejection);
            let challenge = HeaderValue::from_static("Bearer realm=\"benchbook\"");
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
            response
        }
    }
}

impl AccessControl {
    fn reject(&self, extensions: &Extensions, path: &str, rejection: AccessRejection) -> Response {
        let address = extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip());
        self.log.record(address, path, &rejection);
        let AccessRejection { status, body } = rejection;
        (status, Json(body)).into_response()
    }
}
