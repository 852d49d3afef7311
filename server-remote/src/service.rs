//! The service from its start to its end: stores and suites are opened, clients answered, and all is closed in order.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use axum::body::Body;
use axum::http::Request;
use axum::middleware::from_fn_with_state;
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use benchbook_host::api::SuiteEntry;
use benchbook_host::child::{NativeSuite, Reaper};
use tokio::sync::Semaphore;
use tower::make::Shared;
use tower::{Layer, ServiceExt};

use crate::access::{self, Access};
use crate::config::{Config, Forget, SuiteFiles, ask_to_forget};
use crate::connections::{self, Watch};
use crate::counted::Counted;
use crate::hub::Hub;
use crate::kept::Kept;
use crate::queue::Bounds;
use crate::routes;
use crate::runner::{Offered, Runner};
use crate::signals::Signals;
use crate::store::{SqliteStore, Store};
use crate::{machine, measuring, tls};

/// What those are told who wait when the runner ends.
const ENDING: &str = "The runner is ending. Ask again when it is back: the axis values that were done are kept.";

/// How long answers that are on their way may take when the runner ends.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// Threads that read from the store and of the page at the same time: others wait.
const READERS: usize = 32;

/// Runs the runner until it is told to end. It starts its program a second time, as a [`Reaper`].
///
/// # Errors
/// Where it cannot start, and why.
pub fn run(config: Config) -> Result<()> {
    if let Err(reason) = machine::allow_many_files() {
        tracing::warn!("not all clients may find a place, since no more files can be opened at once: {reason}");
    }
    for warning in config.warnings() {
        tracing::warn!("{warning}");
    }
    if config.token.is_none() && !config.hosts.is_empty() {
        tracing::warn!("there is no token, and names of others are answered to: whoever reaches them may measure");
    }
    let tls = config.tls.as_ref().map(tls::read).transpose()?;
    // Before there are other threads, which inherit it.
    if let Some(core) = config.core
        && let Err(reason) = machine::leave(core)
    {
        tracing::warn!("the runner's own work may disturb core {core}, which measures: {reason}");
    }
    let keeper = Reaper::start()
        .inspect_err(|reason| tracing::warn!("what suites start may outlive a runner that is killed: {reason}"))
        .ok();
    if let Some(folder) = config.database.parent() {
        make_folder(folder).with_context(|| format!("making {} for the results", folder.display()))?;
    }
    let suites =
        config.suites.iter().map(|files| offer(files, &config, keeper.as_ref())).collect::<Result<Vec<Offered>>>()?;
    check_names(&suites)?;
    let listener = TcpListener::bind(config.address)
        .with_context(|| format!("listening at {}; choose another address or port", config.address))?;
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&config.database)?);
    // When all else is known to work.
    if let Some(forget) = config.forget {
        forget_results(&*store, forget)?;
    }
    let card = machine::here(&config.name, config.core);
    for warning in &card.warnings {
        tracing::warn!(mend = warning.mend.as_deref(), "{}", warning.says);
    }
    let limits = config.limits;
    let bounds = Bounds { clients: limits.clients as usize, client_ms: 1_000 * u64::from(limits.queued_seconds) };
    let runner = Arc::new(Runner {
        identity: card.identity(),
        name: config.name.clone(),
        core: config.core,
        suites,
        qualities: config.qualities.clone(),
        limits,
        store,
        hub: Hub::new(bounds),
        streams: Arc::new(Semaphore::new(limits.streams as usize)),
        kept: Kept::default(),
        counted: Counted::default(),
    });
    let measuring = measuring::start(Arc::clone(&runner)).context("starting the measuring thread")?;
    let served = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(READERS)
        .build()?
        .block_on(serve(&runner, &config, listener, tls));
    runner.hub.close(ENDING);
    if measuring.join().is_err() {
        bail!("the measuring thread broke off");
    }
    served
}

/// Answers until a signal comes, and then as long as answers on their way take.
async fn serve(runner: &Arc<Runner>, config: &Config, listener: TcpListener, tls: Option<RustlsConfig>) -> Result<()> {
    let signals = Signals::listen().context("listening to signals")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let access = Arc::new(Access::new(address, config));
    // Around all routes at once: a layer of theirs would be copied for each answer.
    let guarded =
        from_fn_with_state(access, access::guard).layer(routes::app(Arc::clone(runner), config.page.as_deref()));
    let app = Shared::new(guarded.map_request(|request: Request<_>| request.map(Body::new)));

    // Whoever started it waits for this line.
    println!("The runner is at {}://{address}/", if tls.is_some() { "https" } else { "http" });
    if config.token_is_new
        && let Some(token) = &config.token
    {
        println!("Its token, which clients must show: {}", token.reveal());
    }
    let handle = Handle::new();
    let (closing, ending) = (Arc::clone(runner), handle.clone());
    tokio::spawn(async move {
        let signal = signals.first().await;
        tracing::info!(?signal, "ending: nothing more is taken");
        closing.hub.close(ENDING);
        ending.graceful_shutdown(Some(LAST_ANSWERS));
    });
    let patience = config.limits.patience();
    let watch = Watch { patience };
    match tls {
        Some(tls) => {
            let mut server = axum_server::from_tcp(listener)?.acceptor(tls::acceptor(tls, watch)).handle(handle);
            connections::bound(server.http_builder(), patience);
            server.serve(app).await?;
        }
        None => {
            // Which version of HTTP a client means would have to be waited for, without an end.
            let mut server = axum_server::from_tcp(listener)?.acceptor(watch).handle(handle).http1_only();
            connections::bound(server.http_builder(), patience);
            server.serve(app).await?;
        }
    }
    Ok(())
}

/// Makes a folder with all above it, on disk: a result in it could not outlive a power cut otherwise.
fn make_folder(folder: &Path) -> io::Result<()> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.is_dir();
    let made: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
    std::fs::create_dir_all(folder)?;
    for folder in made.into_iter().filter(|_| cfg!(unix)) {
        let above = folder.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if let Err(reason) = File::open(above).and_then(|above| above.sync_all()) {
            tracing::warn!("{} may be gone after a power cut: {reason}", folder.display());
        }
    }
    Ok(())
}

/// Opens a suite, and describes it as clients see it.
fn offer(files: &SuiteFiles, config: &Config, keeper: Option<&Reaper>) -> Result<Offered> {
    let native = NativeSuite::open_guarded(&files.executable, config.children.guard(config.core), keeper)?;
    for missing in native.unguarded() {
        tracing::warn!("processes of {} run without a protection: {missing}", files.executable.display());
    }
    let name = native.suite().name.clone();
    let wasm = match &files.wasm {
        Some(path) => Some(std::fs::read(path).with_context(|| format!("reading {}", path.display()))?),
        None => None,
    };
    if wasm.is_none() && config.page.is_some() {
        tracing::warn!(
            "the page cannot show the suite {name}, since {} has no wasm twin beside it",
            files.executable.display()
        );
    }
    let offer = SuiteEntry {
        suite: native.suite().clone(),
        card: native.card().clone(),
        wasm: wasm.is_some().then(|| format!("suites/{name}.wasm")),
    };
    tracing::info!(suite = %name, functions = offer.suite.functions.len(), "measures {}", files.executable.display());
    Ok(Offered { native, offer, wasm: wasm.map(Into::into) })
}

/// A request names its suite, and so does the address of a wasm twin.
fn check_names(suites: &[Offered]) -> Result<()> {
    for (index, offered) in suites.iter().enumerate() {
        let name = offered.name();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
        if name.is_empty() || !name.chars().all(is_plain) {
            bail!("a suite is called `{name}`: give it a name of letters, digits, `-`, `_` and `.` in its `suite!`");
        }
        if suites[..index].iter().any(|other| other.name() == name) {
            bail!("two suites are called `{name}`: requests could mean either. Leave one out, or give it another name");
        }
    }
    Ok(())
}

fn forget_results(store: &dyn Store, forget: Forget) -> Result<()> {
    if forget == Forget::AfterAsking {
        let input = io::stdin();
        if !input.is_terminal() {
            bail!("--empty asks before it forgets, and nobody is at the terminal: give --yes too");
        }
        let count = store.count()?;
        if !ask_to_forget(count, &mut input.lock(), &mut io::stderr())? {
            bail!("nothing was forgotten; start without --empty");
        }
    }
    store.forget_all()?;
    tracing::info!("all stored results are forgotten");
    Ok(())
}
