//! The page's state and its reducer.

use std::rc::Rc;

use benchbook_host::sample::clock_card::ClockCard;
use yew::Reducible;

use super::archive::{Archive, ArchiveAction};
use super::cell::{CellAction, CellId, LiveCell};
use super::loaded_suite::LoadedSuite;
use super::runner::{RunnerAction, RunnerState};
use super::self_test::{SelfTestAction, SelfTestState};
use super::site_config::SiteConfig;
use crate::share::link::Link;
use benchbook_notebook::trace::Trace;

/// The state of the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// The site configuration; `None` until it is loaded.
    pub(crate) site_config: Option<Rc<SiteConfig>>,
    /// The runner and its connection.
    pub(crate) runner: RunnerState,
    /// The loaded suites, in the order of the site configuration.
    pub(crate) suites: Vec<Rc<LoadedSuite>>,
    /// The number of suites that were loaded or failed to load.
    finished_loads: usize,
    /// One sentence for each loading failure.
    pub(crate) problems: Vec<String>,
    /// The search text of the function list.
    pub(crate) search: String,
    /// The cells of all functions chosen so far; the one that was shown or measured last is at the end. A cell retains
    /// its settings and results while another one is shown.
    pub(super) cells: Vec<Rc<LiveCell>>,
    /// The part of the runner's archive that is shown; `None` if a cell or the start is shown.
    pub(crate) archive: Option<Archive>,
    /// The self-test of this browser.
    pub(crate) self_test: SelfTestState,
    /// Whether the self-test is shown.
    pub(crate) is_self_test_shown: bool,
    /// The cell that is shown; `None` at the start.
    pub(super) chosen: Option<CellId>,
    /// Traces that newer measurements of their cells replaced, newest last.
    pub(super) earlier: Vec<Trace>,
    /// The number of times that the page followed its address.
    pub(crate) followed: u32,
    /// A link whose suite is not loaded yet.
    pub(super) pending: Option<Link>,
    /// One sentence for each invalid part of the last link.
    pub(crate) link_problems: Vec<String>,
}

/// An event on the page.
#[derive(Clone, Debug)]
pub(crate) enum PageAction {
    /// The site configuration was loaded.
    SiteConfigLoaded(SiteConfig),
    /// The site configuration could not be loaded; a sentence with the remedy.
    SiteConfigFailed(String),
    /// A suite was loaded.
    SuiteLoaded(LoadedSuite),
    /// A suite could not be loaded; a sentence with the remedy.
    SuiteFailed(String),
    /// The search text of the function list changed.
    Search(String),
    /// The user chose a function.
    Choose(CellId),
    /// The address changed to a link, or to the start.
    Follow(Option<Link>),
    /// Opens a link.
    Open(Link),
    /// Shows the start.
    Home,
    /// An event of the runner.
    Runner(RunnerAction),
    /// An event in the archive.
    Archive(ArchiveAction),
    /// An event of the self-test.
    SelfTest(SelfTestAction),
    /// An event of a cell.
    Cell(CellId, CellAction),
}

impl State {
    /// Whether suites are still loading.
    pub(crate) fn is_loading(&self) -> bool {
        self.site_config.as_ref().map_or(self.problems.is_empty(), |config| self.finished_loads < config.suites.len())
    }

    /// The clock of the chosen function's suite, or of the first suite.
    pub(crate) fn clock(&self) -> Option<ClockCard> {
        let chosen = self.cell().map(|cell| &cell.suite);
        chosen.or(self.suites.first()).map(|suite| suite.clock)
    }

    /// The cell that is shown.
    pub(crate) fn cell(&self) -> Option<&Rc<LiveCell>> {
        let chosen = self.chosen.as_ref()?;
        self.cells.iter().find(|cell| cell.has_id(chosen))
    }

    /// Whether the shown cell can be measured; a native function or generator requires a runner.
    pub(crate) fn can_measure(&self) -> bool {
        let is_possible =
            |cell: &Rc<LiveCell>| cell.native_part().is_none() || self.runner.endpoint_for(&cell.suite).is_some();
        self.cell().is_some_and(is_possible)
    }

    /// The cell with a measurement in progress; there is at most one.
    pub(crate) fn measuring(&self) -> Option<&Rc<LiveCell>> {
        self.cells.iter().find(|cell| cell.is_measuring())
    }

    fn apply(&mut self, action: PageAction) {
        match action {
            PageAction::SiteConfigLoaded(config) => {
                self.site_config = Some(Rc::new(config));
                self.open_pending();
            }
            PageAction::SiteConfigFailed(problem) => {
                self.problems.push(problem);
                self.open_pending();
            }
            PageAction::SuiteLoaded(suite) => {
                self.finished_loads += 1;
                self.add_suite(suite);
                self.open_pending();
            }
            PageAction::SuiteFailed(problem) => {
                self.finished_loads += 1;
                self.problems.push(problem);
                self.open_pending();
            }
            PageAction::Search(search) => self.search = search,
            PageAction::Choose(id) => {
                self.forget_link();
                self.choose(&id);
            }
            PageAction::Follow(link) => {
                self.followed += 1;
                match link {
                    Some(link) => self.open(link),
                    None => self.go_home(),
                }
            }
            PageAction::Open(link) => self.open(link),
            PageAction::Home => self.go_home(),
            PageAction::Runner(action) => {
                if let Some(archive) = &mut self.archive {
                    archive.reload_after(&action);
                }
                self.runner.apply(action);
            }
            PageAction::Archive(action) => {
                if let Some(archive) = &mut self.archive {
                    archive.apply(action, &self.suites);
                }
            }
            PageAction::SelfTest(action) => {
                if matches!(action, SelfTestAction::Started) {
                    self.stop_cells();
                }
                self.self_test.apply(action);
            }
            PageAction::Cell(id, action) => self.apply_to_cell(&id, action),
        }
    }

    /// Inserts a suite in the order of the site configuration, regardless of the order in which suites are loaded. Of
    /// two suites with the same name, only the first is shown.
    fn add_suite(&mut self, suite: LoadedSuite) {
        let (id, name) = (suite.id, suite.suite.name.clone());
        let same_name = self.suites.iter().position(|other| other.suite.name == name);
        if let Some(index) = same_name {
            self.problems.push(format!("Two suites are named “{name}”. Only the first one is shown."));
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

    /// Drops the pending link, the archive, the self-test and the link's problems, since the user has chosen something else.
    pub(super) fn forget_link(&mut self) {
        self.pending = None;
        self.archive = None;
        self.is_self_test_shown = false;
        self.link_problems.clear();
    }

    /// Shows the cell of a function; without such a function, the page stays as it is.
    pub(super) fn choose(&mut self, id: &CellId) {
        if self.cell_mut(id).is_none() {
            let suite = self.suites.iter().find(|loaded| loaded.id == id.suite);
            let Some(cell) = suite.and_then(|loaded| LiveCell::new(loaded, &id.path)) else { return };
            self.cells.push(Rc::new(cell));
        }
        self.move_to_end(id);
        self.chosen = Some(id.clone());
    }

    fn apply_to_cell(&mut self, id: &CellId, action: CellAction) {
        let is_start = matches!(action, CellAction::Started(_));
        if is_start {
            self.prepare_measurement(id);
        }
        if let Some(cell) = self.cell_mut(id) {
            cell.apply(action);
        }
        if is_start {
            self.move_to_end(id);
            self.drop_oldest_results();
        }
    }

    /// Stops the measurement of another cell, or the self-test, and retains this cell's previous results: one measurement runs at a time.
    fn prepare_measurement(&mut self, id: &CellId) {
        self.stop_cells();
        self.self_test.apply(SelfTestAction::Stopped);
        let replaced = self.cell_mut(id).map(|cell| cell.results.traces()).unwrap_or_default();
        self.retain_earlier(&replaced);
    }

    fn stop_cells(&mut self) {
        for cell in self.cells.iter_mut().filter(|cell| cell.is_measuring()) {
            Rc::make_mut(cell).apply(CellAction::Stopped);
        }
    }

    pub(super) fn cell_mut(&mut self, id: &CellId) -> Option<&mut LiveCell> {
        self.cells.iter_mut().find(|cell| cell.has_id(id)).map(Rc::make_mut)
    }
}

impl Reducible for State {
    type Action = PageAction;

    fn reduce(self: Rc<Self>, action: PageAction) -> Rc<Self> {
        let mut next = Rc::unwrap_or_clone(self);
        next.apply(action);
        Rc::new(next)
    }
}
