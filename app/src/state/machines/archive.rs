//! The archive: a runner's stored results, from its functions down to a single result.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult, StoredResults, StoredSamples};
use benchbook_host::response::MeasuredPoint;
use benchbook_notebook::id::Id;
use benchbook_notebook::result::CellResult;
use benchbook_notebook::setup::CellSetup;
use benchbook_notebook::trace::{Trace, describe};
use benchbook_notebook::view::{CellView, Tab, ViewAction};

use super::runner::RunnerAction;
use crate::address::pairs::encode;
use crate::address::{Address, ArchiveAddress};
use crate::state::suites::loaded_suite::LoadedSuite;
use benchbook_report::results::Results;

/// A part of the archive.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Archive {
    address: ArchiveAddress,
    /// Its contents.
    pub(crate) content: ArchiveContent,
}

/// The contents of a part of the archive.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ArchiveContent {
    /// The runner has not responded yet.
    Loading,
    /// A list, and the fragment of the link to earlier results.
    Rows(Vec<ArchiveRow>, Option<String>),
    /// A result, and the fragment of the link that measures it again.
    Result(Box<ArchivedResult>, String),
    /// It cannot be shown; a sentence.
    Error(String),
}

/// A stored result and how it is shown.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ArchivedResult {
    /// The result.
    pub(crate) results: Results,
    /// How it is shown.
    pub(crate) view: CellView,
    /// Why its samples cannot be loaded; a sentence.
    pub(crate) remark: Option<String>,
}

/// A row of a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ArchiveRow {
    /// The fragment of a link to it.
    pub(crate) link: String,
    /// Its name.
    pub(crate) name: String,
    /// Priority, machine and arguments of a result.
    pub(crate) details: String,
    /// The number of results or points.
    pub(crate) count: String,
    /// When the newest was stored, in milliseconds since 1970.
    pub(crate) stored: f64,
}

/// An event in the archive.
#[derive(Clone, Debug)]
pub(crate) enum ArchiveAction {
    /// The runner's response at a path of its API: the body, or a sentence with the error.
    Response(String, Result<String, String>),
    /// A change of a result's view.
    Present(ViewAction),
}

impl ArchiveContent {
    /// The suite, the first function and the generator of a result.
    fn measured(&self) -> Option<(&String, &String, Option<&String>)> {
        let Self::Result(archived, _) = self else { return None };
        let request = &archived.results.setup()?.request;
        Some((&request.suite, request.functions.first()?, Some(&request.generator)))
    }
}

impl Archive {
    /// The part of the archive with this address.
    pub(crate) fn new(address: ArchiveAddress) -> Self {
        Self { address, content: ArchiveContent::Loading }
    }

    /// Its path below the root of the runner's API.
    pub(crate) fn path(&self) -> String {
        let query = |suite: &str, function: &str| format!("suite={}&function={}", encode(suite), encode(function));
        match &self.address {
            ArchiveAddress::Functions => "results/functions".to_owned(),
            ArchiveAddress::Generators { suite, function } => format!("results/generators?{}", query(suite, function)),
            ArchiveAddress::Results { suite, function, generator, before } => {
                let before = before.map(|id| format!("before={id}&")).unwrap_or_default();
                format!("results?{before}{}&generator={}", query(suite, function), encode(generator))
            }
            ArchiveAddress::Result(id, _) => format!("results/{id}"),
        }
    }

    /// The names and link fragments of the parts that contain it, itself last.
    pub(crate) fn breadcrumbs(&self) -> Vec<(String, String)> {
        let (of, here) = match &self.address {
            ArchiveAddress::Functions => (None, None),
            ArchiveAddress::Generators { suite, function } => (Some((suite, function, None)), None),
            ArchiveAddress::Results { suite, function, generator, before } => {
                (Some((suite, function, Some(generator))), before.map(|id| format!("before result {id}")))
            }
            ArchiveAddress::Result(id, _) => (self.content.measured(), Some(format!("result {id}"))),
        };
        let mut breadcrumbs = vec![("Stored results".to_owned(), link(ArchiveAddress::Functions))];
        if let Some((suite, function, generator)) = of {
            let (suite, function) = (suite.clone(), function.clone());
            let of_function = ArchiveAddress::Generators { suite: suite.clone(), function: function.clone() };
            breadcrumbs.push((format!("{suite}::{function}"), link(of_function)));
            breadcrumbs.extend(generator.cloned().map(|generator| {
                (generator.clone(), link(ArchiveAddress::Results { suite, function, generator, before: None }))
            }));
        }
        breadcrumbs.extend(here.map(|name| (name, String::new())));
        breadcrumbs
    }

    /// Its address, with its current view.
    pub(crate) fn address(&self) -> Address {
        Address::Archive(match (&self.address, &self.content) {
            (ArchiveAddress::Result(id, _), ArchiveContent::Result(archived, _)) => {
                ArchiveAddress::Result(*id, Box::new(archived.view.clone()))
            }
            (address, _) => address.clone(),
        })
    }

    /// The path of the next samples to load for the current view.
    pub(crate) fn missing_samples(&self) -> Option<String> {
        let ArchiveContent::Result(archived, _) = &self.content else { return None };
        let (traces, view) = (archived.results.traces(), &archived.view);
        let points = traces.iter().enumerate().flat_map(|(index, trace)| {
            let readings = trace.curve.readings().iter();
            readings.filter_map(move |reading| Some((index, trace, &reading.x, reading.measured()?)))
        });
        let mut points: Vec<(usize, &Trace, &AxisValue, &MeasuredPoint)> = points.collect();
        if !view.show_samples {
            let selected = view.point.as_ref();
            let is_selected = |(index, _, x, _): &&(usize, &Trace, &AxisValue, &MeasuredPoint)| {
                selected.is_some_and(|(trace, text)| trace == index && *text == x.to_string())
            };
            let point = points.iter().find(is_selected).or(points.first()).copied();
            points = point.filter(|_| view.tab == Tab::Samples).into_iter().collect();
        }
        let (_, trace, x, _) = points.into_iter().find(|(.., measured)| measured.runs.is_empty())?;
        let x = if x.is_absent() { String::new() } else { format!("&x={}", encode(&x.to_string())) };
        Some(format!("{}/samples?function={}{x}", self.path(), encode(&trace.path)))
    }

    pub(crate) fn apply(&mut self, action: ArchiveAction, suites: &[Rc<LoadedSuite>]) {
        match action {
            ArchiveAction::Response(path, response) if path == self.path() => {
                self.content = match response {
                    Ok(body) => {
                        self.parse(&body, suites).unwrap_or_else(|| ArchiveContent::Error(UNKNOWN_FORMAT.to_owned()))
                    }
                    Err(reason) => ArchiveContent::Error(reason),
                };
            }
            ArchiveAction::Response(path, response) if self.missing_samples() == Some(path.clone()) => {
                if let ArchiveContent::Result(archived, _) = &mut self.content {
                    let results = &mut archived.results;
                    let added = response.and_then(|body| add_samples(results, &body).ok_or(UNKNOWN_FORMAT.to_owned()));
                    archived.remark = added.err();
                }
            }
            // A late response to an earlier request.
            ArchiveAction::Response(..) => {}
            ArchiveAction::Present(action) => {
                if let ArchiveContent::Result(archived, _) = &mut self.content {
                    archived.view.apply(action);
                }
            }
        }
    }

    /// Reloads the content from another runner, or after an error once the runner responds again.
    pub(crate) fn reload_after(&mut self, action: &RunnerAction) {
        let reloads = match action {
            RunnerAction::Chosen(_) => true,
            RunnerAction::Connected(..) => matches!(self.content, ArchiveContent::Error(_)),
            _ => false,
        };
        if reloads {
            self.content = ArchiveContent::Loading;
        }
    }

    fn parse(&self, body: &str, suites: &[Rc<LoadedSuite>]) -> Option<ArchiveContent> {
        let (rows, earlier) = match &self.address {
            ArchiveAddress::Functions => {
                let functions: Vec<StoredFunction> = serde_json::from_str(body).ok()?;
                (functions.iter().map(function_row).collect(), None)
            }
            ArchiveAddress::Generators { suite, function } => {
                let generators: Vec<StoredGenerator> = serde_json::from_str(body).ok()?;
                (generators.iter().map(|stored| generator_row(suite, function, stored)).collect(), None)
            }
            ArchiveAddress::Results { suite, function, generator, .. } => {
                let StoredResults { results, next } = serde_json::from_str(body).ok()?;
                let earlier = next.map(|before| {
                    let (suite, function, generator) = (suite.clone(), function.clone(), generator.clone());
                    link(ArchiveAddress::Results { suite, function, generator, before: Some(before) })
                });
                (results.iter().map(result_row).collect(), earlier)
            }
            ArchiveAddress::Result(_, view) => return Some(result(serde_json::from_str(body).ok()?, view, suites)),
        };
        Some(ArchiveContent::Rows(rows, earlier))
    }
}

/// The fragment of the link to a part.
fn link(address: ArchiveAddress) -> String {
    Address::Archive(address).link()
}

fn function_row(stored: &StoredFunction) -> ArchiveRow {
    let StoredFunction { suite, function, results, newest } = stored;
    ArchiveRow {
        link: link(ArchiveAddress::Generators { suite: suite.clone(), function: function.clone() }),
        name: format!("{suite}::{function}"),
        details: String::new(),
        count: format!("{results} stored"),
        stored: *newest as f64,
    }
}

fn generator_row(suite: &str, function: &str, stored: &StoredGenerator) -> ArchiveRow {
    let StoredGenerator { generator, results, newest } = stored;
    let (suite, function) = (suite.to_owned(), function.to_owned());
    ArchiveRow {
        link: link(ArchiveAddress::Results { suite, function, generator: generator.clone(), before: None }),
        name: generator.clone(),
        details: String::new(),
        count: format!("{results} stored"),
        stored: *newest as f64,
    }
}

/// A stored result. If a loaded suite has its generator, that describes the axis.
fn result(stored: StoredResult, view: &CellView, suites: &[Rc<LoadedSuite>]) -> ArchiveContent {
    let StoredResult { id, stored, response } = stored;
    let request = &response.request;
    let suite = suites.iter().map(|loaded| &loaded.suite).find(|suite| suite.name == request.suite);
    let generator = suite.and_then(|suite| suite.generator(&request.generator));
    let again = Address::of_setup(CellSetup::repeating(request)).link();
    let result = CellResult::stored(Id::from_random(id), stored as f64, response, generator);
    let results = Results { latest: vec![Rc::new(result)], ..Results::default() };
    ArchiveContent::Result(Box::new(ArchivedResult { results, view: view.clone(), remark: None }), again)
}

/// The message for a response from a newer runner.
const UNKNOWN_FORMAT: &str = "The runner's response has an unknown format. Reload the page.";

fn result_row(card: &ResultCard) -> ArchiveRow {
    let arguments = card.request.arguments.iter().map(|(name, value)| format!("{name} {}", describe(value)));
    let arguments = arguments.collect::<Vec<String>>().join(", ");
    let (id, priority) = (card.id, card.request.priority.number());
    ArchiveRow {
        link: link(ArchiveAddress::Result(id, Box::default())),
        name: format!("result {id}"),
        details: format!("priority {priority} · {} · {arguments}", card.machine.name),
        count: format!("{} points", card.points),
        stored: card.stored as f64,
    }
}

/// Adds a point's samples; `None` if the body is invalid or names another function.
fn add_samples(results: &mut Results, body: &str) -> Option<()> {
    let StoredSamples { function, x, runs } = serde_json::from_str(body).ok()?;
    results.add_samples(&function, &x, runs)
}
