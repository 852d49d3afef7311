//! The notebook on this machine with a runner of its own, rebuilt when a source changes.

use std::fs;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};
use xtask::workspace::{Workspace, as_if_by_hand};

use crate::process_group::ProcessGroup;
use crate::tools::{self, Need};

/// Build everything and open the notebook in the browser, with a runner; rebuild when a source changes
///
/// The runner measures the suites natively. Changed sources of page and suites are built anew, and a runner with changed
/// suites takes the place of the one before; the page is to be loaded again.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask serve
  cargo xtask serve --no-open --port 9000")]
pub(crate) struct Options {
    /// The port on this machine
    #[arg(long, default_value_t = 4040)]
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
    println!("Building the notebook and its runner; they will be at http://{address}/ (the first build takes minutes)");
    let start = SystemTime::now();
    as_if_by_hand(cmd!(shell, "cargo build --release --package benchbook-server"))
        .run()
        .context("building the runner")?;
    let mut trunk = ProcessGroup::start(cmd!(shell, "trunk watch --release").into()).context("starting trunk")?;

    let mut runner: Option<Running> = None;
    let mut told = false;
    loop {
        if stopped.recv_timeout(LOOK).is_ok() {
            drop(runner);
            drop(trunk);
            println!("\nStopped.");
            return Ok(());
        }
        if let Some(status) = trunk.ended()? {
            bail!("trunk ended by itself ({status}); what it said above is the reason");
        }
        if let Some(running) = &mut runner
            && let Some(group) = &mut running.group
            && let Some(status) = group.ended()?
        {
            println!(
                "\nThe runner ended by itself ({status}), for the reason above. It starts again after the next build."
            );
            running.group = None;
        }
        if !was_built_since(workspace, start) {
            continue;
        }
        // A build may be putting them in their places right now.
        let Ok(built) = built_suites(workspace) else { continue };
        if runner.as_ref().is_none_or(|running| running.suites != built) {
            // The one before ends first: it has the port and the results.
            drop(runner.take());
            let group = start_runner(workspace, &shell, &built, options.port)?;
            runner = Some(Running { group: Some(group), suites: built });
        }
        if !told && TcpStream::connect_timeout(&address, LOOK).is_ok() {
            println!("\nThe notebook is at http://{address}/ and Ctrl-C ends it.");
            environment.print_advice();
            if !options.no_open {
                open(&shell, &format!("http://{address}/"));
            }
            told = true;
        }
    }
}

/// A runner, and which suites it measures.
struct Running {
    /// Absent once it has ended by itself.
    group: Option<ProcessGroup>,
    suites: Vec<(PathBuf, SystemTime)>,
}

/// The executables of the suites, and when each was built.
fn built_suites(workspace: &Workspace) -> Result<Vec<(PathBuf, SystemTime)>> {
    let mut built = Vec::new();
    for entry in fs::read_dir(workspace.built_suites()).context("reading the folder of suites")? {
        let path = entry?.path();
        // A suite has its twin beside it.
        let program = path.with_extension(std::env::consts::EXE_EXTENSION);
        if path.extension().is_some_and(|extension| extension == "wasm") && program.exists() {
            built.push((program.clone(), fs::metadata(&program)?.modified()?));
        }
    }
    built.sort();
    Ok(built)
}

fn start_runner(
    workspace: &Workspace,
    shell: &Shell,
    suites: &[(PathBuf, SystemTime)],
    port: u16,
) -> Result<ProcessGroup> {
    let program = workspace.target().join(format!("release/benchbook-server{}", std::env::consts::EXE_SUFFIX));
    let mut command: Command = cmd!(shell, "{program}").into();
    command.arg("--port").arg(port.to_string()).arg("--page").arg(workspace.dist());
    command.arg("--database").arg(workspace.target().join("serve/results.sqlite"));
    for (suite, _) in suites {
        command.arg("--suite").arg(suite);
    }
    ProcessGroup::start(command).context("starting the runner")
}

/// Opens the page in the browser that the system prefers; where there is none, the address was told.
fn open(shell: &Shell, url: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let _ = cmd!(shell, "{program} {url}").quiet().ignore_stdout().ignore_stderr().ignore_status().run();
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
