//! One press of Measure: priority after priority, until the last is done or something ends it.

use std::rc::Rc;

use benchbook::request::{Plan, Request};
use benchbook::response::{Machine, Response};
use yew::Callback;

use super::local::{HostEvent, LocalHost};
use crate::state::LoadedSuite;
use crate::state::cell::CellAction;
use crate::state::notebook::Notebook;

/// What all priorities of one press have in common.
#[derive(Clone)]
pub(crate) struct Press {
    /// Where the measured function is from.
    pub(crate) suite: Rc<LoadedSuite>,
    /// What the priorities mean.
    pub(crate) notebook: Rc<Notebook>,
    /// What measures.
    pub(crate) host: LocalHost,
    /// This browser.
    pub(crate) machine: Machine,
    /// Gets what happens.
    pub(crate) tell: Callback<CellAction>,
}

impl Press {
    /// Measures a plan, and then the same request at each higher priority.
    pub(crate) fn measure(self, plan: Plan) {
        let request = plan.request().clone();
        let quality = self.notebook.qualities.of(request.priority).clone();
        self.tell.emit(CellAction::Began(request.priority));
        let host = self.host.clone();
        host.measure(plan, quality, Callback::from(move |event| self.take(&request, event)));
    }

    fn take(&self, request: &Request, event: HostEvent) {
        self.tell.emit(match event {
            HostEvent::Progressed(progress) => CellAction::Progressed(progress),
            HostEvent::Measured(points) => CellAction::Measured(request.priority, points),
            HostEvent::Failed(reason) => CellAction::Failed(reason),
            HostEvent::Finished(points) => {
                return self.answer(Response {
                    request: request.clone(),
                    priority: request.priority,
                    suite: self.suite.card.clone(),
                    machine: self.machine.clone(),
                    points,
                });
            }
        });
    }

    /// Shows an answer, and goes on from the priority that it has.
    fn answer(&self, response: Response) {
        let next = response.priority.next().map(|priority| Request { priority, ..response.request.clone() });
        self.tell.emit(CellAction::Answered(Box::new(response)));
        match next.map(|request| Plan::new(&self.suite.suite, request)) {
            Some(Ok(plan)) => self.clone().measure(plan),
            Some(Err(problems)) => self.tell.emit(CellAction::Refused(problems)),
            None => {}
        }
    }
}
