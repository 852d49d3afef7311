//! `cargo xtask serve`: the notebook with a runner on this machine. It rebuilds the parts whose sources change.

mod sources;

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, bail};
use benchbook_build::without_package_variables;
use xshell::{Shell, cmd};
use xtask::workspace::Workspace;

use crate::process_group::ProcessGroup;
use crate::tools::{self, Need, PageTools};
use sources::{BuildPart, Sources};

/// Build everything, start a runner, and open the notebook in the browser; rebuild changed parts
///
/// The runner measures the suites natively. If only sources of suites change, only the suites are rebuilt; otherwise
/// the page and the suites are. The runner restarts if the page or its suites were rebuilt. Path dependencies outside of
/// the checkout count as sources. Reload the page after a build.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask serve
  cargo xtask serve --no-open --port 9000")]
pub(crate) struct ServeOptions {
    /// The port on this machine
    #[arg(long, default_value_t = 4040)]
    port: u16,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
}

/// The interval at which files and processes are checked.
const POLL_INTERVAL: Duration = Duration::from_millis(300);

pub(crate) fn run(workspace: &Workspace, options: &ServeOptions) -> Result<()> {
    // Check before minutes of compiling, not after them.
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
    ensure_free(address)?;
    tools::ensure(workspace, &[Need::Page])?;
    let environment = tools::environment(workspace)?;
    let shell = environment.shell(workspace)?;
    let (stop, stopped) = mpsc::channel();
    ctrlc::set_handler(move || {
        // An error means that the command is ending already.
        let _ = stop.send(());
    })?;
    println!("Building the notebook and its runner for http://{address}/ (the first build takes minutes)");
    without_package_variables(cmd!(shell, "cargo build --release --package benchbook-server"))
        .run()
        .context("the build of the runner failed")?;

    let mut session =
        Session { workspace, shell, environment, address, open: !options.no_open, build: None, runner: None };
    let mut sources = Sources::read(workspace)?;
    session.start_build(BuildPart::Page)?;
    while stopped.recv_timeout(POLL_INTERVAL).is_err() {
        if session.build.is_none()
            && let Some(part) = sources.changed_part()
        {
            session.start_build(part)?;
        }
        session.check_build()?;
        session.check_runner()?;
    }
    drop(session);
    println!("\nStopped.");
    Ok(())
}

/// The build and the runner that the command has started, and the settings of both.
struct Session<'w> {
    workspace: &'w Workspace,
    shell: Shell,
    environment: PageTools,
    address: SocketAddr,
    /// Whether to open the browser when the notebook can be reached; false afterwards.
    open: bool,
    build: Option<BuildProcess>,
    runner: Option<RunnerProcess>,
}

/// A build in progress.
struct BuildProcess {
    part: BuildPart,
    process: ProcessGroup,
    started_at: Instant,
}

/// A runner and its suites.
struct RunnerProcess {
    /// Absent once it has exited.
    process: Option<ProcessGroup>,
    suites: Vec<ServedSuite>,
    /// Whether its address was printed.
    is_announced: bool,
}

/// The path of a suite's executable, and the modification times of the executable and of its wasm module.
type ServedSuite = (PathBuf, SystemTime, Option<SystemTime>);

impl Session<'_> {
    /// Starts the build of a part. It runs as a separate process, so that Ctrl-C ends it.
    fn start_build(&mut self, part: BuildPart) -> Result<()> {
        let shell = &self.shell;
        let command = match part {
            // Trunk builds the suites too: `[[hooks]]` in Trunk.toml.
            BuildPart::Page => cmd!(shell, "trunk build --release"),
            BuildPart::Suites => {
                let into = self.workspace.dist().join("suites");
                without_package_variables(cmd!(shell, "cargo xtask suites --into {into}"))
            }
        };
        let process = ProcessGroup::start(command.into()).context("failed to start the build")?;
        self.build = Some(BuildProcess { part, process, started_at: Instant::now() });
        Ok(())
    }

    /// After a build, starts the runner if it is not running, serves an older page, or measures other suites.
    fn check_build(&mut self) -> Result<()> {
        let Some(build) = &mut self.build else { return Ok(()) };
        let Some(status) = build.process.exit_status()? else { return Ok(()) };
        let (part, seconds) = (build.part, build.started_at.elapsed().as_secs_f64());
        self.build = None;
        if !status.success() {
            println!("\nThe build failed; see the error above. It is repeated when a source changes.");
            return Ok(());
        }
        println!("Built {part} in {seconds:.1} s.");
        let suites = built_suites(self.workspace)?;
        let is_announced = self.runner.as_ref().is_some_and(|runner| runner.is_announced);
        // A runner reads the page and the suites when it starts.
        let is_outdated = |runner: &RunnerProcess| part == BuildPart::Page || runner.suites != suites;
        if self.runner.as_ref().is_none_or(|runner| runner.process.is_none() || is_outdated(runner)) {
            // The old runner must end first: it occupies the port and locks the results.
            drop(self.runner.take());
            let process = Some(self.start_runner(&suites)?);
            self.runner = Some(RunnerProcess { process, suites, is_announced });
        }
        if is_announced {
            println!("Reload the page.");
        }
        Ok(())
    }

    /// Reports once the runner is reachable, and once it has exited.
    fn check_runner(&mut self) -> Result<()> {
        let Some(runner) = &mut self.runner else { return Ok(()) };
        let Some(process) = &mut runner.process else { return Ok(()) };
        if let Some(status) = process.exit_status()? {
            println!("\nThe runner exited ({status}); see the error above. It restarts after the next build.");
            runner.process = None;
            return Ok(());
        }
        if !runner.is_announced && TcpStream::connect_timeout(&self.address, POLL_INTERVAL).is_ok() {
            runner.is_announced = true;
            let url = format!("http://{}/", self.address);
            println!("\nThe notebook is at {url} (Ctrl-C ends it).");
            self.environment.print_advice();
            if std::mem::take(&mut self.open) {
                open(&self.shell, &url);
            }
        }
        Ok(())
    }

    fn start_runner(&self, suites: &[ServedSuite]) -> Result<ProcessGroup> {
        let (shell, workspace) = (&self.shell, self.workspace);
        let program = workspace.target().join(format!("release/benchbook-server{EXE_SUFFIX}"));
        let mut command: Command = cmd!(shell, "{program}").into();
        command.arg("--port").arg(self.address.port().to_string()).arg("--page").arg(workspace.dist());
        // The suites are this user's own.
        command.args(["--isolation", "none"]);
        command.arg("--database").arg(workspace.target().join("serve/results.sqlite"));
        for (executable, ..) in suites {
            command.arg("--suite").arg(executable);
        }
        ProcessGroup::start(command).context("failed to start the runner")
    }
}

/// The executables of the suites that the sources contain now.
fn built_suites(workspace: &Workspace) -> Result<Vec<ServedSuite>> {
    let folder = workspace.built_suites();
    let modified = |path: &PathBuf| fs::metadata(path).and_then(|metadata| metadata.modified());
    let mut built = Vec::new();
    // Read again: a suite may have been added.
    for suite in workspace.reload()?.suites()?.iter().flatten().map(|suite| &suite.name) {
        let executable = folder.join(format!("{suite}{EXE_SUFFIX}"));
        let time = modified(&executable).with_context(|| format!("failed to read {}", executable.display()))?;
        built.push((executable, time, modified(&folder.join(format!("{suite}.wasm"))).ok()));
    }
    Ok(built)
}

/// Opens the page in the system's default browser. A failure is ignored: the address was printed.
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
            "port {port} is in use, perhaps by another `cargo xtask serve`. Stop that program, or choose another port:\n  \
             cargo xtask serve --port {next}",
            port = address.port(),
            next = address.port().checked_add(1).unwrap_or(9000),
        ),
        Err(error) => Err(error).with_context(|| format!("listening on {address}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_is_an_error_with_a_fix() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let error = ensure_free(address).unwrap_err().to_string();
        assert!(error.contains(&format!("port {} is in use", address.port())) && error.contains("--port"), "{error}");
    }
}
