//! Values about the network: the address, TLS, and access.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::access::{Origin, is_name};
use super::files::file;
use super::keys::PORT;
use super::problem::ConfigProblem;
use super::settings::TlsFiles;
use super::values::{RawValue, RawValues};
use crate::secrets::random_token;
use benchbook_host::api::Token;

const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 4040);

pub(super) fn address(values: &mut RawValues) -> SocketAddr {
    let port = values.read(PORT, |raw| {
        let port = raw.integer().and_then(|port| u16::try_from(port).ok());
        port.ok_or("allowed: 0 to 65535; 0 selects any free port")
    });
    let address = values.read("address", |raw| {
        let text = raw.text().unwrap_or_default().replace("localhost", "127.0.0.1");
        let address = text.parse().or_else(|_| text.parse().map(|ip| SocketAddr::new(ip, DEFAULT_ADDRESS.port())));
        address
            .map_err(|_| "allowed: an IP address with an optional port, such as 127.0.0.1:4040, 0.0.0.0 or [::]:4040")
    });
    let mut address = address.unwrap_or(DEFAULT_ADDRESS);
    let applies = match (values.get(PORT), values.get("address")) {
        (Some(port), Some(address)) => port.source.overrules(&address.source),
        _ => true,
    };
    if let Some(port) = port.filter(|_| applies) {
        address.set_port(port);
    }
    address
}

pub(super) fn tls(values: &mut RawValues) -> Option<TlsFiles> {
    let certificate = values.read("tls.certificate", file);
    let key = values.read("tls.key", file);
    for (given, other, option) in
        [("tls.certificate", "tls.key", "--tls-key"), ("tls.key", "tls.certificate", "--tls-certificate")]
    {
        if let (Some(raw), None) = (values.get(given), values.get(other)) {
            values.problems.push(raw.problem(format!("requires {other}; add {option} FILE")));
        }
    }
    Some(TlsFiles { certificate: certificate?, key: key? })
}

pub(super) fn origins(values: &mut RawValues) -> Vec<Origin> {
    let allowed = "allowed: an exact origin, such as https://bench.example.org, without a path or a wildcard";
    values.read_each("origins", |raw| raw.text().and_then(Origin::parse).ok_or(allowed))
}

pub(super) fn hosts(values: &mut RawValues) -> Vec<String> {
    let allowed = "allowed: a host name, such as reference-01.example.org, without scheme and port";
    let name = |raw: &RawValue| raw.text().filter(|host| is_name(host)).map(str::to_ascii_lowercase);
    values.read_each("hosts", |raw| name(raw).ok_or(allowed))
}

/// The configured token; or a new one and `true` if there is none and `address` is not a loopback address.
pub(super) fn token(values: &mut RawValues, address: SocketAddr) -> (Option<Token>, bool) {
    let given = given_token(values);
    let was_given = values.get("token").is_some() || values.get("token_file").is_some();
    if was_given || address.ip().is_loopback() {
        return (given, false);
    }
    let new = random_token().map_err(|_| {
        let advice = "token: the system's random number generator failed; add --token-file FILE";
        values.problems.push(ConfigProblem::missing(advice));
    });
    (new.ok(), true)
}

fn given_token(values: &mut RawValues) -> Option<Token> {
    let here = values.read("token", |raw| {
        let token = raw.text().and_then(Token::parse);
        token.ok_or_else(|| format!("allowed: {}", Token::FORMAT))
    });
    let in_file = values.read("token_file", |raw| {
        let path = file(raw)?;
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Token::parse(text.trim())
            .ok_or_else(|| format!("{} does not contain a token; allowed: {}", path.display(), Token::FORMAT))
    });
    match (values.get("token"), values.get("token_file")) {
        (Some(token), Some(file)) if token.source.overrules(&file.source) => here,
        (_, Some(_)) => in_file,
        _ => here,
    }
}
