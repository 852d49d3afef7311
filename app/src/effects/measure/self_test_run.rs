//! Carries out the self-test in this browser: one measurement after another.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use benchbook_host::repeatability::PastMeasurements;
use benchbook_host::request::Plan;
use benchbook_host::response::Point;
use benchbook_host::self_test::steps::{RUNG_MS, SelfTestStep, TRIES, steps};
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use super::turn;
use super::turn::Turn;
use crate::effects::runner::run_control::RunTicket;
use crate::effects::suites::load::SuiteAndHost;
use crate::effects::worker::local_measurement::HostEvent;
use crate::state::self_test::SelfTestAction;

/// The address of the suite, next to the page.
pub(crate) const SUITE: &str = "suites/ladder.wasm";

/// The measurements of a self-test.
pub(crate) struct SelfTestRun {
    suite: SuiteAndHost,
    client: String,
    steps: RefCell<VecDeque<SelfTestStep>>,
    /// Reports whether the test was stopped.
    ticket: RunTicket,
    /// The tab's turn; `None` while paused, so that another tab can measure.
    turn: RefCell<Option<Turn>>,
    on_action: Callback<SelfTestAction>,
}

impl SelfTestRun {
    /// Measures everything once this tab has its turn.
    pub(crate) fn start(suite: SuiteAndHost, client: String, ticket: RunTicket, on_action: Callback<SelfTestAction>) {
        let steps: VecDeque<SelfTestStep> = steps(TRIES, RUNG_MS).into();
        let total_ms = steps.iter().map(SelfTestStep::ms).sum();
        let run =
            Rc::new(Self { suite, client, steps: RefCell::new(steps), ticket, turn: RefCell::default(), on_action });
        spawn_local(async move {
            if run.take_turn().await {
                run.on_action.emit(SelfTestAction::Ready(total_ms));
                run.measure_next();
            }
        });
    }

    /// Waits for this tab's turn. Returns `false` if the test was stopped, or has a turn already.
    async fn take_turn(self: &Rc<Self>) -> bool {
        let run = Rc::clone(self);
        // A tab that is hidden and shown twice requests two turns.
        let on_wait = move || {
            if run.turn.borrow().is_none() {
                run.on_action.emit(SelfTestAction::Queued);
            }
        };
        let turn = turn::take(on_wait).await;
        let is_needed = !self.ticket.is_over() && self.turn.borrow().is_none();
        if is_needed {
            self.turn.replace(Some(turn));
        }
        is_needed
    }

    fn measure_next(self: &Rc<Self>) {
        let Some(step) = self.steps.borrow_mut().pop_front() else {
            self.turn.take();
            return self.on_action.emit(SelfTestAction::Done);
        };
        let (loaded, host) = &self.suite;
        let plan = step.request(&loaded.suite, &self.client).map(|request| Plan::new(&loaded.suite, request));
        let Some(Ok(plan)) = plan else {
            let reason = format!("{SUITE} is not the suite of this page's version. Deploy all files of one build.");
            return self.on_action.emit(SelfTestAction::Failed(reason));
        };
        self.on_action.emit(SelfTestAction::StepStarted(step.part.title()));
        let (run, quality, points) = (Rc::clone(self), step.quality.clone(), RefCell::default());
        let on_event = Callback::from(move |event| run.on_event(&step, &points, event));
        host.measure(plan, quality, Vec::new(), PastMeasurements::default(), on_event);
    }

    fn on_event(self: &Rc<Self>, step: &SelfTestStep, points: &RefCell<Vec<Point>>, event: HostEvent) {
        match event {
            HostEvent::Progressed(_) => {}
            HostEvent::Measured(completed) => points.borrow_mut().extend(completed),
            HostEvent::Paused => {
                self.turn.take();
                self.on_action.emit(SelfTestAction::Paused);
            }
            HostEvent::Shown => self.resume(step.part.title()),
            HostEvent::Finished(_) => {
                self.on_action.emit(SelfTestAction::Measured(step.clone(), points.take()));
                self.measure_next();
            }
            HostEvent::Failed(reason) => {
                self.turn.take();
                self.on_action.emit(SelfTestAction::Failed(reason));
            }
        }
    }

    /// Continues when this tab has its turn again, unless it was stopped or hidden in the meantime.
    fn resume(self: &Rc<Self>, title: &'static str) {
        let run = Rc::clone(self);
        spawn_local(async move {
            if run.take_turn().await {
                if run.suite.1.resume() {
                    run.on_action.emit(SelfTestAction::StepStarted(title));
                } else {
                    run.turn.take();
                }
            }
        });
    }
}
