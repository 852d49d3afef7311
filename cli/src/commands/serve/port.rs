//! The port of the notebook. A browser stores notebooks by port, so each workspace has a port of its own.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;

use anyhow::{Context, Result, bail};
use benchbook_host::fingerprint::fingerprint;

/// The ports of workspaces: below those that systems choose for outgoing connections.
const FIRST: u16 = 20_000;
const COUNT: u32 = 10_000;

/// How many ports after the workspace's own one are tried.
const ATTEMPTS: u16 = 20;

/// A port for the notebook.
#[derive(Debug)]
pub(super) struct ChosenPort {
    pub(super) number: u16,
    /// Why it is not the port of the workspace.
    pub(super) warning: Option<String>,
}

/// A free port: `requested`, or else that of the workspace, or else one after it, with a warning.
///
/// # Errors
/// If the requested port is in use, or no port is free.
pub(super) fn choose(requested: Option<u16>, workspace: &Path) -> Result<ChosenPort> {
    if let Some(port) = requested {
        return match is_free(port)? {
            true => Ok(ChosenPort { number: port, warning: None }),
            false => bail!("port {port} is in use. Choose another one, or omit --port"),
        };
    }
    let own = of_workspace(workspace);
    for port in own..own + ATTEMPTS {
        if !is_free(port)? {
            continue;
        }
        let warning = (port != own).then(|| {
            format!(
                "port {own} is in use, perhaps by another `cargo benchbook` in this workspace, so the page is at port {port}. \
                 Browsers store notebooks by port: those of port {own} are not listed there."
            )
        });
        return Ok(ChosenPort { number: port, warning });
    }
    bail!("ports {own} to {} are in use. Choose another one with --port", own + ATTEMPTS - 1)
}

/// The port of a workspace, which depends on its path only.
fn of_workspace(workspace: &Path) -> u16 {
    let digits = &fingerprint(workspace.as_os_str().as_encoded_bytes())[..8];
    let number = u32::from_str_radix(digits, 16).expect("a fingerprint is a hexadecimal number");
    FIRST + (number % COUNT) as u16
}

fn is_free(port: u16) -> Result<bool> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    match TcpListener::bind(address) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AddrInUse => Ok(false),
        Err(error) => Err(error).with_context(|| format!("listening on {address}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_depends_on_the_path_only() {
        let [one, other] = ["/home/me/one", "/home/me/other"].map(|path| of_workspace(Path::new(path)));
        // `printf /home/me/one | sha256sum` begins with the number 0x2f8d0c0e.
        assert_eq!(one, of_workspace(Path::new("/home/me/one")));
        assert!(one != other && [one, other].iter().all(|port| (20_000..30_000).contains(port)), "{one} {other}");
    }

    #[test]
    fn a_port_in_use_is_replaced_or_rejected() {
        let workspace = Path::new("/home/me/a_workspace_in_a_test");
        let own = of_workspace(workspace);
        // It may be in use by something else.
        let _listener = TcpListener::bind((Ipv4Addr::LOCALHOST, own));
        let ChosenPort { number: other, warning } = choose(None, workspace).unwrap();
        assert!(other > own && other < own + ATTEMPTS, "{own} {other}");
        let warning = warning.unwrap();
        assert!(warning.contains(&format!("so the page is at port {other}")), "{warning}");
        let error = choose(Some(own), workspace).unwrap_err().to_string();
        assert!(error.contains(&format!("port {own} is in use")), "{error}");
    }
}
