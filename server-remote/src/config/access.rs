//! Who may use a runner: origins of pages, hosts of requests, and the token.

use std::fmt;
use std::net::{IpAddr, SocketAddr};

use benchbook_host::api::Token;

/// The hosts, origins and token that a runner accepts.
#[derive(Clone, Debug)]
pub struct AccessPolicy {
    /// The bound address, with the actual port.
    pub address: SocketAddr,
    /// Whether the runner itself serves TLS.
    pub tls: bool,
    /// Accepted host names in addition to the address, in lower case.
    pub hosts: Vec<String>,
    /// Accepted origins in addition to the runner's own.
    pub origins: Vec<Origin>,
    /// The token that the API requires; absent if it requires none.
    pub token: Option<Token>,
}

/// The origin of a page, such as `https://bench.example.org` or `http://127.0.0.1:8080`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: Scheme,
    host: String,
    port: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    Http,
    Https,
}

impl Scheme {
    const fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    const fn port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

impl Origin {
    /// Parses an origin; absent if it is invalid, or has a path.
    pub fn parse(text: &str) -> Option<Self> {
        let (scheme, authority) = text.split_once("://")?;
        let scheme =
            [Scheme::Http, Scheme::Https].into_iter().find(|known| scheme.eq_ignore_ascii_case(known.name()))?;
        let Authority { host, port } = Authority::parse(authority)?;
        Some(Self { scheme, host, port: port.unwrap_or(scheme.port()) })
    }

    /// Whether a page of this origin was served by `host`, with or without TLS.
    pub fn matches_host(&self, host: &Authority, tls: bool) -> bool {
        // Without our own TLS, a proxy may add it, so the page's scheme may be either.
        let scheme_matches = !tls || self.scheme == Scheme::Https;
        scheme_matches && self.host == host.host && self.port == host.port.unwrap_or(self.scheme.port())
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scheme, host, port } = self;
        if *port == scheme.port() {
            write!(f, "{}://{host}", scheme.name())
        } else {
            write!(f, "{}://{host}:{port}", scheme.name())
        }
    }
}

/// A host with an optional port, as in the `Host` header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority {
    /// A name in lower case, or an IP address; IPv6 in brackets.
    pub host: String,
    /// The port, if there is one.
    pub port: Option<u16>,
}

impl Authority {
    /// Parses it; absent if it is invalid.
    pub fn parse(text: &str) -> Option<Self> {
        let (host, port) = match text.rfind(':') {
            Some(colon) if !text.ends_with(']') => (&text[..colon], Some(text[colon + 1..].parse().ok()?)),
            _ => (text, None),
        };
        (is_name(host) || address(host).is_some()).then(|| Self { host: host.to_ascii_lowercase(), port })
    }

    /// The host as an IP address; absent if it is a name.
    pub fn address(&self) -> Option<IpAddr> {
        address(&self.host)
    }
}

/// Whether it is a valid host name: labels of letters, digits, hyphens and underscores, joined by dots.
pub fn is_name(host: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    host.len() <= 253 && host.split('.').all(is_label)
}

fn address(host: &str) -> Option<IpAddr> {
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(v6) => v6.parse().ok().map(IpAddr::V6),
        None => host.parse().ok().filter(IpAddr::is_ipv4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_an_origin_as_browsers_do() {
        for (text, expected) in [
            ("https://bench.example.org", Some("https://bench.example.org")),
            ("HTTPS://Bench.Example.org:443", Some("https://bench.example.org")),
            ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("http://[::1]:4040", Some("http://[::1]:4040")),
            ("https://bench.example.org/", None),
            ("https://bench.example.org/page", None),
            ("https://*.example.org", None),
            ("https://user@example.org", None),
            ("https://example.org:", None),
            ("https://", None),
            ("bench.example.org", None),
            ("file://", None),
            ("null", None),
            ("*", None),
        ] {
            assert_eq!(Origin::parse(text).map(|origin| origin.to_string()).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn an_origin_matches_the_host_that_served_the_page() {
        for (origin, host, tls, expected) in [
            ("http://127.0.0.1:4040", "127.0.0.1:4040", false, true),
            ("http://127.0.0.1:8080", "127.0.0.1:4040", false, false),
            ("http://localhost:4040", "127.0.0.1:4040", false, false),
            ("https://bench.example.org", "bench.example.org", false, true),
            ("https://bench.example.org", "bench.example.org", true, true),
            ("http://bench.example.org", "bench.example.org", true, false),
            ("http://bench.example.org", "bench.example.org:80", false, true),
        ] {
            let origin = Origin::parse(origin).unwrap();
            assert_eq!(origin.matches_host(&Authority::parse(host).unwrap(), tls), expected, "{origin} {host} {tls}");
        }
    }
}
