//! What a client asks, read by axum, with refusals of ours: JSON, and what to do.

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use benchbook_host::api::STREAM;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::error::ApiError;
use crate::kept::Sent;
use crate::runner::Runner;

/// Another extractor, whose refusals are [`ApiError`]s.
pub(super) struct Asked<T>(pub(super) T);

impl<S: Send + Sync, T> FromRequestParts<S> for Asked<T>
where
    T: FromRequestParts<S>,
    ApiError: From<T::Rejection>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        Ok(Self(T::from_request_parts(parts, state).await?))
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> Self {
        Self::NotUnderstood(rejection.body_text())
    }
}

impl From<PathRejection> for ApiError {
    fn from(rejection: PathRejection) -> Self {
        Self::NotUnderstood(rejection.body_text())
    }
}

/// Takes what is sent: as much as the runner takes, as long as it waits.
pub(super) async fn sent(runner: &Runner, mut request: Request) -> Result<Sent, ApiError> {
    let is_stream = wants_stream(request.headers());
    DefaultBodyLimit::max(runner.limits.body_bytes as usize).apply(&mut request);
    let body = timeout(runner.limits.patience(), Bytes::from_request(request, &())).await;
    let body = body.map_err(|_| ApiError::Slow)?.map_err(|rejection: BytesRejection| {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            ApiError::TooLarge("The body is longer than this runner takes (`body_bytes` in its limits): give shorter texts as arguments.".to_owned())
        } else {
            ApiError::NotUnderstood(rejection.body_text())
        }
    })?;
    Ok(Sent { body, is_stream })
}

fn wants_stream(headers: &HeaderMap) -> bool {
    let is_stream = |accept: &str| accept.to_ascii_lowercase().contains(STREAM);
    headers.get_all(header::ACCEPT).iter().any(|accept| accept.to_str().is_ok_and(is_stream))
}

/// Reads a JSON body, whatever content type it claims.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body).map_err(|error| ApiError::NotUnderstood(format!("The body is no request: {error}.")))
}
