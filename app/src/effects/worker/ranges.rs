//! Modules that time ranges of calls, and the workers that run them.

use benchbook_contract::protocol::{Collect, HostMessage, LaneTarget, Open, SuiteMessage};
use benchbook_instrument::{ListedCall, MAX_EXECUTED, RANGES_SECTION, RangeMap, TimedPart};
use futures_channel::mpsc::{UnboundedReceiver, unbounded};
use futures_util::StreamExt;
use js_sys::{ArrayBuffer, WebAssembly};

use super::counting::{section, without_stop};
use super::module::compile;
use super::{SuiteWorker, WorkerEvent};

/// How many steps of the clock its resolution is found from.
const CLOCK_STEPS: u32 = 32;

/// A module that times ranges, running in a worker of its own with an open workload.
pub(crate) struct RangeSuite {
    worker: SuiteWorker,
    events: UnboundedReceiver<WorkerEvent>,
    map: RangeMap,
    slot: u32,
    /// The calls of a batch.
    round: u64,
}

impl RangeSuite {
    /// Starts it, and opens the workload of a single function.
    ///
    /// # Errors
    /// Why it cannot be used, without a full stop.
    pub(crate) async fn start(binary: &ArrayBuffer, open: &Open) -> Result<Self, String> {
        let module = compile(binary).await.map_err(|reason| without_stop(&reason))?;
        let map = section(&module, RANGES_SECTION).ok_or("the module does not time ranges")?;
        let map = RangeMap::from_bytes(&map).map_err(|error| error.to_string())?;
        let (sender, events) = unbounded();
        // Nobody receives what a worker sends while it is being dropped.
        let worker = SuiteWorker::start(0, move |event| _ = sender.unbounded_send(event))?;
        Self { worker, events, map, slot: open.slot, round: 1 }.opened(&module, open).await
    }

    async fn opened(mut self, module: &WebAssembly::Module, open: &Open) -> Result<Self, String> {
        self.worker.instantiate(module)?;
        self.worker.send(&HostMessage::describe(&[]));
        match self.reply().await? {
            SuiteMessage::Catalog { .. } => {}
            other => return Err(unexpected(&other)),
        }
        self.worker.send(&HostMessage::Open(open.clone()));
        match self.reply().await? {
            SuiteMessage::Opened(opened) => self.round = if opened.one_call_per_batch { 1 } else { opened.round },
            other => return Err(unexpected(&other)),
        }
        Ok(self)
    }

    /// What its calls are.
    pub(crate) fn map(&self) -> &RangeMap {
        &self.map
    }

    /// The resolution of the clock in nanoseconds: the mean of some of its steps.
    ///
    /// # Errors
    /// Why it cannot be measured, without a full stop.
    pub(crate) async fn clock(&mut self) -> Result<f64, String> {
        let steps = self.collect(LaneTarget::Clock, 1, CLOCK_STEPS).await?;
        Ok(steps.iter().sum::<f64>() / steps.len().max(1) as f64)
    }

    /// Times a part of a batch, in nanoseconds. Each batch makes the same calls with the same inputs.
    ///
    /// # Errors
    /// Why it cannot be timed, without a full stop.
    pub(crate) async fn time(&mut self, part: &TimedPart) -> Result<f64, String> {
        let globals = part.globals().ok_or("the calls are too deep to be entered")?;
        self.worker.set_globals(&globals)?;
        let times = self.collect(LaneTarget::Function(0), self.round, 1).await?;
        times.first().copied().ok_or_else(|| "the suite sent no time".to_owned())
    }

    /// The executed calls of a layer.
    ///
    /// # Errors
    /// Why they cannot be listed, without a full stop.
    pub(crate) async fn calls(&mut self, entered: Vec<u32>) -> Result<Vec<ListedCall>, String> {
        self.time(&TimedPart::Listed(entered)).await?;
        self.worker.request_calls()?;
        match self.event().await? {
            WorkerEvent::Calls(executed, _) if executed > MAX_EXECUTED => {
                Err(format!("the function executes over {MAX_EXECUTED} calls, which are too many to search"))
            }
            WorkerEvent::Calls(_, numbers) => {
                Ok(numbers.chunks_exact(2).map(|pair| ListedCall { site: pair[0], slot: pair[1] }).collect())
            }
            _ => Err("the worker sent something else than calls".to_owned()),
        }
    }

    async fn collect(&mut self, target: LaneTarget, calls: u64, batches: u32) -> Result<Vec<f64>, String> {
        let collect = Collect { slot: self.slot, target, calls, batches, input_set: 0 };
        self.worker.send(&HostMessage::Collect(collect));
        match self.reply().await? {
            SuiteMessage::Samples(samples) => Ok(samples.elapsed),
            other => Err(unexpected(&other)),
        }
    }

    async fn reply(&mut self) -> Result<SuiteMessage, String> {
        match self.event().await? {
            WorkerEvent::Message(message) => Ok(*message),
            _ => Err("the worker sent something else than a message".to_owned()),
        }
    }

    async fn event(&mut self) -> Result<WorkerEvent, String> {
        match self.events.next().await {
            Some(WorkerEvent::Ended(reason)) => Err(format!("the suite ended: {}", without_stop(&reason))),
            Some(WorkerEvent::Unusable(reason)) => Err(without_stop(&reason)),
            Some(event) => Ok(event),
            None => Err("the worker ended".to_owned()),
        }
    }
}

fn unexpected(message: &SuiteMessage) -> String {
    match message {
        SuiteMessage::Failed(failure) => failure.reason.clone(),
        _ => "the suite sent an unexpected message".to_owned(),
    }
}
