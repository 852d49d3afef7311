//! One press of Measure: priority after priority, until the last is done or something ends it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use benchbook_host::quality::Priority;
use benchbook_host::request::{Plan, Problem, Request};
use benchbook_host::response::{MachineKind, Point};
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use super::local::{HostEvent, LocalHost};
use super::runner::ask::Asking;
use super::turn::{self, Turn};
use crate::state::LoadedSuite;
use crate::state::aim::Aim;
use crate::state::cell::CellAction;
use crate::state::notebook::Notebook;
use crate::state::remaining::{Pace, remaining_ms};
use crate::state::runner::{Reach, RunnerAction};

/// What all priorities of one press have in common.
#[derive(Clone)]
pub(crate) struct Press {
    /// Where the measured functions are from.
    pub(crate) suite: Rc<LoadedSuite>,
    /// What the priorities mean.
    pub(crate) notebook: Rc<Notebook>,
    /// What is aimed at in the last priority.
    pub(crate) aim: Aim,
    /// What measures here.
    pub(crate) host: LocalHost,
    /// The runner, where there is one that measures the suite.
    pub(crate) runner: Option<Reach>,
    /// Whether it still counts.
    pub(crate) ticket: Ticket,
    /// Gets what happens.
    pub(crate) tell: Callback<CellAction>,
    /// Gets what happens to the runner.
    pub(crate) on_runner: Callback<RunnerAction>,
}

/// Which press is at work: a newer press, or Stop, ends those before it, also one that waits for its turn.
#[derive(Clone, Default)]
pub(crate) struct Presses {
    number: Rc<Cell<u32>>,
    /// What the newest asks of a runner.
    asking: Rc<RefCell<Option<Asking>>>,
}

/// One press among all.
#[derive(Clone)]
pub(crate) struct Ticket {
    presses: Presses,
    number: u32,
}

impl Presses {
    /// Ends all presses so far, and gives out the ticket of the next.
    pub(crate) fn next(&self) -> Ticket {
        self.number.set(self.number.get().wrapping_add(1));
        self.asking.take();
        Ticket { presses: self.clone(), number: self.number.get() }
    }

    /// Ends what is asked of a runner as if that had broken off; the press goes on without it.
    pub(crate) fn give_up_asking(&self) {
        self.asking.take();
    }
}

impl Ticket {
    pub(super) fn is_over(&self) -> bool {
        self.presses.number.get() != self.number
    }

    /// Keeps what the press asks of a runner, until it is over.
    pub(super) fn hold(&self, asking: Asking) {
        self.presses.asking.replace(Some(asking));
    }
}

impl Press {
    /// Measures a plan of the first priority: a quick curve here, and then better ones on the runner, or here where there
    /// is none. What only a runner can measure goes there at once.
    pub(crate) fn measure(self, plan: Plan) {
        match self.runner.clone() {
            Some(reach) if is_for_runners(&plan) => self.escalate(reach, plan.request().clone(), None),
            _ => self.measure_here(plan, Vec::new()),
        }
    }

    /// Measures a plan when it is this tab's turn, and then the same request at each higher priority. Of the points that
    /// `failed` at the priority before, those that timed out are not tried again.
    pub(super) fn measure_here(self, plan: Plan, failed: Vec<Point>) {
        spawn_local(async move {
            let tell = self.tell.clone();
            let turn = turn::take(move || tell.emit(CellAction::Queued)).await;
            if self.ticket.is_over() {
                return;
            }
            let request = plan.request().clone();
            let quality = plan.quality(&self.notebook.qualities);
            self.tell.emit(CellAction::Began(
                MachineKind::Browser,
                request.priority,
                self.remaining_ms(&request, 0.0, 0, None),
            ));
            let host = self.host.clone();
            // Where it is stopped, the host lets go of this callback, and the turn ends too.
            let at_work = Rc::new(AtWork { press: self, request, turn: RefCell::default(), spent: Cell::new(0.0) });
            at_work.begin(turn);
            host.measure(plan, quality, &failed, Callback::from(move |event| AtWork::take(&at_work, event)));
        });
    }

    /// About how long the rest takes. A runner's qualities may differ from this page's: its pace tells soon.
    pub(super) fn remaining_ms(&self, request: &Request, elapsed_ms: f64, done: usize, of: Option<usize>) -> f64 {
        let (priority, functions) = (request.priority, request.functions.len());
        let own_ms = self.aim.point_ms().ok().flatten();
        remaining_ms(&self.notebook.qualities, Pace { priority, elapsed_ms, done, of, functions, own_ms })
    }

    /// Tells that a priority is done, and goes on with the next: after the first, with the first of the runner.
    fn finish(&self, request: &Request, failed: Vec<Point>) {
        self.tell.emit(CellAction::Answered(request.priority));
        let next = request.priority.next().map(|priority| self.aim.at(priority, request));
        match next.map(|request| Plan::new(&self.suite.suite, request)) {
            Some(Ok(plan)) => match self.runner.clone().filter(|_| request.priority == Priority::FIRST) {
                Some(reach) => self.clone().escalate(reach, request.clone(), Some((plan, failed))),
                None => self.clone().measure_here(plan, failed),
            },
            Some(Err(problems)) => self.tell.emit(CellAction::Failed(refusal(&problems))),
            None => {}
        }
    }
}

/// A priority at work.
struct AtWork {
    press: Press,
    request: Request,
    /// The tab's turn, and since when; absent while it is paused, so that another tab can measure meanwhile.
    turn: RefCell<Option<(Turn, f64)>>,
    /// Milliseconds spent in turns that are over.
    spent: Cell<f64>,
}

impl AtWork {
    fn begin(&self, turn: Turn) {
        self.turn.replace(Some((turn, js_sys::Date::now())));
    }

    fn elapsed_ms(&self) -> f64 {
        self.spent.get() + self.turn.borrow().as_ref().map_or(0.0, |(_, since)| js_sys::Date::now() - since)
    }

    fn end_turn(&self) {
        self.spent.set(self.elapsed_ms());
        self.turn.take();
    }

    fn take(this: &Rc<Self>, event: HostEvent) {
        let Self { press, request, .. } = &**this;
        press.tell.emit(match event {
            HostEvent::Progressed(progress) => CellAction::Progressed(
                progress,
                press.remaining_ms(request, this.elapsed_ms(), progress.done, Some(progress.of)),
            ),
            HostEvent::Measured(points) => CellAction::Measured(MachineKind::Browser, request.priority, points),
            HostEvent::Paused => {
                this.end_turn();
                CellAction::Paused
            }
            HostEvent::Shown => return this.resume(),
            HostEvent::Failed(reason) => {
                this.end_turn();
                CellAction::Failed(reason)
            }
            HostEvent::Finished(failed) => {
                this.end_turn();
                return press.finish(request, failed);
            }
        });
    }

    /// Goes on when it is this tab's turn again, unless it was stopped or hidden meanwhile.
    fn resume(self: &Rc<Self>) {
        let this = Rc::clone(self);
        spawn_local(async move {
            let waits = Rc::clone(&this);
            // Who hides and shows a tab twice asks twice.
            let on_wait = move || {
                if waits.turn.borrow().is_none() {
                    waits.press.tell.emit(CellAction::Queued);
                }
            };
            let turn = turn::take(on_wait).await;
            if !this.press.ticket.is_over() && this.turn.borrow().is_none() {
                this.begin(turn);
                if this.press.host.resume() {
                    this.press.tell.emit(CellAction::Resumed);
                } else {
                    this.end_turn();
                }
            }
        });
    }
}

/// Whether a browser cannot measure it.
fn is_for_runners(plan: &Plan) -> bool {
    (0..plan.request().functions.len()).any(|index| plan.is_native(index))
}

/// Why a higher priority cannot be measured, as a sentence.
fn refusal(problems: &[Problem]) -> String {
    let told: Vec<String> = problems.iter().map(|problem| format!("{}: {}", problem.place, problem.message)).collect();
    format!("The next priority cannot be measured: {}.", told.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_priority_ends_in_a_sentence_with_all_that_is_wrong() {
        let problem = |place: &str, message: &str| Problem { place: place.to_owned(), message: message.to_owned() };
        let problems = [problem("arguments.size", "expected a range"), problem("generator", "there is none")];
        assert_eq!(
            refusal(&problems),
            "The next priority cannot be measured: arguments.size: expected a range; generator: there is none."
        );
    }
}
