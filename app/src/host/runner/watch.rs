//! Keeping in touch with a runner: connecting, asking now and then how busy it is, and connecting again.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use super::ask::get;
use crate::json::{Json, Read, read};
use crate::state::runner::{Offer, Reach, RunnerAction, Trouble};

/// How long a runner that answers is left alone, in milliseconds.
const POLL_MS: u32 = 10_000;

/// The first pause after a runner did not answer, in milliseconds; each further one is twice as long.
const FIRST_PAUSE_MS: u32 = 1_000;

/// The longest pause, in milliseconds.
const LONGEST_PAUSE_MS: u32 = 60_000;

/// Keeps in touch until it is dropped.
pub(crate) struct Watch {
    _inner: Rc<Inner>,
    _listeners: Vec<EventListener>,
}

struct Inner {
    reach: Reach,
    tell: Callback<RunnerAction>,
    connected: Cell<bool>,
    pause_ms: Cell<u32>,
    next: RefCell<Option<Timeout>>,
    is_asking: Cell<bool>,
}

impl Watch {
    /// Begins at once; `tell` gets what comes of it.
    pub(crate) fn start(reach: Reach, tell: Callback<RunnerAction>) -> Self {
        let inner = Rc::new(Inner {
            reach,
            tell,
            connected: Cell::new(false),
            pause_ms: Cell::new(FIRST_PAUSE_MS),
            next: RefCell::default(),
            is_asking: Cell::new(false),
        });
        let at_once = |target: &web_sys::EventTarget, event: &'static str| {
            let inner = Rc::downgrade(&inner);
            EventListener::new(target, event, move |_| look(&inner))
        };
        let window = web_sys::window();
        let document = window.as_ref().and_then(web_sys::Window::document);
        let online = window.map(|window| at_once(&window, "online"));
        let shown = document.map(|document| at_once(&document, "visibilitychange"));
        look(&Rc::downgrade(&inner));
        Self { _inner: inner, _listeners: online.into_iter().chain(shown).collect() }
    }
}

/// Asks, unless the tab is hidden, and again after a pause.
fn look(inner: &Weak<Inner>) {
    let weak = Weak::clone(inner);
    let Some(inner) = inner.upgrade() else { return };
    let is_hidden = web_sys::window().and_then(|window| window.document()).is_some_and(|document| document.hidden());
    if is_hidden || inner.is_asking.replace(true) {
        return;
    }
    inner.next.take();
    spawn_local(async move {
        let (reach, connected) = (inner.reach.clone(), inner.connected.get());
        // What nobody waits for any more is not told.
        drop(inner);
        let path = if connected { "queue" } else { "catalog" };
        let answer = get(&reach, path).await;
        let Some(inner) = weak.upgrade() else { return };
        inner.is_asking.set(false);
        let pause = inner.take(answer, connected);
        inner.next.replace(Some(Timeout::new(pause, move || look(&weak))));
    });
}

impl Inner {
    /// Tells what an answer says, and how long to wait for the next one.
    fn take(&self, answer: Result<Json, Trouble>, connected: bool) -> u32 {
        let action = answer.and_then(|json| {
            let read = if connected { load(&json) } else { catalog(&json) };
            read.ok_or_else(|| super::trouble(&self.reach, 404, ""))
        });
        self.connected.set(action.is_ok());
        let pause = if action.is_ok() { FIRST_PAUSE_MS } else { (2 * self.pause_ms.get()).min(LONGEST_PAUSE_MS) };
        let pause = self.pause_ms.replace(pause);
        let pause = match &action {
            // Connected: how busy it is, is asked for at once.
            Ok(RunnerAction::Connected(..)) => 0,
            Ok(_) => POLL_MS,
            Err(_) => pause,
        };
        self.tell.emit(action.unwrap_or_else(RunnerAction::Failed));
        pause
    }
}

fn catalog(json: &Json) -> Option<RunnerAction> {
    Some(RunnerAction::Connected(json.get("runner")?, json.get("suites")?))
}

fn load(json: &Json) -> Option<RunnerAction> {
    Some(RunnerAction::Busy(json.get::<u32>("running")? + json.get::<u32>("waiting")?))
}

impl Read for Offer {
    fn read(json: &Json) -> Option<Self> {
        let card = json.at("card");
        read!(card, Self { name, version, catalog_hash })
    }
}
