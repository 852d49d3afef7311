//! A suite in a worker, which runs `static/worker.js`.

pub(crate) mod counting;
mod first_call_run;
pub(crate) mod greeting;
pub(crate) mod local;
pub(crate) mod local_measurement;
pub(crate) mod module;
pub(crate) mod ranges;

use std::cell::OnceCell;

use benchbook_contract::protocol::{HostMessage, SuiteMessage};
use benchbook_count::{Clock, Layout, MAX_READINGS};
use benchbook_instrument::{ContextReading, EXECUTED_GLOBALS, MAX_EXECUTED, STACK_POINTER};
use gloo::events::EventListener;
use gloo::file::{Blob, ObjectUrl};
use js_sys::{Array, ArrayBuffer, BigUint64Array, Object, Reflect, Uint8Array, Uint32Array, WebAssembly};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, MessageEvent, Worker};

use crate::address::excerpt::excerpt;

/// The script, next to the page.
pub(super) const SCRIPT: &str = "worker.js";

thread_local! {
    /// A copy of the script.
    static RETAINED_SCRIPT: OnceCell<ObjectUrl> = const { OnceCell::new() };
}

/// Keeps the script, so that later workers start even if the page's server no longer responds.
pub(super) fn retain_script(script: &ArrayBuffer) {
    let blob = Blob::new_with_options(script.clone(), Some("text/javascript"));
    RETAINED_SCRIPT.with(|retained| {
        retained.get_or_init(|| ObjectUrl::from(blob));
    });
}

/// The address of the script for the next worker.
fn script_address() -> String {
    RETAINED_SCRIPT.with(|retained| retained.get().map_or(SCRIPT.to_owned(), |url| url.to_string()))
}

/// An event of a worker.
#[derive(Clone, Debug)]
pub(crate) enum WorkerEvent {
    /// The suite sent a message.
    Message(Box<SuiteMessage>),
    /// The worker compiled and instantiated the suite in this time, in nanoseconds.
    Compiled(f64),
    /// All counters of a counting module.
    Counters(Vec<u64>),
    /// What a module that counts by context has counted so far.
    Contexts(ContextReading),
    /// How many calls a module that times ranges has listed, and the numbers of as many as there is room for.
    Calls(u32, Vec<u32>),
    /// The suite trapped and needs a new instance; the browser's description of the trap.
    Ended(String),
    /// The suite cannot be instantiated or violates the contract; a sentence.
    Unusable(String),
}

/// A worker for a suite. Dropping it terminates both immediately.
pub(crate) struct SuiteWorker {
    worker: Worker,
    /// The number of spaces after each message. The suite allocates them together with the message, before the inputs, so
    /// they shift the inputs.
    padding: usize,
    _listeners: [EventListener; 2],
}

impl SuiteWorker {
    /// Starts a worker for a variant of the module. Inputs have other addresses in each variant.
    ///
    /// # Errors
    /// If the browser cannot start one.
    pub(crate) fn start(variant: u32, on_event: impl Fn(WorkerEvent) + Clone + 'static) -> Result<Self, String> {
        let worker = Worker::new(&script_address()).map_err(|error| {
            let reason = text_of(&error);
            format!("The browser cannot start a worker: {}.", reason.trim_end_matches('.'))
        })?;
        let on_error = on_event.clone();
        let messages = EventListener::new(&worker, "message", move |event| {
            if let Some(event) = event.dyn_ref::<MessageEvent>().and_then(|event| parse(&event.data())) {
                on_event(event);
            }
        });
        let errors = EventListener::new(&worker, "error", move |event| {
            let message = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default();
            on_error(WorkerEvent::Unusable(format!(
                "The worker failed. Check that {SCRIPT} is in the page's folder. {message}"
            )));
        });
        Ok(Self { worker, padding: padding(variant), _listeners: [messages, errors] })
    }

    /// Makes the worker instantiate `module`. Call it before any other message, and again after a trap.
    ///
    /// # Errors
    /// If the browser cannot send it.
    pub(crate) fn instantiate(&self, module: &WebAssembly::Module) -> Result<(), String> {
        self.post(&[("module", module)])
    }

    /// Makes the worker instantiate a counting module. `counters`: the exports that return the counters. `globals`: those of a module that counts by context. Call it before any other message.
    ///
    /// # Errors
    /// If the browser cannot send it.
    fn instantiate_to_count(
        &self,
        module: &WebAssembly::Module,
        counters: &Array,
        globals: &Array,
        layout: Layout,
    ) -> Result<(), String> {
        self.post(&[
            ("module", module),
            ("counters", counters),
            ("globals", globals),
            ("pages", &layout.pages().into()),
            ("stackPointer", &STACK_POINTER.into()),
            ("stackBytes", &layout.stack_bytes().into()),
            ("lastReading", &MAX_READINGS.into()),
        ])
    }

    /// Sets the clock of a counting module for the next message.
    ///
    /// # Errors
    /// If the browser cannot send it.
    fn set_clock(&self, clock: Clock) -> Result<(), String> {
        let counted = match clock {
            Clock::Marked => JsValue::NULL,
            Clock::Still(readings) => readings.into_iter().map(JsValue::from).collect::<Array>().into(),
            Clock::ReadAtEnd => Array::new().into(),
        };
        self.post(&[("counted", &counted), ("atEnd", &(clock == Clock::ReadAtEnd).into())])
    }

    /// Sets the globals of a module that times ranges, for the next messages.
    ///
    /// # Errors
    /// If the browser cannot send them.
    fn set_globals(&self, globals: &[(String, u32)]) -> Result<(), String> {
        let values = Object::new();
        for (name, value) in globals {
            Reflect::set(&values, &name.into(), &(*value).into()).map_err(|error| text_of(&error))?;
        }
        self.post(&[("set", &values)])
    }

    /// Requests the calls that such a module has listed.
    ///
    /// # Errors
    /// If the browser cannot send the request.
    fn request_calls(&self) -> Result<(), String> {
        let names = EXECUTED_GLOBALS.into_iter().map(JsValue::from).collect::<Array>();
        self.post(&[("list", &names), ("most", &MAX_EXECUTED.into())])
    }

    /// Sends an object with these fields to the script.
    fn post(&self, fields: &[(&str, &JsValue)]) -> Result<(), String> {
        let message = Object::new();
        let set = |(name, value): &(&str, &JsValue)| Reflect::set(&message, &(*name).into(), value).map(drop);
        let sent = fields.iter().try_for_each(set).and_then(|()| self.worker.post_message(&message));
        sent.map_err(|error| format!("The worker cannot receive the module: {}.", text_of(&error)))
    }

    /// Makes the worker compile and instantiate the module of `bytes`, and report the time. Call it before any other message.
    ///
    /// # Errors
    /// If the browser cannot send them.
    pub(super) fn compile(&self, bytes: &Uint8Array) -> Result<(), String> {
        let message = Object::new();
        let transferred = Array::of1(&bytes.buffer());
        let sent = Reflect::set(&message, &"bytes".into(), bytes)
            .and_then(|_| self.worker.post_message_with_transfer(&message, &transferred));
        sent.map_err(|error| format!("The worker cannot receive the module: {}.", text_of(&error)))
    }

    /// Sends a message to the suite.
    pub(crate) fn send(&self, message: &HostMessage) {
        let mut line = serde_json::to_string(message).expect("messages have a JSON form");
        line.extend(std::iter::repeat_n(' ', self.padding));
        // `postMessage` fails only for values that cannot be cloned, and strings can be cloned.
        let _ = self.worker.post_message(&JsValue::from_str(&line));
    }
}

impl Drop for SuiteWorker {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

/// The bytes by which a variant shifts the inputs: up to 4 080, in multiples of 16, so that alignment to 16 bytes is
/// kept; 0 for the original module. Multiples of the golden ratio are spread evenly: D. E. Knuth, *The Art of Computer
/// Programming*, volume 3 (2nd edition, 1998), section 6.4.
fn padding(variant: u32) -> usize {
    (variant.wrapping_mul(0x9E37_79B1) >> 24) as usize * 16
}

/// Parses a message of the script.
fn parse(data: &JsValue) -> Option<WorkerEvent> {
    let field = |name: &str| Reflect::get(data, &name.into()).ok()?.as_string();
    if let Some(reply) = field("reply") {
        return Some(match suite_message(&reply) {
            Ok(message) => WorkerEvent::Message(Box::new(message)),
            Err(problem) => WorkerEvent::Unusable(problem),
        });
    }
    if let Some(ms) = Reflect::get(data, &"compiled".into()).ok().and_then(|ms| ms.as_f64()) {
        return Some(WorkerEvent::Compiled(ms * 1e6));
    }
    let value = |name: &str| Reflect::get(data, &name.into()).ok();
    if let Some(counters) = value("counters").and_then(|counters| counters.dyn_into::<BigUint64Array>().ok()) {
        return Some(WorkerEvent::Counters(counters.to_vec()));
    }
    if let Some(globals) = value("globals").and_then(|globals| globals.dyn_into::<Uint32Array>().ok()) {
        let globals = globals.to_vec().try_into().ok()?;
        return Some(WorkerEvent::Contexts(ContextReading {
            globals,
            bytes: Uint8Array::new(&value("bytes")?).to_vec(),
        }));
    }
    if let Some(calls) = value("calls").and_then(|calls| calls.dyn_into::<Uint32Array>().ok()) {
        return Some(WorkerEvent::Calls(value("executed")?.as_f64()? as u32, calls.to_vec()));
    }
    if let Some(reason) = field("ended") {
        return Some(WorkerEvent::Ended(reason));
    }
    field("rejected").map(|reason| WorkerEvent::Unusable(format!("The suite cannot be started: {reason}.")))
}

/// Parses a message of the suite.
///
/// # Errors
/// A sentence with the beginning of the text.
fn suite_message(text: &str) -> Result<SuiteMessage, String> {
    serde_json::from_str(text).map_err(|_| format!("The suite sent an invalid message: {}", excerpt(text)))
}

/// The message of a JavaScript error.
pub(crate) fn text_of(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map_or_else(|| format!("{error:?}"), |error| String::from(error.message()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_shift_the_inputs_differently() {
        let shifts: Vec<usize> = (0..6).map(padding).collect();
        assert_eq!(shifts, [0, 2_528, 960, 3_488, 1_920, 368]);
    }

    #[test]
    fn parses_messages() {
        assert_eq!(suite_message(r#"{"type":"closed","slot":3}"#), Ok(SuiteMessage::Closed { slot: 3 }));
    }

    #[test]
    fn rejects_other_text() {
        for text in
            [r#"{"type":"catalog"}"#, r#"{"type":"later"}"#, r#"{"type":"closed","slot":"x"}"#, "[]", "3", "hello"]
        {
            let problem = suite_message(text).expect_err(text);
            assert_eq!(problem, format!("The suite sent an invalid message: {text}"));
        }
        let deep = "[".repeat(100_000);
        assert!(suite_message(&deep).expect_err("it is too deep").chars().count() < 150);
    }
}
