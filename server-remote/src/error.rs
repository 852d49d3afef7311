//! API errors, and their mapping to HTTP.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use benchbook_host::api::ErrorBody;
use benchbook_host::request::Problem;
use thiserror::Error;

use crate::history::UnavailableHistory;
use crate::hub::{CANCELLED, HubRejection, JobError};
use crate::notebooks::UnreadableNotebooks;
use crate::store::StoreError;

/// When to retry after the runner has been restarted, in seconds.
const RESTART_RETRY: u64 = 60;

/// Why a request has no response. Each message states the problem, then the remedy.
#[derive(Debug, Error)]
pub enum ApiError {
    /// The request is malformed.
    #[error("{0}")]
    Malformed(String),
    /// The request does not match the suite, for these reasons.
    #[error("The request does not match the suite.")]
    Mismatch(Vec<Problem>),
    /// Results to accept are invalid, for these reasons.
    #[error("The results are invalid.")]
    InvalidResults(Vec<Problem>),
    /// The resource does not exist.
    #[error("{0}")]
    NotFound(String),
    /// The route does not support the method.
    #[error("Method not allowed. The `Allow` header lists the supported methods.")]
    MethodNotAllowed,
    /// The body did not arrive in time.
    #[error("The body did not arrive in time (`patience_seconds` in this runner's limits). Send it faster.")]
    BodyTimeout,
    /// The request exceeds a limit.
    #[error("{0}")]
    TooLarge(String),
    /// The runner is busy.
    #[error("{reason}")]
    Busy {
        /// The problem and the remedy.
        reason: String,
        /// When to try again, in seconds.
        retry_after: u64,
    },
    /// The runner is shutting down.
    #[error("{0}")]
    ShuttingDown(String),
    /// The client cancelled its request.
    #[error("{CANCELLED}")]
    Cancelled,
    /// The measurement failed.
    #[error("{0}")]
    MeasurementFailed(String),
    /// The store failed. The cause may contain paths of this machine, so it is only logged.
    #[error("Cannot read the stored results. Contact the runner's administrator; the runner's log has the cause.")]
    Store(#[from] StoreError),
    /// The folder of notebooks failed. The cause contains a path of this machine, so it is only logged.
    #[error("Cannot read the notebooks. Contact the runner's administrator; the runner's log has the cause.")]
    Notebooks(#[from] UnreadableNotebooks),
    /// The folder of accepted results failed. The cause contains a path of this machine, so it is only logged.
    #[error(
        "The accepted results are unavailable. Contact the runner's administrator; the runner's log has the cause."
    )]
    History(#[from] UnavailableHistory),
}

impl ApiError {
    fn status(&self) -> StatusCode {
        match self {
            Self::Malformed(_) => StatusCode::BAD_REQUEST,
            Self::Mismatch(_) | Self::InvalidResults(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::BodyTimeout => StatusCode::REQUEST_TIMEOUT,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Cancelled => StatusCode::CONFLICT,
            Self::Busy { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::ShuttingDown(_) | Self::Store(_) | Self::Notebooks(_) | Self::History(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::MeasurementFailed(_) => StatusCode::BAD_GATEWAY,
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Busy { retry_after, .. } => Some(*retry_after),
            Self::ShuttingDown(_) => Some(RESTART_RETRY),
            _ => None,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        if status.is_server_error() {
            let cause = std::error::Error::source(&self).map(tracing::field::display);
            tracing::error!(%status, cause, "{self}");
        }
        let retry_after = self.retry_after();
        let error = self.to_string();
        let problems = match self {
            Self::Mismatch(problems) | Self::InvalidResults(problems) => problems,
            _ => Vec::new(),
        };
        let mut response = (status, Json(ErrorBody { error, problems, retry_after })).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<HubRejection> for ApiError {
    fn from(rejection: HubRejection) -> Self {
        match rejection {
            HubRejection::QueueFull(full) => match full.retry_after() {
                Some(retry_after) => Self::Busy { reason: full.to_string(), retry_after },
                None => Self::TooLarge(full.to_string()),
            },
            HubRejection::Closed(reason) => Self::ShuttingDown(reason),
            HubRejection::Cancelled => Self::Cancelled,
        }
    }
}

impl From<JobError> for ApiError {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Failed(reason) => Self::MeasurementFailed(reason),
            JobError::Stopped(reason) => Self::ShuttingDown(reason),
            JobError::Cancelled => Self::Cancelled,
        }
    }
}
