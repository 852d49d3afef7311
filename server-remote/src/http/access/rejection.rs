//! Rejections by the access policy: the problem, then the fix.

use std::net::SocketAddr;

use axum::http::StatusCode;
use benchbook_host::api::ErrorBody;

use crate::config::{Authority, Origin};

/// The status and the body of a rejection.
#[derive(Debug)]
pub(super) struct AccessRejection {
    /// 400, 401 or 403.
    pub(super) status: StatusCode,
    pub(super) body: ErrorBody,
}

impl AccessRejection {
    fn new(status: StatusCode, error: String) -> Self {
        Self { status, body: ErrorBody { error, problems: Vec::new(), retry_after: None } }
    }

    pub(super) fn ambiguous_host() -> Self {
        let error = "The request has no Host header, an invalid one, or several. Send exactly one.";
        Self::new(StatusCode::BAD_REQUEST, error.to_owned())
    }

    pub(super) fn foreign_host(host: &Authority, address: SocketAddr, tls: bool) -> Self {
        let scheme = if tls { "https" } else { "http" };
        let name = &host.host;
        let error = format!(
            "This runner does not accept the host name {name}. Use {scheme}://{address}/, or start the runner with --host \
             {name}."
        );
        Self::new(StatusCode::FORBIDDEN, error)
    }

    /// `origin` is absent if the page has none.
    pub(super) fn foreign_origin(origin: Option<&Origin>) -> Self {
        let error = match origin {
            Some(origin) => format!(
                "Pages of {origin} may not use this runner. Open the runner's own page, or start the runner with --origin \
                 {origin}"
            ),
            None => "A page without an origin, such as a local file or a sandboxed frame, may not use this runner. Open the \
                     runner's own page."
                .to_owned(),
        };
        Self::new(StatusCode::FORBIDDEN, error)
    }

    pub(super) fn missing_token(is_wrong: bool) -> Self {
        let problem = if is_wrong { "Wrong token." } else { "The runner requires a token." };
        let error = format!(
            "{problem} Use the configured one, or the one that the runner prints at startup. Enter it on the page, next to the \
             runner's address, or send `Authorization: Bearer TOKEN`."
        );
        Self::new(StatusCode::UNAUTHORIZED, error)
    }
}
