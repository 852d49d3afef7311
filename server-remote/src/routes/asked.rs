//! What a client asks, read by axum, with refusals of ours: JSON, and what to do.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::error::ApiError;
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

/// A JSON body, whatever content type it claims.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Arc<Runner>> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, runner: &Arc<Runner>) -> Result<Self, ApiError> {
        let bytes = timeout(runner.limits.patience(), Bytes::from_request(request, runner)).await;
        let bytes = bytes.map_err(|_| ApiError::Slow)?.map_err(|rejection: BytesRejection| {
            if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
                ApiError::TooLarge("The body is longer than this runner takes (`body_bytes` in its limits): give shorter texts as arguments.".to_owned())
            } else {
                ApiError::NotUnderstood(rejection.body_text())
            }
        })?;
        let read = serde_json::from_slice(&bytes);
        read.map(Self).map_err(|error| ApiError::NotUnderstood(format!("The body is no request: {error}.")))
    }
}
