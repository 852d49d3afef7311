//! Decides from the head of a request whether it may pass.

use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::request::Parts;

use benchbook_host::api::Token;
use subtle::ConstantTimeEq;

use super::rejection::AccessRejection;
use crate::config::{AccessPolicy, Authority, Origin};

impl AccessPolicy {
    /// Checks the host and the origin of a request.
    pub(super) fn check_sender(&self, request: &Parts) -> Result<(), AccessRejection> {
        let host = host(request).ok_or_else(AccessRejection::ambiguous_host)?;
        if !self.accepts_host(&host) {
            return Err(AccessRejection::foreign_host(&host, self.address, self.tls));
        }
        let Some(value) = request.headers.get(ORIGIN) else { return Ok(()) };
        let origin = value.to_str().ok().and_then(Origin::parse);
        let is_allowed = |origin: &Origin| origin.matches_host(&host, self.tls) || self.origins.contains(origin);
        match origin {
            Some(origin) if is_allowed(&origin) => Ok(()),
            other => Err(AccessRejection::foreign_origin(other.as_ref())),
        }
    }

    /// Checks the token of a request. The page's own files and the health check need none, so that a browser can load the
    /// page that prompts for the token.
    pub(super) fn check_token(&self, path: &str, headers: &HeaderMap) -> Result<(), AccessRejection> {
        let Some(token) = self.token.as_ref().filter(|_| needs_token(path)) else { return Ok(()) };
        match bearer(headers) {
            Some(text) if matches_token(token, text) => Ok(()),
            other => Err(AccessRejection::missing_token(other.is_some())),
        }
    }

    /// Whether a request may address the runner by this host. After DNS rebinding, a foreign page's requests carry that
    /// page's host name. The port is not compared, since tunnels and proxies change it.
    fn accepts_host(&self, host: &Authority) -> bool {
        let own = self.address.ip();
        match host.address() {
            // An IP address cannot be rebound, and a runner that listens on all interfaces does not know its own.
            Some(_) if own.is_unspecified() => true,
            Some(address) if address == own => true,
            Some(address) => own.is_loopback() && address.is_loopback(),
            None if host.host == "localhost" => own.is_loopback() || own.is_unspecified(),
            None => self.hosts.contains(&host.host),
        }
    }
}

/// Compares a token with `text`, in constant time for texts of its length.
fn matches_token(token: &Token, text: &str) -> bool {
    token.reveal().as_bytes().ct_eq(text.as_bytes()).into()
}

fn needs_token(path: &str) -> bool {
    path == "/metrics" || path == "/api" || path.starts_with("/api/")
}

/// The host that a request names; absent if it names none or several.
fn host(request: &Parts) -> Option<Authority> {
    if let Some(authority) = request.uri.authority() {
        return Authority::parse(authority.as_str());
    }
    let mut hosts = request.headers.get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => Authority::parse(host.to_str().ok()?),
        _ => None,
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_matches_itself_only() {
        let token = Token::parse("a-token-of-sufficient-length-0123").unwrap();
        assert!(matches_token(&token, token.reveal()));
        assert!(!matches_token(&token, &token.reveal()[1..]) && !matches_token(&token, ""));
    }
}
