//! The counting module of a suite, and the workers that execute it.

use std::cell::OnceCell;
use std::pin::pin;

use benchbook_assembly::{LISTINGS_FORMAT, LISTINGS_SECTION, ListingTable};
use benchbook_contract::protocol::Open;
use benchbook_count::{
    Clock, ContextSession, CountFailure, CountSession, LIMIT, Layout, Rounds, Step, StepOutcome, counts,
};
use benchbook_host::response::{WasmCounts, WasmInstructions};
use benchbook_instrument::{
    BUILD_SECTION, CODE_MAP_SECTION, CONTEXT_GLOBALS, CONTEXTS_SECTION, CodeMap, ContextCounts,
};
use futures_channel::mpsc::{UnboundedReceiver, unbounded};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use gloo::timers::future::sleep;
use js_sys::{Array, ArrayBuffer, Uint8Array, WebAssembly};
use serde_json::value::RawValue;
use wasm_bindgen::{JsCast, JsValue};

use super::module::compile;
use super::{SuiteWorker, WorkerEvent};

/// The counting module of a suite.
#[derive(Debug)]
pub(crate) struct CountingModule {
    module: WebAssembly::Module,
    map: CodeMap,
    /// The names of the exports that return the counters.
    counters: Array,
    /// The module that counts by context, once it was needed.
    by_context: OnceCell<WebAssembly::Module>,
}

impl CountingModule {
    /// Compiles it. `timed`: the module of the suite that is timed.
    ///
    /// # Errors
    /// Why it cannot be used, without its full stop.
    pub(crate) async fn new(binary: &ArrayBuffer, timed: &WebAssembly::Module) -> Result<Self, String> {
        let module = compile(binary).await.map_err(|reason| without_stop(&reason))?;
        let map = section(&module, CODE_MAP_SECTION).ok_or("the counting module has no code map")?;
        let map = CodeMap::from_bytes(&map).map_err(|error| error.to_string())?;
        let build = section(&module, BUILD_SECTION);
        if build.is_none() || build != section(timed, BUILD_SECTION) {
            return Err("the counting module is from another build. Reload the page".to_owned());
        }
        let counters = map.exports().map(|(name, _)| JsValue::from(name)).collect();
        Ok(Self { module, map, counters, by_context: OnceCell::new() })
    }

    /// Counts the calls of the only function of `open` in two instances, whose heap and stack are at different addresses; `None` if that takes
    /// longer than [`LIMIT`].
    pub(crate) async fn count(&self, open: &Open) -> Option<WasmCounts> {
        let counting = async {
            let usual = self.instructions(open, Layout::Usual).await;
            counts(usual, self.instructions(open, Layout::Shifted).await)
        };
        within_limit(counting).await
    }

    /// Counts the calls of the only function of `open` by context; `None` if that takes longer than [`LIMIT`].
    pub(crate) async fn count_contexts(&self, open: &Open) -> Option<Result<ContextCounts, CountFailure>> {
        within_limit(self.contexts(open)).await
    }

    async fn contexts(&self, open: &Open) -> Result<ContextCounts, CountFailure> {
        let failed = |reason: String| CountFailure::Failed(without_stop(&reason));
        let module = self.module_by_context().await.map_err(failed)?;
        let globals = CONTEXT_GLOBALS.into_iter().map(JsValue::from).collect();
        let mut instance = Instance::start(module, &Array::new(), &globals, Layout::Usual).map_err(failed)?;
        let mut session = ContextSession::new(&self.map, open.clone(), Rounds::Usual);
        while let Some(step) = session.step() {
            let outcome = instance.handle(&step, |event| match event {
                WorkerEvent::Contexts(reading) => Some(reading),
                _ => None,
            });
            session.observe(outcome.await);
        }
        session.counts()
    }

    async fn module_by_context(&self) -> Result<&WebAssembly::Module, String> {
        if let Some(module) = self.by_context.get() {
            return Ok(module);
        }
        let sections = WebAssembly::Module::custom_sections(&self.module, CONTEXTS_SECTION);
        let binary = sections.get(0).dyn_into::<ArrayBuffer>();
        let binary = binary.map_err(|_| "the counting module does not count by context. Build the suite again")?;
        let module = compile(&binary).await?;
        Ok(self.by_context.get_or_init(|| module))
    }

    /// The code of the suite's functions, as JSON.
    ///
    /// # Errors
    /// If the module was built without them, or by another version, or if they are damaged: why, without its full stop.
    pub(crate) fn listings(&self) -> Result<ListingTable<Box<RawValue>>, String> {
        let section = section(&self.module, LISTINGS_SECTION).ok_or(
            "the counting module has no listings. Build the suite again; if they are still missing, `cargo benchbook assembly NAME --wasm` says why",
        )?;
        match serde_json::from_slice::<ListingTable<Box<RawValue>>>(&section) {
            Ok(table) if table.format == LISTINGS_FORMAT => Ok(table),
            Ok(_) => Err("the counting module is from another version of Benchbook. Build the suite again".to_owned()),
            Err(_) => Err("the listings in the counting module are damaged. Build the suite again".to_owned()),
        }
    }

    /// What its counters count.
    pub(crate) fn map(&self) -> &CodeMap {
        &self.map
    }

    /// Counts them in one instance.
    async fn instructions(&self, open: &Open, layout: Layout) -> Result<WasmInstructions, CountFailure> {
        let mut instance = Instance::start(&self.module, &self.counters, &Array::new(), layout)
            .map_err(|reason| CountFailure::Failed(without_stop(&reason)))?;
        let mut session = CountSession::new(&self.map, open.clone());
        while let Some(step) = session.step() {
            let outcome = instance.handle(&step, |event| match event {
                WorkerEvent::Counters(counters) => Some(counters),
                _ => None,
            });
            session.observe(outcome.await);
        }
        session.instructions()
    }
}

/// The output of a future; `None` if that takes longer than [`LIMIT`].
async fn within_limit<T>(future: impl Future<Output = T>) -> Option<T> {
    match select(pin!(future), sleep(LIMIT)).await {
        Either::Left((output, _)) => Some(output),
        Either::Right(_) => None,
    }
}

pub(super) fn without_stop(sentence: &str) -> String {
    sentence.trim_end_matches('.').to_owned()
}

/// The contents of a custom section.
pub(super) fn section(module: &WebAssembly::Module, name: &str) -> Option<Vec<u8>> {
    let section = WebAssembly::Module::custom_sections(module, name).get(0);
    Some(Uint8Array::new(section.dyn_ref::<ArrayBuffer>()?).to_vec())
}

/// A running instance in a worker of its own.
struct Instance {
    worker: SuiteWorker,
    events: UnboundedReceiver<WorkerEvent>,
}

impl Instance {
    fn start(module: &WebAssembly::Module, counters: &Array, globals: &Array, layout: Layout) -> Result<Self, String> {
        let (sender, events) = unbounded();
        // Nobody receives what a worker sends while it is being dropped.
        let worker = SuiteWorker::start(0, move |event| _ = sender.unbounded_send(event))?;
        worker.instantiate_to_count(module, counters, globals, layout)?;
        Ok(Self { worker, events })
    }

    /// Sends the message of a step. `reading`: what an event contains of the counters.
    async fn handle<R>(&mut self, step: &Step, reading: impl Fn(WorkerEvent) -> Option<R>) -> StepOutcome<R> {
        if let Err(reason) = self.worker.set_clock(step.clock) {
            return StepOutcome::Ended(without_stop(&reason));
        }
        self.worker.send(&step.message);
        let (mut readings, mut replied) = (Vec::new(), None);
        while let Some(event) = self.events.next().await {
            match event {
                WorkerEvent::Message(reply) => replied = Some(reply),
                WorkerEvent::Ended(reason) => {
                    return StepOutcome::Ended(format!("the suite ended: {}", without_stop(&reason)));
                }
                WorkerEvent::Unusable(reason) => return StepOutcome::Ended(without_stop(&reason)),
                event => readings.extend(reading(event)),
            }
            // The last reading comes after the reply.
            let is_complete = step.clock != Clock::ReadAtEnd || !readings.is_empty();
            if let Some(reply) = replied.take_if(|_| is_complete) {
                return StepOutcome::Replied(reply, readings);
            }
        }
        StepOutcome::Ended("the worker ended".to_owned())
    }
}
