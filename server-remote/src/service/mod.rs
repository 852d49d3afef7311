//! The service from startup to shutdown: opens the store and the suites, serves clients, and closes everything in order.

mod daily;
pub mod files;
pub mod process;
pub mod signals;
pub mod suite_updates;

use std::io::{self, IsTerminal};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use axum::Router;
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use tokio::runtime::{self, Runtime};

use crate::config::{ClearMode, Config, confirm_clear};
use crate::history::RunnerHistory;
use crate::http::access;
use crate::http::connections::{self, TimedAcceptor};
use crate::http::routes::{self, SitePage};
use crate::http::tls;
use crate::measure::runner::Runner;
use crate::measure::thread;
use crate::metrics::Metrics;
use crate::notebooks::NotebookFolder;
use crate::service::daily::repeat_daily;
use crate::service::signals::Signals;
use crate::service::suite_updates::SuiteUpdates;
use crate::setup::Setup;
use crate::store::{ObservedStore, PruneMode, Retention, SqliteStore, Store};
use crate::suites::Protections;
use crate::suites::build_feed::BuildFeed;
use crate::suites::open_suites;
use crate::suites::uploads::{BuildOpener, UploadBounds, UploadedBuilds};
use benchbook_accepted::folders::create_folder;
use benchbook_accepted::machine;

/// The reason that waiting clients receive when the runner shuts down.
const SHUTDOWN: &str =
    "The runner is shutting down. Try again after its restart: axis values that were completed are stored.";

/// How long responses may take to complete during shutdown.
const GRACE_PERIOD: Duration = Duration::from_secs(5);

/// The maximum number of blocking threads, which read the store.
const BLOCKING_THREADS: usize = 32;

/// Runs the runner until a signal shuts it down. Starts this program again as the reaper and the launcher of suites.
///
/// # Errors
/// If the runner cannot start.
pub fn run(config: Config) -> Result<()> {
    let service = RunnerService::open(config)?;
    // Scripts that start the runner wait for this line.
    println!("The runner is at {}", service.url()?);
    if let (true, Some(token)) = (service.config.is_token_generated, &service.config.token) {
        println!("Its token, which clients must send: {}", token.reveal());
    }
    service.serve()
}

/// A runner that has opened everything that it needs.
pub struct RunnerService {
    config: Config,
    tls: Option<RustlsConfig>,
    runner: Arc<Runner>,
    store: Arc<SqliteStore>,
    page: Arc<SitePage>,
    listener: TcpListener,
    protections: Protections,
    runtime: Runtime,
    signals: Signals,
}

impl RunnerService {
    /// Opens everything that the runner needs.
    ///
    /// From now on, clients can connect, but get no response before [`Self::serve`], which also handles signals that
    /// have arrived until then.
    ///
    /// # Errors
    /// If something cannot be opened, such as a suite or the address.
    pub fn open(config: Config) -> Result<Self> {
        if let Err(reason) = process::raise_open_file_limit() {
            tracing::warn!("some clients may be unable to connect, since the limit on open files is low: {reason}");
        }
        for warning in config.warnings() {
            tracing::warn!("{warning}");
        }
        let tls = config.tls.as_ref().map(tls::read).transpose()?;
        // Must come before other threads start, since they inherit the affinity.
        if let Some(core) = config.core
            && let Err(reason) = process::avoid_core(core)
        {
            tracing::warn!("the runner may interfere with the measuring core {core}: {reason}");
        }
        let protections = Protections::determine(&config.isolation)?;
        if let Some(folder) = config.database.parent() {
            create_folder(folder).with_context(|| format!("failed to create {} for the results", folder.display()))?;
        }
        let suites = open_suites(&config, &protections)?;
        let page = Arc::new(SitePage::read(config.page.as_deref())?);
        let listener = TcpListener::bind(config.address)
            .with_context(|| format!("listening on {}; choose another address or port", config.address))?;
        let store = Arc::new(SqliteStore::open(&config.database)?);
        // Comes last, so that a failed start never deletes results.
        if let Some(mode) = config.clear {
            clear_store(&*store, mode)?;
        }
        let card = machine::current_card(&config.name, config.core);
        // On a developer's own machine, the page is the place for advice about boot parameters.
        for warning in card.warnings.iter().filter(|_| !config.follows_sources) {
            tracing::warn!(fix = warning.fix.as_deref(), "{}", warning.message);
        }
        let uploads = config.uploads.as_ref().map(|folder| {
            let opener = BuildOpener::new(config.clone(), protections.clone());
            let opened = UploadedBuilds::open(folder, UploadBounds::from(&config.limits), opener);
            opened.with_context(|| format!("using {} for uploaded builds", folder.display()))
        });
        let setup = Setup {
            name: config.name.clone(),
            processor: Some(card.summary()),
            identity: card.identity(),
            core: config.core,
            protections: protections.statuses_with_limits(&suites),
            suites: suites.into(),
            builds: config.follows_sources.then(BuildFeed::default),
            uploads: uploads.transpose()?,
            notebooks: config.notebooks.clone().map(NotebookFolder::new),
            history: config.history.clone().map(RunnerHistory::new),
            qualities: config.qualities.clone(),
            limits: config.limits,
        };
        if let Some(reason) = setup.counters().and_then(|counters| counters.reason) {
            tracing::info!("hardware counters are unavailable: {reason}");
        }
        let metrics = Metrics::default();
        let observed = ObservedStore::new(Arc::clone(&store), metrics.store().clone())?;
        let runner = Arc::new(Runner::new(setup, Arc::new(observed), metrics));
        let runtime =
            runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(BLOCKING_THREADS).build()?;
        // Before the address is printed: a user or a script that then ends the runner expects an orderly shutdown.
        let signals = {
            let _context = runtime.enter();
            Signals::listen().context("failed to install the signal handlers")?
        };
        Ok(Self { config, tls, runner, store, page, listener, protections, runtime, signals })
    }

    /// The runner's address, as users open it.
    ///
    /// # Errors
    /// If the system does not know the address.
    pub fn url(&self) -> Result<String> {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        Ok(format!("{scheme}://{}/", self.listener.local_addr()?))
    }

    /// Replaces the suites while the runner is serving.
    pub fn suite_updates(&self) -> SuiteUpdates {
        SuiteUpdates::new(Arc::clone(&self.runner), self.config.clone(), self.protections.clone())
    }

    /// Serves clients until a signal shuts the runner down.
    ///
    /// # Errors
    /// If a thread cannot be started, or the network fails.
    pub fn serve(self) -> Result<()> {
        let Self { config, tls, runner, store, page, listener, runtime, signals, .. } = self;
        // The browsers of this machine gain nothing from compression.
        let is_compressed = config.page.is_some() || !config.address.ip().is_loopback();
        if is_compressed && let Err(reason) = page.assets(&runner.setup.suites).compress_in_background() {
            tracing::warn!("the page is served without compression: {reason}");
        }
        let thread = thread::start(Arc::clone(&runner)).context("failed to start the measurement thread")?;
        let served = runtime.block_on(async {
            if config.retention.is_limited() {
                let (runner, retention) = (Arc::clone(&runner), config.retention);
                tokio::spawn(repeat_daily(move || prune(Arc::clone(&runner), Arc::clone(&store), retention)));
            }
            serve(&runner, page, &config, listener, tls, signals).await
        });
        // Open responses have had their time; threads that still read the store are not waited for.
        runtime.shutdown_background();
        runner.hub.close(SHUTDOWN);
        if thread.join().is_err() {
            bail!("the measurement thread panicked");
        }
        served
    }
}

/// Deletes the results beyond the limits.
async fn prune(runner: Arc<Runner>, store: Arc<SqliteStore>, retention: Retention) {
    let pruned = tokio::task::spawn_blocking(move || store.prune(retention, PruneMode::ReuseSpace));
    match pruned.await {
        Ok(Ok(pruned)) => {
            let (deleted, remaining) = (pruned.deleted.len(), pruned.remaining);
            runner.metrics.store().results.set(remaining.cast_signed());
            tracing::info!(deleted, remaining, "results beyond the limits of `retention` were deleted");
        }
        Ok(Err(error)) => tracing::error!("old results cannot be deleted: {error}"),
        Err(error) => tracing::error!("old results cannot be deleted: {error}"),
    }
}

/// Serves clients until a signal arrives, then completes open responses, for at most [`GRACE_PERIOD`].
async fn serve(
    runner: &Arc<Runner>,
    page: Arc<SitePage>,
    config: &Config,
    listener: TcpListener,
    tls: Option<RustlsConfig>,
    signals: Signals,
) -> Result<()> {
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let app = access::restrict(routes::app(Arc::clone(runner), page), config.access_policy(address));
    tokio::spawn(runner.hub.clone().report_positions_continuously());
    let handle = Handle::new();
    let (closing, shutdown) = (Arc::clone(runner), handle.clone());
    tokio::spawn(async move {
        let signal = signals.first().await;
        tracing::info!(?signal, "shutting down");
        closing.hub.close(SHUTDOWN);
        closing.setup.builds.iter().for_each(BuildFeed::close);
        shutdown.graceful_shutdown(Some(GRACE_PERIOD));
    });
    listen(listener, app, tls, handle, config.limits.patience()).await
}

/// Accepts connections until `handle` shuts down.
async fn listen(
    listener: TcpListener,
    app: Router,
    tls: Option<RustlsConfig>,
    handle: Handle<SocketAddr>,
    patience: Duration,
) -> Result<()> {
    let acceptor = TimedAcceptor { patience };
    match tls {
        Some(tls) => {
            let mut server = axum_server::from_tcp(listener)?.acceptor(tls::acceptor(tls, acceptor)).handle(handle);
            connections::limit_http(server.http_builder(), patience);
            server.serve(app.into_make_service()).await?;
        }
        None => {
            // Without TLS, detecting the version of HTTP would wait for the first bytes without a timeout.
            let mut server = axum_server::from_tcp(listener)?.acceptor(acceptor).handle(handle).http1_only();
            connections::limit_http(server.http_builder(), patience);
            server.serve(app.into_make_service()).await?;
        }
    }
    Ok(())
}

fn clear_store(store: &dyn Store, mode: ClearMode) -> Result<()> {
    if mode == ClearMode::Confirm {
        let input = io::stdin();
        if !input.is_terminal() {
            bail!("--empty requires a confirmation, but standard input is not a terminal; add --yes");
        }
        let count = store.count()?;
        if !confirm_clear(count, &mut input.lock(), &mut io::stderr())? {
            bail!("nothing was deleted; start without --empty");
        }
    }
    store.clear()?;
    tracing::info!("all stored results were deleted");
    Ok(())
}
