//! A measurement run: one priority after another, until the last one is done, or the run fails or is stopped.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use benchbook_host::quality::{Priority, Quality};
use benchbook_host::repeatability::PastMeasurements;
use benchbook_host::request::{Plan, Problem, Request};
use benchbook_host::response::{MachineKind, Point};
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use super::counting::{self, CountTask};
use super::turn::Turn;
use super::{machine_history, turn};
use crate::effects::browser::now;
use crate::effects::runner::run_control::RunTicket;
use crate::effects::worker::local::LocalHost;
use crate::effects::worker::local_measurement::HostEvent;
use crate::state::cell::Uncounted;
use crate::state::cell::action::{CellAction, RunEvent};
use crate::state::cell::remaining::RemainingTime;
use crate::state::machines::runner::{RunnerAction, RunnerEndpoint};
use crate::state::machines::runner_part::RunnerPart;
use crate::state::site_config::SiteConfig;
use crate::state::suites::loaded_suite::LoadedSuite;
use benchbook_notebook::measuring_options::{MeasuringOptions, RunOn};

/// A measurement run: the values that its priorities share.
#[derive(Clone)]
pub(crate) struct MeasurementRun {
    /// The suite of the measured functions.
    pub(crate) suite: Rc<LoadedSuite>,
    /// The site configuration, with the qualities of the priorities.
    pub(crate) site_config: Rc<SiteConfig>,
    /// The options of the measurement, as the user typed them.
    pub(crate) options: MeasuringOptions,
    /// The host in this browser.
    pub(crate) host: LocalHost,
    /// Returns the runner if one can measure the suite at the moment.
    pub(crate) runner: Callback<(), Option<RunnerEndpoint>>,
    /// Adds the values to a request that the results of a machine suggest.
    pub(crate) refined: Callback<(MachineKind, Request), Request>,
    /// The points to count after a priority; `None` if the user does not look at wasm instructions.
    pub(crate) uncounted: Callback<(), Option<Uncounted>>,
    /// Whether the runner counts wasm instructions, since the user looks at them and the runner can count them.
    pub(crate) counts_on_runner: Callback<(), bool>,
    /// What the runner measures.
    pub(crate) runner_part: Rc<Cell<RunnerPart>>,
    /// Whether the runner ignores its stored points.
    pub(crate) is_fresh: bool,
    /// The estimate of the remaining time.
    pub(crate) remaining: Rc<RefCell<RemainingTime>>,
    /// Reports whether the run was stopped or superseded.
    pub(crate) ticket: RunTicket,
    /// Receives the cell's events.
    pub(crate) on_cell: Callback<CellAction>,
    /// Receives the runner's events.
    pub(crate) on_runner: Callback<RunnerAction>,
}

impl MeasurementRun {
    /// Measures a plan of the first priority, then higher priorities. This browser measures the first, quick curve; the
    /// runner continues, or this browser if there is no runner, until there is one. If the user chose both machines, this browser
    /// continues after the runner. If a function or the generator is native, the runner measures all priorities.
    pub(crate) fn measure(self, plan: Plan) {
        match self.runner.emit(()) {
            Some(endpoint) if needs_runner(&plan) => self.measure_remotely(endpoint, plan.request().clone(), None),
            _ => self.measure_here(plan, Vec::new()),
        }
    }

    /// Measures a plan in this browser once this tab has its turn, then the same request at each higher priority. The first priority starts with a
    /// first look at its points, so that a curve is there sooner.
    /// `failed` contains the points that failed at the previous priority; those that timed out are skipped.
    pub(super) fn measure_here(self, plan: Plan, failed: Vec<Point>) {
        spawn_local(async move {
            let on_cell = self.on_cell.clone();
            let turn = turn::take(move || on_cell.emit(CellAction::Run(RunEvent::Queued))).await;
            if self.ticket.is_over() {
                return;
            }
            let request = plan.request().clone();
            let quality = plan.quality(&self.site_config.qualities);
            let left_ms = self.remaining.borrow_mut().start(request.priority, None);
            self.on_cell.emit(CellAction::Run(RunEvent::PriorityStarted(
                MachineKind::Browser,
                request.priority,
                left_ms,
            )));
            let looks_first = request.priority == Priority::FIRST && !request.first_calls;
            let (look, rest) = match looks_first {
                true => (quality.first_look(), Some((plan.clone(), quality))),
                false => (quality, None),
            };
            let past = machine_history::past(&self.suite.card.fingerprint, js_sys::Date::now() / 1e3);
            let running = Rc::new(RunningPriority {
                run: self,
                request,
                rest: RefCell::new(rest),
                turn: RefCell::default(),
                spent_ms: Cell::new(0.0),
                past,
            });
            running.start_turn(turn);
            running.measure(plan, look, failed);
        });
    }

    /// Whether this browser measures all priorities after the runner.
    pub(super) fn continues_here(&self) -> bool {
        self.options.run_on == RunOn::Both
    }

    /// The request at another priority on a machine. The last priorities also measure around what the machine's results show.
    pub(super) fn request_at(&self, kind: MachineKind, priority: Priority, request: &Request) -> Request {
        let request = self.options.request_at(priority, request);
        if priority < Priority::REFINED { request } else { self.refined.emit((kind, request)) }
    }

    /// Reports the end of a priority. If the user looks at wasm instructions, counts them before the next priority starts.
    fn finish_priority(&self, request: &Request, failed: Vec<Point>) {
        self.on_cell.emit(CellAction::Run(RunEvent::PriorityDone(request.priority)));
        let Some(uncounted) = self.uncounted.emit(()) else { return self.start_next(request, failed) };
        // At once: the measurement is not done yet.
        self.on_cell.emit(CellAction::Run(RunEvent::Counting { done: 0, total: 0 }));
        let is_last = request.priority == Priority::LAST;
        let limit = if is_last { Duration::MAX } else { counting::BETWEEN_PRIORITIES };
        let (run, request) = (self.clone(), request.clone());
        let on_done = move || {
            if is_last {
                run.on_cell.emit(CellAction::Run(RunEvent::CountingDone));
            }
            run.start_next(&request, failed);
        };
        counting::count(
            &self.ticket,
            self.host.clone(),
            CountTask::Points(uncounted, limit),
            self.on_cell.clone(),
            on_done,
        );
    }

    /// Starts the next priority, if there is one. If the runner measures a part of the run, it takes over, at the first priority
    /// or at the one that was interrupted.
    fn start_next(&self, request: &Request, failed: Vec<Point>) {
        let next = request.priority.next().map(|priority| self.request_at(MachineKind::Browser, priority, request));
        match next.map(|request| Plan::new(&self.suite.suite, request)) {
            Some(Ok(plan)) => match self.runner_part.get().next(now()).zip(self.runner.emit(())) {
                Some((priority, endpoint)) => {
                    if let Some(note) = self.runner_part.get().note_on_return() {
                        self.on_cell.emit(CellAction::Run(RunEvent::Remarked(note)));
                    }
                    let request = self.request_at(MachineKind::Native, priority, request);
                    self.clone().measure_remotely(endpoint, request, Some((plan, failed)));
                }
                None => self.clone().measure_here(plan, failed),
            },
            Some(Err(problems)) => self.on_cell.emit(CellAction::Run(RunEvent::Failed(rejection(&problems)))),
            None => {}
        }
    }
}

/// A priority in progress in this browser.
struct RunningPriority {
    run: MeasurementRun,
    request: Request,
    /// What follows the first look; `None` after it.
    rest: RefCell<Option<(Plan, Quality)>>,
    /// The tab's turn and its start; `None` while paused, so that another tab can measure.
    turn: RefCell<Option<(Turn, f64)>>,
    /// Milliseconds spent in earlier turns.
    spent_ms: Cell<f64>,
    /// The history of this browser at its start.
    past: PastMeasurements,
}

impl RunningPriority {
    /// Measures a plan. When the measurement stops, the host drops the callback, which also ends the turn.
    fn measure(self: &Rc<Self>, plan: Plan, quality: Quality, failed: Vec<Point>) {
        let this = Rc::clone(self);
        let on_event = Callback::from(move |event| Self::on_event(&this, event));
        self.run.host.measure(plan, quality, failed, self.past.clone(), on_event);
    }

    fn start_turn(&self, turn: Turn) {
        self.turn.replace(Some((turn, js_sys::Date::now())));
    }

    fn elapsed_ms(&self) -> f64 {
        self.spent_ms.get() + self.turn.borrow().as_ref().map_or(0.0, |(_, since)| js_sys::Date::now() - since)
    }

    fn end_turn(&self) {
        self.spent_ms.set(self.elapsed_ms());
        self.turn.take();
    }

    fn on_event(this: &Rc<Self>, event: HostEvent) {
        let Self { run, request, .. } = &**this;
        run.on_cell.emit(match event {
            HostEvent::Progressed(mut progress) => {
                // The points of the first look are not done yet.
                if this.rest.borrow().is_some() {
                    progress.done = 0;
                }
                let left_ms = run.remaining.borrow_mut().progress(progress.done, progress.total, this.elapsed_ms());
                CellAction::Run(RunEvent::Progressed(progress, left_ms))
            }
            HostEvent::Measured(points) => {
                // The first curve has to be quick, and the next priority is more precise.
                if request.priority > Priority::FIRST {
                    machine_history::record(&this.past, request, &points);
                }
                CellAction::Run(RunEvent::Measured(MachineKind::Browser, request.priority, points))
            }
            HostEvent::Paused => {
                this.end_turn();
                CellAction::Run(RunEvent::Paused)
            }
            HostEvent::Shown => return this.resume(),
            HostEvent::Failed(reason) => {
                this.end_turn();
                CellAction::Run(RunEvent::Failed(reason))
            }
            HostEvent::Finished(failed) => {
                if let Some((plan, quality)) = this.rest.take() {
                    let this = Rc::clone(this);
                    return spawn_local(async move {
                        if !this.run.ticket.is_over() {
                            this.measure(plan, quality, failed);
                        }
                    });
                }
                this.end_turn();
                return run.finish_priority(request, failed);
            }
        });
    }

    /// Resumes when this tab has its turn again, unless it was stopped or hidden in the meantime.
    fn resume(self: &Rc<Self>) {
        let this = Rc::clone(self);
        spawn_local(async move {
            let waiting = Rc::clone(&this);
            // A tab that is hidden and shown twice requests two turns.
            let on_wait = move || {
                if waiting.turn.borrow().is_none() {
                    waiting.run.on_cell.emit(CellAction::Run(RunEvent::Queued));
                }
            };
            let turn = turn::take(on_wait).await;
            if !this.run.ticket.is_over() && this.turn.borrow().is_none() {
                this.start_turn(turn);
                if this.run.host.resume() {
                    this.run.on_cell.emit(CellAction::Run(RunEvent::Resumed));
                } else {
                    this.end_turn();
                }
            }
        });
    }
}

/// Whether a function or the generator is native.
fn needs_runner(plan: &Plan) -> bool {
    (0..plan.request().functions.len()).any(|index| plan.is_native(index))
}

/// A sentence with the reasons why a higher priority cannot be measured.
fn rejection(problems: &[Problem]) -> String {
    let reasons: Vec<String> =
        problems.iter().map(|problem| format!("{}: {}", problem.location, problem.message)).collect();
    format!("The next priority cannot be measured: {}.", reasons.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejection_lists_all_problems() {
        let problem =
            |location: &str, message: &str| Problem { location: location.to_owned(), message: message.to_owned() };
        let problems = [problem("arguments.size", "expected a range"), problem("generator", "there is none")];
        assert_eq!(
            rejection(&problems),
            "The next priority cannot be measured: arguments.size: expected a range; generator: there is none."
        );
    }
}
