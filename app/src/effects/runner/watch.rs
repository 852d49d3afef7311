//! Watches a runner: connects, polls its load, and reconnects.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use benchbook_host::api::{BuildReport, QueueLoad, RunnerCatalog};
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use super::error::error;
use super::request::{RunnerRequest, get};
use crate::state::machines::runner::{RunnerAction, RunnerEndpoint, RunnerError};

/// The time between polls of a runner that responds, in milliseconds.
const POLL_MS: u32 = 10_000;

/// The first pause after a failure, in milliseconds; it doubles with each further failure.
const FIRST_PAUSE_MS: u32 = 1_000;

/// The longest pause, in milliseconds.
const MAX_PAUSE_MS: u32 = 60_000;

/// Watches a runner until it is dropped.
pub(crate) struct RunnerWatch {
    _connection: Rc<RunnerConnection>,
    _listeners: Vec<EventListener>,
}

struct RunnerConnection {
    endpoint: RunnerEndpoint,
    on_action: Callback<RunnerAction>,
    is_connected: Cell<bool>,
    pause_ms: Cell<u32>,
    next_poll: RefCell<Option<Timeout>>,
    is_polling: Cell<bool>,
    follows_sources: Cell<bool>,
    /// Whether the suites have changed since the last catalog.
    needs_catalog: Cell<bool>,
    /// The number of the last builds; `None` before the first report.
    revision: Cell<Option<u64>>,
    /// The stream of build reports, if the suites follow their sources.
    builds: RefCell<Option<RunnerRequest>>,
}

impl RunnerWatch {
    /// Connects immediately and reports events to `on_action`.
    pub(crate) fn start(endpoint: RunnerEndpoint, on_action: Callback<RunnerAction>) -> Self {
        let connection = Rc::new(RunnerConnection {
            endpoint,
            on_action,
            is_connected: Cell::new(false),
            pause_ms: Cell::new(FIRST_PAUSE_MS),
            next_poll: RefCell::default(),
            is_polling: Cell::new(false),
            follows_sources: Cell::new(false),
            needs_catalog: Cell::new(false),
            revision: Cell::new(None),
            builds: RefCell::default(),
        });
        let poll_on = |target: &web_sys::EventTarget, event: &'static str| {
            let connection = Rc::downgrade(&connection);
            EventListener::new(target, event, move |_| poll(&connection))
        };
        let window = web_sys::window();
        let document = window.as_ref().and_then(web_sys::Window::document);
        let online = window.map(|window| poll_on(&window, "online"));
        let shown = document.map(|document| poll_on(&document, "visibilitychange"));
        poll(&Rc::downgrade(&connection));
        Self { _connection: connection, _listeners: online.into_iter().chain(shown).collect() }
    }
}

/// Polls the runner unless the tab is hidden, then again after a pause.
fn poll(connection: &Weak<RunnerConnection>) {
    let weak = Weak::clone(connection);
    let Some(connection) = connection.upgrade() else { return };
    let is_hidden = web_sys::window().and_then(|window| window.document()).is_some_and(|document| document.hidden());
    if is_hidden || connection.is_polling.replace(true) {
        return;
    }
    connection.next_poll.take();
    spawn_local(async move {
        let is_connected = connection.is_connected.get() && !connection.needs_catalog.replace(false);
        let endpoint = connection.endpoint.clone();
        // The response is dropped if the watch ends in the meantime.
        drop(connection);
        let response = get(&endpoint, if is_connected { "queue" } else { "catalog" }).await;
        let Some(connection) = weak.upgrade() else { return };
        connection.is_polling.set(false);
        let pause = if connection.needs_catalog.get() { 0 } else { connection.report(response, is_connected) };
        if connection.follows_sources.get() && connection.builds.borrow().is_none() {
            follow_builds(&connection);
        }
        connection.next_poll.replace(Some(Timeout::new(pause, move || poll(&weak))));
    });
}

impl RunnerConnection {
    /// Reports a response, and returns the pause before the next poll in milliseconds.
    fn report(&self, response: Result<String, RunnerError>, is_connected: bool) -> u32 {
        let action = response.and_then(|body| {
            let action = if is_connected { load(&body) } else { self.catalog(&body) };
            action.map_err(|_| error(&self.endpoint, 404, ""))
        });
        self.is_connected.set(action.is_ok());
        let next = if action.is_ok() { FIRST_PAUSE_MS } else { (2 * self.pause_ms.get()).min(MAX_PAUSE_MS) };
        let failure_pause = self.pause_ms.replace(next);
        let pause = match &action {
            // Polls the load immediately after connecting.
            Ok(RunnerAction::Connected(..)) => 0,
            Ok(_) => POLL_MS,
            Err(_) => failure_pause,
        };
        self.on_action.emit(action.unwrap_or_else(RunnerAction::Failed));
        pause
    }

    /// Lists the suites of a catalog, and returns the rest.
    fn catalog(&self, body: &str) -> serde_json::Result<RunnerAction> {
        let RunnerCatalog { runner, suites, counters, builds, .. } = serde_json::from_str(body)?;
        self.follows_sources.set(builds);
        let cards = suites.iter().map(|suite| suite.card.clone()).collect();
        self.on_action.emit(RunnerAction::Listed(suites));
        Ok(RunnerAction::Connected(runner, counters, cards))
    }

    /// Reports the state of the builds. If suites were replaced, requests the catalog again.
    fn on_build(self: &Rc<Self>, report: BuildReport) {
        let is_new = self.revision.replace(Some(report.revision)).is_some_and(|known| known != report.revision);
        let is_first = report.revision > 0 && !is_new;
        self.on_action.emit(RunnerAction::Built(report));
        if is_new || is_first {
            self.needs_catalog.set(true);
            poll(&Rc::downgrade(self));
        }
    }
}

/// Follows the stream of build reports until it ends.
fn follow_builds(connection: &Rc<RunnerConnection>) {
    let weak = Rc::downgrade(connection);
    let on_line = {
        let weak = Weak::clone(&weak);
        move |line: String| {
            if let (Some(connection), Ok(report)) = (weak.upgrade(), serde_json::from_str(&line)) {
                connection.on_build(report);
            }
        }
    };
    let request = RunnerRequest::start(&connection.endpoint, "builds", "", on_line);
    let status = request.status();
    connection.builds.replace(Some(request));
    spawn_local(async move {
        status.await;
        // The next poll starts it again.
        if let Some(connection) = weak.upgrade() {
            connection.builds.replace(None);
        }
    });
}

fn load(body: &str) -> serde_json::Result<RunnerAction> {
    let QueueLoad { running, waiting, .. } = serde_json::from_str(body)?;
    Ok(RunnerAction::Busy(running + waiting))
}
