//! API errors, and their mapping to HTTP.

use std::env::consts;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use benchbook_host::api::ErrorBody;
use benchbook_host::request::Problem;
use bytesize::ByteSize;
use thiserror::Error;

use crate::history::UnavailableHistory;
use crate::hub::{CANCELLED, HubRejection, JobError};
use crate::notebooks::UnreadableNotebooks;
use crate::store::StoreError;
use crate::suites::uploads::UploadError;

/// When to retry after the runner has been restarted, in seconds.
const RESTART_RETRY: u64 = 60;

/// Why a request has no response. Each message states the problem, then the fix.
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
    /// An uploaded executable cannot be measured, for this reason.
    #[error("The executable is not a suite that this runner can measure.")]
    UnusableBuild(Problem),
    /// The runner does not permit this.
    #[error("{0}")]
    Forbidden(String),
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
        /// The problem and how to fix it.
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
    /// The folder of uploaded builds failed. The cause may contain paths of this machine, so it is only logged.
    #[error("The build cannot be stored. Contact the runner's administrator; the runner's log has the cause.")]
    Uploads(#[source] UploadError),
}

/// When to try again if too many builds are being uploaded, in seconds.
const UPLOAD_RETRY: u64 = 10;

/// When to try again if all stored builds are in use, in seconds.
const ROOM_RETRY: u64 = 60;

impl ApiError {
    /// The runner has no build with this fingerprint.
    pub fn unknown_build(fingerprint: &str) -> Self {
        // A longer text is no fingerprint.
        let shown: String = fingerprint.chars().take(64).collect();
        Self::NotFound(format!("The runner has no build with the fingerprint `{shown}`. Upload its executable."))
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Malformed(_) => StatusCode::BAD_REQUEST,
            Self::Mismatch(_) | Self::InvalidResults(_) | Self::UnusableBuild(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::BodyTimeout => StatusCode::REQUEST_TIMEOUT,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Cancelled => StatusCode::CONFLICT,
            Self::Busy { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::ShuttingDown(_) | Self::Store(_) | Self::Notebooks(_) | Self::History(_) | Self::Uploads(_) => {
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
        // If the body has not been read to its end, hyper closes the connection, and the client must not use it again.
        let must_close = matches!(self, Self::TooLarge(_) | Self::BodyTimeout);
        let error = self.to_string();
        let problems = match self {
            Self::Mismatch(problems) | Self::InvalidResults(problems) => problems,
            Self::UnusableBuild(problem) => vec![problem],
            _ => Vec::new(),
        };
        let mut response = (status, Json(ErrorBody { error, problems, retry_after })).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if must_close {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

impl From<UploadError> for ApiError {
    fn from(error: UploadError) -> Self {
        match error {
            UploadError::TooLarge(bytes) => Self::TooLarge(format!(
                "The executable exceeds this runner's limit of {} (`upload_bytes`). Build it without debug information.",
                ByteSize::b(bytes)
            )),
            UploadError::Slow => Self::BodyTimeout,
            UploadError::Incomplete(reason) => Self::Malformed(format!("The executable is incomplete: {reason}.")),
            UploadError::Busy => Self::Busy {
                reason: "Several clients are uploading builds. Try again later.".to_owned(),
                retry_after: UPLOAD_RETRY,
            },
            UploadError::NoRoom => Self::Busy {
                reason: "All uploaded builds are waiting for measurements, so none can be replaced. Try again later, or raise \
                         the limits on uploads of the runner."
                    .to_owned(),
                retry_after: ROOM_RETRY,
            },
            UploadError::Unusable(reason) => {
                // The reason of a program for another processor is only that of the system.
                let message = format!("{reason} (this runner: {}, {})", consts::ARCH, consts::OS);
                Self::UnusableBuild(Problem { location: "body".to_owned(), message })
            }
            error @ UploadError::Folder(_) => Self::Uploads(error),
        }
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
