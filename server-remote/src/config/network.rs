//! What of the configuration is about the network: where the runner listens, and who may reach it.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::files::file;
use super::keys::PORT;
use super::values::{Values, Written};
use super::{ConfigProblem, TlsFiles};
use crate::access::{Origin, Token, is_name, token};

const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 4040);

pub(super) fn address(values: &mut Values) -> SocketAddr {
    let port = values.read(PORT, |written| {
        let port = written.integer().and_then(|port| u16::try_from(port).ok());
        port.ok_or("allowed: 0 to 65535; 0 is any port that is free")
    });
    let address = values.read("address", |written| {
        let text = written.text().unwrap_or_default().replace("localhost", "127.0.0.1");
        let address = text.parse().or_else(|_| text.parse().map(|ip| SocketAddr::new(ip, DEFAULT_ADDRESS.port())));
        address.map_err(|_| "allowed: an IP address and perhaps a port, such as 127.0.0.1:4040, 0.0.0.0 or [::]:4040")
    });
    let mut address = address.unwrap_or(DEFAULT_ADDRESS);
    let counts = match (values.get(PORT), values.get("address")) {
        (Some(port), Some(address)) => port.place.overrules(&address.place),
        _ => true,
    };
    if let Some(port) = port.filter(|_| counts) {
        address.set_port(port);
    }
    address
}

pub(super) fn tls(values: &mut Values) -> Option<TlsFiles> {
    let certificate = values.read("tls.certificate", file);
    let key = values.read("tls.key", file);
    for (given, other, option) in
        [("tls.certificate", "tls.key", "--tls-key"), ("tls.key", "tls.certificate", "--tls-certificate")]
    {
        if let (Some(written), None) = (values.get(given), values.get(other)) {
            values.problems.push(written.problem(format!("it needs {other} too: give {option} FILE")));
        }
    }
    Some(TlsFiles { certificate: certificate?, key: key? })
}

pub(super) fn origins(values: &mut Values) -> Vec<Origin> {
    let allowed = "allowed: an exact origin, such as https://bench.example.org, without path or wildcard";
    values.read_each("origins", |written| written.text().and_then(Origin::parse).ok_or(allowed))
}

pub(super) fn hosts(values: &mut Values) -> Vec<String> {
    let allowed = "allowed: the name of a host, such as reference-01.example.org, without scheme and port";
    let name = |written: &Written| written.text().filter(|host| is_name(host)).map(str::to_ascii_lowercase);
    values.read_each("hosts", |written| name(written).ok_or(allowed))
}

/// The token that was given, or a new one and `true` where others reach `address` and none was.
pub(super) fn token(values: &mut Values, address: SocketAddr) -> (Option<Token>, bool) {
    let given = given_token(values);
    let was_given = values.get("token").is_some() || values.get("token_file").is_some();
    if was_given || address.ip().is_loopback() {
        return (given, false);
    }
    let new = Token::random().map_err(|_| {
        let advice = "token: this system has no randomness to make one; give --token-file FILE";
        values.problems.push(ConfigProblem::missing(advice));
    });
    (new.ok(), true)
}

fn given_token(values: &mut Values) -> Option<Token> {
    let here = values.read("token", |written| {
        let token = written.text().and_then(Token::parse);
        token.ok_or_else(|| format!("allowed: {}", token::ALLOWED))
    });
    let in_file = values.read("token_file", |written| {
        let path = file(written)?;
        let text = fs::read_to_string(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        Token::parse(text.trim()).ok_or_else(|| format!("{} has no token; allowed: {}", path.display(), token::ALLOWED))
    });
    match (values.get("token"), values.get("token_file")) {
        (Some(token), Some(file)) if token.place.overrules(&file.place) => here,
        (_, Some(_)) => in_file,
        _ => here,
    }
}
