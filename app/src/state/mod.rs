//! The state of the page: plain data and one reducer, without the DOM.

pub(crate) mod cell;
pub(crate) mod controls;
pub(crate) mod curve;
pub(crate) mod notebook;
#[cfg(test)]
mod tests;
pub(crate) mod typed;

use std::rc::Rc;

use benchbook::catalog::Suite;
use benchbook::quality::Priority;
use benchbook::request::Problem;
use benchbook::response::{Machine, Point, Response, SuiteCard};
use benchbook::sample::clock_card::ClockCard;
use benchbook::sample::measurement::Progress;
use yew::Reducible;

use cell::{Cell, Run};
use controls::ControlAction;
use notebook::Notebook;

/// All that the page shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// What `notebook.json` says; absent until it is read.
    pub(crate) notebook: Option<Rc<Notebook>>,
    /// The suites, in the order of the notebook.
    pub(crate) suites: Vec<Rc<LoadedSuite>>,
    /// What could not be loaded, one sentence each.
    pub(crate) problems: Vec<String>,
    /// What the list of functions is searched for.
    pub(crate) search: String,
    /// This browser's clock, once it was measured, and whether the page is isolated.
    pub(crate) clock: Option<(ClockCard, bool)>,
    /// The function that was chosen, if any.
    pub(crate) cell: Option<Cell>,
}

/// A suite that is ready to be measured.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LoadedSuite {
    /// What it says of itself.
    pub(crate) suite: Suite,
    /// Which it is, exactly.
    pub(crate) card: SuiteCard,
}

/// What happens to the page.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// `notebook.json` was read.
    NotebookRead(Notebook),
    /// A suite described itself.
    SuiteLoaded(LoadedSuite),
    /// Something could not be loaded; a sentence that says what to do.
    LoadingFailed(String),
    /// The clock was measured; whether the page is isolated.
    ClockMeasured(ClockCard, bool),
    /// The list of functions is searched.
    Search(String),
    /// A function is chosen: suite, path.
    Choose(String, String),
    /// A generator is chosen for the cell.
    ChooseGenerator(String),
    /// A control of the cell is set.
    Control(ControlAction),
    /// Measure was pressed, and the request is valid.
    Started(Machine),
    /// The request is not valid.
    Refused(Vec<Problem>),
    /// A priority begins.
    Priority(Priority),
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

impl State {
    /// The loaded suite called `name`.
    pub(crate) fn suite(&self, name: &str) -> Option<&Rc<LoadedSuite>> {
        self.suites.iter().find(|loaded| loaded.suite.name == name)
    }

    fn apply(&mut self, action: Action) {
        match action {
            Action::NotebookRead(notebook) => self.notebook = Some(Rc::new(notebook)),
            Action::SuiteLoaded(suite) => self.add_suite(suite),
            Action::LoadingFailed(problem) => self.problems.push(problem),
            Action::ClockMeasured(clock, isolated) => self.clock = Some((clock, isolated)),
            Action::Search(search) => self.search = search,
            Action::Choose(suite, path) => self.choose(&suite, &path),
            other => {
                if let Some(cell) = &mut self.cell {
                    cell.apply(other);
                }
            }
        }
    }

    fn add_suite(&mut self, suite: LoadedSuite) {
        let name = suite.suite.name.clone();
        match self.suites.iter().any(|loaded| loaded.suite.name == name) {
            true => self.problems.push(format!("Two suites are called “{name}”: only the first is shown.")),
            false => self.suites.push(Rc::new(suite)),
        }
    }

    fn choose(&mut self, suite: &str, path: &str) {
        if let Some(cell) = self.suite(suite).and_then(|loaded| Cell::new(loaded, path)) {
            self.cell = Some(cell);
        }
    }

    /// Whether something is being measured.
    pub(crate) fn is_measuring(&self) -> bool {
        self.cell.as_ref().is_some_and(|cell| matches!(cell.run, Run::Waiting | Run::Measuring { .. }))
    }
}

impl Reducible for State {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let mut next = Rc::unwrap_or_clone(self);
        next.apply(action);
        Rc::new(next)
    }
}
