//! Who may use a runner.

use std::net::SocketAddr;

use benchbook_host::api::Token;

use super::origin::Origin;

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
