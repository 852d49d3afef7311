//! The state of the page: plain data and one reducer, without the DOM.

pub(crate) mod aim;
pub(crate) mod archive;
pub(crate) mod cell;
pub(crate) mod compare;
pub(crate) mod controls;
pub(crate) mod curve;
pub(crate) mod notebook;
pub(crate) mod opening;
pub(crate) mod presentation;
pub(crate) mod remaining;
pub(crate) mod runner;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod trace;
pub(crate) mod typed;
pub(crate) mod versus;

use std::rc::Rc;

use benchbook_contract::catalog::Suite;
use benchbook_host::response::SuiteCard;
use benchbook_host::sample::clock_card::ClockCard;
use yew::Reducible;

use archive::{Archive, ArchiveAction};
use cell::{Cell, CellAction, CellId};
use notebook::Notebook;
use runner::{Runner, RunnerAction};
use trace::Trace;

use crate::share::link::Link;

/// All that the page shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// What `notebook.json` says; absent until it is read.
    pub(crate) notebook: Option<Rc<Notebook>>,
    /// What is known of the runner.
    pub(crate) runner: Runner,
    /// The suites, in the order of the notebook.
    pub(crate) suites: Vec<Rc<LoadedSuite>>,
    /// How many suites of the notebook were loaded, or could not be.
    settled: usize,
    /// What could not be loaded, one sentence each.
    pub(crate) problems: Vec<String>,
    /// What the list of functions is searched for.
    pub(crate) search: String,
    /// A cell for each function that was chosen so far, the one shown or measured last at the end; what was set and
    /// measured in one stays while another is shown.
    cells: Vec<Rc<Cell>>,
    /// What of the runner's archive is shown; absent: a cell, or the start.
    pub(crate) archive: Option<Archive>,
    /// The cell that is shown; absent: the start.
    chosen: Option<CellId>,
    /// What was measured before the last measurement of its cell, the newest last.
    earlier: Vec<Trace>,
    /// How many times the page followed its address.
    pub(crate) followed: u32,
    /// A link that waits for its suite.
    pending: Option<Link>,
    /// What the last link says that cannot be, one sentence each.
    pub(crate) link_problems: Vec<String>,
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
    /// A function is chosen.
    Choose(CellId),
    /// The page follows its address: to a link, or to the start.
    Follow(Option<Link>),
    /// What a link says is shown.
    Open(Link),
    /// The start is shown.
    Home,
    /// Something happens to the runner.
    Runner(RunnerAction),
    /// Something happens in the archive.
    Archive(ArchiveAction),
    /// Something happens to a cell.
    Cell(CellId, CellAction),
}

impl State {
    /// Whether suites are still to come.
    pub(crate) fn is_loading(&self) -> bool {
        self.notebook.as_ref().map_or(self.problems.is_empty(), |notebook| self.settled < notebook.suites.len())
    }

    /// The clock of the chosen function's suite, or of the first suite.
    pub(crate) fn clock(&self) -> Option<ClockCard> {
        let chosen = self.cell().map(|cell| &cell.suite);
        chosen.or(self.suites.first()).map(|suite| suite.clock)
    }

    /// The cell that is shown.
    pub(crate) fn cell(&self) -> Option<&Rc<Cell>> {
        let chosen = self.chosen.as_ref()?;
        self.cells.iter().find(|cell| cell.is(chosen))
    }

    /// Whether the shown cell can be measured: what is native needs a runner.
    pub(crate) fn can_measure(&self) -> bool {
        let is_possible =
            |cell: &Rc<Cell>| cell.native_part().is_none() || self.runner.ready_for(&cell.suite).is_some();
        self.cell().is_some_and(is_possible)
    }

    /// The cell that is being measured; at most one is.
    pub(crate) fn measuring(&self) -> Option<&Rc<Cell>> {
        self.cells.iter().find(|cell| cell.is_measuring())
    }

    fn apply(&mut self, action: Action) {
        match action {
            Action::NotebookRead(notebook) => {
                self.notebook = Some(Rc::new(notebook));
                self.open_pending();
            }
            Action::NotebookFailed(problem) => {
                self.problems.push(problem);
                self.open_pending();
            }
            Action::SuiteLoaded(suite) => {
                self.settled += 1;
                self.add_suite(suite);
                self.open_pending();
            }
            Action::SuiteFailed(problem) => {
                self.settled += 1;
                self.problems.push(problem);
                self.open_pending();
            }
            Action::Search(search) => self.search = search,
            Action::Choose(id) => {
                self.forget_link();
                self.choose(&id);
            }
            Action::Follow(link) => {
                self.followed += 1;
                match link {
                    Some(link) => self.open(link),
                    None => self.go_home(),
                }
            }
            Action::Open(link) => self.open(link),
            Action::Home => self.go_home(),
            Action::Runner(action) => {
                if let Some(archive) = &mut self.archive {
                    archive.hear(&action);
                }
                self.runner.apply(action);
            }
            Action::Archive(action) => {
                if let Some(archive) = &mut self.archive {
                    archive.apply(action, &self.suites);
                }
            }
            Action::Cell(id, action) => self.act_on_cell(&id, action),
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

    fn go_home(&mut self) {
        self.forget_link();
        self.chosen = None;
    }

    /// Whoever goes elsewhere does not wait for a link any more.
    fn forget_link(&mut self) {
        self.pending = None;
        self.archive = None;
        self.link_problems.clear();
    }

    /// Shows the cell of a function; where there is no such function, what was shown stays.
    fn choose(&mut self, id: &CellId) {
        if self.cell_mut(id).is_none() {
            let suite = self.suites.iter().find(|loaded| loaded.id == id.suite);
            let Some(cell) = suite.and_then(|loaded| Cell::new(loaded, &id.path)) else { return };
            self.cells.push(Rc::new(cell));
        }
        self.bring_up(id);
        self.chosen = Some(id.clone());
    }

    fn act_on_cell(&mut self, id: &CellId, action: CellAction) {
        let starts = matches!(action, CellAction::Started(_));
        if starts {
            self.make_way_for(id);
        }
        if let Some(cell) = self.cell_mut(id) {
            cell.apply(action);
        }
        if starts {
            self.bring_up(id);
            self.forget_oldest();
        }
    }

    /// One measurement at a time: another cell's ends here, and what this one measured before is kept.
    fn make_way_for(&mut self, id: &CellId) {
        for cell in self.cells.iter_mut().filter(|cell| cell.is_measuring()) {
            Rc::make_mut(cell).apply(CellAction::Stopped);
        }
        let replaced = self.cell_mut(id).map(|cell| cell.traces.clone()).unwrap_or_default();
        self.keep_earlier(&replaced);
    }

    fn cell_mut(&mut self, id: &CellId) -> Option<&mut Cell> {
        self.cells.iter_mut().find(|cell| cell.is(id)).map(Rc::make_mut)
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
