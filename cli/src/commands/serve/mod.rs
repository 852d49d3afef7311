//! `cargo benchbook serve`: the notebook on the functions of a workspace, with a runner on this machine. It builds the suites again
//! whenever their sources change.

mod build_loop;
mod port;
mod sources;

use std::path::{self, PathBuf};
use std::thread;

use anyhow::{Context, Result, ensure};
use benchbook_accepted::HistoryFolder;
use benchbook_server::config::{Environment, LocalRunner};
use benchbook_server::logging;
use benchbook_server::service::RunnerService;

use crate::accepted::location::history_folder;
use crate::commands::init;
use crate::project::suite_options::{NoSuite, SuiteOptions};
use crate::question::confirms;
use build_loop::BuildLoop;

/// Open the notebook on the functions of this crate, and update it whenever a source file is saved
///
/// The suites are built for this machine and for the browser. A runner on this machine measures them natively; only programs on
/// this machine can reach it. This is the default command.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook                          every suite of the workspace
  cargo benchbook serve --bench sorting    one bench target
  cargo benchbook serve --no-open --port 9000")]
pub(crate) struct ServeArguments {
    /// The port on this machine [default: a port that depends on the folder of the workspace]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// The folder of accepted results, whose history the notebook shows [default: `history` in benchbook.toml, or else .benchbook/history in the workspace]
    #[arg(long, value_name = "DIR")]
    history: Option<PathBuf>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Do not build again when a source file changes
    #[arg(long)]
    no_watch: bool,
    /// Serve the built page in this folder [default: the page inside this program]
    #[arg(long, value_name = "DIR", hide = true)]
    page: Option<PathBuf>,
    #[command(flatten)]
    suites: SuiteOptions,
}

const OFFER: &str = "This crate has neither a suite nor benches for criterion or divan. Add a suite in benchbook/, which calls its public functions?";

pub(crate) fn run(options: &ServeArguments) -> Result<()> {
    ensure!(options.page.is_some() || !benchbook_page::files().is_empty(), "{}", benchbook_page::MISSING);
    let suites = options.suites.with_absolute_manifest()?;
    let project = match suites.project() {
        Err(error) if error.is::<NoSuite>() && init::can_add_suite(&suites) && confirms(OFFER)? => {
            init::add_suite(&suites)?;
            suites.project()
        }
        project => project,
    }?;
    let port = port::choose(options.port, &project.root)?;
    if let Some(warning) = &port.warning {
        anstream::eprintln!("warning: {warning}");
    }
    // The builds change the current folder.
    let page = options.page.as_ref().map(path::absolute).transpose()?;
    let chosen = options.history.as_ref().map(path::absolute).transpose()?;
    // The first `accept` creates it.
    let history = HistoryFolder { is_chosen: false, ..history_folder(&project, chosen.as_deref()) };
    let runner = LocalRunner { port: port.number, database: project.database(), history, page };
    let config = runner.config(&Environment::detect());
    logging::start(config.log)?;
    let service = RunnerService::open(config).context("failed to start the runner")?;
    let url = service.url()?;
    println!("Benchbook is at {url} (Ctrl-C ends it).");
    let build_loop = BuildLoop::new(suites, project, service.suite_updates(), !options.no_watch)?;
    thread::Builder::new().name("building".to_owned()).spawn(move || build_loop.run())?;
    if !options.no_open
        && let Err(error) = opener::open_browser(&url)
    {
        anstream::eprintln!("warning: cannot open the browser, so open {url} yourself: {error}");
    }
    service.serve()?;
    println!("\nStopped.");
    Ok(())
}
