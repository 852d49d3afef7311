//! The cell of a function: its settings, the status of its measurement, and its results.

use std::rc::Rc;

use benchbook_contract::catalog::{Function, Generator};
use benchbook_contract::parameter::Parameter;
use benchbook_host::native_reason::NativeReason;
use benchbook_host::quality::Priority;
use benchbook_host::request::{Problem, Request};
use benchbook_host::response::{METHOD, MachineKind, Point};
use benchbook_host::sample::measurement::Progress;
use benchbook_notebook::cell::MeasurementCell;
use benchbook_notebook::id::Id;
use benchbook_notebook::result::CellResult;
use benchbook_notebook::result_setup::ResultSetup;
use benchbook_notebook::setup::CellSetup;
use benchbook_notebook::trace::{Trace, describe};

use super::controls::{ControlAction, Controls};
use super::loaded_suite::{FunctionId, LoadedSuite};
use crate::settings::measuring_options::MeasuringOptions;
use crate::settings::presentation::{Presentation, PresentationAction};
use crate::share::link::Link;
use benchbook_report::results::{ResultOrigin, Results};

/// A function with its settings and results.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LiveCell {
    /// Its suite.
    pub(crate) suite: Rc<LoadedSuite>,
    /// The function.
    pub(crate) function: Rc<Function>,
    /// Functions to measure together with it, on the same inputs.
    pub(crate) partners: Vec<Rc<Function>>,
    /// The chosen generator.
    pub(crate) generator: Rc<Generator>,
    /// The settings of its parameters.
    pub(crate) controls: Controls,
    /// The options of the measurement, as the user typed them.
    pub(crate) measuring_options: MeasuringOptions,
    /// The errors of the last request.
    pub(crate) problems: Vec<Problem>,
    /// The status of the measurement.
    pub(crate) status: RunStatus,
    /// The current priority, or after the measurement its last one; `None` before the first.
    pub(crate) step: Option<PriorityStep>,
    /// A note on the measurement, such as a lost runner.
    pub(crate) remark: Option<String>,
    /// The results in its plot.
    pub(crate) results: Results,
    /// How the results are presented.
    pub(crate) presentation: Presentation,
    /// Whether the visible part of the plot comes from a link. If so, the next measurement retains it.
    pub(super) is_zoom_from_link: bool,
    /// The number of rejected requests.
    pub(crate) rejections: u32,
}

/// Identifies a cell. Two notebooks may contain cells with the same identifier: copies of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellId {
    /// The notebook.
    pub(crate) notebook: Id,
    /// The cell.
    pub(crate) cell: Id,
}

/// The status of a cell's measurement.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum RunStatus {
    /// Not started.
    #[default]
    Idle,
    /// Waiting for another tab of this browser: simultaneous measurements would interfere with each other.
    Queued,
    /// Waiting in the runner's queue: the number of measurements ahead, and their expected duration in milliseconds.
    QueuedOnRunner(u32, f64),
    /// The suite has not responded yet.
    Waiting,
    /// In progress.
    Measuring,
    /// The tab is hidden.
    Paused,
    /// The last priority is done.
    Done,
    /// Stopped by the user, or because another cell started a measurement.
    Stopped,
    /// It cannot continue; a sentence.
    Failed(String),
}

/// A priority and its progress.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PriorityStep {
    /// The kind of machine that measures.
    pub(crate) kind: MachineKind,
    /// The priority.
    pub(crate) priority: Priority,
    /// Its progress; `None` before the first response.
    pub(crate) progress: Option<Progress>,
    /// The estimated remaining time including higher priorities, in milliseconds.
    pub(crate) left_ms: f64,
}

/// An event of a cell.
#[derive(Clone, Debug)]
pub(crate) enum CellAction {
    /// The user chose a generator, by its path.
    ChooseGenerator(String),
    /// The user set a control.
    Control(ControlAction),
    /// The user changed the options of the measurement.
    SetMeasuringOptions(MeasuringOptions),
    /// Adds a function to measure together with it, by its path.
    AddPartner(String),
    /// Adds all alternatives that the plot has room for.
    AddAlternatives,
    /// Makes a partner the function that the others are compared with, by its path.
    MakeBaseline(String),
    /// Removes a function from the comparison, by its path.
    RemoveFunction(String),
    /// Compares with this earlier build instead of others, or with none.
    FollowBuild(Option<String>),
    /// Compares its function in two builds, as requests name them, instead of everything else.
    CompareInBuilds([String; 2]),
    /// Adds a trace of another measurement to the plot, as a result with this identifier.
    AddOverlay(Id, Trace),
    /// Removes an overlay, by its index.
    RemoveOverlay(usize),
    /// Changes the presentation.
    Present(PresentationAction),
    /// A measurement with a valid request started.
    Started(ResultOrigin),
    /// The request is invalid.
    Rejected(Vec<Problem>),
    /// Another tab is measuring.
    Queued,
    /// The request is in the runner's queue: the number of measurements ahead, and their expected duration in
    /// milliseconds.
    QueuedOnRunner(u32, f64),
    /// A runner takes over the measurement; the machine is the runner's.
    Escalated(ResultOrigin),
    /// Shows a note on the measurement; a sentence.
    Remarked(String),
    /// A priority started; the estimated remaining time including higher priorities, in milliseconds.
    PriorityStarted(MachineKind, Priority, f64),
    /// The tab was hidden.
    Paused,
    /// The tab was shown, and has its turn again.
    Resumed,
    /// The measurement progressed; the estimated remaining time, in milliseconds.
    Progressed(Progress, f64),
    /// Points were measured.
    Measured(MachineKind, Priority, Vec<Point>),
    /// All points of a priority were measured and reported.
    PriorityDone(Priority),
    /// The runner has measured all priorities; this browser continues.
    RunnerDone,
    /// The measurement was stopped.
    Stopped,
    /// The measurement cannot continue; a sentence.
    Failed(String),
}

impl LiveCell {
    /// The cell of the function at `path`; `None` if the suite has no such function.
    pub(crate) fn new(suite: &Rc<LoadedSuite>, path: &str) -> Option<Self> {
        let function = suite.function(path)?;
        let generator = suite.suite.generator(function.generators.first()?)?;
        Some(Self {
            suite: Rc::clone(suite),
            function: Rc::new(function),
            partners: Vec::new(),
            controls: Controls::new(generator),
            generator: Rc::new(generator.clone()),
            measuring_options: MeasuringOptions::default(),
            problems: Vec::new(),
            status: RunStatus::Idle,
            step: None,
            remark: None,
            results: Results::default(),
            presentation: Presentation::default(),
            is_zoom_from_link: false,
            rejections: 0,
        })
    }

    /// The cell that a notebook describes; `None` if the suite has no such function. Invalid parts of its setup are ignored.
    pub(super) fn of(suite: &Rc<LoadedSuite>, stored: &MeasurementCell) -> Option<Self> {
        let link = Link::of_setup(&stored.setup);
        let mut cell = Self::new(suite, &link.function)?;
        // The document retains the parts that this suite does not know, until the user changes the setup.
        let _ = cell.open(link);
        cell.results = Results::of(stored);
        cell.is_zoom_from_link &= cell.results.is_empty();
        Some(cell)
    }

    /// A link with its settings.
    pub(crate) fn link(&self) -> Link {
        Link {
            suite: self.suite.suite.name.clone(),
            function: self.function.path.clone(),
            generator: Some(self.generator.path.clone()),
            with: self.partners.iter().map(|partner| partner.path.clone()).collect(),
            arguments: self.controls.written(&self.generator),
            measuring_options: self.measuring_options.clone(),
            presentation: self.presentation.clone(),
            ..Link::default()
        }
    }

    /// Its settings as a notebook stores them.
    pub(super) fn setup(&self) -> CellSetup {
        self.link().setup()
    }

    /// Its function.
    pub(crate) fn function_id(&self) -> FunctionId {
        self.id_of(&self.function.path)
    }

    /// The functions that it compares, in the order of a request; empty for a single one.
    pub(crate) fn compared(&self) -> Vec<FunctionId> {
        let is_comparison = !self.partners.is_empty();
        self.functions().filter(|_| is_comparison).map(|function| self.id_of(&function.path)).collect()
    }

    /// The function of its suite with this path.
    pub(crate) fn id_of(&self, path: &str) -> FunctionId {
        FunctionId { suite: self.suite.id, path: path.to_owned() }
    }

    /// Generator and arguments on one line.
    pub(crate) fn summary(&self) -> String {
        let arguments = self.controls.arguments().unwrap_or_default();
        let of_parameter = |parameter: &Parameter| {
            let argument = arguments.get(&parameter.name)?;
            Some(format!("{} {}", parameter.name, describe(argument)))
        };
        let texts = self.generator.parameters.iter().filter_map(of_parameter);
        std::iter::once(self.generator.name.clone()).chain(texts).collect::<Vec<_>>().join(" · ")
    }

    /// Whether nothing was measured yet, and no measurement is in progress: choosing another function replaces this one.
    pub(crate) fn is_blank(&self) -> bool {
        self.results.is_empty() && !self.is_measuring()
    }

    /// The functions of a request, its own first.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &Rc<Function>> {
        std::iter::once(&self.function).chain(&self.partners)
    }

    /// Whether the settings differ from those of the results.
    pub(crate) fn is_outdated(&self) -> bool {
        self.results.setup().is_some_and(|setup| self.last_request().as_ref() != Ok(&setup.request))
    }

    /// The request at the last priority, which describes a complete measurement; without a client.
    pub(super) fn last_request(&self) -> Result<Request, Vec<Problem>> {
        Ok(self.measuring_options.request_at(Priority::LAST, &self.request("")?))
    }

    /// The request that corresponds to the settings.
    ///
    /// # Errors
    /// The invalid fields, including those of the precision target.
    pub(crate) fn request(&self, client: &str) -> Result<Request, Vec<Problem>> {
        let problem = |name: String| Problem {
            location: format!("arguments.{name}"),
            message: "correct this value before measuring".to_owned(),
        };
        let mut problems = self.measuring_options.problems();
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
            fresh: false,
            first_calls: self.measuring_options.first_calls,
        })
    }

    /// The part that only a native runner can measure: `function`, `generator` or `comparison of builds`.
    pub(crate) fn native_part(&self) -> Option<&'static str> {
        match (self.compares_builds(), self.function.native, self.generator.native) {
            (true, ..) => Some("comparison of builds"),
            (false, true, _) => Some("function"),
            (false, false, true) => Some("generator"),
            (false, false, false) => None,
        }
    }

    /// Why a browser cannot measure that part.
    pub(crate) fn native_reason(&self) -> Option<&'static str> {
        match self.suite.id.is_native_only() {
            true => Some("its suite has no build for browsers"),
            false if self.compares_builds() => Some(NativeReason::EarlierBuild.text()),
            false => NativeReason::of(&self.function, &self.generator).map(NativeReason::text),
        }
    }

    /// Whether a measurement is in progress or waits for its turn.
    pub(crate) fn is_measuring(&self) -> bool {
        matches!(
            self.status,
            RunStatus::Queued
                | RunStatus::QueuedOnRunner(..)
                | RunStatus::Waiting
                | RunStatus::Measuring
                | RunStatus::Paused
        )
    }

    pub(super) fn apply(&mut self, action: CellAction) {
        match action {
            CellAction::ChooseGenerator(path) => self.choose_generator(&path),
            CellAction::Control(action) => {
                self.problems.clear();
                self.controls.apply(&Rc::clone(&self.generator), action);
            }
            CellAction::SetMeasuringOptions(target) => {
                self.problems.clear();
                self.measuring_options = target;
            }
            CellAction::AddPartner(path) => self.add_partner(&path),
            CellAction::AddAlternatives => self.add_alternatives(),
            CellAction::MakeBaseline(path) => self.make_baseline(&path),
            CellAction::RemoveFunction(path) => self.remove_function(&path),
            CellAction::FollowBuild(before) => self.follow_build(before.as_deref()),
            CellAction::CompareInBuilds(functions) => self.compare_in_builds(&functions),
            CellAction::AddOverlay(id, trace) => self.add_overlay(id, &trace),
            CellAction::RemoveOverlay(index) => {
                if index < self.results.overlays.len() {
                    self.results.overlays.remove(index);
                }
            }
            CellAction::Present(action) => self.presentation.apply(action),
            CellAction::Rejected(problems) => {
                self.problems = problems;
                self.rejections += 1;
            }
            CellAction::Started(origin) => self.start(origin),
            CellAction::Queued if self.is_measuring() => self.status = RunStatus::Queued,
            CellAction::QueuedOnRunner(ahead, wait_ms) if self.is_measuring() => {
                self.status = RunStatus::QueuedOnRunner(ahead, wait_ms);
            }
            CellAction::Escalated(origin) => self.results.escalate(origin),
            CellAction::Remarked(remark) => self.remark = Some(remark),
            CellAction::PriorityStarted(kind, priority, left_ms) if self.is_measuring() => {
                if matches!(self.status, RunStatus::Queued | RunStatus::QueuedOnRunner(..)) {
                    self.status = RunStatus::Waiting;
                }
                self.step = Some(PriorityStep { kind, priority, progress: None, left_ms });
            }
            CellAction::Paused if self.is_measuring() => self.status = RunStatus::Paused,
            CellAction::Resumed if self.is_measuring() => {
                let has_begun = self.step.as_ref().is_some_and(|step| step.progress.is_some());
                self.status = if has_begun { RunStatus::Measuring } else { RunStatus::Waiting };
            }
            CellAction::Queued
            | CellAction::QueuedOnRunner(..)
            | CellAction::PriorityStarted(..)
            | CellAction::Paused
            | CellAction::Resumed => {}
            CellAction::Progressed(progress, left_ms) => self.progress(progress, left_ms),
            CellAction::Measured(kind, priority, points) => self.results.add_points(kind, priority, points),
            CellAction::PriorityDone(priority) => {
                self.status = if priority == Priority::LAST { RunStatus::Done } else { RunStatus::Measuring };
            }
            CellAction::RunnerDone => self.status = RunStatus::Measuring,
            CellAction::Stopped if self.is_measuring() => self.status = RunStatus::Stopped,
            CellAction::Stopped => {}
            CellAction::Failed(reason) => self.status = RunStatus::Failed(reason),
        }
    }

    /// Resets the controls to another generator's, and removes the partners that do not accept its workloads.
    pub(super) fn choose_generator(&mut self, path: &str) {
        if let Some(generator) = self.suite.suite.generator(path) {
            self.controls = Controls::new(generator);
            self.generator = Rc::new(generator.clone());
            self.partners.retain(|partner| partner.generators.iter().any(|bound| bound == path));
            self.problems.clear();
        }
    }

    /// Starts a measurement. The request is valid, because the caller has checked it.
    fn start(&mut self, origin: ResultOrigin) {
        let Ok(request) = self.last_request() else { return };
        self.problems.clear();
        self.status = RunStatus::Waiting;
        self.step = None;
        self.remark = None;
        let (suite, machine) = (origin.suite.clone(), origin.machine.clone());
        let setup = ResultSetup::new(request, &self.generator, suite, machine, METHOD);
        // The visible part of one plot does not apply to another.
        let is_other_plane = self.results.setup().is_some_and(|before| !before.has_same_plane(&setup));
        if is_other_plane && !self.is_zoom_from_link {
            self.presentation.zoom = None;
        }
        self.is_zoom_from_link = false;
        self.results.start(origin, setup);
    }

    fn progress(&mut self, now: Progress, left_ms: f64) {
        if let (true, Some(step)) = (self.is_measuring(), &mut self.step) {
            step.progress = Some(now);
            step.left_ms = left_ms;
            self.status = RunStatus::Measuring;
        }
    }

    fn add_overlay(&mut self, id: Id, trace: &Trace) {
        if self.has_room() && !self.results.overlaid().iter().any(|overlay| overlay.is_same_measurement(trace)) {
            self.results.overlays.push(Rc::new(CellResult::of_trace(id, trace)));
        }
    }
}

impl CellAction {
    /// Whether it may change the settings that a notebook stores.
    pub(super) fn changes_setup(&self) -> bool {
        matches!(
            self,
            Self::ChooseGenerator(_)
                | Self::Control(_)
                | Self::SetMeasuringOptions(_)
                | Self::AddPartner(_)
                | Self::AddAlternatives
                | Self::MakeBaseline(_)
                | Self::RemoveFunction(_)
                | Self::FollowBuild(_)
                | Self::CompareInBuilds(_)
                | Self::Present(_)
                | Self::Started(_)
        )
    }

    /// Whether it is repeated with each typed letter or each movement of a slider.
    pub(super) fn is_typing(&self) -> bool {
        match self {
            Self::Control(action) => !matches!(action, ControlAction::SetRole(..)),
            Self::SetMeasuringOptions(_) => true,
            _ => false,
        }
    }

    /// Whether the results up to here belong into the notebook. While a priority is measured, its points are not stored: writing
    /// them would disturb the measurement.
    pub(super) fn commits_results(&self) -> bool {
        matches!(
            self,
            Self::PriorityDone(_)
                | Self::RunnerDone
                | Self::Stopped
                | Self::Failed(_)
                | Self::AddOverlay(..)
                | Self::RemoveOverlay(_)
        )
    }
}
