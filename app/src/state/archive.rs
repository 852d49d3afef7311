//! The archive: what a runner has stored, from its functions down to a result.

use std::rc::Rc;

use benchbook_contract::catalog::{Build, Function, Generator, Mode, Suite};
use benchbook_contract::parameter::{Argument, Arguments, Range};
use benchbook_host::response::{Machine, Measured, Point, SuiteCard};

use super::aim::Aim;
use super::cell::{Cell, CellAction};
use super::curve::Curve;
use super::presentation::Tab;
use super::runner::RunnerAction;
use super::trace::{Setup, Trace, told};
use super::{LoadedSuite, SuiteId};
use crate::json::{Json, Read, readable};
use crate::share::link::{Link, Stored};

/// A place in the archive, and what is there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Archive {
    /// Where.
    link: Link,
    /// What is there.
    pub(crate) content: Content,
}

/// What is at a place in the archive.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// The runner was not asked yet, or has not answered.
    Waiting,
    /// Places below it, and the fragment of the link to those that were stored before them.
    Rows(Vec<Row>, Option<String>),
    /// A result, and the fragment of the link that measures it again.
    Result(Rc<Cell>, String),
    /// It cannot be shown; a sentence.
    Trouble(String),
}

/// A place below another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    /// Where it is: the fragment of a link.
    pub(crate) link: String,
    /// What it is called.
    pub(crate) name: String,
    /// What is told of it.
    pub(crate) told: String,
    /// How many results or points are there.
    pub(crate) count: String,
    /// When the newest was stored, in milliseconds since 1970.
    pub(crate) stored: f64,
}

/// What happens in the archive.
#[derive(Clone, Debug)]
pub(crate) enum ArchiveAction {
    /// The runner answered the question at a path of its API, or could not.
    Answered(String, Result<Json, String>),
    /// A result is looked at in another way.
    Cell(CellAction),
}

impl Archive {
    /// A place that a link goes to.
    pub(super) fn new(link: Link) -> Self {
        Self { link, content: Content::Waiting }
    }

    /// Where the runner has it, below the root of its API.
    pub(crate) fn path(&self) -> String {
        let Link { archive, before, suite, function, generator, .. } = &self.link;
        let of = |names: &[(&str, &String)]| {
            names.iter().map(|(name, value)| format!("{name}={}", Link::encoded(value))).collect::<Vec<_>>().join("&")
        };
        let place = [("suite", suite), ("function", function)];
        match (archive, generator) {
            (Some(Stored::Result(id)), _) => format!("results/{id}"),
            _ if function.is_empty() => "results/functions".to_owned(),
            (_, None) => format!("results/generators?{}", of(&place)),
            (_, Some(generator)) => {
                let before = before.map(|id| format!("before={id}&")).unwrap_or_default();
                format!("results?{before}{}&{}", of(&place), of(&[("generator", generator)]))
            }
        }
    }

    /// The way to it: names and fragments of links, itself last.
    pub(crate) fn way(&self) -> Vec<(String, String)> {
        let Link { archive, before, suite, function, generator, .. } = &self.link;
        let mut link = Link { archive: Some(Stored::All), ..Link::default() };
        let mut way = vec![("Stored results".to_owned(), link.write())];
        if !function.is_empty() {
            (link.suite, link.function) = (suite.clone(), function.clone());
            way.push((format!("{suite}::{function}"), link.write()));
        }
        if generator.is_some() {
            link.generator.clone_from(generator);
            way.push((generator.clone().unwrap_or_default(), link.write()));
        }
        let here = match archive {
            Some(Stored::Result(id)) => Some(("", *id)),
            _ => before.map(|id| ("before ", id)),
        };
        way.extend(here.map(|(before, id)| (format!("{before}result {id}"), String::new())));
        way
    }

    /// The link to it, and to how it is looked at.
    pub(super) fn link(&self) -> Link {
        let presentation = match &self.content {
            Content::Result(cell, _) => cell.presentation.clone(),
            _ => self.link.presentation.clone(),
        };
        Link { presentation, problems: Vec::new(), ..self.link.clone() }
    }

    /// The path of samples that are looked at and not there yet.
    pub(crate) fn missing(&self) -> Option<String> {
        let Content::Result(cell, _) = &self.content else { return None };
        let points = cell.traces.iter().enumerate().flat_map(|(place, trace)| {
            let readings = trace.curve.readings().iter();
            readings.filter_map(move |reading| Some((place, trace, reading.x, reading.measured()?)))
        });
        let looked_at = cell.presentation.point;
        let mut points: Vec<(usize, &Trace, f64, &Measured)> = points.collect();
        if !cell.presentation.show_samples {
            let is_chosen = |(place, _, x, _): &&(usize, &Trace, f64, &Measured)| Some((*place, *x)) == looked_at;
            let chosen = points.iter().find(is_chosen).or(points.first()).copied();
            points = chosen.filter(|_| cell.presentation.tab == Tab::Samples).into_iter().collect();
        }
        let (_, trace, x, _) = points.into_iter().find(|(.., measured)| measured.runs.is_empty())?;
        Some(format!("{}/samples?function={}&x={x}", self.path(), Link::encoded(&trace.function.path)))
    }

    pub(super) fn apply(&mut self, action: ArchiveAction, suites: &[Rc<LoadedSuite>]) {
        match action {
            ArchiveAction::Answered(path, answer) if path == self.path() => {
                self.content = match answer {
                    Ok(json) => self.read(&json, suites).unwrap_or_else(|| Content::Trouble(UNKNOWN.to_owned())),
                    Err(reason) => Content::Trouble(reason),
                };
            }
            // Samples of another result may come late: they are none of this one's.
            ArchiveAction::Answered(path, answer) if self.missing() == Some(path.clone()) => {
                if let Content::Result(cell, _) = &mut self.content {
                    let cell = Rc::make_mut(cell);
                    let filled = answer.and_then(|json| fill(cell, &json).ok_or(UNKNOWN.to_owned()));
                    cell.remark = filled.err();
                }
            }
            ArchiveAction::Answered(..) => {}
            ArchiveAction::Cell(action) => {
                if let Content::Result(cell, _) = &mut self.content {
                    Rc::make_mut(cell).apply(action);
                }
            }
        }
    }

    /// Another runner is asked anew, and so is one that answers again after a trouble.
    pub(super) fn hear(&mut self, action: &RunnerAction) {
        let is_asked = match action {
            RunnerAction::Chosen(_) => true,
            RunnerAction::Connected(..) => matches!(self.content, Content::Trouble(_)),
            _ => false,
        };
        if is_asked {
            self.content = Content::Waiting;
        }
    }

    fn read(&mut self, json: &Json, suites: &[Rc<LoadedSuite>]) -> Option<Content> {
        if let Some(Stored::Result(_)) = self.link.archive {
            return self.result(json.at("response"), suites);
        }
        let list = if let Json::Object(_) = json { json.at("results") } else { json };
        let Json::List(list) = list else { return None };
        let rows = list.iter().map(|row| self.row(row)).collect::<Option<_>>()?;
        let earlier = |before| Link { before: Some(before), problems: Vec::new(), ..self.link.clone() }.write();
        Some(Content::Rows(rows, json.get("next").map(earlier)))
    }

    /// A row of any of the three lists.
    fn row(&self, json: &Json) -> Option<Row> {
        let mut link = Link { problems: Vec::new(), ..self.link.clone() };
        let (name, told) = match (json.get::<String>("function"), json.get::<String>("generator")) {
            (Some(function), _) => {
                (link.suite, link.function) = (json.get("suite")?, function);
                (format!("{}::{}", link.suite, link.function), String::new())
            }
            (None, Some(generator)) => {
                link.generator = Some(generator.clone());
                (generator, String::new())
            }
            (None, None) => {
                let request = json.at("request");
                let Given(arguments) = request.get("arguments")?;
                let set = arguments.iter().map(|(name, value)| format!("{name} {}", told(value)));
                let set = set.collect::<Vec<String>>().join(", ");
                let (id, priority) = (json.get::<u32>("id")?, request.get::<u32>("priority")?);
                link = Link { archive: Some(Stored::Result(id)), ..Link::default() };
                let machine = json.at("machine").at("name").text();
                (format!("result {id}"), format!("priority {priority} · {machine} · {set}"))
            }
        };
        let count = match json.get::<u32>("results") {
            Some(results) => format!("{results} stored"),
            None => format!("{} points", json.get::<u32>("points")?),
        };
        let stored = json.get("newest").or_else(|| json.get("stored"))?;
        Some(Row { link: link.write(), name, told, count, stored })
    }

    /// The cell of a stored result. Its functions are those of a suite of this page where that has them.
    fn result(&mut self, response: &Json, suites: &[Rc<LoadedSuite>]) -> Option<Content> {
        let request = response.at("request");
        let mut again = Link { suite: request.get("suite")?, generator: request.get("generator")?, ..Link::default() };
        let functions: Vec<String> = request.get("functions")?;
        let path = again.generator.clone()?;
        let Given(arguments) = request.get("arguments")?;
        let machine: Machine = response.get("machine")?;
        let card: SuiteCard = response.get("suite")?;
        let has_all = |suite: &Suite| {
            suite.name == again.suite
                && suite.generator(&path).is_some()
                && functions.iter().all(|path| suite.function(path).is_some())
        };
        let known = suites.iter().find(|loaded| has_all(&loaded.suite));
        let (id, suite) = match known {
            Some(loaded) => (loaded.id, loaded.suite.clone()),
            None => (SuiteId(usize::MAX), unknown(&card, &functions, &path)),
        };
        let suite = Rc::new(LoadedSuite { id, suite, card, clock: machine.clock });
        let mut cell = Cell::new(&suite, functions.first()?)?;
        cell.generator = Rc::new(suite.suite.generator(&path)?.clone());
        let is_axis = |(_, argument): &(&String, &Argument)| matches!(argument, Argument::Range(_));
        let axis = arguments.iter().find(is_axis)?.0.clone();
        again.arguments = arguments.iter().map(|(name, argument)| (name.clone(), written(argument))).collect();
        again.with = functions[1..].to_vec();
        again.function.clone_from(&cell.function.path);
        let (generator, aim) = (Rc::clone(&cell.generator), Aim::default());
        let setup = Rc::new(Setup { suite: Rc::clone(&suite), generator, axis, arguments, aim, machine });
        let points: Vec<Point> = response.get("points")?;
        let priority = response.get("priority")?;
        let trace = |path: &String| {
            let function = Rc::new(suite.suite.function(path)?.clone());
            Some(Trace { setup: Rc::clone(&setup), function, curve: Rc::new(Curve::default()) })
        };
        cell.traces = functions.iter().filter_map(trace).collect();
        cell.take(setup.machine.kind, priority, points);
        cell.presentation.clone_from(&self.link.presentation);
        cell.is_stored = true;
        // The way to it.
        (self.link.suite, self.link.function) = (again.suite.clone(), again.function.clone());
        self.link.generator.clone_from(&again.generator);
        Some(Content::Result(Rc::new(cell), again.write()))
    }
}

/// Of a runner that is newer than this page.
const UNKNOWN: &str = "The runner answers what this page does not understand: reload the page.";

/// Takes the samples of a point; absent where they are none.
fn fill(cell: &mut Cell, json: &Json) -> Option<()> {
    let function: String = json.get("function")?;
    let trace = cell.traces.iter_mut().find(|trace| trace.function.path == function)?;
    Rc::make_mut(&mut trace.curve).fill(json.get("x")?, json.get("runs")?);
    Some(())
}

/// As much of a suite as a result tells, where this page does not have it.
fn unknown(card: &SuiteCard, functions: &[String], generator: &str) -> Suite {
    let function = |path: &String| Function {
        path: path.clone(),
        signature: String::new(),
        docs: String::new(),
        file: String::new(),
        line: 0,
        generators: vec![generator.to_owned()],
        native: false,
        alternatives: None,
    };
    let generator = Generator {
        path: generator.to_owned(),
        name: generator.to_owned(),
        docs: String::new(),
        mode: Mode::Fresh,
        parameters: Vec::new(),
        native: false,
    };
    Suite {
        name: card.name.clone(),
        version: card.version.clone(),
        build: Build::clone(&card.build),
        functions: functions.iter().map(function).collect(),
        generators: vec![generator],
    }
}

/// An argument as links have it.
fn written(argument: &Argument) -> String {
    match argument {
        Argument::Range(Range { low, high }) => format!("{low}..{high}"),
        Argument::Number(value) => value.to_string(),
        Argument::Text(text) => text.clone(),
    }
}

/// Arguments as they are read.
struct Given(Arguments);

impl Read for Given {
    fn read(json: &Json) -> Option<Self> {
        let Json::Object(fields) = json else { return None };
        let mut arguments = Arguments::new();
        for (name, value) in fields {
            arguments.insert(
                name.clone(),
                match value {
                    Json::Number(number) => Argument::Number(*number),
                    Json::Text(text) => Argument::Text(text.clone()),
                    range => Argument::Range(Range::read(range)?),
                },
            );
        }
        Some(Self(arguments))
    }
}

readable! {
    SuiteCard { name, version, build, catalog_hash, fingerprint }
}
