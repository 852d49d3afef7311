//! The state of the page: plain data and one reducer, without the DOM.

pub(crate) mod cell;
pub(crate) mod machines;
pub(crate) mod notebook;
pub(crate) mod page_address;
pub(crate) mod self_test;
pub(crate) mod site_config;
pub(crate) mod suites;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use benchbook_host::api::{HistoryFunction, NotebookList};
use benchbook_host::history::CheckedMetric;
use benchbook_host::response::{ClockCard, Machine};
use benchbook_notebook::cell::Cell;
use benchbook_notebook::id::Id;
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::trace::Trace;
use yew::Reducible;

use crate::address::link::Link;
use crate::address::{Address, FileAddress, HistoryAddress, WrittenArguments};
use crate::state::cell::action::{CellAction, RunEvent, SetupEdit};
use crate::state::cell::staleness::{is_complete_on_runner, measure_label, staleness};
use crate::state::machines::archive::{Archive, ArchiveAction};
use crate::state::machines::browser_identity::BrowserIdentity;
use crate::state::machines::function_history::{FunctionHistory, HistoryAction};
use crate::state::machines::runner::{RunnerAction, RunnerState};
use crate::state::notebook::id_source::IdSource;
use crate::state::notebook::library::{Library, StorageAction};
use crate::state::notebook::opened_document::OpenedDocument;
use crate::state::notebook::saving::Saving;
use crate::state::suites::article_suites::ArticleSuites;
use crate::state::suites::loaded_suite::{FunctionId, LoadedSuite, SuiteId};
use crate::state::suites::own_suites::{OwnSuiteAction, OwnSuites};
use crate::state::suites::rebuilding::Rebuilding;
use cell::{CellId, LiveCell};
use notebook::{NotebookAction, OpenNotebook};
use self_test::{SelfTestAction, SelfTestState};
use site_config::SiteConfig;

/// The state of the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// The site configuration; `None` until it is loaded.
    pub(crate) site_config: Option<Rc<SiteConfig>>,
    /// The runner and its connection.
    pub(crate) runner: RunnerState,
    /// The builds of suites that follow their sources.
    pub(crate) rebuilding: Rebuilding,
    /// The suites that are shown, in order.
    pub(crate) suites: Vec<Rc<LoadedSuite>>,
    /// The loaded suites that are not shown, because the user opened another suite of the same name.
    pub(super) replaced_suites: Vec<Rc<LoadedSuite>>,
    /// The suites that the user opened.
    pub(crate) own_suites: OwnSuites,
    /// The number of suites of the site that were loaded or failed to load.
    finished_loads: usize,
    /// One sentence for each loading failure, except those of suites.
    pub(crate) problems: Vec<String>,
    /// The suites of the site that cannot be loaded, in the order of the site configuration.
    pub(crate) failed_suites: BTreeMap<SuiteId, String>,
    /// The search text of the function list.
    pub(crate) search: String,
    /// The notebooks that were opened in this tab.
    pub(super) notebooks: Vec<OpenNotebook>,
    /// What is shown.
    pub(crate) shown: Shown,
    /// The cells that are measured after the current measurement, in order.
    pub(crate) queue: VecDeque<CellId>,
    /// The notebooks in this browser.
    pub(crate) library: Library,
    /// The notebook files that the runner offers.
    pub(crate) runner_notebooks: NotebookList,
    /// The functions of which the runner has accepted results.
    pub(crate) history_functions: Vec<HistoryFunction>,
    /// The functions of which the site has accepted results; `None` until they are loaded.
    pub(crate) site_history: Option<Vec<HistoryFunction>>,
    /// The self-test of this browser.
    pub(crate) self_test: SelfTestState,
    /// Traces that newer measurements of their cells replaced, newest last.
    pub(super) earlier: Vec<Trace>,
    /// The number of times that the page followed its address.
    pub(crate) followed: u32,
    /// A link whose suite or whose notebook is not loaded yet.
    pub(super) pending: Option<Link>,
    /// A document from a link or a file that the storage may have already.
    pub(super) opened: Option<OpenedDocument>,
    /// The notebook of a link that this browser does not have.
    pub(super) missing: Option<Id>,
    /// One sentence for each invalid part of the last link.
    pub(crate) link_problems: Vec<String>,
    /// New identifiers.
    pub(super) ids: IdSource,
    /// This browser as a machine; `None` on a standalone page, which measures nothing.
    pub(super) browser: Option<BrowserIdentity>,
    /// Whether this is a standalone page: it has one notebook, and neither suites, storage nor an address.
    pub(crate) is_standalone: bool,
    /// Whether this page is a frame of another page, which shows one cell and stores nothing.
    pub(crate) is_embedded: bool,
}

/// What the page shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Shown {
    /// The examples and the lists of notebooks.
    #[default]
    Start,
    /// An open notebook.
    Notebook(Id),
    /// A part of the runner's archive.
    Archive(Archive),
    /// The history of a function.
    History(FunctionHistory),
    /// The self-test of this browser.
    SelfTest,
}

/// An event on the page.
#[derive(Clone, Debug)]
pub(crate) enum PageAction {
    /// The site configuration was loaded.
    SiteConfigLoaded(SiteConfig),
    /// The file with the digests of the site's notebooks was loaded; empty if it could not be.
    DigestsLoaded(Vec<u8>),
    /// The site configuration could not be loaded; a sentence that says what to do.
    SiteConfigFailed(String),
    /// A suite was loaded.
    SuiteLoaded(LoadedSuite),
    /// A suite of the site could not be loaded; a sentence that says what to do.
    SuiteFailed(SuiteId, String),
    /// The site configuration was loaded again, since the runner has built the suites.
    SiteConfigReloaded(SiteConfig),
    /// A suite was loaded again: its new build, or `None` if it has not changed, or a sentence that says what to do.
    SuiteReloaded(SuiteId, Result<Option<LoadedSuite>, String>),
    /// An event of the user's suites.
    OwnSuites(OwnSuiteAction),
    /// The user chose whether the current cell is measured again after each build.
    MeasureAfterBuilds(bool),
    /// The user compares the current cell's function with the same function in the previous build.
    CompareBuilds,
    /// The user compares a cell's function in two builds, by their identifiers: the first against the second.
    CompareTwoBuilds(CellId, [String; 2]),
    /// The search text of the function list changed.
    Search(String),
    /// The user chose a function. It replaces the function of the current cell, unless the cell has results.
    Choose(FunctionId),
    /// The user added a cell with a function.
    Add(FunctionId),
    /// The user added a cell that compares a function with its alternatives.
    AddGroup(FunctionId),
    /// The address changed to a link, or to the start.
    Follow(Option<Link>),
    /// Opens a link.
    Open(Link),
    /// The user opened a file, or tried to; a sentence that says what to do.
    OpenDocument(Result<Notebook, String>),
    /// Opens a new notebook without cells.
    New,
    /// Shows the start.
    Home,
    /// Measures all cells of the notebook in order.
    MeasureAll,
    /// The user stopped everything.
    StopAll,
    /// An event of the runner.
    Runner(RunnerAction),
    /// The runner listed its notebook files; `None` if it has no such list.
    RunnerNotebooks(Option<NotebookList>),
    /// A notebook file was loaded, or could not be; a sentence that says what to do.
    FileLoaded(FileAddress, Result<Notebook, String>),
    /// The user added the results of readers to the notebook that is shown: their files, and one sentence for each that is damaged.
    AddReaderResults(Vec<Notebook>, Vec<String>),
    /// The user edits a copy of the notebook that is shown.
    EditCopy,
    /// An event in the archive.
    Archive(ArchiveAction),
    /// An event in a history.
    History(HistoryAction),
    /// The functions that have accepted results were loaded.
    HistoryFunctions(Vec<HistoryFunction>),
    /// The site listed the functions of its accepted results, or a sentence with the error.
    SiteHistory(Result<Vec<HistoryFunction>, String>),
    /// An event of the self-test.
    SelfTest(SelfTestAction),
    /// An event of the storage.
    Storage(StorageAction),
    /// A change of the notebook that is shown.
    Notebook(NotebookAction),
    /// An event of a cell.
    Cell(CellId, CellAction),
}

impl State {
    /// The state of a new page. `seed`: a random number; `browser`: this browser as a machine.
    pub(crate) fn new(seed: u64, browser: BrowserIdentity) -> Self {
        Self { ids: IdSource::new(seed), browser: Some(browser), ..Self::default() }
    }

    /// The state of a page in a frame.
    pub(crate) fn embedded(seed: u64, browser: BrowserIdentity) -> Self {
        Self { is_embedded: true, own_suites: OwnSuites::of_standalone_page(), ..Self::new(seed, browser) }
    }

    /// The state of a standalone page with a notebook, or with a sentence if it is damaged.
    pub(crate) fn standalone(content: Result<Notebook, String>) -> Self {
        let config = SiteConfig { suites: Vec::new(), ..SiteConfig::default() };
        let own_suites = OwnSuites::of_standalone_page();
        let site_config = Some(Rc::new(config));
        let mut state = Self { is_standalone: true, site_config, own_suites, ..Self::default() };
        match content {
            Ok(document) => {
                let id = state.ids.next();
                state.show(OpenNotebook::of_file(id, FileAddress::Site(String::new()), document, &[]));
            }
            Err(problem) => state.problems.push(problem),
        }
        state
    }

    /// Whether a machine is this browser.
    pub(crate) fn is_this_browser(&self, machine: &Machine) -> bool {
        self.browser.as_ref().is_some_and(|browser| browser.is_own(machine))
    }

    /// The fragment of the link that shows a cell in a frame of another page. A frame reads no storage, so it can show cells of files of
    /// the site with their results, and others with their settings only. `None` for text, in a frame, and for a suite that other pages
    /// cannot load.
    fn embed_link(&self, notebook: &OpenNotebook, cell: &Cell) -> Option<String> {
        cell.measurement().filter(|_| !self.is_embedded && !self.is_standalone)?;
        match &notebook.file {
            Some(file @ FileAddress::Site(_)) => {
                Some(Address::File { file: file.clone(), cell: Some(cell.id.clone()) }.link())
            }
            Some(FileAddress::Runner(_)) => None,
            None => {
                let live = notebook.live(&cell.id)?;
                matches!(live.suite.id, SuiteId::Site(_)).then(|| Address::of_setup(live.setup()).link())
            }
        }
    }

    /// The link that shows the current cell in a frame, or else the first cell with such a link, and the name of the cell.
    pub(crate) fn embeddable_cell(&self) -> Option<(String, String)> {
        let notebook = self.notebook()?;
        let current = notebook.current.as_ref().and_then(|current| notebook.document.cell(current));
        let mut cells = current.into_iter().chain(&notebook.document.cells);
        cells.find_map(|cell| Some((self.embed_link(notebook, cell)?, cell.name())))
    }

    /// The suites that an article of the shown notebook contains.
    ///
    /// # Errors
    /// A sentence if the notebook has no measurement, or if the site does not offer one of its suites.
    pub(crate) fn article_suites(&self) -> Result<ArticleSuites, String> {
        let names = self.notebook().map(|notebook| notebook.document.measured_suites()).unwrap_or_default();
        if names.is_empty() {
            return Err("The notebook has no measurement. Share it as a page instead.".to_owned());
        }
        let address = |name: &str| {
            let suite = self.suites.iter().find(|loaded| loaded.suite.name == name);
            let index = suite.and_then(|loaded| if let SuiteId::Site(index) = loaded.id { Some(index) } else { None });
            let address = self.site_config.as_ref().zip(index).and_then(|(config, index)| config.suites.get(index));
            address.cloned().ok_or_else(|| {
                format!("The suite {name} is not part of this site. Publish the notebook with `cargo benchbook publish` in its workspace.")
            })
        };
        let addresses = names.iter().map(|name| address(name)).collect::<Result<_, _>>()?;
        let all_sources = self.site_config.as_ref().map(|config| config.sources.clone()).unwrap_or_default();
        let sources = all_sources.into_iter().filter(|(name, _)| names.contains(name.as_str())).collect();
        let commits = self.site_config.as_ref().map(|config| config.commits.clone()).unwrap_or_default();
        Ok(ArticleSuites { addresses, sources, commits })
    }

    /// The address of the source of a cell's function at its commit, if the site names it.
    pub(crate) fn source_address(&self, cell: &LiveCell) -> Option<String> {
        let config = self.site_config.as_ref().filter(|_| matches!(cell.suite.id, SuiteId::Site(_)))?;
        let folder = config.sources.get(&cell.suite.suite.name)?;
        // Files of dependencies are elsewhere.
        let file = cell.function.file.replace('\\', "/");
        let is_inside = !file.starts_with('/') && !file.contains(':') && file.split('/').all(|part| part != "..");
        is_inside.then(|| format!("{folder}{file}#L{}", cell.function.line))
    }

    /// Why the results of a cell are stale; `None` if they are current.
    pub(crate) fn staleness(&self, cell: &LiveCell) -> Option<String> {
        staleness(cell, self.browser.as_ref()?, &self.runner)
    }

    /// The label of the button that measures a cell.
    pub(crate) fn measure_label(&self, cell: &LiveCell) -> &'static str {
        measure_label(cell, self.browser.as_ref(), &self.runner)
    }

    /// Whether the runner has completed the cell's current settings at the last priority.
    pub(crate) fn is_complete_on_runner(&self, cell: &LiveCell) -> bool {
        is_complete_on_runner(cell, &self.runner)
    }

    /// Whether suites are still loading, or are being built for the first time.
    pub(crate) fn is_loading(&self) -> bool {
        let first_build = self.suites.is_empty() && self.rebuilding.is_building();
        first_build || self.is_site_loading() || self.own_suites.is_loading()
    }

    /// Whether everything on the start view is there: suites, the answers of the site's notebooks, and the user's notebooks.
    pub(crate) fn is_start_complete(&self) -> bool {
        let waits_for_answers = self.site_config.as_ref().is_some_and(|config| config.digests.is_some());
        !self.is_start_loading() && !waits_for_answers && self.library.opened.is_some()
    }

    /// Whether the start view waits for suites: for those of the site, or for any at all.
    pub(crate) fn is_start_loading(&self) -> bool {
        if self.suites.is_empty() { self.is_loading() } else { self.is_site_loading() }
    }

    /// Whether suites of the site are still loading.
    fn is_site_loading(&self) -> bool {
        let config = self.site_config.as_ref();
        config.map_or(self.problems.is_empty(), |config| self.finished_loads < config.suites.len())
    }

    /// The clock of the suite of the current cell, or of the first suite.
    pub(crate) fn clock(&self) -> Option<ClockCard> {
        let chosen = self.cell().map(|cell| &cell.suite);
        chosen.into_iter().chain(&self.suites).find_map(|suite| suite.clock)
    }

    /// The identifier of the notebook that is shown.
    fn shown_notebook(&self) -> Option<&Id> {
        if let Shown::Notebook(id) = &self.shown { Some(id) } else { None }
    }

    /// The history that is shown.
    pub(crate) fn history(&self) -> Option<&FunctionHistory> {
        if let Shown::History(history) = &self.shown { Some(history) } else { None }
    }

    /// The notebook that is shown.
    pub(crate) fn notebook(&self) -> Option<&OpenNotebook> {
        self.open_notebook(self.shown_notebook()?)
    }

    /// An open notebook.
    fn open_notebook(&self, id: &Id) -> Option<&OpenNotebook> {
        self.notebooks.iter().find(|notebook| notebook.id == *id)
    }

    /// The current cell of the notebook that is shown; `None` if it is text.
    pub(crate) fn cell(&self) -> Option<&Rc<LiveCell>> {
        let notebook = self.notebook()?;
        notebook.live(notebook.current.as_ref()?)
    }

    /// The current cell of the notebook that is shown.
    pub(crate) fn current(&self) -> Option<CellId> {
        let notebook = self.notebook()?;
        Some(CellId { notebook: notebook.id.clone(), cell: notebook.current.clone()? })
    }

    /// A cell of an open notebook.
    pub(crate) fn live(&self, id: &CellId) -> Option<&Rc<LiveCell>> {
        self.open_notebook(&id.notebook)?.live(&id.cell)
    }

    /// Whether a cell can be measured; a native function or generator requires a runner.
    pub(crate) fn can_measure(&self, cell: &LiveCell) -> bool {
        cell.native_part().is_none() || self.runner.endpoint_for(&cell.suite).is_some()
    }

    /// The name of the runner that can measure a cell, if this browser can, too.
    pub(crate) fn optional_runner(&self, cell: &LiveCell) -> Option<String> {
        let is_optional = cell.native_part().is_none() && self.runner.endpoint_for(&cell.suite).is_some();
        is_optional.then(|| self.runner.name.clone())
    }

    /// The fragment of the link to the history of a cell's function, if it has accepted results.
    pub(crate) fn history_link(&self, cell: &LiveCell) -> Option<String> {
        let (suite, function) = (&cell.suite.suite.name, &cell.function.path);
        let is_known = |known: &HistoryFunction| known.suite == *suite && known.function == *function;
        self.history_functions.iter().chain(self.site_history.iter().flatten()).any(is_known).then(|| {
            let address = HistoryAddress {
                metric: CheckedMetric::Time,
                suite: suite.clone(),
                function: function.clone(),
                generator: Some(cell.generator.path.clone()),
                arguments: WrittenArguments::new(),
                at: None,
                step: None,
            };
            Address::History(address).link()
        })
    }

    /// The cell with a measurement in progress; there is at most one.
    pub(crate) fn measuring(&self) -> Option<(CellId, &Rc<LiveCell>)> {
        self.notebooks.iter().find_map(|notebook| {
            let (cell, live) = notebook.measuring()?;
            Some((CellId { notebook: notebook.id.clone(), cell: cell.clone() }, live))
        })
    }

    /// A cell whose wasm instructions or profile the user has chosen to see, and which is not counted yet.
    pub(crate) fn cell_to_count(&self) -> Option<CellId> {
        self.notebooks.iter().find_map(|notebook| {
            let cell = notebook.cell_to_count()?;
            Some(CellId { notebook: notebook.id.clone(), cell: cell.clone() })
        })
    }

    /// A cell whose code the user has chosen to see, and of which some is not known.
    pub(crate) fn cell_to_list(&self) -> Option<CellId> {
        self.notebooks.iter().find_map(|notebook| {
            let cell = notebook.cell_to_list()?;
            Some(CellId { notebook: notebook.id.clone(), cell: cell.clone() })
        })
    }

    /// Whether a cell is measured or queued.
    pub(crate) fn is_measuring_or_queued(&self) -> bool {
        self.measuring().is_some() || !self.queue.is_empty()
    }

    /// Whether a measurement or the self-test is in progress, or cells are queued.
    pub(crate) fn is_busy(&self) -> bool {
        self.is_measuring_or_queued() || self.self_test.is_running()
    }

    fn apply(&mut self, action: PageAction) {
        match action {
            PageAction::SiteConfigLoaded(config) => {
                self.site_config = Some(Rc::new(config));
                self.open_article();
                self.open_pending();
            }
            PageAction::DigestsLoaded(json) => {
                if let Some(config) = &mut self.site_config {
                    Rc::make_mut(config).add_digests(&json);
                }
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
            PageAction::SuiteFailed(id, problem) => {
                self.finished_loads += 1;
                self.failed_suites.insert(id, problem);
                self.open_pending();
            }
            PageAction::SiteConfigReloaded(config) => {
                self.rebuilding.expects(config.suites.len());
                let is_listed =
                    |suite: &Rc<LoadedSuite>| !matches!(suite.id, SuiteId::Site(index) if index >= config.suites.len());
                self.suites.retain(is_listed);
                self.replaced_suites.retain(is_listed);
                self.failed_suites.clear();
                self.finished_loads = config.suites.len();
                self.site_config = Some(Rc::new(config));
                self.finish_reload();
            }
            PageAction::SuiteReloaded(id, outcome) => {
                self.rebuilding.has_loaded();
                match outcome {
                    Ok(Some(suite)) => self.replace_suite(suite),
                    Ok(None) => {}
                    Err(problem) => _ = self.failed_suites.insert(id, problem),
                }
                self.finish_reload();
            }
            PageAction::OwnSuites(action) => self.apply_to_own_suites(action),
            PageAction::MeasureAfterBuilds(is_on) => self.rebuilding.is_manual = !is_on,
            PageAction::CompareBuilds => self.compare_builds(),
            PageAction::CompareTwoBuilds(id, builds) => self.compare_two_builds(id, &builds),
            PageAction::Search(search) => self.search = search,
            PageAction::Choose(function) => {
                self.forget_link();
                self.choose(&function);
            }
            PageAction::Add(function) => {
                self.forget_link();
                self.add_cell(&function);
            }
            PageAction::AddGroup(function) => {
                self.forget_link();
                self.add_cell(&function);
                let added = self.current().filter(|_| self.cell().is_some_and(|cell| cell.function_id() == function));
                if let Some(id) = added {
                    self.apply_to_cell(&id, CellAction::Edit(SetupEdit::AddAlternatives));
                }
            }
            PageAction::Follow(link) => {
                self.followed += 1;
                match link {
                    Some(link) => self.open(link),
                    None => self.go_home(),
                }
            }
            PageAction::Open(link) => self.open(link),
            PageAction::OpenDocument(Ok(document)) => self.show_opened(document),
            PageAction::OpenDocument(Err(problem)) => {
                self.link_problems = vec![problem];
            }
            PageAction::New => {
                self.forget_link();
                let id = self.ids.next();
                self.show_new(id, Notebook::default());
            }
            PageAction::Home => self.go_home(),
            PageAction::MeasureAll => self.queue_all(),
            PageAction::StopAll => {
                self.queue.clear();
                self.stop_cells();
            }
            PageAction::Runner(action) => {
                match &mut self.shown {
                    Shown::Archive(archive) => archive.reload_after(&action),
                    Shown::History(history) => history.reload_after(&action),
                    Shown::Start | Shown::Notebook(_) | Shown::SelfTest => {}
                }
                match action {
                    RunnerAction::Built(report) => self.rebuilding.report(report),
                    RunnerAction::Listed(entries) => {
                        self.runner.set_listed(&entries);
                        self.list_native_suites(entries);
                        self.complete_suites();
                    }
                    action => {
                        let is_catalog = matches!(action, RunnerAction::Connected(..));
                        self.runner.apply(action);
                        if is_catalog {
                            self.complete_suites();
                            self.rebuilding.has_catalog();
                            self.finish_reload();
                        }
                    }
                }
            }
            PageAction::RunnerNotebooks(list) => self.runner_notebooks = list.unwrap_or_default(),
            PageAction::FileLoaded(file, loaded) => self.open_file(file, loaded),
            PageAction::AddReaderResults(copies, damaged) => {
                if let Shown::Notebook(id) = &self.shown
                    && let Some(notebook) = find_mut(&mut self.notebooks, id)
                {
                    notebook.add_reader_results(&copies, damaged, &self.suites);
                }
            }
            PageAction::EditCopy => {
                if let Some(document) = self.notebook().map(|notebook| notebook.document.clone()) {
                    self.show_opened(document);
                }
            }
            PageAction::Archive(action) => {
                if let Shown::Archive(archive) = &mut self.shown {
                    archive.apply(action, &self.suites);
                }
            }
            PageAction::History(action) => self.apply_to_history(action),
            PageAction::HistoryFunctions(functions) => self.history_functions = functions,
            PageAction::SiteHistory(listed) => self.list_site_history(listed),
            PageAction::SelfTest(action) => {
                if matches!(action, SelfTestAction::Started) {
                    self.queue.clear();
                    self.stop_cells();
                }
                self.self_test.apply(action);
            }
            PageAction::Notebook(action) => {
                if let Shown::Notebook(id) = &self.shown
                    && let Some(notebook) = find_mut(&mut self.notebooks, id)
                {
                    notebook.apply(action, &mut self.ids, &self.suites);
                }
            }
            PageAction::Cell(id, action) => self.apply_to_cell(&id, action),
            PageAction::Storage(action) => self.apply_to_storage(action),
        }
    }

    fn go_home(&mut self) {
        self.forget_link();
        self.shown = Shown::Start;
        self.open_article();
    }

    /// Opens the article of the site, if it has one and nothing else is shown.
    fn open_article(&mut self) {
        let is_start = self.followed > 0 && !self.is_opening_link() && self.shown == Shown::Start;
        let article = self.site_config.as_ref().and_then(|config| config.article.clone());
        if let Some(address) = article.filter(|_| is_start && self.link_problems.is_empty()) {
            self.open(Address::File { file: FileAddress::Site(address), cell: None }.into());
        }
    }

    /// Drops the pending link and its problems, and returns to the start unless a notebook is shown, since the user has chosen something else.
    pub(super) fn forget_link(&mut self) {
        self.pending = None;
        self.opened = None;
        self.link_problems.clear();
        if self.shown_notebook().is_none() {
            self.shown = Shown::Start;
        }
        self.own_suites.forget_outcome();
        self.own_suites.close_dialog();
    }

    /// Shows a notebook that is not stored.
    pub(super) fn show_new(&mut self, id: Id, document: Notebook) -> &mut OpenNotebook {
        let saving = if self.is_embedded { Saving::read_only() } else { Saving::default() };
        self.show(OpenNotebook::new(id, document, saving, &self.suites))
    }

    /// Shows a notebook, in place of one with the same identifier.
    pub(super) fn show(&mut self, notebook: OpenNotebook) -> &mut OpenNotebook {
        self.shown = Shown::Notebook(notebook.id.clone());
        self.notebooks.retain(|other| other.id != notebook.id);
        self.notebooks.push(notebook);
        self.notebooks.last_mut().expect("it was just added")
    }

    /// Puts a function into the current cell if nothing was measured there, and otherwise into a new cell. Does nothing if no suite
    /// has the function.
    fn choose(&mut self, function: &FunctionId) {
        let Some(new) = self.new_cell(function) else { return };
        let blank = self.current().zip(self.cell()).filter(|(_, cell)| cell.is_blank());
        let Some((id, cell)) = blank else { return self.add_cell(function) };
        if cell.function_id() == *function {
            return;
        }
        let setup = new.setup();
        let notebook = find_mut(&mut self.notebooks, &id.notebook);
        notebook.expect("it is shown").replace_setup(&id.cell, setup, &self.suites);
    }

    /// Adds a cell with a function after the current one, in a new notebook if none is shown.
    fn add_cell(&mut self, function: &FunctionId) {
        let Some(setup) = self.new_cell(function).map(|cell| cell.setup()) else { return };
        if self.notebook().is_none() {
            let id = self.ids.next();
            self.show_new(id, Notebook::default());
        }
        let Shown::Notebook(id) = &self.shown else { return };
        let Some(notebook) = find_mut(&mut self.notebooks, id) else { return };
        let current = notebook.current.as_ref().and_then(|current| notebook.document.index(current));
        let index = current.map_or(notebook.document.cells.len(), |index| index + 1);
        notebook.insert_measurement(index, setup, &mut self.ids, &self.suites);
    }

    /// A cell with the default settings of a function; `None` if there is no such function.
    fn new_cell(&self, function: &FunctionId) -> Option<LiveCell> {
        let suite = self.suites.iter().find(|loaded| loaded.id == function.suite)?;
        LiveCell::new(suite, &function.path)
    }

    /// Queues the measurable cells of the notebook in order.
    fn queue_all(&mut self) {
        let Some(notebook) = self.notebook().filter(|notebook| !notebook.is_reading) else { return };
        let cells = notebook.live_cells().filter(|(_, cell)| self.can_measure(cell) && !cell.is_measuring());
        let cells = cells.map(|(cell, _)| CellId { notebook: notebook.id.clone(), cell: cell.clone() });
        self.queue = cells.collect();
    }

    pub(super) fn apply_to_cell(&mut self, id: &CellId, action: CellAction) {
        match action {
            CellAction::Run(RunEvent::Started(_)) => {
                self.prepare_measurement(id);
                self.queue.retain(|queued| queued != id);
            }
            CellAction::Run(RunEvent::Rejected(_)) => self.queue.retain(|queued| queued != id),
            _ => {}
        }
        if let Some(notebook) = find_mut(&mut self.notebooks, &id.notebook) {
            notebook.apply_to_cell(&id.cell, action);
        }
    }

    /// Stops the measurement of another cell, or the self-test, and keeps this cell's previous results: one measurement runs at a time.
    fn prepare_measurement(&mut self, id: &CellId) {
        self.stop_cells();
        self.self_test.apply(SelfTestAction::Stopped);
        let replaced = self.live(id).map(|cell| cell.results.traces()).unwrap_or_default();
        self.retain_earlier(&replaced);
    }

    fn stop_cells(&mut self) {
        self.notebooks.iter_mut().for_each(OpenNotebook::stop);
    }
}

/// The notebook with this identifier, to change it while the other parts of the state are in use.
pub(super) fn find_mut<'n>(notebooks: &'n mut [OpenNotebook], id: &Id) -> Option<&'n mut OpenNotebook> {
    notebooks.iter_mut().find(|notebook| notebook.id == *id)
}

impl Reducible for State {
    type Action = PageAction;

    fn reduce(self: Rc<Self>, action: PageAction) -> Rc<Self> {
        let mut next = Rc::unwrap_or_clone(self);
        next.apply(action);
        Rc::new(next)
    }
}
