//! `cargo xtask serve`: `cargo benchbook` on the suites of this checkout, with the page of this checkout.

use std::collections::BTreeSet;
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use benchbook_build::source_files::SourceFiles;
use benchbook_build::without_package_variables;
use xshell::{Shell, cmd};
use xtask::workspace::Workspace;

use crate::process_group::ProcessGroup;
use crate::tools::{self, Need};

/// Build everything, and open the notebook on this checkout's suites; rebuild what changes
///
/// `cargo benchbook` builds the suites again when their sources change. If sources of the page or of the tool change, or the
/// Cargo.toml of a suite, both are rebuilt, and `cargo benchbook` starts again, also with new suites. Reload the page after a build. Path dependencies outside of the checkout count as sources.
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

/// The packages of the page and of the tool.
const PACKAGES: [&str; 2] = ["benchbook-app", "cargo-benchbook"];

/// Other files of the checkout from which both are built.
const FILES: [&str; 7] = ["index.html", "Trunk.toml", "static", "docs/notebooks", "Cargo.toml", "Cargo.lock", ".cargo"];

pub(crate) fn run(workspace: &Workspace, options: &ServeOptions) -> Result<()> {
    // Before minutes of compiling, not after them.
    TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).with_context(|| {
        format!(
            "port {} cannot be used. Stop the program that uses it, or choose another one with --port",
            options.port
        )
    })?;
    tools::ensure(workspace, &[Need::Page])?;
    let environment = tools::environment(workspace)?;
    let shell = environment.shell(workspace)?;
    let (stop, stopped) = mpsc::channel();
    ctrlc::set_handler(move || {
        // An error means that the command is ending already.
        let _ = stop.send(());
    })?;
    println!("Building the notebook (the first build takes minutes)");
    environment.print_advice();
    let build_tool =
        || without_package_variables(cmd!(shell, "cargo build --release --package cargo-benchbook")).into();
    // Trunk builds the suites for the page, too: `[[hooks]]` in Trunk.toml.
    let build_page = || cmd!(shell, "trunk build --release").into();
    let mut opens = !options.no_open;
    let mut sources = sources_of(workspace)?;
    let mut tool: Option<ProcessGroup> = None;
    loop {
        let started = Instant::now();
        // The old one must end first: it occupies the port, locks the results, and on Windows also its program.
        drop(tool.take());
        let outcome = match succeeds(build_tool(), &stopped)? {
            Some(true) => succeeds(build_page(), &stopped)?,
            outcome => outcome,
        };
        match outcome {
            None => break,
            Some(false) => println!("\nThe build failed; see the error above. Edit a source file to retry."),
            Some(true) => {
                println!("Built the tool and the page in {:.1} s.", started.elapsed().as_secs_f64());
                tool = Some(start_tool(workspace, &shell, options.port, std::mem::take(&mut opens))?);
            }
        }
        if !waits_for_change(&mut sources, &mut tool, &stopped)? {
            break;
        }
        // Dependencies may have changed. While a Cargo.toml is invalid, the known folders stay.
        if let Ok(current) = sources_of(workspace) {
            sources.follow(current);
        }
    }
    drop(tool);
    println!("\nStopped.");
    Ok(())
}

/// Whether a command succeeds; `None` if it was interrupted. It runs as a separate process, so that Ctrl-C ends it.
fn succeeds(command: Command, stopped: &Receiver<()>) -> Result<Option<bool>> {
    let mut process = ProcessGroup::start(command).context("failed to start the build")?;
    loop {
        if let Some(status) = process.exit_status()? {
            return Ok(Some(status.success()));
        }
        if stopped.recv_timeout(POLL_INTERVAL).is_ok() {
            return Ok(None);
        }
    }
}

/// Waits until a source has changed. Returns false if the command was interrupted.
fn waits_for_change(
    sources: &mut SourceFiles,
    tool: &mut Option<ProcessGroup>,
    stopped: &Receiver<()>,
) -> Result<bool> {
    while stopped.recv_timeout(POLL_INTERVAL).is_err() {
        if sources.update() {
            return Ok(true);
        }
        let status = tool.as_mut().map(ProcessGroup::exit_status).transpose()?.flatten();
        if let Some(status) = status {
            println!("\ncargo benchbook exited ({status}); see the error above. Edit a source file to start it again.");
            *tool = None;
        }
    }
    Ok(false)
}

/// Starts `cargo benchbook` on the suites that are shipped.
fn start_tool(workspace: &Workspace, shell: &Shell, port: u16, opens: bool) -> Result<ProcessGroup> {
    let program = workspace.target().join(format!("release/cargo-benchbook{EXE_SUFFIX}"));
    // With the tools on its PATH: it optimises the suites with the same wasm-opt as the page.
    let mut command: Command = cmd!(shell, "{program}").into();
    command.args(["benchbook", "serve", "--port", &port.to_string()]);
    command.arg("--manifest-path").arg(workspace.root().join("Cargo.toml"));
    command.arg("--page").arg(workspace.dist());
    command.args((!opens).then_some("--no-open"));
    for suite in workspace.reload()?.suites()?.iter().flatten() {
        command.args(["--package", &suite.package]);
    }
    ProcessGroup::start(command).context("failed to start cargo benchbook")
}

/// The sources of the page and of the tool: those of their packages and of local dependencies, other files, and the manifests of suites.
fn sources_of(workspace: &Workspace) -> Result<SourceFiles> {
    let workspace = workspace.reload()?;
    let mut folders = workspace.source_folders(&PACKAGES)?;
    folders.extend(FILES.iter().map(|file| workspace.root().join(file)));
    let suites = fs::read_dir(workspace.root().join("suites")).context("failed to read the folder suites")?;
    folders.extend(suites.filter_map(|suite| Some(suite.ok()?.path().join("Cargo.toml"))));
    Ok(SourceFiles::new(folders, outputs(&workspace)))
}

/// The folders that builds write: that of the embedded page is among the sources of the tool.
fn outputs(workspace: &Workspace) -> BTreeSet<PathBuf> {
    [workspace.target().to_owned(), workspace.dist(), workspace.embedded_page()].into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise, each build would be followed by another one.
    #[test]
    fn folders_that_a_build_writes_are_no_sources() {
        let workspace = Workspace::find().unwrap();
        let ignored = fs::read_to_string(workspace.root().join(".gitignore")).unwrap();
        let folders: Vec<&str> = ignored.lines().filter_map(|line| line.strip_prefix('/')?.strip_suffix('/')).collect();
        assert!(folders.contains(&"server-remote/page/files"), "{folders:?}");
        for folder in folders.into_iter().filter(|folder| *folder != "target") {
            assert!(outputs(&workspace).contains(&workspace.root().join(folder)), "{folder}");
        }
    }
}
