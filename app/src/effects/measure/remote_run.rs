//! The priorities of a measurement run that a runner measures.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use benchbook_host::api::{ErrorBody, Event};
use benchbook_host::quality::Priority;
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::{MachineKind, Point};
use gloo::timers::callback::Timeout;
use wasm_bindgen_futures::spawn_local;

use super::measurement_run::MeasurementRun;
use crate::effects::browser;
use crate::effects::runner::error::{error, error_body};
use crate::effects::runner::request::RunnerRequest;
use crate::state::cell::action::{CellAction, RunEvent};
use crate::state::machines::runner::{RunnerAction, RunnerEndpoint, RunnerError};
use crate::state::machines::runner_part::RunnerOutcome;

/// The seconds before a busy runner is asked again, if it does not say when.
const RETRY_S: u64 = 10;

/// The most seconds to wait for a busy runner. Browsers end a timer of more than 24 days at once.
const MAX_RETRY_S: u64 = 3_600;

/// The work that continues in this browser if the runner is lost, and after the runner if both machines measure: the next plan, and
/// the points that failed before.
type Fallback = (Plan, Vec<Point>);

impl MeasurementRun {
    /// Measures a request on the runner, then the same request at each higher priority. If the runner is lost, continues
    /// with `fallback` in this browser until the runner responds again; without one, the run ends.
    pub(crate) fn measure_remotely(self, endpoint: RunnerEndpoint, request: Request, fallback: Option<Fallback>) {
        let wasm_instructions = self.counts_on_runner.emit(());
        let body = Request { fresh: self.is_fresh, wasm_instructions, ..request.clone() };
        let body = serde_json::to_string(&body).expect("numbers and texts have a JSON form");
        let next_here = fallback.as_ref().filter(|_| self.continues_here()).map(|(plan, _)| plan.request().priority);
        let response = Rc::new(StreamedResponse::new(self.clone(), request, next_here));
        let runner_request = {
            let response = Rc::clone(&response);
            RunnerRequest::start(&endpoint, "measure", &body, move |line| response.on_line(&line))
        };
        let status = runner_request.status();
        self.ticket.keep(runner_request);
        spawn_local(async move {
            let status = status.await;
            if self.ticket.is_over() {
                return;
            }
            let outcome = self.outcome(&endpoint, status, response.outcome.take());
            let mut part = self.runner_part.get();
            part.end(response.request.priority, &outcome, browser::now());
            self.runner_part.set(part);
            match outcome {
                RunnerOutcome::Done(priority) => {
                    self.continue_remotely(endpoint, &response.request, priority, fallback);
                }
                RunnerOutcome::Lost(reason) => {
                    self.fall_back(&reason, "This browser continues until the runner responds again.", fallback);
                }
                RunnerOutcome::Busy(reason, _) if fallback.is_some() => {
                    self.fall_back(&reason, "Measuring in this browser until the runner is free.", fallback);
                }
                RunnerOutcome::Busy(_, seconds) => {
                    self.on_cell.emit(CellAction::Run(RunEvent::QueuedOnRunner(0, 0.0)));
                    let ask_again = move || {
                        if !self.ticket.is_over() {
                            self.measure_remotely(endpoint, response.request.clone(), None);
                        }
                    };
                    Timeout::new(1_000 * seconds as u32, ask_again).forget();
                }
                RunnerOutcome::Failed(reason) => self.fall_back(&reason, "This browser continues.", fallback),
            }
        });
    }

    /// How a request ended, from its HTTP status and its last event. Reports a runner that has gone away.
    fn outcome(
        &self,
        endpoint: &RunnerEndpoint,
        status: i32,
        last: Option<Result<RunnerOutcome, ErrorBody>>,
    ) -> RunnerOutcome {
        let body = match (status, last) {
            (_, Some(Ok(done @ RunnerOutcome::Done(_)))) => return done,
            (200, Some(Ok(failed @ RunnerOutcome::Failed(_)))) => return failed,
            (200, Some(Ok(stopped))) => {
                self.on_runner.emit(RunnerAction::Lost);
                return stopped;
            }
            // A stream without a final event was interrupted.
            (..=0 | 200, _) => {
                self.on_runner.emit(RunnerAction::Lost);
                return RunnerOutcome::Lost("The runner disconnected.".to_owned());
            }
            (_, last) => last.and_then(Result::err),
        };
        let retry_s = body.as_ref().and_then(|body| body.retry_after).unwrap_or(RETRY_S).min(MAX_RETRY_S);
        match error(endpoint, status, &body.map(|body| body.error).unwrap_or_default()) {
            RunnerError::Temporary(reason) => RunnerOutcome::Lost(reason),
            RunnerError::Busy(reason) => RunnerOutcome::Busy(reason, retry_s),
            RunnerError::Permanent(reason) => RunnerOutcome::Failed(reason),
        }
    }

    /// Continues on the runner with the priority above the response's. If the response is a stored one of the last priority, requests this
    /// priority, in case its points show where to measure further ones.
    fn continue_remotely(
        self,
        endpoint: RunnerEndpoint,
        request: &Request,
        priority: Priority,
        fallback: Option<Fallback>,
    ) {
        // A stored response of a lower priority satisfies the request if its quality is the same.
        let priority = priority.max(request.priority);
        let is_last = priority == Priority::LAST;
        let next = self.request_at(MachineKind::Native, priority.next().unwrap_or(priority), request);
        let is_done = is_last && (request.priority == Priority::LAST || next.also_at == request.also_at);
        match fallback.filter(|_| !is_done || self.continues_here()) {
            fallback if !is_done => {
                if !is_last {
                    self.on_cell.emit(CellAction::Run(RunEvent::PriorityDone(priority)));
                }
                self.measure_remotely(endpoint, next, fallback);
            }
            Some((plan, failed)) => {
                self.on_cell.emit(CellAction::Run(RunEvent::RunnerDone));
                self.measure_here(plan, failed);
            }
            None => self.on_cell.emit(CellAction::Run(RunEvent::PriorityDone(priority))),
        }
    }

    fn fall_back(self, reason: &str, next: &str, fallback: Option<Fallback>) {
        match fallback {
            Some((plan, failed)) => {
                let remark = format!("{reason} Its points remain. {next}");
                self.on_cell.emit(CellAction::Run(RunEvent::Remarked(remark)));
                self.measure_here(plan, failed);
            }
            None => self.on_cell.emit(CellAction::Run(RunEvent::Failed(format!(
                "{reason} The points so far remain. Connect a runner, then measure again."
            )))),
        }
    }
}

/// The response to a request, as far as it has arrived.
struct StreamedResponse {
    run: MeasurementRun,
    request: Request,
    /// The priority with which this browser continues after the runner; `None` if it does not.
    next_here: Option<Priority>,
    priority: Cell<Priority>,
    /// When the runner started, after the time in its queue, in milliseconds of the browser's clock.
    start_ms: Cell<f64>,
    /// The final event, or an error response; `None` before either.
    outcome: RefCell<Option<Result<RunnerOutcome, ErrorBody>>>,
}

impl StreamedResponse {
    fn new(run: MeasurementRun, request: Request, next_here: Option<Priority>) -> Self {
        let (priority, start_ms) = (Cell::new(request.priority), Cell::new(js_sys::Date::now()));
        Self { run, request, next_here, priority, start_ms, outcome: RefCell::default() }
    }

    fn on_line(&self, line: &str) {
        match parse(line) {
            Some(Ok(event)) => self.on_event(event),
            // The status says what it means.
            Some(Err(body)) => {
                self.outcome.replace(Some(Err(body)));
            }
            None => {}
        }
    }

    fn on_event(&self, event: Event) {
        if self.run.ticket.is_over() {
            return;
        }
        self.run.on_cell.emit(match event {
            Event::Queued { ahead, wait_ms } => CellAction::Run(RunEvent::QueuedOnRunner(ahead, wait_ms as f64)),
            Event::Started(started) => {
                let priority = started.priority.max(self.request.priority);
                self.priority.set(priority);
                let stored_at = started.stored_at();
                let card = self.run.site_config.with_commit(started.suite);
                let mut origin = browser::result_origin(started.machine, card);
                origin.started = stored_at.map_or(origin.started, |ms| ms as f64);
                self.run.on_cell.emit(CellAction::Run(RunEvent::Escalated(Box::new(origin))));
                self.start_ms.set(js_sys::Date::now());
                let left_ms = self.run.remaining.borrow_mut().start(priority, self.next_here);
                CellAction::Run(RunEvent::PriorityStarted(MachineKind::Native, priority, left_ms))
            }
            Event::Progress(progress) => {
                let elapsed_ms = js_sys::Date::now() - self.start_ms.get();
                let left_ms = self.run.remaining.borrow_mut().progress(progress.done, progress.total, elapsed_ms);
                CellAction::Run(RunEvent::Progressed(progress, left_ms))
            }
            Event::Counting { done, total } => CellAction::Run(RunEvent::Counting { done, total }),
            Event::Point { point } => {
                CellAction::Run(RunEvent::Measured(MachineKind::Native, self.priority.get(), vec![*point]))
            }
            Event::Done(done) => {
                self.outcome.replace(Some(Ok(RunnerOutcome::Done(done.priority))));
                return;
            }
            Event::Failed { reason } => {
                self.outcome.replace(Some(Ok(RunnerOutcome::Failed(unfinished(&reason)))));
                return;
            }
            // It shuts down, perhaps to start again.
            Event::Stopped { reason } => {
                self.outcome.replace(Some(Ok(RunnerOutcome::Lost(unfinished(&reason)))));
                return;
            }
        });
    }
}

fn unfinished(reason: &str) -> String {
    format!("The runner could not finish: {reason}")
}

/// Parses an event, or an error response; `None` for any other line, such as one that was cut off.
fn parse(line: &str) -> Option<Result<Event, ErrorBody>> {
    match serde_json::from_str(line) {
        Ok(event) => Some(Ok(event)),
        Err(_) => error_body(line).map(Err),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_events_and_errors_and_ignores_other_lines() {
        let error = ErrorBody { error: "why".to_owned(), problems: Vec::new(), retry_after: Some(9) };
        let table = [
            (r#"{"type":"queued","ahead":3,"wait_ms":20}"#, Some(Ok(Event::Queued { ahead: 3, wait_ms: 20 }))),
            (r#"{"type":"failed","reason":"why"}"#, Some(Ok(Event::Failed { reason: "why".to_owned() }))),
            (r#"{"error":"why","retry_after":9}"#, Some(Err(error))),
            (r#"{"type":"later"}"#, None),
            (r#"{"type":"queued","ahead":3"#, None),
            (r#"{"type":"queued"}"#, None),
            ("<html>", None),
            ("", None),
        ];
        for (line, expected) in table {
            assert_eq!(parse(line), expected, "{line}");
        }
    }
}
