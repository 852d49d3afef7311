//! Opening a link: what it says becomes the state, as if a person had set it; what cannot be is told.

use std::rc::Rc;

use benchbook_contract::parameter::Kind;

use super::archive::Archive;
use super::cell::{Cell, CellId};
use super::controls::{ControlAction, End};
use super::{LoadedSuite, State};
use crate::share::link::{Link, shortened};

/// Where the page is, as its address says it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    /// The address was not read yet, or goes to a suite that is still to come: it is left as it is.
    Waiting,
    /// The address goes to what is not there: it is left as it is, to be mended there.
    Lost,
    /// The start.
    Start,
    /// A cell.
    Cell(Box<Link>),
}

impl State {
    /// Where the page is.
    pub(crate) fn place(&self) -> Place {
        if let (Some(archive), 1..) = (&self.archive, self.followed) {
            return Place::Cell(Box::new(archive.link()));
        }
        match self.cell() {
            _ if self.followed == 0 || self.pending.is_some() => Place::Waiting,
            Some(cell) => Place::Cell(Box::new(cell.link())),
            None if self.link_problems.is_empty() => Place::Start,
            None => Place::Lost,
        }
    }

    /// Takes a link; where its suite is not loaded yet, when that comes.
    pub(super) fn open(&mut self, link: Link) {
        self.forget_link();
        if link.archive.is_some() {
            self.chosen = None;
            self.link_problems.clone_from(&link.problems);
            self.archive = Some(Archive::new(link));
            return;
        }
        self.pending = Some(link);
        self.open_pending();
    }

    /// Opens the link that waits, if it can be.
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
                        "The link goes to the suite “{}”, which this notebook does not have.{}",
                        shortened(name),
                        known(self.suites.iter().map(|loaded| loaded.suite.name.as_str())),
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
                "The link goes to the function “{}”, which the suite {} does not have: the list has those that it has.",
                shortened(&link.function),
                suite.suite.name
            ));
            return;
        };
        self.link_problems = cell.open(link);
    }
}

/// The names that there are, as a sentence; empty where there are none.
fn known<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() { String::new() } else { format!(" It has {}.", names.join(", ")) }
}

impl Cell {
    /// The link to it.
    fn link(&self) -> Link {
        Link {
            archive: None,
            before: None,
            suite: self.suite.suite.name.clone(),
            function: self.function.path.clone(),
            generator: Some(self.generator.path.clone()),
            with: self.partners.iter().map(|partner| partner.path.clone()).collect(),
            arguments: self.controls.written(&self.generator),
            aim: self.aim.clone(),
            presentation: self.presentation.clone(),
            problems: Vec::new(),
        }
    }

    /// Sets what the link says, and tells what it cannot.
    fn open(&mut self, link: Link) -> Vec<String> {
        let mut problems = link.problems;
        let is_bound = |path: &String| self.function.generators.contains(path);
        if let Some(path) = link.generator.as_ref().filter(|path| !is_bound(path)) {
            problems.push(format!(
                "The link names the generator “{}”, which {} does not take.{}",
                shortened(path),
                self.function.path,
                known(self.function.generators.iter().map(String::as_str)),
            ));
        }
        // What a link does not say is as at first, whatever was set here before.
        let generator = link.generator.filter(is_bound).or(self.function.generators.first().cloned());
        self.choose_generator(&generator.unwrap_or_default());
        self.partners.clear();
        self.overlays.clear();
        for path in link.with {
            let before = self.partners.len();
            if !self.has_room() {
                problems.push(format!("A plot holds four functions: “{}” is left out.", shortened(&path)));
                continue;
            }
            self.add_partner(&path);
            if self.partners.len() == before {
                problems.push(format!(
                    "The link compares with “{}”, which cannot be measured together with {} from {}.",
                    shortened(&path),
                    self.function.path,
                    self.generator.name
                ));
            }
        }
        problems.extend(self.open_arguments(&link.arguments));
        self.aim = link.aim;
        self.presentation = link.presentation;
        self.zoom_is_of_link = self.presentation.zoom.is_some();
        problems
    }

    fn open_arguments(&mut self, arguments: &[(String, String)]) -> Vec<String> {
        let mut problems = Vec::new();
        let mut axis = None;
        for (name, argument) in arguments {
            let Some(parameter) = self.generator.parameter(name) else {
                problems.push(format!(
                    "The link sets “{}”, which the generator {} does not have.{}",
                    shortened(name),
                    self.generator.name,
                    known(self.generator.parameters.iter().map(|parameter| parameter.name.as_str())),
                ));
                continue;
            };
            let actions = match (&parameter.kind, argument.split_once("..")) {
                (Kind::Integer(numeric) | Kind::Float(numeric), Some(_)) if !numeric.axis => {
                    problems.push(format!("The link varies {name}, which is not meant to be varied."));
                    continue;
                }
                (Kind::Integer(_) | Kind::Float(_), Some(_)) if axis.is_some() => {
                    problems.push(format!("The link varies {name} too: exactly one parameter is varied."));
                    continue;
                }
                (Kind::Integer(_) | Kind::Float(_), Some((low, high))) => {
                    axis = Some(name.clone());
                    vec![
                        ControlAction::Vary(name.clone()),
                        ControlAction::Type(name.clone(), End::Low, low.to_owned()),
                        ControlAction::Type(name.clone(), End::High, high.to_owned()),
                        ControlAction::Settle(name.clone(), End::Low),
                        ControlAction::Settle(name.clone(), End::High),
                    ]
                }
                (Kind::Integer(_) | Kind::Float(_), None) => vec![
                    ControlAction::Type(name.clone(), End::Value, argument.clone()),
                    ControlAction::Settle(name.clone(), End::Value),
                ],
                (Kind::Choice { options, .. }, _) if !options.iter().any(|option| option.name == *argument) => {
                    problems.push(format!(
                        "The link sets {name} to “{}”, which is none of its choices.{}",
                        shortened(argument),
                        known(options.iter().map(|option| option.name.as_str())),
                    ));
                    continue;
                }
                (Kind::Choice { .. } | Kind::Text { .. }, _) => {
                    vec![ControlAction::Text(name.clone(), argument.clone())]
                }
            };
            let generator = Rc::clone(&self.generator);
            actions.into_iter().for_each(|action| self.controls.apply(&generator, action));
        }
        let axis_name = &self.controls.axis;
        if axis.is_none() && arguments.iter().any(|(name, _)| name == axis_name) {
            problems
                .push(format!("The link gives {axis_name} one value and varies no parameter: {axis_name} is varied."));
        }
        problems
    }
}
