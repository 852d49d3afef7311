//! Who may use the runner, decided for each request from its head alone.

use std::net::SocketAddr;

use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, AUTHORIZATION, HOST, ORIGIN,
    WWW_AUTHENTICATE,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use benchbook_host::api::ErrorBody;

use super::refusal;
use super::{Authority, Origin, Token};
use crate::config::Config;

/// A page of a public site asks in this way whether it may reach a private network
/// (<https://wicg.github.io/private-network-access/>).
const REQUEST_PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-request-private-network");
const ALLOW_PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// For how many seconds a browser need not ask again: two hours, the most that Chromium keeps.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");

/// Who may use a runner.
#[derive(Clone, Debug)]
pub struct Access {
    address: SocketAddr,
    tls: bool,
    hosts: Vec<String>,
    origins: Vec<Origin>,
    token: Option<Token>,
}

/// What becomes of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// A browser asks whether a page may ask: it may, and these headers say so. There is nothing more to answer.
    Preflight(HeaderMap),
    /// It is answered, with these headers beside those of the answer.
    Pass(HeaderMap),
    /// It is not answered.
    Refuse {
        /// 400, 401 or 403.
        status: StatusCode,
        /// The headers of the refusal.
        headers: HeaderMap,
        /// What is wrong and what to do.
        refusal: ErrorBody,
    },
}

impl Access {
    /// `address` is where the runner really listens.
    pub fn new(address: SocketAddr, config: &Config) -> Self {
        Self {
            address,
            tls: config.tls.is_some(),
            hosts: config.hosts.clone(),
            origins: config.origins.clone(),
            token: config.token.clone(),
        }
    }

    /// Decides on a request.
    pub fn decide(&self, request: &Parts) -> Decision {
        let mut headers = HeaderMap::new();
        let Some(host) = host(request) else {
            return refuse(StatusCode::BAD_REQUEST, headers, refusal::no_host());
        };
        if !self.answers_to(&host) {
            return refuse(StatusCode::FORBIDDEN, headers, refusal::foreign_host(&host, self.address, self.tls));
        }
        if let Some(value) = request.headers.get(ORIGIN) {
            let origin = value.to_str().ok().and_then(Origin::parse);
            let is_own = |origin: &Origin| origin.is_of(&host, self.tls);
            if !origin.as_ref().is_some_and(|origin| is_own(origin) || self.origins.contains(origin)) {
                return refuse(StatusCode::FORBIDDEN, headers, refusal::foreign_origin(origin.as_ref()));
            }
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, value.clone());
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("retry-after"));
            if request.method == Method::OPTIONS && request.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
                return Decision::Preflight(preflight(headers, &request.headers));
            }
        }
        match &self.token {
            Some(token) if needs_token(request.uri.path()) => match bearer(&request.headers) {
                Some(told) if token.is(told) => Decision::Pass(headers),
                told => {
                    headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"benchbook\""));
                    refuse(StatusCode::UNAUTHORIZED, headers, refusal::no_token(told.is_some()))
                }
            },
            _ => Decision::Pass(headers),
        }
    }

    /// Whether a request may call the runner so. A page whose name was made to lead here (DNS rebinding) calls it by that
    /// page's name. The port may be another, since tunnels and proxies change it.
    fn answers_to(&self, host: &Authority) -> bool {
        let own = self.address.ip();
        match host.address() {
            // Nobody can make an address lead elsewhere, and one that listens at all of them knows none.
            Some(_) if own.is_unspecified() => true,
            Some(address) if address == own => true,
            Some(address) => own.is_loopback() && address.is_loopback(),
            None if host.host == "localhost" => own.is_loopback() || own.is_unspecified(),
            None => self.hosts.contains(&host.host),
        }
    }
}

/// The page's own files and the check of health are anybody's, so that a browser can load the page that asks for the token.
fn needs_token(path: &str) -> bool {
    path == "/metrics" || path == "/api" || path.starts_with("/api/")
}

fn refuse(status: StatusCode, headers: HeaderMap, refusal: ErrorBody) -> Decision {
    Decision::Refuse { status, headers, refusal }
}

/// The one host that a request names; absent where it names none, or several.
fn host(request: &Parts) -> Option<Authority> {
    if let Some(authority) = request.uri.authority() {
        return Authority::parse(authority.as_str());
    }
    let mut named = request.headers.get_all(HOST).iter();
    match (named.next(), named.next()) {
        (Some(host), None) => Authority::parse(host.to_str().ok()?),
        _ => None,
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn preflight(mut headers: HeaderMap, asked: &HeaderMap) -> HeaderMap {
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, DELETE"));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("authorization, content-type"));
    headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    if asked.get(REQUEST_PRIVATE_NETWORK).is_some_and(|value| value == "true") {
        headers.insert(ALLOW_PRIVATE_NETWORK, HeaderValue::from_static("true"));
    }
    headers
}
