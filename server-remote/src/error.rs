//! What is refused, and the one place where that becomes HTTP.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use benchbook_host::api::ErrorBody;
use benchbook_host::request::Problem;
use thiserror::Error;

use crate::hub::TAKEN_BACK;
use crate::store::StoreError;

/// Why a request gets no answer.
#[derive(Debug, Error)]
pub enum ApiError {
    /// What was sent is not understood: a sentence.
    #[error("{0}")]
    NotUnderstood(String),
    /// It is understood, and cannot be measured, for these reasons.
    #[error("The request does not fit the suite.")]
    DoesNotFit(Vec<Problem>),
    /// There is no such thing: a sentence.
    #[error("{0}")]
    Unknown(String),
    /// The route answers other methods.
    #[error("This is not answered for that method; the header `allow` lists those for which it is.")]
    OtherMethod,
    /// It did not come in time.
    #[error("The body did not come in time: `patience_seconds` in this runner's limits.")]
    Slow,
    /// It is more than this runner takes: a sentence.
    #[error("{0}")]
    TooLarge(String),
    /// Too many wait already: a sentence, and when to try again, in seconds.
    #[error("{reason}")]
    Busy {
        /// What is full, and what to do.
        reason: String,
        /// Seconds.
        retry_after: u64,
    },
    /// The runner is ending: what that means for who asks.
    #[error("{0}")]
    Ending(String),
    /// The client took back what it asked.
    #[error("{TAKEN_BACK}")]
    TakenBack,
    /// The measurement could not be finished: a sentence.
    #[error("{0}")]
    Measuring(String),
    /// The store failed. Why may tell of this machine's files, and is logged.
    #[error("The results cannot be reached: this runner's log says why, and whoever runs it must mend that.")]
    Store(#[from] StoreError),
}

impl ApiError {
    fn status(&self) -> StatusCode {
        match self {
            Self::NotUnderstood(_) => StatusCode::BAD_REQUEST,
            Self::DoesNotFit(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Unknown(_) => StatusCode::NOT_FOUND,
            Self::OtherMethod => StatusCode::METHOD_NOT_ALLOWED,
            Self::Slow => StatusCode::REQUEST_TIMEOUT,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TakenBack => StatusCode::CONFLICT,
            Self::Busy { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Ending(_) | Self::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Measuring(_) => StatusCode::BAD_GATEWAY,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        if status.is_server_error() {
            let why = std::error::Error::source(&self).map(tracing::field::display);
            tracing::error!(%status, why, "{self}");
        }
        let retry_after = match &self {
            Self::Busy { retry_after, .. } => Some(*retry_after),
            Self::Ending(_) => Some(60),
            _ => None,
        };
        let error = self.to_string();
        let problems = if let Self::DoesNotFit(problems) = self { problems } else { Vec::new() };
        let mut response = (status, Json(ErrorBody { error, problems, retry_after })).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
