//! The cell of a function: its settings, the status of its measurement, and its results.

pub(crate) mod action;
pub(crate) mod argument_check;
mod build_comparison;
pub(crate) mod controls;
mod inputs;
mod number_input;
pub(crate) mod number_list;
mod partners;
pub(crate) mod remaining;
pub(crate) mod staleness;

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::{Function, Generator, name_of};
use benchbook_contract::parameter::Parameter;
use benchbook_count::PointCounts;
use benchbook_host::alternative::build_id;
use benchbook_host::metric::WASM_INSTRUCTIONS;
use benchbook_host::native_reason::NativeReason;
use benchbook_host::quality::Priority;
use benchbook_host::request::{Plan, Problem, Request};
use benchbook_host::response::{METHOD, MachineKind};
use benchbook_host::sample::measurement::Progress;
use benchbook_notebook::cell::MeasurementCell;
use benchbook_notebook::id::Id;
use benchbook_notebook::result::CellResult;
use benchbook_notebook::result_setup::ResultSetup;
use benchbook_notebook::setup::CellSetup;
use benchbook_notebook::trace::{Trace, describe};

use crate::state::suites::loaded_suite::{FunctionId, LoadedSuite};
use action::{OverlayAction, RunEvent, SetupEdit};
use benchbook_notebook::measuring_options::MeasuringOptions;
use benchbook_notebook::view::{CellView, Tab, ViewAction};
use benchbook_report::results::{ResultOrigin, Results};
use benchbook_report::stored_note::stored_note;
use controls::{Controls, Role};

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
    pub(crate) options: MeasuringOptions,
    /// The errors of the last request.
    pub(crate) problems: Vec<Problem>,
    /// The status of the measurement.
    pub(crate) status: RunStatus,
    /// The current priority, or after the measurement its last one; `None` before the first.
    pub(crate) step: Option<PriorityStep>,
    /// Notes on the measurement, such as a lost runner, oldest first.
    pub(crate) remarks: Vec<String>,
    /// The results in its plot.
    pub(crate) results: Results,
    /// How the results are shown.
    pub(crate) view: CellView,
    /// Whether the visible part of the plot comes from a link. If so, the next measurement keeps it.
    pub(crate) is_zoom_from_link: bool,
    /// The number of rejected requests.
    pub(crate) rejections: u32,
    /// Whether the user has chosen the wasm instructions, and counting has not begun since.
    pub(crate) wants_counts: bool,
    /// Whether the user has chosen the profile, and counting for it has not begun since.
    pub(crate) wants_profile: bool,
    /// Whether the user has chosen the code, and it has not been requested since.
    pub(crate) wants_code: bool,
    /// Whether the code was requested, and has not arrived yet.
    pub(crate) loads_code: bool,
    /// Why some code is missing: sentences.
    pub(crate) code_problems: Vec<String>,
    /// When the user started the last measurement, in milliseconds since 1970; `None` before the first.
    pub(crate) requested: Option<f64>,
}

/// Identifies a cell. Two notebooks may contain cells with the same identifier: copies of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellId {
    /// The notebook.
    pub(crate) notebook: Id,
    /// The cell.
    pub(crate) cell: Id,
}

/// Points to count.
#[derive(Clone, Debug)]
pub(crate) struct Uncounted {
    /// How they were measured.
    pub(crate) plan: Plan,
    /// The axis values of each function, by its path.
    pub(crate) points: Vec<(String, Vec<AxisValue>)>,
}

/// Functions to profile.
#[derive(Clone, Debug)]
pub(crate) struct Unprofiled {
    /// How they were measured.
    pub(crate) plan: Plan,
    /// Their indices in the request.
    pub(crate) functions: Vec<usize>,
}

/// Functions whose code is not known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unlisted {
    /// The name of the suite.
    pub(crate) suite: String,
    /// The path of the generator.
    pub(crate) generator: String,
    /// The result of this browser, and its functions.
    pub(crate) here: Option<(Id, Vec<String>)>,
    /// The result of a runner, its functions, and the build that the runner measured.
    pub(crate) on_runner: Option<(Id, Vec<String>, String)>,
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
    /// Counting wasm instructions, or for a profile.
    Counting {
        /// The number of counted points.
        done: usize,
        /// The number of points to count.
        total: usize,
    },
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
            options: MeasuringOptions::default(),
            problems: Vec::new(),
            status: RunStatus::Idle,
            step: None,
            remarks: Vec::new(),
            results: Results::default(),
            view: CellView::default(),
            is_zoom_from_link: false,
            rejections: 0,
            wants_counts: false,
            wants_profile: false,
            wants_code: false,
            loads_code: false,
            code_problems: Vec::new(),
            requested: None,
        })
    }

    /// The cell that a notebook describes; `None` if the suite has no such function. Invalid parts of its setup are ignored.
    pub(crate) fn of(suite: &Rc<LoadedSuite>, stored: &MeasurementCell) -> Option<Self> {
        let mut cell = Self::new(suite, stored.setup.functions.first()?)?;
        // The document keeps the parts that this suite does not know, until the user changes the setup.
        let _ = cell.open(&stored.setup);
        cell.results = Results::of(stored);
        cell.is_zoom_from_link &= cell.results.is_empty();
        Some(cell)
    }

    /// Its settings, as links and notebooks contain them.
    pub(crate) fn setup(&self) -> CellSetup {
        CellSetup {
            suite: self.suite.suite.name.clone(),
            functions: self.functions().map(|function| function.path.clone()).collect(),
            generator: Some(self.generator.path.clone()),
            arguments: self.controls.written(),
            options: self.options.clone(),
            view: self.view.clone(),
        }
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
        let texts = self.written_arguments().into_iter().map(|(name, value)| format!("{name} {value}"));
        std::iter::once(self.generator.name.clone()).chain(texts).collect::<Vec<_>>().join(" · ")
    }

    /// The generator and the arguments with their names; the varied one with an arrow.
    pub(crate) fn chips(&self) -> Vec<(String, String)> {
        let with_arrow = |(name, value): (String, String)| {
            let is_varied = self.controls.role(&name) != Role::Fixed;
            (if is_varied { format!("↔ {name}") } else { name }, value)
        };
        let input = ("Input".to_owned(), self.generator.name.clone());
        std::iter::once(input).chain(self.written_arguments().into_iter().map(with_arrow)).collect()
    }

    /// What Measure will do, before the first measurement.
    pub(crate) fn announcement(&self) -> String {
        let arguments = self.written_arguments();
        let axis = arguments.iter().find(|(name, _)| self.controls.role(name) != Role::Fixed);
        let at = axis.map_or_else(String::new, |(name, value)| format!(" for {name} {value}"));
        let names: Vec<&str> = self.functions().map(|function| name_of(&function.path)).collect();
        format!(
            "Measure will time {}{at}. The first curve comes quickly; three more passes refine it.",
            names.join(", ")
        )
    }

    /// The valid arguments as text, in the order of the parameters.
    fn written_arguments(&self) -> Vec<(String, String)> {
        let arguments = self.controls.arguments(&self.generator).unwrap_or_default();
        let of_parameter =
            |parameter: &Parameter| Some((parameter.name.clone(), describe(arguments.get(&parameter.name)?)));
        self.generator.parameters.iter().filter_map(of_parameter).collect()
    }

    /// Whether nothing was measured yet, and no measurement is in progress: choosing another function replaces this one.
    pub(crate) fn is_blank(&self) -> bool {
        self.results.is_empty() && !self.is_measuring()
    }

    /// The functions of a request, its own first.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &Rc<Function>> {
        std::iter::once(&self.function).chain(&self.partners)
    }

    /// The note on the results of the last measurement if the runner had stored them; `None` before its end, and if some of them are new. `now`: in
    /// milliseconds since 1970.
    pub(crate) fn stored_note(&self, now: f64) -> Option<String> {
        let requested = self.requested.filter(|_| self.status == RunStatus::Done)?;
        // The first curve is from this browser.
        let of_runner =
            self.results.latest.iter().rev().find(|result| result.setup.machine.kind == MachineKind::Native)?;
        stored_note(of_runner, requested, now)
    }

    /// Whether the settings differ from those of the results.
    pub(crate) fn is_outdated(&self) -> bool {
        self.results.setup().is_some_and(|setup| self.last_request().as_ref() != Ok(&setup.request))
    }

    /// The request at the last priority, which describes a complete measurement; without a client.
    pub(crate) fn last_request(&self) -> Result<Request, Vec<Problem>> {
        Ok(self.options.request_at(Priority::LAST, &self.request("")?))
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
        let mut problems = self.options.problems();
        let arguments = match self.controls.arguments(&self.generator) {
            Ok(arguments) if problems.is_empty() => arguments,
            outcome => {
                problems.splice(0..0, outcome.err().unwrap_or_default().into_iter().map(problem));
                return Err(problems);
            }
        };
        Ok(Request {
            client: client.to_owned(),
            first_calls: self.options.first_calls,
            ..Request::new(
                self.suite.suite.name.clone(),
                self.functions().map(|function| function.path.clone()).collect(),
                self.generator.path.clone(),
                arguments,
                Priority::FIRST,
            )
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

    /// Whether the last measurement in this browser is of this build, and has points that are not counted.
    pub(crate) fn can_count(&self) -> bool {
        let result = self.results.result(MachineKind::Browser);
        result.is_some_and(|result| result.setup.suite.fingerprint == self.suite.card.fingerprint)
            && !self.results.uncounted().is_empty()
    }

    /// Whether the user has chosen something that is not counted yet.
    pub(crate) fn is_to_count(&self) -> bool {
        (self.wants_counts && self.can_count()) || (self.wants_profile && self.unprofiled().is_some())
    }

    /// The points to count; `None` if [`Self::can_count`] is false.
    pub(crate) fn uncounted(&self) -> Option<Uncounted> {
        let result = self.results.result(MachineKind::Browser).filter(|_| self.can_count())?;
        let plan = Plan::new(&self.suite.suite, result.setup.request.clone()).ok()?;
        Some(Uncounted { plan, points: self.results.uncounted() })
    }

    /// The functions of the last measurement in this browser without a profile; `None` without any, and if the measurement is of another build.
    pub(crate) fn unprofiled(&self) -> Option<Unprofiled> {
        let is_current = |result: &&Rc<CellResult>| result.setup.suite.fingerprint == self.suite.card.fingerprint;
        let result = self.results.result(MachineKind::Browser).filter(is_current)?;
        let plan = Plan::new(&self.suite.suite, result.setup.request.clone()).ok()?;
        let paths = plan.request().functions.iter().enumerate();
        let is_missing =
            |(index, path): &(usize, &String)| plan.native_reason(*index).is_none() && result.profile(path).is_none();
        let functions: Vec<usize> = paths.filter(is_missing).map(|(index, _)| index).collect();
        (!functions.is_empty()).then_some(Unprofiled { plan, functions })
    }

    /// The functions of the last measurement whose code is not known; `None` without any. This browser knows the code of its current build only.
    pub(crate) fn unlisted(&self) -> Option<Unlisted> {
        let missing = |result: &Rc<CellResult>| -> Option<(Id, Vec<String>)> {
            let functions = result.setup.request.functions.iter();
            let missing: Vec<String> =
                functions.filter(|function| result.listing(function).is_none()).cloned().collect();
            (!missing.is_empty()).then(|| (result.id.clone(), missing))
        };
        let is_current = |result: &&Rc<CellResult>| result.setup.suite.fingerprint == self.suite.card.fingerprint;
        let here = self.results.result(MachineKind::Browser).filter(is_current).and_then(missing);
        let on_runner = self.results.result(MachineKind::Native).and_then(|result| {
            let (id, functions) = missing(result)?;
            Some((id, functions, build_id(&result.setup.suite.fingerprint).to_owned()))
        });
        let generator = self.results.setup()?.request.generator.clone();
        let is_empty = here.is_none() && on_runner.is_none();
        let suite = self.suite.suite.name.clone();
        (!is_empty).then_some(Unlisted { suite, generator, here, on_runner })
    }

    /// Whether a measurement is in progress or waits for its turn.
    pub(crate) fn is_measuring(&self) -> bool {
        matches!(
            self.status,
            RunStatus::Queued
                | RunStatus::QueuedOnRunner(..)
                | RunStatus::Waiting
                | RunStatus::Measuring
                | RunStatus::Counting { .. }
                | RunStatus::Paused
        )
    }

    /// Applies a change of the user.
    pub(crate) fn edit(&mut self, edit: SetupEdit) {
        match edit {
            SetupEdit::ChooseGenerator(path) => self.choose_generator(&path),
            SetupEdit::Control(action) => {
                self.problems.clear();
                self.controls.apply(&Rc::clone(&self.generator), action);
            }
            SetupEdit::SetOptions(options) => {
                self.problems.clear();
                self.options = options;
            }
            SetupEdit::AddPartner(path) => self.add_partner(&path),
            SetupEdit::AddAlternatives => self.add_alternatives(),
            SetupEdit::RemoveFunction(path) => self.remove_function(&path),
            SetupEdit::FollowBuild(before) => self.follow_build(before.as_deref()),
            SetupEdit::CompareInBuilds(functions) => self.compare_in_builds(&functions),
            SetupEdit::View(action) => {
                if let ViewAction::Metric(metric) = &action {
                    self.wants_counts = **metric == WASM_INSTRUCTIONS;
                }
                if let ViewAction::Tab(tab) = &action {
                    self.wants_profile = *tab == Tab::Profile;
                    self.wants_code = *tab == Tab::Assembly;
                }
                self.view.apply(action);
            }
        }
    }

    /// Applies an event of the measurement.
    pub(crate) fn apply_event(&mut self, event: RunEvent) {
        match event {
            RunEvent::Rejected(problems) => {
                self.problems = problems;
                self.rejections += 1;
            }
            RunEvent::Started(origin) => self.start(*origin),
            RunEvent::Queued if self.is_measuring() => self.status = RunStatus::Queued,
            RunEvent::QueuedOnRunner(ahead, wait_ms) if self.is_measuring() => {
                self.status = RunStatus::QueuedOnRunner(ahead, wait_ms);
            }
            RunEvent::Escalated(origin) => self.results.escalate(*origin),
            // The last one counts: a runner may be lost and come back several times.
            RunEvent::Remarked(remark) => {
                self.remarks.retain(|earlier| *earlier != remark);
                self.remarks.push(remark);
            }
            RunEvent::PriorityStarted(kind, priority, left_ms) if self.is_measuring() => {
                if matches!(self.status, RunStatus::Queued | RunStatus::QueuedOnRunner(..) | RunStatus::Counting { .. })
                {
                    self.status = RunStatus::Waiting;
                }
                self.step = Some(PriorityStep { kind, priority, progress: None, left_ms });
            }
            RunEvent::Paused if self.is_measuring() => self.status = RunStatus::Paused,
            RunEvent::Resumed if self.is_measuring() => {
                let has_begun = self.step.as_ref().is_some_and(|step| step.progress.is_some());
                self.status = if has_begun { RunStatus::Measuring } else { RunStatus::Waiting };
            }
            RunEvent::Queued
            | RunEvent::QueuedOnRunner(..)
            | RunEvent::PriorityStarted(..)
            | RunEvent::Paused
            | RunEvent::Resumed => {}
            RunEvent::Progressed(progress, left_ms) => self.progress(progress, left_ms),
            RunEvent::Measured(kind, priority, points) => self.results.add_points(kind, priority, points),
            RunEvent::PriorityDone(priority) => {
                self.status = if priority == Priority::LAST { RunStatus::Done } else { RunStatus::Measuring };
            }
            RunEvent::Counting { done, total } => {
                (self.wants_counts, self.wants_profile) = (false, false);
                self.status = RunStatus::Counting { done, total };
            }
            RunEvent::Counted(PointCounts { function, x, counts }) => {
                self.results.add_counts(&function, &x, counts);
                if let RunStatus::Counting { done, .. } = &mut self.status {
                    *done += 1;
                }
            }
            RunEvent::Profiled(profile) => self.results.add_profile(profile),
            RunEvent::Listing => (self.wants_code, self.loads_code, self.code_problems) = (false, true, Vec::new()),
            RunEvent::Listed { results, listings, problems } => {
                let is_latest = |id: &Id| self.results.latest.iter().any(|result| result.id == *id);
                if results.iter().all(is_latest) {
                    (self.loads_code, self.code_problems) = (false, problems);
                    listings.into_iter().for_each(|(id, listing)| self.results.add_listing(&id, listing));
                }
            }
            RunEvent::CountingDone => self.status = RunStatus::Done,
            RunEvent::RunnerDone => self.status = RunStatus::Measuring,
            RunEvent::Stopped => {
                (self.wants_counts, self.wants_profile) = (false, false);
                if self.is_measuring() {
                    self.status = RunStatus::Stopped;
                }
            }
            RunEvent::Failed(reason) => self.status = RunStatus::Failed(reason),
        }
    }

    /// Adds or removes an overlay.
    pub(crate) fn apply_overlay(&mut self, action: OverlayAction) {
        match action {
            OverlayAction::Add(id, trace) => self.add_overlay(id, &trace),
            OverlayAction::Remove(index) if index < self.results.overlays.len() => {
                self.results.overlays.remove(index);
            }
            OverlayAction::Remove(_) => {}
        }
    }

    /// Resets the controls to another generator's, and removes the partners that do not accept its workloads.
    pub(crate) fn choose_generator(&mut self, path: &str) {
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
        self.requested = Some(origin.started);
        // The tab is open, so what it shows is wanted.
        self.wants_profile = self.view.tab == Tab::Profile;
        self.wants_code = self.view.tab == Tab::Assembly;
        (self.loads_code, self.code_problems) = (false, Vec::new());
        self.problems.clear();
        self.status = RunStatus::Waiting;
        self.step = None;
        self.remarks.clear();
        let (suite, machine) = (origin.suite.clone(), origin.machine.clone());
        let setup = ResultSetup::new(request, &self.generator, suite, machine, METHOD);
        // The visible part of one plot does not apply to another.
        let is_other_plane = self.results.setup().is_some_and(|before| !before.has_same_plane(&setup));
        if is_other_plane && !self.is_zoom_from_link {
            self.view.zoom = None;
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
