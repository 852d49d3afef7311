//! The list of loaded suites: those of the site, of the user and of the runner.
//!
//! Notebooks and links name a suite, so the list contains each name once. A suite that the user opened replaces those of the same
//! name until the user removes it.

use std::rc::Rc;

use benchbook_host::api::SuiteEntry;

use super::loaded_suite::{LoadedSuite, SuiteId};
use super::own_suites::{OwnSuiteAction, SuiteNotice};
use crate::address::Address;
use crate::state::State;

impl State {
    /// Inserts a suite in the order of the site configuration, regardless of the order in which suites are loaded. Of
    /// two suites with the same name, only the first is shown.
    pub(crate) fn add_suite(&mut self, suite: LoadedSuite) {
        let (id, name) = (suite.id, &suite.suite.name);
        let mut all = self.all_suites();
        let same_name = all.iter().position(|other| !other.id.is_own() && other.suite.name == *name);
        if let Some(index) = same_name {
            self.problems.push(format!("Two suites are named “{name}”. Only the first one is shown."));
            if all[index].id < id {
                return;
            }
            all.remove(index);
        }
        all.push(Rc::new(suite));
        self.set_suites(all);
    }

    /// Replaces a suite by a new build: of the same name, or with the same identifier. Its cells keep their controls and results; a
    /// measurement with the old build ends.
    pub(crate) fn replace_suite(&mut self, suite: LoadedSuite) {
        let is_same_kind = |old: &LoadedSuite| old.id.is_own() == suite.id.is_own();
        let is_old =
            |old: &LoadedSuite| old.id == suite.id || (is_same_kind(old) && old.suite.name == suite.suite.name);
        let mut all = self.all_suites();
        all.retain(|old| !is_old(old));
        all.push(Rc::new(suite));
        self.set_suites(all);
    }

    /// Lists the suites of the runner that have no wasm build.
    pub(crate) fn list_native_suites(&mut self, entries: Vec<SuiteEntry>) {
        let mut all = self.all_suites();
        let new = entries.into_iter().enumerate().filter(|(_, entry)| entry.wasm.is_none());
        let new: Vec<LoadedSuite> = new.map(|(index, entry)| LoadedSuite::native_only(index, entry)).collect();
        let old = all.iter().filter(|suite| suite.id.is_native_only());
        if old.map(|old| &**old).eq(&new) {
            return;
        }
        let is_replaced = |old: &LoadedSuite| {
            old.id.is_native_only() || (!old.id.is_own() && new.iter().any(|new| new.suite.name == old.suite.name))
        };
        all.retain(|old| !is_replaced(old));
        all.extend(new.into_iter().map(Rc::new));
        self.set_suites(all);
    }

    /// The fingerprints of the suites that the site lists.
    pub(crate) fn site_fingerprints(&self) -> Vec<String> {
        let suites = self.suites.iter().chain(&self.replaced_suites).filter(|loaded| !loaded.id.is_own());
        suites.map(|loaded| loaded.card.fingerprint.clone()).collect()
    }

    /// The suites of the site that cannot be loaded: their address and the reason.
    pub(crate) fn unloaded_suites(&self) -> Vec<(SuiteId, String, String)> {
        let addresses = self.site_config.as_ref().map(|config| &config.suites[..]).unwrap_or_default();
        let suite = |(id, problem): (&SuiteId, &String)| {
            let SuiteId::Site(index) = *id else { return None };
            Some((*id, addresses.get(index)?.clone(), problem.clone()))
        };
        self.failed_suites.iter().filter_map(suite).collect()
    }

    pub(crate) fn apply_to_own_suites(&mut self, action: OwnSuiteAction) {
        match action {
            OwnSuiteAction::Listed(count) => self.own_suites.loading = Some(count),
            OwnSuiteAction::Loaded(suite, source) => self.insert_own(suite, source),
            OwnSuiteAction::Unusable(unusable) => {
                self.remove_own(&unusable.name);
                self.own_suites.unusable.push(unusable);
            }
            OwnSuiteAction::Restored => self.own_suites.has_loaded(),
            OwnSuiteAction::ShowDialog(is_shown) => {
                self.own_suites.forget_outcome();
                self.end_suggestion();
                self.own_suites.is_dialog_open = is_shown;
            }
            OwnSuiteAction::Progress(opening) => {
                self.own_suites.forget_outcome();
                self.own_suites.opening = Some(opening);
            }
            OwnSuiteAction::Opened(suite, source) => {
                self.own_suites.end_opening(suite.id);
                self.end_suggestion();
                self.own_suites.close_dialog();
                let outcome = self.outcome_of(&suite);
                self.own_suites.report(outcome);
                self.insert_own(suite, source);
            }
            OwnSuiteAction::Cancelled(id) => self.own_suites.end_opening(id),
            OwnSuiteAction::Failed(id, problem) => {
                self.own_suites.end_opening(id);
                self.own_suites.problem = Some(problem);
            }
            OwnSuiteAction::NotStored(problem) => self.own_suites.report(problem),
            OwnSuiteAction::Removed(name) => {
                let text = format!("Removed the suite {name} from this browser. Its results remain in your notebooks.");
                self.remove_own(&name);
                self.own_suites.notice = Some(SuiteNotice { text, can_undo: true });
            }
            OwnSuiteAction::Dropped(name) => self.remove_own(&name),
            OwnSuiteAction::DismissNotice => self.own_suites.notice = None,
        }
        self.open_pending();
    }

    /// The user has opened the suite that a link suggests, or not: the link is opened with the suites that there are now.
    fn end_suggestion(&mut self) {
        if self.own_suites.suggested.take().is_none() || self.end_link_to_suite() {
            return;
        }
        if let Some(Address::Cell(cell) | Address::Stored { elsewhere: Some(cell), .. }) =
            self.pending.as_mut().map(|link| &mut link.address)
        {
            cell.suite_url = None;
        }
    }

    /// The sentence about a suite that the user opened.
    fn outcome_of(&self, new: &LoadedSuite) -> String {
        let (name, version) = (&new.suite.name, &new.suite.version);
        match self.suites.iter().find(|old| old.suite.name == *name) {
            Some(old) if old.card.fingerprint == new.card.fingerprint => {
                format!("This build of {name} {version} is open already.")
            }
            Some(old) if old.id.is_own() => {
                format!("Opened a new build of {name} {version}. Results of the build before it are shown as “before”.")
            }
            Some(_) => format!(
                "Opened {name} {version}. It replaces this page’s suite of the same name until you remove it from the list."
            ),
            None => format!("Opened {name} {version}. Choose one of its functions from the list."),
        }
    }

    /// Adds a suite of the user, in place of the one with the same name.
    fn insert_own(&mut self, suite: LoadedSuite, source: String) {
        self.own_suites.unusable.retain(|unusable| unusable.name != suite.suite.name);
        self.own_suites.sources.insert(suite.id, source);
        self.replace_suite(suite);
        self.forget_unused_sources();
    }

    /// Removes a suite of the user. The suite of the site with the same name is shown again.
    fn remove_own(&mut self, name: &str) {
        self.own_suites.unusable.retain(|unusable| unusable.name != name);
        let mut all = self.all_suites();
        all.retain(|loaded| !(loaded.id.is_own() && loaded.suite.name == name));
        self.set_suites(all);
        self.forget_unused_sources();
    }

    fn forget_unused_sources(&mut self) {
        let suites = &self.suites;
        self.own_suites.sources.retain(|id, _| suites.iter().any(|loaded| loaded.id == *id));
    }

    /// All loaded suites, including those that are not shown.
    fn all_suites(&self) -> Vec<Rc<LoadedSuite>> {
        self.suites.iter().chain(&self.replaced_suites).cloned().collect()
    }

    /// Adds the functions that only the runner lists to the suites of the page. Connects the cells to them.
    pub(crate) fn complete_suites(&mut self) {
        for suite in &mut self.suites {
            self.runner.complete(suite);
        }
        for notebook in &mut self.notebooks {
            notebook.attach(&self.suites);
        }
    }

    /// Shows these suites, in order, except those that a suite of the user replaces. Connects the cells to them.
    fn set_suites(&mut self, all: Vec<Rc<LoadedSuite>>) {
        let is_shown = |loaded: &Rc<LoadedSuite>| {
            loaded.id.is_own() || !all.iter().any(|own| own.id.is_own() && own.suite.name == loaded.suite.name)
        };
        let (mut shown, replaced): (Vec<_>, Vec<_>) = all.iter().cloned().partition(is_shown);
        shown.sort_by_key(|loaded| loaded.id);
        let old = std::mem::replace(&mut self.suites, shown);
        self.replaced_suites = replaced;
        let gone: Vec<Rc<LoadedSuite>> = old.into_iter().filter(|old| !self.suites.contains(old)).collect();
        for notebook in &mut self.notebooks {
            notebook.reattach(&gone, &self.suites);
        }
        self.complete_suites();
    }
}
