//! The priorities of a press that a runner measures.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use benchbook_host::quality::Priority;
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::{MachineKind, Point};
use wasm_bindgen_futures::spawn_local;

use super::ask::Asking;
use crate::host::press::Press;
use crate::json::Read;
use crate::json::runner::Event;
use crate::state::cell::CellAction;
use crate::state::runner::{Reach, RunnerAction};

/// What goes on in this browser where a runner is lost: the next plan, and what failed before.
pub(crate) type Rest = (Plan, Vec<Point>);

impl Press {
    /// Has the runner measure a request, and then the same at each higher priority. Where it is lost, `rest` goes on in
    /// this browser; without one it ends there.
    pub(crate) fn escalate(self, reach: Reach, request: Request, rest: Option<Rest>) {
        let body = serde_json::to_string(&request).expect("numbers and texts have a JSON form");
        let heard = Rc::new(Heard::new(self.clone(), request));
        let asking = {
            let heard = Rc::clone(&heard);
            Asking::start(&reach, "measure", &body, move |json| match Event::read(&json) {
                Some(event) => heard.take(event),
                None => *heard.ended.borrow_mut() = Some(Err(json.at("error").text().to_owned())),
            })
        };
        let status = asking.status();
        self.ticket.hold(asking);
        spawn_local(async move {
            let status = status.await;
            if self.ticket.is_over() {
                return;
            }
            let reason = match heard.ended.take() {
                Some(Ok(priority)) => return self.go_on(reach, &heard.request, priority, rest),
                Some(Err(reason)) if status == 200 => format!("The runner could not finish it: {reason}"),
                ended => {
                    let error = ended.and_then(Result::err).unwrap_or_default();
                    // A stream that ends before its time was cut off.
                    let status = if status == 200 { 0 } else { status };
                    if status <= 0 {
                        self.on_runner.emit(RunnerAction::Lost);
                        "The runner was lost.".to_owned()
                    } else {
                        super::trouble(&reach, status, &error).told().to_owned()
                    }
                }
            };
            self.fall_back(&reason, rest);
        });
    }

    /// Goes on at the runner above the priority of its answer.
    fn go_on(self, reach: Reach, request: &Request, priority: Priority, rest: Option<Rest>) {
        // Stored points of a lower priority are as precise as was asked, where qualities are alike.
        let priority = priority.max(request.priority);
        self.tell.emit(CellAction::Answered(priority));
        if let Some(next) = priority.next() {
            let request = self.aim.at(next, request);
            self.escalate(reach, request, rest);
        }
    }

    fn fall_back(self, reason: &str, rest: Option<Rest>) {
        match rest {
            Some((plan, failed)) => {
                self.tell.emit(CellAction::Remarked(format!(
                    "{reason} What arrived stays, and it goes on in this browser."
                )));
                self.measure_here(plan, failed);
            }
            None => self
                .tell
                .emit(CellAction::Failed(format!("{reason} Only a runner can measure this; what arrived stays."))),
        }
    }
}

/// What came of a request so far.
struct Heard {
    press: Press,
    request: Request,
    priority: Cell<Priority>,
    began: f64,
    /// Absent before the last line: the priority of the answer, or why there is none.
    ended: RefCell<Option<Result<Priority, String>>>,
}

impl Heard {
    fn new(press: Press, request: Request) -> Self {
        let (priority, began) = (Cell::new(request.priority), js_sys::Date::now());
        Self { press, request, priority, began, ended: RefCell::default() }
    }

    fn take(&self, event: Event) {
        if self.press.ticket.is_over() {
            return;
        }
        let request = Request { priority: self.priority.get(), ..self.request.clone() };
        self.press.tell.emit(match event {
            Event::Queued(ahead, wait_ms) => CellAction::Ahead(ahead, wait_ms),
            Event::Started(priority, machine) => {
                let priority = priority.max(self.request.priority);
                self.priority.set(priority);
                self.press.tell.emit(CellAction::Escalated(machine));
                let request = Request { priority, ..request };
                CellAction::Began(MachineKind::Native, priority, self.press.remaining_ms(&request, 0.0, 0, None))
            }
            Event::Progress(progress) => {
                let elapsed = js_sys::Date::now() - self.began;
                let left = self.press.remaining_ms(&request, elapsed, progress.done, Some(progress.of));
                CellAction::Progressed(progress, left)
            }
            Event::Point(point) => CellAction::Measured(MachineKind::Native, self.priority.get(), vec![point]),
            Event::Done(priority) => {
                *self.ended.borrow_mut() = Some(Ok(priority));
                return;
            }
            Event::Ended(reason) => {
                *self.ended.borrow_mut() = Some(Err(reason));
                return;
            }
        });
    }
}
