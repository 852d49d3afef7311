//! Opening a link: applies its contents to the state as if the user had set them, and reports its invalid parts.

mod arguments;

use std::mem;
use std::rc::Rc;

use benchbook_notebook::link;
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::setup::CellSetup;

use super::{OpenNotebook, new_measurement};
use crate::address::available::available;
use crate::address::excerpt::excerpt;
use crate::address::link::Link;
use crate::address::{Address, FileAddress};
use crate::state::cell::LiveCell;
use crate::state::machines::archive::Archive;
use crate::state::machines::function_history::FunctionHistory;
use crate::state::suites::loaded_suite::LoadedSuite;
use crate::state::{Shown, State};

impl State {
    /// Opens a link, as soon as its suite or its notebook is loaded.
    pub(crate) fn open(&mut self, Link { address, problems }: Link) {
        let history = match &mut self.shown {
            Shown::History(_) => mem::take(&mut self.shown),
            _ => Shown::Start,
        };
        self.forget_link();
        self.shown = match (address, history) {
            (Address::History(address), Shown::History(shown)) => Shown::History(shown.follow(address)),
            (Address::History(address), _) => Shown::History(FunctionHistory::new(address)),
            (Address::Archive(address), _) => Shown::Archive(Archive::new(address)),
            (Address::SelfTest, _) => Shown::SelfTest,
            (Address::Content(content), _) => {
                self.shown = Shown::Start;
                match link::read(&content) {
                    Ok(document) => self.show_opened(document),
                    Err(problem) => self.link_problems.push(problem.to_string()),
                }
                return self.link_problems.extend(problems);
            }
            (address, _) if self.select(&address) => return,
            // A frame has no storage.
            (Address::Stored { elsewhere, .. }, _) if self.is_embedded => {
                return self.open_later(Address::Cell(elsewhere.unwrap_or_default()), problems);
            }
            (address, _) => return self.open_later(address, problems),
        };
        self.link_problems = problems;
    }

    fn open_later(&mut self, address: Address, problems: Vec<String>) {
        self.pending = Some(Link { address, problems });
        self.open_pending();
    }

    /// Shows the notebook and the cell of an address; returns `false` unless it is a notebook that is open in this tab.
    pub(super) fn select(&mut self, address: &Address) -> bool {
        let is_wanted = |notebook: &&mut OpenNotebook| match address {
            Address::File { file, .. } => notebook.file.as_ref() == Some(file),
            Address::Stored { notebook: id, .. } => notebook.id == *id,
            _ => false,
        };
        let (Address::File { cell, .. } | Address::Stored { cell, .. }) = address else { return false };
        let Some(notebook) = self.notebooks.iter_mut().find(is_wanted) else { return false };
        if let Some(cell) = cell.as_ref().filter(|cell| notebook.document.index(cell).is_some()) {
            notebook.current = Some(cell.clone());
        }
        self.shown = Shown::Notebook(notebook.id.clone());
        true
    }

    /// Whether the address names something that is not loaded yet.
    pub(crate) fn is_opening_link(&self) -> bool {
        self.followed == 0 || self.pending.is_some() || self.opened.is_some()
    }

    /// The file to load because the address names it.
    pub(crate) fn wanted_file(&self) -> Option<FileAddress> {
        let Address::File { file, .. } = &self.pending.as_ref()?.address else { return None };
        Some(file.clone())
    }

    /// The address of the site's file to load: only files that `notebook.json` lists, since links are untrusted.
    pub(crate) fn wanted_site_file(&self) -> Option<String> {
        let Some(FileAddress::Site(address)) = self.wanted_file() else { return None };
        let config = self.site_config.as_ref()?;
        let is_listed = config.notebooks.iter().any(|listed| listed.address == address);
        (is_listed || config.article.as_ref() == Some(&address)).then_some(address)
    }

    /// Shows a file that was loaded.
    pub(crate) fn open_file(&mut self, file: FileAddress, loaded: Result<Notebook, String>) {
        let is_wanted =
            |link: &mut Link| matches!(&link.address, Address::File { file: wanted, .. } if *wanted == file);
        let Some(link) = self.pending.take_if(is_wanted) else { return };
        match loaded {
            Ok(document) => {
                let id = self.ids.next();
                let suites = self.suites.clone();
                self.show(OpenNotebook::of_file(id, file, document, &suites));
                self.select(&link.address);
            }
            Err(problem) => {
                self.shown = Shown::Start;
                self.link_problems.push(problem);
            }
        }
    }

    /// Opens the pending link if its suite is loaded.
    pub(crate) fn open_pending(&mut self) {
        // The storage decides first whether it has the notebook.
        if self.wanted_notebook().is_some() {
            return;
        }
        if let Some(file) = self.wanted_file() {
            return self.check_site_file(file);
        }
        let Some(link) = &self.pending else { return };
        let name = link.address.setup().map(|setup| setup.suite.clone()).unwrap_or_default();
        let suite = self.suites.iter().find(|loaded| loaded.suite.name == name).map(Rc::clone);
        if suite.is_none() && (self.is_loading() || self.suggest_suite()) {
            return;
        }
        let Some(Link { address, problems }) = self.pending.take() else { return };
        match suite {
            Some(suite) => self.open_in(&suite, address, problems),
            None => {
                self.shown = Shown::Start;
                self.link_problems = problems;
                self.link_problems.push(match name.as_str() {
                    "" => "The link names no suite and function.".to_owned(),
                    name => format!(
                        "The link names an unknown suite: “{}”.{}",
                        excerpt(name),
                        available(self.suites.iter().map(|loaded| loaded.suite.name.as_str())),
                    ),
                });
            }
        }
    }

    /// Suggests the suite that the pending link names, unless it is open. Returns whether the link needs nothing else for now.
    fn suggest_suite(&mut self) -> bool {
        let url = match self.pending.as_ref().map(|link| &link.address) {
            Some(Address::Suite(url)) => Some(url.clone()),
            address => address.and_then(Address::cell).and_then(|cell| cell.suite_url.clone()),
        };
        let Some(url) = url else { return false };
        if self.own_suites.has_source(&url) {
            return self.end_link_to_suite();
        }
        self.shown = Shown::Start;
        self.own_suites.suggest(url);
        true
    }

    /// Ends a link that names a suite only by its address. Returns whether the pending link is one.
    pub(crate) fn end_link_to_suite(&mut self) -> bool {
        let is_end = |link: &mut Link| matches!(link.address, Address::Suite(_));
        let Some(link) = self.pending.take_if(is_end) else { return false };
        self.shown = Shown::Start;
        self.link_problems = link.problems;
        true
    }

    /// Rejects a file of the site that `notebook.json` does not list.
    fn check_site_file(&mut self, file: FileAddress) {
        if let FileAddress::Site(address) = &file
            && !(self.site_config.is_none() && self.is_loading())
            && self.wanted_site_file().is_none()
        {
            let problem = format!("notebook.json lists no notebook “{}”.", excerpt(address));
            self.open_file(file, Err(problem));
        }
    }

    fn open_in(&mut self, suite: &Rc<LoadedSuite>, address: Address, problems: Vec<String>) {
        let setup = address.setup().cloned().unwrap_or_default();
        let function = setup.functions.first().map_or("", String::as_str);
        self.link_problems = problems;
        let Some(mut cell) = LiveCell::new(suite, function) else {
            self.shown = Shown::Start;
            self.link_problems.push(format!(
                "The suite {} has no function “{}”. Choose one from the list.",
                suite.suite.name,
                excerpt(function)
            ));
            return;
        };
        self.link_problems.extend(cell.open(&setup));
        let (notebook, id) = match address {
            Address::Stored { notebook, cell, .. } => (Some(notebook), cell),
            _ => (None, None),
        };
        let notebook = notebook.unwrap_or_else(|| self.ids.next());
        let id = id.unwrap_or_else(|| self.ids.next());
        let cells = vec![Rc::new(new_measurement(id.clone(), cell.setup()))];
        self.show_new(notebook, Notebook { title: String::new(), cells }).set_live(id, cell);
    }
}

impl LiveCell {
    /// Applies settings and returns one sentence for each invalid part. What they omit gets its default.
    pub(crate) fn open(&mut self, setup: &CellSetup) -> Vec<String> {
        let mut problems = Vec::new();
        let is_bound = |path: &&String| self.function.generators.contains(path);
        if let Some(path) = setup.generator.as_ref().filter(|path| !is_bound(path)) {
            problems.push(format!(
                "{} does not use the generator “{}”.{}",
                self.function.path,
                excerpt(path),
                available(self.function.generators.iter().map(String::as_str)),
            ));
        }
        let generator = setup.generator.as_ref().filter(is_bound).or(self.function.generators.first()).cloned();
        self.choose_generator(&generator.unwrap_or_default());
        self.partners.clear();
        for path in setup.functions.iter().skip(1) {
            let before = self.partners.len();
            if !self.has_room() {
                problems.push(format!("A plot holds four functions. “{}” is omitted.", excerpt(path)));
                continue;
            }
            self.add_partner(path);
            if self.partners.len() == before {
                problems.push(format!(
                    "“{}” cannot be measured together with {} on inputs from {}.",
                    excerpt(path),
                    self.function.path,
                    self.generator.name
                ));
            }
        }
        problems.extend(self.controls.open(&self.generator, &setup.arguments));
        self.options = setup.options.clone();
        self.view = setup.view.clone();
        self.is_zoom_from_link = self.view.zoom.is_some();
        problems
    }
}
