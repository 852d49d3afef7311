//! The cell of a function: what is set for it, what is being done, and what was measured.

use std::rc::Rc;

use benchbook_contract::catalog::{Function, Generator};
use benchbook_host::quality::Priority;
use benchbook_host::request::{Problem, Request};
use benchbook_host::response::{Machine, MachineKind, Point};
use benchbook_host::sample::measurement::Progress;

use super::aim::Aim;
use super::compare::Shown;
use super::controls::{ControlAction, Controls};
use super::curve::Curve;
use super::presentation::{Presentation, PresentationAction};
use super::trace::{Setup, Trace};
use super::{LoadedSuite, SuiteId};

/// A function, what is set for it, and what was measured.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    /// Its suite.
    pub(crate) suite: Rc<LoadedSuite>,
    /// The function.
    pub(crate) function: Rc<Function>,
    /// Functions that are measured together with it, on the same inputs.
    pub(crate) partners: Vec<Rc<Function>>,
    /// The generator that is chosen.
    pub(crate) generator: Rc<Generator>,
    /// What is set for its parameters.
    pub(crate) controls: Controls,
    /// What is aimed at in the last priority.
    pub(crate) aim: Aim,
    /// What is wrong with the request that was tried.
    pub(crate) problems: Vec<Problem>,
    /// What is being done.
    pub(crate) run: Run,
    /// The priority at work, or that was at work last.
    pub(crate) step: Option<Step>,
    /// What is to be told of how it went: a runner was lost, for instance.
    pub(crate) remark: Option<String>,
    /// What was measured last, a trace a function and machine, this browser's first; empty before the first measurement.
    pub(crate) traces: Vec<Trace>,
    /// What was measured at another time and is drawn beside it.
    pub(crate) overlays: Vec<Trace>,
    /// How it is looked at.
    pub(crate) presentation: Presentation,
    /// Whether the visible part is that of a link: then it belongs to what is measured next.
    pub(super) zoom_is_of_link: bool,
    /// How many times a request was refused.
    pub(crate) refusals: u32,
    /// Whether it shows a stored result, whatever is set.
    pub(super) is_stored: bool,
}

/// Which cell: the suite, and the path of the function in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellId {
    /// The suite.
    pub(crate) suite: SuiteId,
    /// The path.
    pub(crate) path: String,
}

/// What is being done for a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Run {
    /// Nothing yet.
    #[default]
    Idle,
    /// Another tab of this browser is measuring: figures of two at once would be worth little.
    Queued,
    /// The runner measures for others: how many come first, and about how long that takes, in milliseconds.
    Ahead(u32, f64),
    /// The suite was asked, and has not answered yet.
    Waiting,
    /// It is measured.
    Measuring,
    /// The tab is hidden: it goes on when the tab is shown.
    Paused,
    /// The last priority is done.
    Done,
    /// The user stopped it.
    Stopped,
    /// It cannot go on; a sentence.
    Failed(String),
}

/// A priority and how far it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    /// Where.
    pub(crate) kind: MachineKind,
    /// Which.
    pub(crate) priority: Priority,
    /// How far; absent before the first answer.
    pub(crate) progress: Option<Progress>,
    /// About how long the rest takes, higher priorities included, in milliseconds.
    pub(crate) left_ms: f64,
}

/// What happens to a cell.
#[derive(Clone, Debug)]
pub(crate) enum CellAction {
    /// A generator is chosen.
    ChooseGenerator(String),
    /// A control is set.
    Control(ControlAction),
    /// Something else is aimed at in the last priority.
    Aim(Aim),
    /// A function is measured with it from now on: its path.
    AddPartner(String),
    /// All functions that do the same are measured with it, as far as there is room.
    AddAlternatives,
    /// A function is not measured with it any more: its path.
    RemovePartner(String),
    /// A trace of another measurement is drawn beside it.
    AddOverlay(Trace),
    /// An overlay is taken away: its place.
    RemoveOverlay(usize),
    /// It is looked at in another way.
    Present(PresentationAction),
    /// Measure was pressed, and the request is valid.
    Started(Machine),
    /// The request is not valid.
    Refused(Vec<Problem>),
    /// Another tab is measuring.
    Queued,
    /// The runner measures for others: how many come first, and about how long that takes, in milliseconds.
    Ahead(u32, f64),
    /// A runner measures on its machine.
    Escalated(Machine),
    /// Something is to be told beside what is there; a sentence.
    Remarked(String),
    /// A priority is asked for; how long all may take, in milliseconds.
    Began(MachineKind, Priority, f64),
    /// The tab was hidden.
    Paused,
    /// The tab was shown, and has its turn again.
    Resumed,
    /// The measurement goes on; how long the rest takes, in milliseconds.
    Progressed(Progress, f64),
    /// Points were measured.
    Measured(MachineKind, Priority, Vec<Point>),
    /// All points of a priority were measured, and told.
    Answered(Priority),
    /// It was stopped.
    Stopped,
    /// Measuring cannot go on; a sentence.
    Failed(String),
}

impl Cell {
    /// The cell of the function at `path`; absent where the suite has none.
    pub(crate) fn new(suite: &Rc<LoadedSuite>, path: &str) -> Option<Self> {
        let function = suite.suite.function(path)?;
        let generator = suite.suite.generator(function.generators.first()?)?;
        Some(Self {
            suite: Rc::clone(suite),
            function: Rc::new(function.clone()),
            partners: Vec::new(),
            controls: Controls::new(generator),
            generator: Rc::new(generator.clone()),
            aim: Aim::default(),
            problems: Vec::new(),
            run: Run::Idle,
            step: None,
            remark: None,
            traces: Vec::new(),
            overlays: Vec::new(),
            presentation: Presentation::default(),
            zoom_is_of_link: false,
            refusals: 0,
            is_stored: false,
        })
    }

    /// Which cell it is.
    pub(crate) fn id(&self) -> CellId {
        CellId { suite: self.suite.id, path: self.function.path.clone() }
    }

    /// Whether it is this cell.
    pub(crate) fn is(&self, id: &CellId) -> bool {
        self.suite.id == id.suite && self.function.path == id.path
    }

    /// What was measured last, and with what; absent before the first measurement.
    pub(crate) fn setup(&self) -> Option<&Rc<Setup>> {
        self.traces.first().map(|trace| &trace.setup)
    }

    /// The functions that a request names: its own first.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &Rc<Function>> {
        std::iter::once(&self.function).chain(&self.partners)
    }

    /// All that is shown, what was measured last first.
    pub(crate) fn shown(&self) -> Vec<Shown> {
        Shown::all(&self.traces, &self.overlays)
    }

    /// Whether the controls ask for something else than what is shown.
    pub(crate) fn is_outdated(&self) -> bool {
        self.setup().filter(|_| !self.is_stored).is_some_and(|setup| {
            let of_setup = self.traces.iter().filter(|trace| Rc::ptr_eq(&trace.setup, setup));
            let measured = of_setup.map(|trace| &trace.function.path);
            setup.generator.path != self.generator.path
                || setup.aim != self.aim
                || self.controls.arguments().as_ref() != Ok(&setup.arguments)
                || !measured.eq(self.functions().map(|function| &function.path))
        })
    }

    /// The request that the controls make.
    ///
    /// # Errors
    /// The problems of fields that hold no value, also of those that say what is aimed at: they count later.
    pub(crate) fn request(&self, client: &str) -> Result<Request, Vec<Problem>> {
        let problem = |name: String| Problem {
            place: format!("arguments.{name}"),
            message: "mend this value before measuring".to_owned(),
        };
        let mut problems = self.aim.problems();
        let arguments = match self.controls.arguments() {
            Ok(arguments) if problems.is_empty() => arguments,
            outcome => {
                problems.splice(0..0, outcome.err().unwrap_or_default().into_iter().map(problem));
                return Err(problems);
            }
        };
        Ok(Request {
            suite: self.suite.suite.name.clone(),
            functions: self.functions().map(|function| function.path.clone()).collect(),
            generator: self.generator.path.clone(),
            arguments,
            priority: Priority::FIRST,
            client: client.to_owned(),
            seed: None,
            precision: None,
            point_ms: None,
        })
    }

    /// What of the cell only a native runner can run: `function` or `generator`.
    pub(crate) fn native_part(&self) -> Option<&'static str> {
        match (self.function.native, self.generator.native) {
            (true, _) => Some("function"),
            (false, true) => Some("generator"),
            (false, false) => None,
        }
    }

    /// Whether it is being measured, or waits for that.
    pub(crate) fn is_measuring(&self) -> bool {
        matches!(self.run, Run::Queued | Run::Ahead(..) | Run::Waiting | Run::Measuring | Run::Paused)
    }

    pub(super) fn apply(&mut self, action: CellAction) {
        match action {
            CellAction::ChooseGenerator(path) => self.choose_generator(&path),
            CellAction::Control(action) => {
                self.problems.clear();
                self.controls.apply(&Rc::clone(&self.generator), action);
            }
            CellAction::Aim(aim) => {
                self.problems.clear();
                self.aim = aim;
            }
            CellAction::AddPartner(path) => self.add_partner(&path),
            CellAction::AddAlternatives => self.add_alternatives(),
            CellAction::RemovePartner(path) => self.partners.retain(|partner| partner.path != path),
            CellAction::AddOverlay(trace) => self.add_overlay(trace),
            CellAction::RemoveOverlay(place) => {
                if place < self.overlays.len() {
                    self.overlays.remove(place);
                }
            }
            CellAction::Present(action) => self.presentation.apply(action),
            CellAction::Refused(problems) => {
                self.problems = problems;
                self.refusals += 1;
            }
            CellAction::Started(machine) => self.start(machine),
            CellAction::Queued if self.is_measuring() => self.run = Run::Queued,
            CellAction::Ahead(ahead, wait_ms) if self.is_measuring() => self.run = Run::Ahead(ahead, wait_ms),
            CellAction::Escalated(machine) => self.escalate(machine),
            CellAction::Remarked(remark) => self.remark = Some(remark),
            CellAction::Began(kind, priority, left_ms) if self.is_measuring() => {
                if matches!(self.run, Run::Queued | Run::Ahead(..)) {
                    self.run = Run::Waiting;
                }
                self.step = Some(Step { kind, priority, progress: None, left_ms });
            }
            CellAction::Paused if self.is_measuring() => self.run = Run::Paused,
            CellAction::Resumed if self.is_measuring() => {
                let has_begun = self.step.is_some_and(|step| step.progress.is_some());
                self.run = if has_begun { Run::Measuring } else { Run::Waiting };
            }
            CellAction::Queued
            | CellAction::Ahead(..)
            | CellAction::Began(..)
            | CellAction::Paused
            | CellAction::Resumed => {}
            CellAction::Progressed(progress, left_ms) => self.progress(progress, left_ms),
            CellAction::Measured(kind, priority, points) => self.take(kind, priority, points),
            CellAction::Answered(priority) => {
                self.run = if priority == Priority::LAST { Run::Done } else { Run::Measuring };
            }
            CellAction::Stopped if self.is_measuring() => self.run = Run::Stopped,
            CellAction::Stopped => {}
            CellAction::Failed(reason) => self.run = Run::Failed(reason),
        }
    }

    /// Takes another generator's controls; partners that take no workload of it go.
    pub(super) fn choose_generator(&mut self, path: &str) {
        if let Some(generator) = self.suite.suite.generator(path) {
            self.controls = Controls::new(generator);
            self.generator = Rc::new(generator.clone());
            self.partners.retain(|partner| partner.generators.iter().any(|bound| bound == path));
            self.problems.clear();
        }
    }

    fn start(&mut self, machine: Machine) {
        self.problems.clear();
        self.run = Run::Waiting;
        self.step = None;
        self.remark = None;
        let setup = Rc::new(Setup {
            suite: Rc::clone(&self.suite),
            generator: Rc::clone(&self.generator),
            axis: self.controls.axis.clone(),
            arguments: self.controls.arguments().unwrap_or_default(),
            aim: self.aim.clone(),
            machine,
        });
        // A part of one plane is no part of another.
        let is_of_another = self.setup().is_some_and(|before| !before.has_plane_of(&setup));
        if is_of_another && !self.zoom_is_of_link {
            self.presentation.zoom = None;
        }
        self.zoom_is_of_link = false;
        let trace = |function: &Rc<Function>| Trace {
            setup: Rc::clone(&setup),
            function: Rc::clone(function),
            curve: Rc::new(Curve::default()),
        };
        self.traces = self.functions().map(trace).collect();
    }

    /// Begins a curve of its own for each function on the runner's machine, unless it is there already.
    fn escalate(&mut self, machine: Machine) {
        let Some(before) = self.setup().map(Rc::clone) else { return };
        let setup = Rc::new(Setup { machine, ..(*before).clone() });
        if self.traces.iter().any(Trace::is_native) {
            self.traces.iter_mut().filter(|trace| trace.is_native()).for_each(|trace| trace.setup = Rc::clone(&setup));
            return;
        }
        let begun = |trace: &Trace| Trace {
            setup: Rc::clone(&setup),
            function: Rc::clone(&trace.function),
            curve: Rc::new(Curve::default()),
        };
        let begun: Vec<Trace> = self.traces.iter().map(begun).collect();
        self.traces.extend(begun);
    }

    fn progress(&mut self, now: Progress, left_ms: f64) {
        if let (true, Some(step)) = (self.is_measuring(), &mut self.step) {
            step.progress = Some(now);
            step.left_ms = left_ms;
            self.run = Run::Measuring;
        }
    }

    pub(super) fn take(&mut self, kind: MachineKind, priority: Priority, points: Vec<Point>) {
        for point in points {
            let is_its = |trace: &&mut Trace| trace.setup.machine.kind == kind && trace.function.path == point.function;
            if let Some(trace) = self.traces.iter_mut().find(is_its) {
                Rc::make_mut(&mut trace.curve).insert(priority, point);
            }
        }
    }
}
