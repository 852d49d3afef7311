//! Measuring in this browser: drives a [`Measurement`] through a worker.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use benchbook_contract::catalog::Suite;
use benchbook_contract::protocol::{HostMessage, PROTOCOL, SuiteMessage};
use benchbook_host::quality::Quality;
use benchbook_host::request::Plan;
use benchbook_host::response::Point;
use benchbook_host::sample::clock_card::ClockCard;
use benchbook_host::sample::ending::Ending;
use benchbook_host::sample::measurement::{Measurement, Progress};
use benchbook_host::sample::sentinel::Sentinel;
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use js_sys::WebAssembly;
use yew::Callback;

use super::worker::{SuiteWorker, WorkerEvent};

/// How long a suite may take to describe itself and to show its clock, in milliseconds.
const GREETING_MS: u32 = 10_000;

/// A suite in this browser, ready to measure; clones are the same one.
#[derive(Clone)]
pub(crate) struct LocalHost(Rc<RefCell<Inner>>);

/// What a suite said when it was greeted.
#[derive(Clone, Debug)]
pub(crate) struct Greeting {
    /// Its catalog.
    pub(crate) suite: Suite,
    /// The clock of its worker.
    pub(crate) clock: ClockCard,
}

/// The least between two tellings of progress that count no new point, in milliseconds: a suite answers far more often
/// than anyone can read.
const TELL_MS: f64 = 100.0;

/// What happens while a plan is measured.
#[derive(Clone, Debug)]
pub(crate) enum HostEvent {
    /// The suite answered, and it goes on.
    Progressed(Progress),
    /// The tab is hidden: nothing is measured until [`LocalHost::resume`].
    Paused,
    /// The tab is shown again: the measurement can be resumed.
    Shown,
    /// Points are done.
    Measured(Vec<Point>),
    /// All points are done, and were told; these of them have no figures.
    Finished(Vec<Point>),
    /// It cannot go on; a sentence.
    Failed(String),
}

struct Inner {
    /// Absent while the suite is loading.
    module: Option<WebAssembly::Module>,
    worker: Option<SuiteWorker>,
    work: Work,
    clock: Option<ClockCard>,
    /// Slots are never used twice, so that late answers cannot be mistaken.
    next_slot: u32,
    /// What is known of the machine from all measurements; absent before the first.
    sentinel: Option<Sentinel>,
    /// Tells when the tab is hidden, and when it is shown.
    _visibility: Option<EventListener>,
}

enum Work {
    Idle,
    Greeting { suite: Option<Suite>, tell: Callback<Result<Greeting, String>>, _timeout: Timeout },
    Measuring(Measuring),
}

struct Measuring {
    measurement: Box<Measurement>,
    /// How many of its points were told.
    seen: usize,
    /// When its progress was told last, in milliseconds of the browser's clock.
    told_at: f64,
    tell: Callback<HostEvent>,
    /// Absent while it is paused: then nothing is asked, and nothing waited for.
    timeout: Option<Timeout>,
}

impl LocalHost {
    /// A host for a suite that is loading. Its worker starts meanwhile: it has a script to load too.
    pub(crate) fn new() -> Self {
        let host = Self(Rc::new_cyclic(|host: &Weak<RefCell<Inner>>| {
            let host = Weak::clone(host);
            let on_change = move |_: &web_sys::Event| {
                if let Some(inner) = host.upgrade() {
                    Self(inner).on_visibility();
                }
            };
            RefCell::new(Inner {
                module: None,
                worker: None,
                work: Work::Idle,
                clock: None,
                next_slot: 1,
                sentinel: None,
                _visibility: document().map(|document| EventListener::new(&document, "visibilitychange", on_change)),
            })
        }));
        // Where it cannot be started, greeting the suite tells.
        let _ = host.start_worker();
        host
    }

    /// Asks the compiled suite who it is, and what its clock is like.
    pub(crate) fn greet(&self, module: WebAssembly::Module, tell: Callback<Result<Greeting, String>>) {
        let host = Rc::downgrade(&self.0);
        let timeout = Timeout::new(GREETING_MS, move || {
            Self::on_greeting(&host, Err(format!("The suite does not answer within {} s.", GREETING_MS / 1000)));
        });
        self.0.borrow_mut().work = Work::Greeting { suite: None, tell, _timeout: timeout };
        let questions = [HostMessage::Describe { protocol: PROTOCOL }, HostMessage::Collect(ClockCard::order())];
        if let Err(reason) = self.take_module(module).and_then(|()| self.send(&questions)) {
            Self::on_greeting(&Rc::downgrade(&self.0), Err(reason));
        }
    }

    /// Measures a plan; what was being measured is given up. What `failed` by a time-out before is not tried again.
    pub(crate) fn measure(&self, plan: Plan, quality: Quality, failed: &[Point], tell: Callback<HostEvent>) {
        let mut inner = self.0.borrow_mut();
        let Some(clock) = inner.clock else {
            return tell.emit(HostEvent::Failed("The clock of the suite is not known yet: try again.".to_owned()));
        };
        let sentinel = inner.sentinel.clone().unwrap_or_else(|| Sentinel::new(clock));
        let measurement = Measurement::new(plan, quality, clock)
            .with_sentinel(sentinel)
            .with_first_slot(inner.next_slot)
            .in_browser()
            .after(failed);
        let measurement = Box::new(measurement);
        inner.work = Work::Measuring(Measuring { measurement, seen: 0, told_at: 0.0, tell, timeout: None });
        drop(inner);
        if !self.resume() {
            self.pause();
        }
    }

    /// Goes on with what was paused, and says whether it does: not while the tab is hidden.
    pub(crate) fn resume(&self) -> bool {
        let mut inner = self.0.borrow_mut();
        let Work::Measuring(work) = &mut inner.work else { return false };
        if is_hidden() {
            return false;
        }
        work.timeout = Some(self.time_out_after(work.measurement.timeout_ms()));
        drop(inner);
        self.go_on(false);
        true
    }

    /// Browsers slow down what is hidden, so nothing is measured meanwhile: what was taken of the point at work is thrown
    /// away, with what the suite still answers.
    fn pause(&self) {
        if let Work::Measuring(work) = &mut self.0.borrow_mut().work {
            work.timeout = None;
            work.measurement.begin_point_again();
        }
        self.tell(HostEvent::Paused);
    }

    fn on_visibility(&self) {
        if is_hidden() { self.pause() } else { self.tell(HostEvent::Shown) }
    }

    /// Tells whoever has something measured.
    fn tell(&self, event: HostEvent) {
        let tell = match &self.0.borrow().work {
            Work::Measuring(work) => work.tell.clone(),
            Work::Idle | Work::Greeting { .. } => return,
        };
        tell.emit(event);
    }

    /// Gives up what is being measured, at once: the worker is ended, and a new one started for next time. Where nothing
    /// is measured, nothing happens.
    pub(crate) fn stop(&self) {
        {
            let mut inner = self.0.borrow_mut();
            if !matches!(inner.work, Work::Measuring(_)) {
                return;
            }
            inner.remember();
            inner.forget_warmth();
            inner.work = Work::Idle;
            inner.worker = None;
        }
        // Where it cannot be started, the next measurement tells.
        let _ = self.send(&[]);
    }

    /// Keeps the module for workers to come, and hands it to the one that waits for it.
    fn take_module(&self, module: WebAssembly::Module) -> Result<(), String> {
        self.0.borrow_mut().module = Some(module);
        self.make()
    }

    /// Has the worker that there is make an instance of the module.
    fn make(&self) -> Result<(), String> {
        let inner = self.0.borrow();
        inner.worker.as_ref().zip(inner.module.as_ref()).map_or(Ok(()), |(worker, module)| worker.make(module))
    }

    /// Sends messages, starting a worker where there is none.
    fn send(&self, messages: &[HostMessage]) -> Result<(), String> {
        self.start_worker()?;
        if let Some(worker) = &self.0.borrow().worker {
            messages.iter().for_each(|message| worker.send(message));
        }
        Ok(())
    }

    /// Starts a worker where there is none, with the suite in it where that is loaded.
    fn start_worker(&self) -> Result<(), String> {
        let mut inner = self.0.borrow_mut();
        if inner.worker.is_none() {
            let host = Rc::downgrade(&self.0);
            inner.worker = Some(SuiteWorker::start(move |event| Self::on_event(&host, event))?);
            drop(inner);
            self.make()?;
        }
        Ok(())
    }

    fn on_event(host: &Weak<RefCell<Inner>>, event: WorkerEvent) {
        let Some(inner) = host.upgrade() else { return };
        let this = Self(inner);
        let greeting = matches!(this.0.borrow().work, Work::Greeting { .. });
        match event {
            WorkerEvent::Answered(message) if greeting => this.take_greeting(host, *message),
            WorkerEvent::Answered(message) => this.take(|measurement| measurement.answer(*message)),
            WorkerEvent::Ended(reason) if greeting => {
                Self::on_greeting(host, Err(format!("The suite fails: {reason}.")));
            }
            WorkerEvent::Ended(reason) => match this.make() {
                Ok(()) => this.end(&Ending::Died(reason)),
                Err(reason) => this.fail(reason),
            },
            WorkerEvent::Unusable(reason) if greeting => Self::on_greeting(host, Err(reason)),
            WorkerEvent::Unusable(reason) => this.fail(reason),
        }
    }

    fn take_greeting(&self, host: &Weak<RefCell<Inner>>, message: SuiteMessage) {
        let outcome = match message {
            SuiteMessage::Catalog { protocol: PROTOCOL, suite: said, .. } => match said.check() {
                Ok(()) => {
                    if let Work::Greeting { suite, .. } = &mut self.0.borrow_mut().work {
                        *suite = Some(said);
                    }
                    return;
                }
                Err(reason) => Err(format!("Invalid catalog: {reason}.")),
            },
            SuiteMessage::Catalog { protocol, .. } => Err(format!(
                "The suite speaks protocol {protocol} and this page {PROTOCOL}: build it with a matching benchbook."
            )),
            SuiteMessage::Samples(samples) => {
                let suite = match &mut self.0.borrow_mut().work {
                    Work::Greeting { suite, .. } => suite.take(),
                    Work::Idle | Work::Measuring(_) => None,
                };
                match (suite, ClockCard::from_steps(&samples)) {
                    (Some(suite), Some(clock)) => Ok(Greeting { suite, clock }),
                    _ => Err("The suite does not describe itself.".to_owned()),
                }
            }
            SuiteMessage::Failed(failed) => Err(format!("The suite refuses: {}.", failed.reason)),
            _ => return,
        };
        Self::on_greeting(host, outcome);
    }

    fn on_greeting(host: &Weak<RefCell<Inner>>, outcome: Result<Greeting, String>) {
        let Some(inner) = host.upgrade() else { return };
        let work = std::mem::replace(&mut inner.borrow_mut().work, Work::Idle);
        if let Work::Greeting { tell, .. } = work {
            match &outcome {
                Ok(greeting) => inner.borrow_mut().clock = Some(greeting.clock),
                // Whatever it is at, nobody waits for it any more.
                Err(_) => inner.borrow_mut().worker = None,
            }
            tell.emit(outcome);
        }
    }

    /// Tells the measurement how its suite ended, and goes on with it.
    fn end(&self, ending: &Ending) {
        self.take(|measurement| {
            measurement.ended(ending);
            true
        });
    }

    /// Hands something to the measurement and goes on with it; where that brought it on, it has its time anew.
    fn take(&self, step: impl FnOnce(&mut Measurement) -> bool) {
        if let Work::Measuring(Measuring { measurement, timeout, .. }) = &mut self.0.borrow_mut().work
            && step(measurement)
            && timeout.is_some()
        {
            *timeout = Some(self.time_out_after(measurement.timeout_ms()));
        }
        self.go_on(true);
    }

    /// Tells what is new, and sends what there is to send. Where there is no new point, progress is told only where the
    /// suite `answered`, or ended.
    fn go_on(&self, answered: bool) {
        let (messages, events, tell) = {
            let mut inner = self.0.borrow_mut();
            let Work::Measuring(work) = &mut inner.work else { return };
            if work.timeout.is_none() && !work.measurement.is_done() {
                return;
            }
            let messages = work.measurement.messages();
            let mut events = work.news(answered);
            let tell = work.tell.clone();
            if work.measurement.is_done() {
                let failed = work.measurement.points().iter().filter(|point| point.measured().is_none());
                events.push(HostEvent::Finished(failed.cloned().collect()));
                inner.remember();
                inner.work = Work::Idle;
            }
            (messages, events, tell)
        };
        if let Err(reason) = self.send(&messages) {
            return self.fail(reason);
        }
        events.into_iter().for_each(|event| tell.emit(event));
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
        inner.remember();
        inner.forget_warmth();
        inner.worker = None;
        let work = std::mem::replace(&mut inner.work, Work::Idle);
        drop(inner);
        if let Work::Measuring(Measuring { tell, .. }) = work {
            tell.emit(HostEvent::Failed(reason));
        }
    }
}

impl Inner {
    /// A new worker warms its code up anew.
    fn forget_warmth(&mut self) {
        self.sentinel = self.sentinel.take().map(Sentinel::of_new_process);
    }

    /// Keeps what the next measurement has to know of the one at work.
    fn remember(&mut self) {
        if let Work::Measuring(Measuring { measurement, .. }) = &self.work {
            self.next_slot = measurement.next_slot();
            self.sentinel = Some(measurement.sentinel().clone());
        }
    }
}

fn document() -> Option<web_sys::Document> {
    web_sys::window()?.document()
}

fn is_hidden() -> bool {
    document().is_some_and(|document| document.hidden())
}

impl Measuring {
    /// What was not told yet.
    fn news(&mut self, answered: bool) -> Vec<HostEvent> {
        let points = self.measurement.points();
        let (now, is_new) = (js_sys::Date::now(), points.len() > self.seen);
        let mut events = Vec::new();
        if is_new || (answered && now - self.told_at >= TELL_MS) {
            self.told_at = now;
            events.push(HostEvent::Progressed(self.measurement.progress()));
        }
        if is_new {
            events.push(HostEvent::Measured(points[self.seen..].to_vec()));
            self.seen = points.len();
        }
        events
    }
}
