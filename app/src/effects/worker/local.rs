//! The host in this browser: drives measurements through a worker, or through several workers in turn.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use benchbook_contract::protocol::{HostMessage, SuiteMessage};
use benchbook_host::quality::Quality;
use benchbook_host::repeatability::PastMeasurements;
use benchbook_host::request::Plan;
use benchbook_host::response::{ClockCard, MachineKind, Point};
use benchbook_host::sample::ending::Ending;
use benchbook_host::sample::measurement::{Measurement, MeasurementSettings};
use benchbook_host::sample::sentinel::Sentinel;
use benchbook_host::sample::series::MeasurementSeries;
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use js_sys::{ArrayBuffer, WebAssembly};
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use super::counting::CountingModule;
use super::first_call_run::{FirstCallRun, FirstCallStep};
use super::greeting::{Greeting, GreetingReplies};
use super::local_measurement::{HostEvent, LocalMeasurement, NextWorker};
use super::module::{compile_variant, variant_bytes};
use super::{SuiteWorker, WorkerEvent};

/// The time limit for a suite's catalog and clock samples, in milliseconds.
const GREETING_MS: u32 = 10_000;

/// The host of one suite in this browser; clones share it.
#[derive(Clone)]
pub(crate) struct LocalHost(Rc<RefCell<HostState>>);

struct HostState {
    /// The suite's wasm file, for variants of the module; `None` while the suite is loading.
    binary: Option<ArrayBuffer>,
    /// The module for the next worker; `None` while the suite is loading.
    module: Option<WebAssembly::Module>,
    /// The number of variants of the module so far.
    variants: u32,
    /// The URL of the counting module; `None` for a suite from a file.
    counting_module_url: Option<String>,
    /// The counting module; `None` until it is needed.
    counting: Option<Rc<CountingModule>>,
    worker: Option<SuiteWorker>,
    work: Work,
    clock: Option<ClockCard>,
    /// The next unused slot of the current worker. A worker never reuses a slot, so that a late message is not mistaken for
    /// a current one.
    next_slot: u32,
    /// Tracks the machine's speed across measurements; `None` before the first.
    sentinel: Option<Sentinel>,
    /// Listens for the tab being hidden or shown.
    _visibility: Option<EventListener>,
}

enum Work {
    Idle,
    Greeting { replies: Box<GreetingReplies>, on_greeting: Callback<Result<Greeting, String>>, _timeout: Timeout },
    Measuring(LocalMeasurement),
}

impl LocalHost {
    /// Creates a host for a suite that is still loading. Starts its worker, which loads a script in the meantime.
    pub(crate) fn new() -> Self {
        let host = Self(Rc::new_cyclic(|host: &Weak<RefCell<HostState>>| {
            let host = Weak::clone(host);
            let on_change = move |_: &web_sys::Event| {
                if let Some(inner) = host.upgrade() {
                    Self(inner).on_visibility();
                }
            };
            RefCell::new(HostState {
                binary: None,
                module: None,
                variants: 0,
                counting_module_url: None,
                counting: None,
                worker: None,
                work: Work::Idle,
                clock: None,
                next_slot: 1,
                sentinel: None,
                _visibility: document().map(|document| EventListener::new(&document, "visibilitychange", on_change)),
            })
        }));
        // The greeting reports a failure to start.
        let _ = host.start_worker();
        host
    }

    /// Requests the catalog and the clock of the suite, which was compiled from `binary`.
    pub(crate) fn greet(
        &self,
        module: WebAssembly::Module,
        binary: ArrayBuffer,
        on_greeting: Callback<Result<Greeting, String>>,
    ) {
        self.0.borrow_mut().binary = Some(binary);
        let host = Rc::downgrade(&self.0);
        let timeout = Timeout::new(GREETING_MS, move || {
            Self::on_greeting(&host, Err(format!("The suite did not respond within {} s.", GREETING_MS / 1000)));
        });
        let replies: Box<GreetingReplies> = Box::default();
        let messages = replies.messages();
        self.0.borrow_mut().work = Work::Greeting { replies, on_greeting, _timeout: timeout };
        if let Err(reason) = self.set_module(module).and_then(|()| self.send(&messages)) {
            Self::on_greeting(&Rc::downgrade(&self.0), Err(reason));
        }
    }

    /// Sets the URL of the counting module.
    pub(crate) fn set_counting_module_url(&self, url: Option<String>) {
        self.0.borrow_mut().counting_module_url = url;
    }

    /// The counting module. `fetch`: fetches the file at a URL; only the first time.
    ///
    /// # Errors
    /// The reason why there is no counting module, as a sentence without its full stop.
    pub(crate) async fn counting_module(
        &self,
        fetch: impl AsyncFnOnce(&str) -> Result<ArrayBuffer, String>,
    ) -> Result<Rc<CountingModule>, String> {
        let (loaded, url, timed) = {
            let inner = self.0.borrow();
            (inner.counting.clone(), inner.counting_module_url.clone(), inner.module.clone())
        };
        if let Some(loaded) = loaded {
            return Ok(loaded);
        }
        let timed = timed.ok_or("the suite is still loading")?;
        let url = url.ok_or(
            "a suite opened from a file has no counting module. Open it from its URL, or run `cargo benchbook measure --counts`",
        )?;
        let module = Rc::new(CountingModule::new(&fetch(&url).await?, &timed).await?);
        self.0.borrow_mut().counting = Some(Rc::clone(&module));
        Ok(module)
    }

    /// Measures a plan, and abandons the current measurement if there is one. If the quality demands several processes, each
    /// is a fresh worker with a module of its own, so that the interval contains the variation between placements of code and data. Effects of
    /// the page load as a whole are common to all of them. `failed` contains the points that failed before; those that timed out are
    /// skipped. `past`: the history of this browser.
    pub(crate) fn measure(
        &self,
        plan: Plan,
        quality: Quality,
        failed: Vec<Point>,
        past: PastMeasurements,
        on_event: Callback<HostEvent>,
    ) {
        let mut inner = self.0.borrow_mut();
        let Some(clock) = inner.clock else {
            return on_event.emit(HostEvent::Failed("The suite is still loading. Try again.".to_owned()));
        };
        let sentinel = inner.sentinel.clone().unwrap_or_else(|| Sentinel::new(clock));
        // The worker of lower priorities, whose code is already optimised, is not comparable with fresh ones.
        let needs_fresh_worker = quality.processes > 1;
        let (sentinel, first_slot) =
            if needs_fresh_worker { (sentinel.of_new_process(), 1) } else { (sentinel, inner.next_slot) };
        let series = MeasurementSeries::new(MeasurementSettings {
            kind: MachineKind::Browser,
            earlier: failed,
            seed: Some(random_seed()),
            first_slot,
            sentinel,
            past,
            ..MeasurementSettings::new(plan, quality, clock)
        });
        inner.work = Work::Measuring(LocalMeasurement::new(series, on_event));
        if needs_fresh_worker {
            self.start_next_worker(&mut inner);
        }
        drop(inner);
        if !self.resume() {
            self.pause();
        }
    }

    /// Starts or resumes the measurement. Returns `false` if the tab is hidden or there is no measurement.
    pub(crate) fn resume(&self) -> bool {
        let mut inner = self.0.borrow_mut();
        let Work::Measuring(work) = &mut inner.work else { return false };
        if is_hidden() {
            return false;
        }
        let runs = work.run(|ms| self.time_out_after(ms));
        let has_first_calls = work.first_calls.is_some();
        drop(inner);
        if has_first_calls {
            self.repeat_first_call();
        } else if runs {
            self.advance(false);
        }
        true
    }

    /// Pauses while the tab is hidden, because browsers throttle hidden tabs.
    fn pause(&self) {
        if let Work::Measuring(work) = &mut self.0.borrow_mut().work {
            work.pause();
        }
        self.report(HostEvent::Paused);
    }

    fn on_visibility(&self) {
        if is_hidden() { self.pause() } else { self.report(HostEvent::Shown) }
    }

    /// Reports an event of the current measurement.
    fn report(&self, event: HostEvent) {
        let on_event = match &self.0.borrow().work {
            Work::Measuring(work) => work.on_event.clone(),
            Work::Idle | Work::Greeting { .. } => return,
        };
        on_event.emit(event);
    }

    /// Stops the current measurement immediately, if there is one: replaces the worker.
    pub(crate) fn stop(&self) {
        {
            let mut inner = self.0.borrow_mut();
            if !matches!(inner.work, Work::Measuring(_)) {
                return;
            }
            inner.save_progress();
            inner.reset_warm_up();
            inner.work = Work::Idle;
            inner.worker = None;
        }
        // The next measurement reports a failure to start.
        let _ = self.send(&[]);
    }

    /// Stores the module for later workers, and sends it to the current one.
    fn set_module(&self, module: WebAssembly::Module) -> Result<(), String> {
        self.0.borrow_mut().module = Some(module);
        self.instantiate()
    }

    /// Makes the worker, if any, instantiate the module.
    fn instantiate(&self) -> Result<(), String> {
        let inner = self.0.borrow();
        inner.worker.as_ref().zip(inner.module.as_ref()).map_or(Ok(()), |(worker, module)| worker.instantiate(module))
    }

    /// Sends messages, and starts a worker if there is none.
    fn send(&self, messages: &[HostMessage]) -> Result<(), String> {
        self.start_worker()?;
        if let Some(worker) = &self.0.borrow().worker {
            messages.iter().for_each(|message| worker.send(message));
        }
        Ok(())
    }

    /// Starts a worker if there is none, with the suite if it is loaded.
    fn start_worker(&self) -> Result<(), String> {
        let mut inner = self.0.borrow_mut();
        if inner.worker.is_none() {
            let host = Rc::downgrade(&self.0);
            inner.worker = Some(SuiteWorker::start(inner.variants, move |event| Self::on_event(&host, event))?);
            drop(inner);
            self.instantiate()?;
        }
        Ok(())
    }

    fn on_event(host: &Weak<RefCell<HostState>>, event: WorkerEvent) {
        let Some(inner) = host.upgrade() else { return };
        let this = Self(inner);
        let is_greeting = matches!(this.0.borrow().work, Work::Greeting { .. });
        match event {
            WorkerEvent::Message(message) if is_greeting => this.on_greeting_message(host, *message),
            WorkerEvent::Message(message) => this.step(|measurement| measurement.handle_reply(*message)),
            WorkerEvent::Ended(reason) if is_greeting => this.greet_again(host, &reason),
            WorkerEvent::Ended(reason) => match this.instantiate() {
                Ok(()) => this.end(&Ending::Died(reason)),
                Err(reason) => this.fail(reason),
            },
            // Only workers of first calls compile the suite, and only other modules count and list.
            WorkerEvent::Compiled(_) | WorkerEvent::Counters(_) | WorkerEvent::Contexts(_) | WorkerEvent::Calls(..) => {
            }
            WorkerEvent::Unusable(reason) if is_greeting => Self::on_greeting(host, Err(reason)),
            WorkerEvent::Unusable(reason) => this.fail(reason),
        }
    }

    fn on_greeting_message(&self, host: &Weak<RefCell<HostState>>, message: SuiteMessage) {
        let outcome = match &mut self.0.borrow_mut().work {
            Work::Greeting { replies, .. } => replies.handle(message),
            Work::Idle | Work::Measuring(_) => None,
        };
        if let Some(outcome) = outcome {
            Self::on_greeting(host, outcome);
        }
    }

    /// Greets a new instance if the last one failed in a part of its program that the new one can leave out.
    fn greet_again(&self, host: &Weak<RefCell<HostState>>, reason: &str) {
        let messages = match &mut self.0.borrow_mut().work {
            Work::Greeting { replies, .. } => replies.handle_end().then(|| replies.messages()),
            Work::Idle | Work::Measuring(_) => None,
        };
        let outcome = match messages {
            Some(messages) => self.instantiate().and_then(|()| self.send(&messages)),
            None => Err(format!("The suite failed: {reason}.")),
        };
        if let Err(reason) = outcome {
            Self::on_greeting(host, Err(reason));
        }
    }

    fn on_greeting(host: &Weak<RefCell<HostState>>, outcome: Result<Greeting, String>) {
        let Some(inner) = host.upgrade() else { return };
        let work = std::mem::replace(&mut inner.borrow_mut().work, Work::Idle);
        if let Work::Greeting { on_greeting, .. } = work {
            match &outcome {
                Ok(greeting) => {
                    let mut inner = inner.borrow_mut();
                    inner.clock = Some(greeting.clock);
                }
                // The suite is unusable, so its worker is not needed any longer.
                Err(_) => inner.borrow_mut().worker = None,
            }
            on_greeting.emit(outcome);
        }
    }

    /// Reports to the measurement that the suite has ended, and continues the measurement.
    fn end(&self, ending: &Ending) {
        self.step(|measurement| {
            measurement.handle_exit(ending);
            true
        });
    }

    /// Applies `step` to the measurement and continues it; restarts the time-out if `step` returns `true`.
    fn step(&self, step: impl FnOnce(&mut Measurement) -> bool) {
        if let Work::Measuring(work) = &mut self.0.borrow_mut().work {
            work.apply(step, |ms| self.time_out_after(ms));
        }
        self.advance(true);
    }

    /// Sends the next messages, and reports new points and progress.
    fn advance(&self, has_response: bool) {
        let (step, on_event) = {
            let mut inner = self.0.borrow_mut();
            let Work::Measuring(work) = &mut inner.work else { return };
            let Some(step) = work.next_step(has_response) else { return };
            let on_event = work.on_event.clone();
            match step.worker {
                NextWorker::Same => {}
                NextWorker::New => self.start_next_worker(&mut inner),
                NextWorker::ForFirstCalls => _ = work.begin_first_calls(),
                NextWorker::None => {
                    inner.save_progress();
                    inner.work = Work::Idle;
                }
            }
            (step, on_event)
        };
        // A new worker does not exist yet.
        if step.worker != NextWorker::New
            && let Err(reason) = self.send(&step.messages)
        {
            return self.fail(reason);
        }
        step.events.into_iter().for_each(|event| on_event.emit(event));
        if step.worker == NextWorker::ForFirstCalls {
            self.repeat_first_call();
        }
    }

    /// Starts a worker for the next repetition of the first calls.
    fn repeat_first_call(&self) {
        let mut inner = self.0.borrow_mut();
        let variant = inner.variants + 1;
        let binary = inner.binary.clone().expect("the suite is loaded");
        let Work::Measuring(work) = &mut inner.work else { return };
        // The tab may have been hidden in the meantime.
        let (false, Some(first_calls)) = (work.is_paused(), &mut work.first_calls) else { return };
        let host = Rc::downgrade(&self.0);
        let worker = SuiteWorker::start(variant, move |event| Self::on_first_call_event(&host, event));
        let started = worker.and_then(|worker| worker.compile(&variant_bytes(&binary, variant)).map(|()| worker));
        let outcome = started.map(|worker| {
            first_calls.start(worker, self.first_call_timeout(first_calls.timeout_ms()));
        });
        inner.variants = variant;
        drop(inner);
        if let Err(reason) = outcome {
            self.fail(reason);
        }
    }

    fn on_first_call_event(host: &Weak<RefCell<HostState>>, event: WorkerEvent) {
        let Some(inner) = host.upgrade() else { return };
        let this = Self(inner);
        this.step_first_calls(|first_calls| first_calls.handle(event, |ms| this.first_call_timeout(ms)));
    }

    fn first_call_timeout(&self, ms: f64) -> Timeout {
        let host = Rc::downgrade(&self.0);
        Timeout::new(ms as u32, move || {
            let Some(inner) = host.upgrade() else { return };
            Self(inner).step_first_calls(|first_calls| first_calls.handle_timeout(ms as u32));
        })
    }

    /// Applies `step` to the first calls in progress, and continues with the next repetition, the next point, or the
    /// measurement.
    fn step_first_calls(&self, step: impl FnOnce(&mut FirstCallRun) -> FirstCallStep) {
        let (step, on_event) = {
            let mut inner = self.0.borrow_mut();
            let Work::Measuring(work) = &mut inner.work else { return };
            let Some(first_calls) = &mut work.first_calls else { return };
            (step(first_calls), work.on_event.clone())
        };
        let (point, is_done) = match step {
            FirstCallStep::Continue => return,
            FirstCallStep::NextWorker(point) => (point, false),
            FirstCallStep::Done(point) => (Some(point), true),
        };
        if let Some(point) = point {
            on_event.emit(HostEvent::Measured(vec![point]));
        }
        let has_more = !is_done || {
            let mut inner = self.0.borrow_mut();
            let Work::Measuring(work) = &mut inner.work else { return };
            work.begin_first_calls()
        };
        if has_more {
            self.repeat_first_call();
        } else {
            self.resume();
        }
    }

    /// Ends the worker, compiles a variant of the module, and continues in a new worker.
    fn start_next_worker(&self, inner: &mut HostState) {
        inner.worker = None;
        inner.variants += 1;
        let (variant, binary) = (inner.variants, inner.binary.clone());
        let Work::Measuring(work) = &mut inner.work else { return };
        work.wait_for_variant(variant);
        let host = Rc::downgrade(&self.0);
        spawn_local(async move {
            let binary = binary.expect("the suite is loaded");
            let module = compile_variant(&binary, variant).await;
            if let Some(inner) = host.upgrade() {
                Self(inner).on_variant(variant, module);
            }
        });
    }

    /// Continues with a variant of the module, unless the measurement has ended in the meantime.
    fn on_variant(&self, variant: u32, module: Result<WebAssembly::Module, String>) {
        let mut inner = self.0.borrow_mut();
        let Work::Measuring(work) = &mut inner.work else { return };
        if !work.end_wait(variant) {
            return;
        }
        let is_paused = work.is_paused();
        match module {
            Ok(module) => inner.module = Some(module),
            Err(reason) => {
                drop(inner);
                return self.fail(reason);
            }
        }
        drop(inner);
        if !is_paused {
            self.resume();
        }
    }

    fn time_out_after(&self, ms: f64) -> Timeout {
        let host = Rc::downgrade(&self.0);
        Timeout::new(ms as u32, move || {
            let Some(inner) = host.upgrade() else { return };
            inner.borrow_mut().worker = None;
            Self(inner).end(&Ending::TimedOut(ms as u32));
        })
    }

    fn fail(&self, reason: String) {
        let mut inner = self.0.borrow_mut();
        inner.save_progress();
        inner.reset_warm_up();
        inner.worker = None;
        let work = std::mem::replace(&mut inner.work, Work::Idle);
        drop(inner);
        if let Work::Measuring(LocalMeasurement { on_event, .. }) = work {
            on_event.emit(HostEvent::Failed(reason));
        }
    }
}

impl HostState {
    /// Accounts for a new worker, whose code is not warm.
    fn reset_warm_up(&mut self) {
        self.sentinel = self.sentinel.take().map(Sentinel::of_new_process);
    }

    /// Saves the state of the current measurement that the next one needs.
    fn save_progress(&mut self) {
        if let Work::Measuring(LocalMeasurement { series, .. }) = &self.work {
            self.next_slot = series.measurement().next_slot();
            self.sentinel = Some(series.measurement().sentinel().clone());
        }
    }
}

fn document() -> Option<web_sys::Document> {
    web_sys::window()?.document()
}

/// A seed that differs from call to call.
fn random_seed() -> u64 {
    // All bits of the fraction.
    (js_sys::Math::random() * 2_f64.powi(53)) as u64
}

fn is_hidden() -> bool {
    document().is_some_and(|document| document.hidden())
}
