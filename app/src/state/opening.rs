//! Opening a link: applies its contents to the state as if the user had set them, and reports its invalid parts.

mod arguments;

use std::rc::Rc;

use benchbook_notebook::link;
use benchbook_notebook::notebook::Notebook;

use super::archive::Archive;
use super::cell::LiveCell;
use super::function_history::FunctionHistory;
use super::loaded_suite::LoadedSuite;
use super::open_notebook::{OpenNotebook, new_measurement};
use super::page::State;
use crate::share::available::available;
use crate::share::excerpt::excerpt;
use crate::share::file_address::FileAddress;
use crate::share::link::Link;

impl State {
    /// Opens a link, as soon as its suite is loaded.
    pub(super) fn open(&mut self, mut link: Link) {
        if self.is_embedded {
            // A frame has no storage.
            link.notebook = None;
        }
        let shown = self.history.take();
        self.forget_link();
        if link.history.is_some() {
            self.shown = None;
            self.link_problems.clone_from(&link.problems);
            self.history = Some(match shown {
                Some(shown) => shown.follow(link),
                None => FunctionHistory::new(link),
            });
            return;
        }
        if link.archive.is_some() {
            self.shown = None;
            self.link_problems.clone_from(&link.problems);
            self.archive = Some(Archive::new(link));
            return;
        }
        if self.select(&link) {
            return;
        }
        if let Some(content) = &link.content {
            self.shown = None;
            match link::read(content) {
                Ok(document) => self.show_opened(document),
                Err(problem) => self.link_problems.push(problem.to_string()),
            }
            self.link_problems.extend(link.problems);
            return;
        }
        if link.self_test {
            self.shown = None;
            self.link_problems = link.problems;
            self.is_self_test_shown = true;
            return;
        }
        self.pending = Some(link);
        self.open_pending();
    }

    /// Shows the notebook and the cell of a link; returns `false` if the notebook is not open in this tab.
    pub(super) fn select(&mut self, link: &Link) -> bool {
        let is_wanted = |notebook: &OpenNotebook| match &link.file {
            Some(file) => notebook.file.as_ref() == Some(file),
            None => link.notebook.as_ref() == Some(&notebook.id),
        };
        let Some(notebook) = self.notebooks.iter_mut().find(|notebook| is_wanted(notebook)) else {
            return false;
        };
        if let Some(cell) = link.cell.as_ref().filter(|cell| notebook.document.index(cell).is_some()) {
            notebook.current = Some(cell.clone());
        }
        self.shown = Some(notebook.id.clone());
        true
    }

    /// Whether the address names something that is not loaded yet.
    pub(crate) fn is_opening_link(&self) -> bool {
        self.followed == 0 || self.pending.is_some()
    }

    /// The file to load because the address names it.
    pub(crate) fn wanted_file(&self) -> Option<FileAddress> {
        self.pending.as_ref()?.file.clone()
    }

    /// The address of the site's file to load: only files that `notebook.json` lists, since links are untrusted.
    pub(crate) fn wanted_site_file(&self) -> Option<String> {
        let Some(FileAddress::Site(address)) = self.wanted_file() else { return None };
        let config = self.site_config.as_ref()?;
        let is_listed = config.notebooks.iter().any(|listed| listed.address == address);
        (is_listed || config.article.as_ref() == Some(&address)).then_some(address)
    }

    /// Shows a file that was loaded.
    pub(super) fn open_file(&mut self, file: FileAddress, loaded: Result<Notebook, String>) {
        let Some(link) = self.pending.take_if(|link| link.file.as_ref() == Some(&file)) else { return };
        match loaded {
            Ok(document) => {
                let id = self.ids.next();
                let suites = self.suites.clone();
                self.show(OpenNotebook::of_file(id, file, document, &suites));
                self.select(&link);
            }
            Err(problem) => {
                self.shown = None;
                self.link_problems.push(problem);
            }
        }
    }

    /// Opens the pending link if its suite is loaded.
    pub(super) fn open_pending(&mut self) {
        // The storage decides first whether it has the notebook.
        if self.wanted_notebook().is_some() {
            return;
        }
        if let Some(file) = self.wanted_file() {
            return self.check_site_file(file);
        }
        let Some(link) = &self.pending else { return };
        let suite = self.suites.iter().find(|loaded| loaded.suite.name == link.suite).map(Rc::clone);
        match suite {
            Some(suite) => {
                let link = self.pending.take().unwrap_or_default();
                self.open_in(&suite, link);
            }
            None if self.is_loading() || self.suggest_suite() => {}
            None => {
                let link = self.pending.take().unwrap_or_default();
                self.shown = None;
                self.link_problems = link.problems;
                self.link_problems.push(match link.suite.as_str() {
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
        let Some(address) = self.pending.as_ref().and_then(|link| link.suite_address.clone()) else { return false };
        if self.own_suites.has_source(&address) {
            return self.end_link_to_suite();
        }
        self.shown = None;
        self.own_suites.suggest(address);
        true
    }

    /// Ends a link that names a suite only by its address. Returns whether the pending link is one.
    pub(super) fn end_link_to_suite(&mut self) -> bool {
        let is_end = |link: &mut Link| link.suite_address.is_some() && link.suite.is_empty();
        let Some(link) = self.pending.take_if(is_end) else { return false };
        self.shown = None;
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

    fn open_in(&mut self, suite: &Rc<LoadedSuite>, link: Link) {
        let Some(mut cell) = LiveCell::new(suite, &link.function) else {
            self.shown = None;
            self.link_problems = link.problems;
            self.link_problems.push(format!(
                "The suite {} has no function “{}”. Choose one from the list.",
                suite.suite.name,
                excerpt(&link.function)
            ));
            return;
        };
        let (notebook, id) = (link.notebook.clone(), link.cell.clone());
        self.link_problems = cell.open(link);
        let notebook = notebook.unwrap_or_else(|| self.ids.next());
        let id = id.unwrap_or_else(|| self.ids.next());
        let cells = vec![Rc::new(new_measurement(id.clone(), cell.setup()))];
        self.show_new(notebook, Notebook { title: String::new(), cells }).set_live(id, cell);
    }
}

impl LiveCell {
    /// Applies a link and returns one sentence for each invalid part.
    pub(super) fn open(&mut self, link: Link) -> Vec<String> {
        let mut problems = link.problems;
        let is_bound = |path: &String| self.function.generators.contains(path);
        if let Some(path) = link.generator.as_ref().filter(|path| !is_bound(path)) {
            problems.push(format!(
                "{} does not use the generator “{}”.{}",
                self.function.path,
                excerpt(path),
                available(self.function.generators.iter().map(String::as_str)),
            ));
        }
        // Anything that the link omits returns to its default.
        let generator = link.generator.filter(is_bound).or(self.function.generators.first().cloned());
        self.choose_generator(&generator.unwrap_or_default());
        self.partners.clear();
        for path in link.with {
            let before = self.partners.len();
            if !self.has_room() {
                problems.push(format!("A plot holds four functions. “{}” is omitted.", excerpt(&path)));
                continue;
            }
            self.add_partner(&path);
            if self.partners.len() == before {
                problems.push(format!(
                    "“{}” cannot be measured together with {} on inputs from {}.",
                    excerpt(&path),
                    self.function.path,
                    self.generator.name
                ));
            }
        }
        problems.extend(self.controls.open(&self.generator, &link.arguments));
        self.measuring_options = link.measuring_options;
        self.presentation = link.presentation;
        self.is_zoom_from_link = self.presentation.zoom.is_some();
        problems
    }
}
