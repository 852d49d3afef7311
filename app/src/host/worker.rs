//! A suite in a worker: `static/worker.js` at the other end.

use benchbook_contract::protocol::{HostMessage, SuiteMessage};
use gloo::events::EventListener;
use js_sys::{Object, Reflect, WebAssembly};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, MessageEvent, Worker};

use crate::json::Read;
use crate::share::link::shortened;

/// The script, beside the page.
const SCRIPT: &str = "worker.js";

/// What a worker tells.
#[derive(Clone, Debug)]
pub(crate) enum WorkerEvent {
    /// The suite answered.
    Answered(Box<SuiteMessage>),
    /// The suite trapped: it is to be made again. What the browser says of it.
    Ended(String),
    /// There can be no instance, or it does not keep to the contract: a sentence.
    Unusable(String),
}

/// A worker for a suite. Dropping it ends both at once, whatever they are at.
pub(crate) struct SuiteWorker {
    worker: Worker,
    _listeners: [EventListener; 2],
}

impl SuiteWorker {
    /// Starts a worker.
    ///
    /// # Errors
    /// Where the browser refuses to start one.
    pub(crate) fn start(tell: impl Fn(WorkerEvent) + Clone + 'static) -> Result<Self, String> {
        let worker =
            Worker::new(SCRIPT).map_err(|error| format!("The browser starts no worker: {}.", text_of(&error)))?;
        let tell_error = tell.clone();
        let answers = EventListener::new(&worker, "message", move |event| {
            if let Some(event) = event.dyn_ref::<MessageEvent>().and_then(|event| read(&event.data())) {
                tell(event);
            }
        });
        let errors = EventListener::new(&worker, "error", move |event| {
            let message = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default();
            tell_error(WorkerEvent::Unusable(format!("The worker failed: is {SCRIPT} beside the page? {message}")));
        });
        Ok(Self { worker, _listeners: [answers, errors] })
    }

    /// Has the worker make an instance of `module`, before anything else is sent, and again after a trap.
    ///
    /// # Errors
    /// Where the browser does not pass it on.
    pub(crate) fn make(&self, module: &WebAssembly::Module) -> Result<(), String> {
        let message = Object::new();
        let sent = Reflect::set(&message, &"module".into(), module).and_then(|_| self.worker.post_message(&message));
        sent.map_err(|error| format!("The worker takes no module: {}.", text_of(&error)))
    }

    /// Sends a message to the suite.
    pub(crate) fn send(&self, message: &HostMessage) {
        let line = serde_json::to_string(message).expect("messages have a JSON form");
        // A text can always be cloned, which is all that could fail here.
        let _ = self.worker.post_message(&JsValue::from_str(&line));
    }
}

impl Drop for SuiteWorker {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

/// What the script says, if it says anything to us.
fn read(data: &JsValue) -> Option<WorkerEvent> {
    let field = |name: &str| Reflect::get(data, &name.into()).ok()?.as_string();
    if let Some(answer) = field("answer") {
        let message = answer.parse().ok().and_then(|json| SuiteMessage::read(&json));
        return Some(match message {
            Some(message) => WorkerEvent::Answered(Box::new(message)),
            None => WorkerEvent::Unusable(format!("The suite answers what is no message: {}", shortened(&answer))),
        });
    }
    if let Some(reason) = field("ended") {
        return Some(WorkerEvent::Ended(reason));
    }
    field("refused").map(|reason| WorkerEvent::Unusable(format!("The suite cannot be started: {reason}.")))
}

/// What a JavaScript error says.
pub(crate) fn text_of(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map_or_else(|| format!("{error:?}"), |error| String::from(error.message()))
}
