//! Reads requests with axum's extractors, and maps their rejections to [`ApiError`].

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{ConnectInfo, DefaultBodyLimit, FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use benchbook_contract::catalog::MAX_NAME;
use benchbook_host::api::STREAM;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::config::Limits;
use crate::error::ApiError;

/// Wraps an extractor, so that its rejections are [`ApiError`]s.
pub(super) struct ApiInput<T>(pub(super) T);

impl<S: Send + Sync, T> FromRequestParts<S> for ApiInput<T>
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
        Self::Malformed(rejection.body_text())
    }
}

impl From<PathRejection> for ApiError {
    fn from(rejection: PathRejection) -> Self {
        Self::Malformed(rejection.body_text())
    }
}

/// Checks the number of entries that a query asks for.
pub(super) fn check_limit(limit: u32, most: u32) -> Result<u32, ApiError> {
    match limit {
        limit if (1..=most).contains(&limit) => Ok(limit),
        limit => Err(ApiError::Malformed(format!("limit: expected 1 to {most}, not {limit}"))),
    }
}

/// Checks the length of a name in a query.
pub(super) fn check_name(parameter: &str, name: &str) -> Result<(), ApiError> {
    if name.chars().count() <= MAX_NAME {
        return Ok(());
    }
    Err(ApiError::Malformed(format!("{parameter}: expected at most {MAX_NAME} characters")))
}

/// Reads a JSON body within the limits on its size and time, whatever its content type. `fix`: how to send less.
pub(super) async fn read_body<T: DeserializeOwned>(
    limits: &Limits,
    mut request: Request,
    fix: &str,
) -> Result<T, ApiError> {
    DefaultBodyLimit::max(limits.body_bytes as usize).apply(&mut request);
    let body = timeout(limits.patience(), Bytes::from_request(request, &())).await;
    let body = body.map_err(|_| ApiError::BodyTimeout)?.map_err(|rejection: BytesRejection| {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            ApiError::TooLarge(format!("The body exceeds this runner's limit (`body_bytes`). {fix}"))
        } else {
            ApiError::Malformed(rejection.body_text())
        }
    })?;
    serde_json::from_slice(&body).map_err(|error| ApiError::Malformed(format!("The body is not a request: {error}.")))
}

/// The address of the client's connection; unspecified if the HTTP library does not report it. Of an IPv6 address, the first 64
/// bits: one subscriber of a network provider has all addresses that begin with them.
pub(super) fn client_address(http: &Request) -> IpAddr {
    let connection = http.extensions().get::<ConnectInfo<SocketAddr>>();
    match connection.map(|ConnectInfo(address)| address.ip().to_canonical()) {
        Some(IpAddr::V6(address)) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        Some(address) => address,
        None => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
    }
}

/// Whether the client accepts a stream of events.
pub(super) fn accepts_stream(headers: &HeaderMap) -> bool {
    let is_stream = |accept: &str| accept.to_ascii_lowercase().contains(STREAM);
    headers.get_all(header::ACCEPT).iter().any(|accept| accept.to_str().is_ok_and(is_stream))
}
