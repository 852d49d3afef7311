//! The counting module of a suite, and the workers that execute it.

use std::pin::pin;

use benchbook_contract::protocol::Open;
use benchbook_count::{CountFailure, CountSession, LIMIT, Layout, Step, StepOutcome, counts};
use benchbook_host::response::{WasmCounts, WasmInstructions};
use benchbook_instrument::{BUILD_SECTION, CODE_MAP_SECTION, CodeMap};
use futures_channel::mpsc::{UnboundedReceiver, unbounded};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use gloo::timers::future::sleep;
use js_sys::{Array, ArrayBuffer, Uint8Array, WebAssembly};
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
        Ok(Self { module, map, counters })
    }

    /// Counts the calls of the only function of `open` in two instances, whose heap and stack are at different addresses; `None` if that takes
    /// longer than [`LIMIT`].
    pub(crate) async fn count(&self, open: &Open) -> Option<WasmCounts> {
        let counting = async {
            let usual = self.instructions(open, Layout::Usual).await;
            counts(usual, self.instructions(open, Layout::Shifted).await)
        };
        match select(pin!(counting), sleep(LIMIT)).await {
            Either::Left((counts, _)) => Some(counts),
            Either::Right(_) => None,
        }
    }

    /// Counts them in one instance.
    async fn instructions(&self, open: &Open, layout: Layout) -> Result<WasmInstructions, CountFailure> {
        let mut instance =
            Instance::start(self, layout).map_err(|reason| CountFailure::Failed(without_stop(&reason)))?;
        let mut session = CountSession::new(&self.map, open.clone());
        while let Some(step) = session.step() {
            session.observe(instance.handle(&step).await);
        }
        session.instructions()
    }
}

fn without_stop(sentence: &str) -> String {
    sentence.trim_end_matches('.').to_owned()
}

/// The contents of a custom section.
fn section(module: &WebAssembly::Module, name: &str) -> Option<Vec<u8>> {
    let section = WebAssembly::Module::custom_sections(module, name).get(0);
    Some(Uint8Array::new(section.dyn_ref::<ArrayBuffer>()?).to_vec())
}

/// A running instance in a worker of its own.
struct Instance {
    worker: SuiteWorker,
    events: UnboundedReceiver<WorkerEvent>,
}

impl Instance {
    fn start(module: &CountingModule, layout: Layout) -> Result<Self, String> {
        let (sender, events) = unbounded();
        // Nobody receives what a worker sends while it is being dropped.
        let worker = SuiteWorker::start(0, move |event| _ = sender.unbounded_send(event))?;
        worker.instantiate_to_count(&module.module, &module.counters, layout)?;
        Ok(Self { worker, events })
    }

    async fn handle(&mut self, step: &Step) -> StepOutcome {
        if let Err(reason) = self.worker.set_clock(step.clock) {
            return StepOutcome::Ended(without_stop(&reason));
        }
        self.worker.send(&step.message);
        let mut counters = Vec::new();
        while let Some(event) = self.events.next().await {
            match event {
                WorkerEvent::Message(reply) => return StepOutcome::Replied(reply, counters),
                WorkerEvent::Counters(read) => counters.push(read),
                WorkerEvent::Compiled(_) => {}
                WorkerEvent::Ended(reason) => {
                    return StepOutcome::Ended(format!("the suite ended: {}", without_stop(&reason)));
                }
                WorkerEvent::Unusable(reason) => return StepOutcome::Ended(without_stop(&reason)),
            }
        }
        StepOutcome::Ended("the worker ended".to_owned())
    }
}
