//! The cell of a chosen function.

use std::rc::Rc;

use benchbook::catalog::{Function, Generator};
use benchbook::parameter::Arguments;
use benchbook::quality::Priority;
use benchbook::request::{Problem, Request};
use benchbook::response::{Machine, Point};
use benchbook::sample::measurement::Progress;

use super::controls::Controls;
use super::curve::Curve;
use super::{Action, LoadedSuite};

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
    /// What was measured last, and with what.
    pub(crate) result: Option<MeasuredCurve>,
}

/// What is being done for a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Run {
    /// Nothing yet.
    #[default]
    Idle,
    /// The worker is asked to start.
    Waiting,
    /// A priority is measured.
    Measuring {
        /// Which.
        priority: Priority,
        /// How far it is.
        progress: Option<Progress>,
    },
    /// The last priority is done.
    Done,
    /// The user stopped it.
    Stopped,
    /// It cannot go on; a sentence.
    Failed(String),
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
            result: None,
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

    /// The points done of the priority at work, or of the last one.
    pub(crate) fn points_done(&self) -> usize {
        match &self.run {
            Run::Measuring { progress, .. } => progress.map_or(0, |progress| progress.done),
            _ => self.result.as_ref().map_or(0, |result| result.curve.readings().len()),
        }
    }

    pub(super) fn apply(&mut self, action: Action) {
        match action {
            Action::ChooseGenerator(path) => self.choose_generator(&path),
            Action::Control(action) => {
                self.problems.clear();
                self.controls.apply(&Rc::clone(&self.generator), action);
            }
            Action::Refused(problems) => self.problems = problems,
            Action::Started(machine) => self.start(machine),
            Action::Priority(priority) => self.run = Run::Measuring { priority, progress: None },
            Action::Progressed(now) => {
                if let Run::Measuring { progress, .. } = &mut self.run {
                    *progress = Some(now);
                }
            }
            Action::Measured(priority, points) => self.take(priority, points),
            Action::Answered(response) => {
                if response.priority == Priority::LAST {
                    self.run = Run::Done;
                }
                self.take(response.priority, response.points);
            }
            Action::Stopped => self.run = Run::Stopped,
            Action::Failed(reason) => self.run = Run::Failed(reason),
            _ => {}
        }
    }

    fn take(&mut self, priority: Priority, points: Vec<Point>) {
        if let Some(result) = &mut self.result {
            points.into_iter().for_each(|point| result.curve.insert(priority, point));
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
        self.result = Some(MeasuredCurve {
            generator: Rc::clone(&self.generator),
            axis: self.controls.axis.clone(),
            arguments: self.controls.arguments().unwrap_or_default(),
            machine,
            curve: Curve::default(),
        });
    }
}
