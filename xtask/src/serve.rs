//! The notebook on this machine, rebuilt when a source changes.

use std::fs;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use xshell::cmd;
use xtask::workspace::Workspace;

use crate::process_group::ProcessGroup;
use crate::tools::{self, Need};

/// Build everything and open the notebook in the browser; rebuild when a source changes
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask serve
  cargo xtask serve --no-open --port 9000")]
pub(crate) struct Options {
    /// The port on this machine
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Leave the browser alone
    #[arg(long)]
    no_open: bool,
}

/// How often to look whether something happened that nobody tells us.
const LOOK: Duration = Duration::from_millis(200);

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    // Before minutes of building, not after them.
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
    ensure_free(address)?;
    tools::ensure(workspace, &[Need::Page])?;
    let environment = tools::environment(workspace)?;
    let shell = environment.shell(workspace)?;
    let (stop, stopped) = mpsc::channel();
    ctrlc::set_handler(move || {
        // Nobody listens when we are ending already.
        let _ = stop.send(());
    })?;
    println!("Building the notebook; it will be at http://{address}/ (the first build takes minutes)");
    let start = SystemTime::now();
    let port = options.port.to_string();
    let open: &[&str] = if options.no_open { &[] } else { &["--open"] };
    let trunk = cmd!(shell, "trunk serve --release --address 127.0.0.1 --port {port} {open...}");
    let mut trunk = ProcessGroup::start(trunk.into()).context("starting trunk")?;

    let mut told = false;
    loop {
        if stopped.recv_timeout(LOOK).is_ok() {
            drop(trunk);
            println!("\nStopped.");
            return Ok(());
        }
        if let Some(status) = trunk.ended()? {
            bail!("trunk ended by itself ({status}); what it said above is the reason");
        }
        // Trunk listens when its first build is over.
        if !told && TcpStream::connect_timeout(&address, LOOK).is_ok() {
            if was_built_since(workspace, start) {
                println!("\nThe notebook is at http://{address}/ and Ctrl-C ends it.");
                environment.print_advice();
            } else {
                println!("\nThe build failed, for the reason above. When that is mended: http://{address}/");
            }
            told = true;
        }
    }
}

fn ensure_free(address: SocketAddr) -> Result<()> {
    match TcpListener::bind(address) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AddrInUse => bail!(
            "port {port} is in use, perhaps by another `cargo xtask serve`. End that, or choose another port:\n  \
             cargo xtask serve --port {next}",
            port = address.port(),
            next = address.port().checked_add(1).unwrap_or(9000),
        ),
        Err(error) => Err(error).with_context(|| format!("listening at {address}")),
    }
}

fn was_built_since(workspace: &Workspace, start: SystemTime) -> bool {
    let page = fs::metadata(workspace.dist().join("index.html")).and_then(|page| page.modified());
    page.is_ok_and(|built| built > start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_is_told_with_the_way_out() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = taken.local_addr().unwrap();
        let error = ensure_free(address).unwrap_err().to_string();
        assert!(error.contains(&format!("port {} is in use", address.port())) && error.contains("--port"), "{error}");
    }
}
