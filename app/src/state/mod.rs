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
use benchbook::response::SuiteCard;
use benchbook::sample::clock_card::ClockCard;
use yew::Reducible;

use cell::{Cell, CellAction};
use notebook::Notebook;

/// All that the page shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// What `notebook.json` says; absent until it is read.
    pub(crate) notebook: Option<Rc<Notebook>>,
    /// The suites, in the order of the notebook.
    pub(crate) suites: Vec<Rc<LoadedSuite>>,
    /// How many suites of the notebook were loaded, or could not be.
    settled: usize,
    /// What could not be loaded, one sentence each.
    pub(crate) problems: Vec<String>,
    /// What the list of functions is searched for.
    pub(crate) search: String,
    /// The function that was chosen, if any.
    pub(crate) cell: Option<Cell>,
}

/// Which suite of the page: its place in the notebook. Names will not do, since two files may hold suites of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SuiteId(pub(crate) usize);

/// A suite that is ready to be measured.
#[derive(Clone, Debug)]
pub(crate) struct LoadedSuite {
    /// Which.
    pub(crate) id: SuiteId,
    /// What it says of itself.
    pub(crate) suite: Suite,
    /// Which it is, exactly.
    pub(crate) card: SuiteCard,
    /// The clock of its worker.
    pub(crate) clock: ClockCard,
}

impl PartialEq for LoadedSuite {
    /// One place and one binary make one suite: its catalog need not be compared.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.card.fingerprint == other.card.fingerprint
    }
}

/// What happens to the page.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// `notebook.json` was read.
    NotebookRead(Notebook),
    /// `notebook.json` could not be read; a sentence that says what to do.
    NotebookFailed(String),
    /// A suite described itself.
    SuiteLoaded(LoadedSuite),
    /// A suite could not be loaded; a sentence that says what to do.
    SuiteFailed(String),
    /// The list of functions is searched.
    Search(String),
    /// A function is chosen: suite, path.
    Choose(SuiteId, String),
    /// Something happens to the cell.
    Cell(CellAction),
}

impl State {
    /// Whether suites are still to come.
    pub(crate) fn is_loading(&self) -> bool {
        self.notebook.as_ref().map_or(self.problems.is_empty(), |notebook| self.settled < notebook.suites.len())
    }

    /// The clock of the chosen function's suite, or of the first suite.
    pub(crate) fn clock(&self) -> Option<ClockCard> {
        let chosen = self.cell.as_ref().map(|cell| &cell.suite);
        chosen.or(self.suites.first()).map(|suite| suite.clock)
    }

    fn apply(&mut self, action: Action) {
        match action {
            Action::NotebookRead(notebook) => self.notebook = Some(Rc::new(notebook)),
            Action::NotebookFailed(problem) => self.problems.push(problem),
            Action::SuiteLoaded(suite) => {
                self.settled += 1;
                self.add_suite(suite);
            }
            Action::SuiteFailed(problem) => {
                self.settled += 1;
                self.problems.push(problem);
            }
            Action::Search(search) => self.search = search,
            Action::Choose(suite, path) => self.choose(suite, &path),
            Action::Cell(action) => {
                if let Some(cell) = &mut self.cell {
                    cell.apply(action);
                }
            }
        }
    }

    /// Suites come in any order, and stand in that of the notebook. Of two with one name the first there is shown.
    fn add_suite(&mut self, suite: LoadedSuite) {
        let (id, name) = (suite.id, suite.suite.name.clone());
        let same_name = self.suites.iter().position(|other| other.suite.name == name);
        if let Some(index) = same_name {
            self.problems
                .push(format!("Two suites of this notebook are called “{name}”: only the first of them is shown."));
            if self.suites[index].id < id {
                return;
            }
            self.suites.remove(index);
        }
        let index = self.suites.partition_point(|other| other.id < id);
        self.suites.insert(index, Rc::new(suite));
    }

    fn choose(&mut self, suite: SuiteId, path: &str) {
        let suite = self.suites.iter().find(|loaded| loaded.id == suite);
        if let Some(cell) = suite.and_then(|loaded| Cell::new(loaded, path)) {
            self.cell = Some(cell);
        }
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
