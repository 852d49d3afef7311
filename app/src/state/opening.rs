//! Opening a link: applies its contents to the state as if the user had set them, and reports its invalid parts.

mod arguments;

use std::rc::Rc;

use super::archive::Archive;
use super::cell::{CellId, LiveCell};
use super::loaded_suite::LoadedSuite;
use super::page::State;
use crate::share::available::available;
use crate::share::excerpt::excerpt;
use crate::share::link::Link;

impl State {
    /// Opens a link, as soon as its suite is loaded.
    pub(super) fn open(&mut self, link: Link) {
        self.forget_link();
        if link.archive.is_some() {
            self.chosen = None;
            self.link_problems.clone_from(&link.problems);
            self.archive = Some(Archive::new(link));
            return;
        }
        if link.self_test {
            self.chosen = None;
            self.link_problems = link.problems;
            self.is_self_test_shown = true;
            return;
        }
        self.pending = Some(link);
        self.open_pending();
    }

    /// Opens the pending link if its suite is loaded.
    pub(super) fn open_pending(&mut self) {
        let Some(link) = &self.pending else { return };
        let suite = self.suites.iter().find(|loaded| loaded.suite.name == link.suite).map(Rc::clone);
        match suite {
            Some(suite) => {
                let link = self.pending.take().unwrap_or_default();
                self.open_in(&suite, link);
            }
            None if self.is_loading() => {}
            None => {
                let link = self.pending.take().unwrap_or_default();
                self.chosen = None;
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

    fn open_in(&mut self, suite: &Rc<LoadedSuite>, link: Link) {
        let id = CellId { suite: suite.id, path: link.function.clone() };
        self.choose(&id);
        let Some(cell) = self.cell_mut(&id) else {
            self.chosen = None;
            self.link_problems = link.problems;
            self.link_problems.push(format!(
                "The suite {} has no function “{}”. Choose one from the list.",
                suite.suite.name,
                excerpt(&link.function)
            ));
            return;
        };
        self.link_problems = cell.open(link);
    }
}

impl LiveCell {
    /// Applies a link and returns one sentence for each invalid part.
    fn open(&mut self, link: Link) -> Vec<String> {
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
        self.results.overlays.clear();
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
