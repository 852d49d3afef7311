//! The cell of a chosen function.

use std::rc::Rc;

use benchbook::catalog::{Function, Generator};
use benchbook::parameter::{Argument, Arguments, Parameter, Range};
use benchbook::quality::Priority;
use benchbook::request::{Problem, Request};
use benchbook::response::{Machine, MachineKind, Point, Response};
use benchbook::sample::measurement::Progress;
use benchbook::units::number;

use super::LoadedSuite;
use super::controls::{ControlAction, Controls};
use super::curve::Curve;

/// A function, what is set for it, and what was measured.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    /// Its suite.
    pub(crate) suite: Rc<LoadedSuite>,
    /// The function.
    pub(crate) function: Rc<Function>,
    /// The generator that is chosen.
    pub(crate) generator: Rc<Generator>,
    /// What is set for its parameters.
    pub(crate) controls: Controls,
    /// What is wrong with the request that was tried.
    pub(crate) problems: Vec<Problem>,
    /// What is being done.
    pub(crate) run: Run,
    /// The priority at work, or that was at work last.
    pub(crate) step: Option<Step>,
    /// What was measured last, and with what.
    pub(crate) result: Option<MeasuredCurve>,
}

/// What is being done for a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Run {
    /// Nothing yet.
    #[default]
    Idle,
    /// The suite was asked, and has not answered yet.
    Waiting,
    /// It is measured.
    Measuring,
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
    /// Which.
    pub(crate) priority: Priority,
    /// How far; absent before the first answer.
    pub(crate) progress: Option<Progress>,
}

/// A curve and what it was measured with; the controls may have moved on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MeasuredCurve {
    /// The generator.
    pub(crate) generator: Rc<Generator>,
    /// The parameter that was varied.
    pub(crate) axis: String,
    /// The arguments.
    pub(crate) arguments: Arguments,
    /// Where it was measured.
    pub(crate) machine: Machine,
    /// The points.
    pub(crate) curve: Curve,
}

/// What happens to a cell.
#[derive(Clone, Debug)]
pub(crate) enum CellAction {
    /// A generator is chosen.
    ChooseGenerator(String),
    /// A control is set.
    Control(ControlAction),
    /// Measure was pressed, and the request is valid.
    Started(Machine),
    /// The request is not valid.
    Refused(Vec<Problem>),
    /// The suite is asked for a priority.
    Began(Priority),
    /// The measurement goes on.
    Progressed(Progress),
    /// Points were measured; the answer that they will be part of is not there yet.
    Measured(Priority, Vec<Point>),
    /// A request was answered.
    Answered(Box<Response>),
    /// Stop was pressed.
    Stopped,
    /// Measuring cannot go on; a sentence.
    Failed(String),
}

impl MeasuredCurve {
    /// What is varied, as the head of a column: `Number of keys`, with the unit where the description lacks it.
    pub(crate) fn axis_heading(&self) -> String {
        self.generator.parameter(&self.axis).map_or_else(|| self.axis.clone(), heading)
    }

    /// What it was measured with, on a line.
    pub(crate) fn settings(&self) -> String {
        let told = |(name, argument): (&String, &Argument)| match argument {
            Argument::Range(Range { low, high }) => format!("{name} {} to {}", number(*low), number(*high)),
            Argument::Number(value) => format!("{name} {}", number(*value)),
            Argument::Text(text) => format!("{name} {text}"),
        };
        let arguments: Vec<String> = self.arguments.iter().map(told).collect();
        format!("{}: {}", self.generator.name, arguments.join(", "))
    }
}

/// A parameter's description without its full stop, and the unit where the description does not name it.
pub(crate) fn heading(parameter: &Parameter) -> String {
    let description = parameter.description.lines().next().unwrap_or_default().trim_end_matches('.');
    match parameter.numeric().and_then(|numeric| numeric.unit.as_deref()) {
        Some(unit) if !description.to_lowercase().contains(&unit.to_lowercase()) => format!("{description} ({unit})"),
        _ => description.to_owned(),
    }
}

impl Cell {
    /// The cell of the function at `path`; absent where the suite has none.
    pub(crate) fn new(suite: &Rc<LoadedSuite>, path: &str) -> Option<Self> {
        let function = suite.suite.function(path)?;
        let generator = suite.suite.generator(function.generators.first()?)?;
        Some(Self {
            suite: Rc::clone(suite),
            function: Rc::new(function.clone()),
            controls: Controls::new(generator),
            generator: Rc::new(generator.clone()),
            problems: Vec::new(),
            run: Run::Idle,
            step: None,
            result: None,
        })
    }

    /// Whether the controls ask for something else than what is shown.
    pub(crate) fn is_outdated(&self) -> bool {
        self.result.as_ref().is_some_and(|result| {
            result.generator.path != self.generator.path || self.controls.arguments().as_ref() != Ok(&result.arguments)
        })
    }

    /// The request that the controls make.
    ///
    /// # Errors
    /// The problems of fields that hold no value.
    pub(crate) fn request(&self, client: &str) -> Result<Request, Vec<Problem>> {
        let problem = |name: String| Problem {
            place: format!("arguments.{name}"),
            message: "mend this value before measuring".to_owned(),
        };
        let arguments =
            self.controls.arguments().map_err(|wrong| wrong.into_iter().map(problem).collect::<Vec<_>>())?;
        Ok(Request {
            suite: self.suite.suite.name.clone(),
            functions: vec![self.function.path.clone()],
            generator: self.generator.path.clone(),
            arguments,
            priority: Priority::FIRST,
            client: client.to_owned(),
            seed: None,
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

    /// Whether it is being measured.
    pub(crate) fn is_measuring(&self) -> bool {
        matches!(self.run, Run::Waiting | Run::Measuring)
    }

    pub(super) fn apply(&mut self, action: CellAction) {
        match action {
            CellAction::ChooseGenerator(path) => self.choose_generator(&path),
            CellAction::Control(action) => {
                self.problems.clear();
                self.controls.apply(&Rc::clone(&self.generator), action);
            }
            CellAction::Refused(problems) => self.problems = problems,
            CellAction::Started(machine) => self.start(machine),
            CellAction::Began(priority) => self.step = Some(Step { priority, progress: None }),
            CellAction::Progressed(progress) => self.progress(progress),
            CellAction::Measured(priority, points) => self.take(priority, points),
            CellAction::Answered(response) => self.answered(*response),
            CellAction::Stopped => self.run = Run::Stopped,
            CellAction::Failed(reason) => self.run = Run::Failed(reason),
        }
    }

    fn choose_generator(&mut self, path: &str) {
        if let Some(generator) = self.suite.suite.generator(path) {
            self.controls = Controls::new(generator);
            self.generator = Rc::new(generator.clone());
            self.problems.clear();
        }
    }

    fn start(&mut self, machine: Machine) {
        self.problems.clear();
        self.run = Run::Waiting;
        self.step = None;
        self.result = Some(MeasuredCurve {
            generator: Rc::clone(&self.generator),
            axis: self.controls.axis.clone(),
            arguments: self.controls.arguments().unwrap_or_default(),
            machine,
            curve: Curve::default(),
        });
    }

    fn progress(&mut self, now: Progress) {
        if let (true, Some(step)) = (self.is_measuring(), &mut self.step) {
            step.progress = Some(now);
            self.run = Run::Measuring;
        }
    }

    fn answered(&mut self, response: Response) {
        let (priority, done) = (response.priority, response.points.len());
        let x = response.points.last().map_or(0.0, |point| point.x);
        self.step = Some(Step { priority, progress: Some(Progress { done, of: done, x, precision: None }) });
        self.run = if priority == Priority::LAST { Run::Done } else { Run::Measuring };
        self.take(priority, response.points);
    }

    fn take(&mut self, priority: Priority, points: Vec<Point>) {
        if let Some(result) = &mut self.result {
            points.into_iter().for_each(|point| result.curve.insert(priority, point));
        }
    }
}

impl MeasuredCurve {
    /// On which face of the suite it was measured: `browser` or `native`.
    pub(crate) fn face(&self) -> &'static str {
        match self.machine.kind {
            MachineKind::Browser => "browser",
            MachineKind::Native => "native",
        }
    }
}
