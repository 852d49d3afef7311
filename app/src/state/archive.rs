//! The archive: a runner's stored results, from its functions down to a single result.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult, StoredResults, StoredSamples};
use benchbook_host::response::MeasuredPoint;
use benchbook_notebook::id::Id;
use benchbook_notebook::result::CellResult;
use benchbook_notebook::trace::{Trace, describe};

use super::loaded_suite::LoadedSuite;
use super::runner::RunnerAction;
use crate::settings::presentation::{Presentation, PresentationAction, Tab};
use crate::share::link::{ArchiveLink, Link, encode};
use crate::share::link_arguments::LinkArguments;
use benchbook_report::results::Results;

/// A part of the archive.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Archive {
    link: Link,
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
    pub(crate) presentation: Presentation,
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
    /// A change of a result's presentation.
    Present(PresentationAction),
}

impl Archive {
    /// The part of the archive that a link names.
    pub(super) fn new(link: Link) -> Self {
        Self { link, content: ArchiveContent::Loading }
    }

    /// Its path below the root of the runner's API.
    pub(crate) fn path(&self) -> String {
        let Link { archive, before, suite, function, generator, .. } = &self.link;
        let query = |pairs: &[(&str, &String)]| {
            pairs.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect::<Vec<_>>().join("&")
        };
        let of_function = [("suite", suite), ("function", function)];
        match (archive, generator) {
            (Some(ArchiveLink::Result(id)), _) => format!("results/{id}"),
            _ if function.is_empty() => "results/functions".to_owned(),
            (_, None) => format!("results/generators?{}", query(&of_function)),
            (_, Some(generator)) => {
                let before = before.map(|id| format!("before={id}&")).unwrap_or_default();
                format!("results?{before}{}&{}", query(&of_function), query(&[("generator", generator)]))
            }
        }
    }

    /// The names and link fragments of the parts that contain it, itself last.
    pub(crate) fn breadcrumbs(&self) -> Vec<(String, String)> {
        let Link { archive, before, suite, function, generator, .. } = &self.link;
        let mut link = Link { archive: Some(ArchiveLink::List), ..Link::default() };
        let mut breadcrumbs = vec![("Stored results".to_owned(), link.write())];
        if !function.is_empty() {
            (link.suite, link.function) = (suite.clone(), function.clone());
            breadcrumbs.push((format!("{suite}::{function}"), link.write()));
        }
        if generator.is_some() {
            link.generator.clone_from(generator);
            breadcrumbs.push((generator.clone().unwrap_or_default(), link.write()));
        }
        let here = match archive {
            Some(ArchiveLink::Result(id)) => Some(("", *id)),
            _ => before.map(|id| ("before ", id)),
        };
        breadcrumbs.extend(here.map(|(before, id)| (format!("{before}result {id}"), String::new())));
        breadcrumbs
    }

    /// The link to it, with its presentation.
    pub(super) fn link(&self) -> Link {
        let presentation = match &self.content {
            ArchiveContent::Result(archived, _) => archived.presentation.clone(),
            _ => self.link.presentation.clone(),
        };
        Link { presentation, problems: Vec::new(), ..self.link.clone() }
    }

    /// The path of the next samples to load for the current view.
    pub(crate) fn missing_samples(&self) -> Option<String> {
        let ArchiveContent::Result(archived, _) = &self.content else { return None };
        let (traces, presentation) = (archived.results.traces(), &archived.presentation);
        let points = traces.iter().enumerate().flat_map(|(index, trace)| {
            let readings = trace.curve.readings().iter();
            readings.filter_map(move |reading| Some((index, trace, &reading.x, reading.measured()?)))
        });
        let mut points: Vec<(usize, &Trace, &AxisValue, &MeasuredPoint)> = points.collect();
        if !presentation.show_samples {
            let selected = presentation.point.as_ref();
            let is_selected = |(index, _, x, _): &&(usize, &Trace, &AxisValue, &MeasuredPoint)| {
                selected.is_some_and(|(trace, text)| trace == index && *text == x.to_string())
            };
            let point = points.iter().find(is_selected).or(points.first()).copied();
            points = point.filter(|_| presentation.tab == Tab::Samples).into_iter().collect();
        }
        let (_, trace, x, _) = points.into_iter().find(|(.., measured)| measured.runs.is_empty())?;
        let x = if x.is_absent() { String::new() } else { format!("&x={}", encode(&x.to_string())) };
        Some(format!("{}/samples?function={}{x}", self.path(), encode(&trace.path)))
    }

    pub(super) fn apply(&mut self, action: ArchiveAction, suites: &[Rc<LoadedSuite>]) {
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
                    archived.presentation.apply(action);
                }
            }
        }
    }

    /// Reloads the content from another runner, or after an error once the runner responds again.
    pub(super) fn reload_after(&mut self, action: &RunnerAction) {
        let reloads = match action {
            RunnerAction::Chosen(_) => true,
            RunnerAction::Connected(..) => matches!(self.content, ArchiveContent::Error(_)),
            _ => false,
        };
        if reloads {
            self.content = ArchiveContent::Loading;
        }
    }

    fn parse(&mut self, body: &str, suites: &[Rc<LoadedSuite>]) -> Option<ArchiveContent> {
        let Link { archive, function, generator, .. } = &self.link;
        match (archive, generator) {
            (Some(ArchiveLink::Result(_)), _) => {
                let stored: StoredResult = serde_json::from_str(body).ok()?;
                Some(self.result(stored, suites))
            }
            _ if function.is_empty() => {
                let functions: Vec<StoredFunction> = serde_json::from_str(body).ok()?;
                Some(ArchiveContent::Rows(functions.iter().map(|stored| self.function_row(stored)).collect(), None))
            }
            (_, None) => {
                let generators: Vec<StoredGenerator> = serde_json::from_str(body).ok()?;
                Some(ArchiveContent::Rows(generators.iter().map(|stored| self.generator_row(stored)).collect(), None))
            }
            (_, Some(_)) => {
                let StoredResults { results, next } = serde_json::from_str(body).ok()?;
                let earlier = |before| Link { before: Some(before), ..self.base_link() }.write();
                Some(ArchiveContent::Rows(results.iter().map(result_row).collect(), next.map(earlier)))
            }
        }
    }

    fn base_link(&self) -> Link {
        Link { problems: Vec::new(), ..self.link.clone() }
    }

    fn function_row(&self, stored: &StoredFunction) -> ArchiveRow {
        let StoredFunction { suite, function, results, newest } = stored;
        let link = Link { suite: suite.clone(), function: function.clone(), ..self.base_link() };
        ArchiveRow {
            link: link.write(),
            name: format!("{suite}::{function}"),
            details: String::new(),
            count: format!("{results} stored"),
            stored: *newest as f64,
        }
    }

    fn generator_row(&self, stored: &StoredGenerator) -> ArchiveRow {
        let StoredGenerator { generator, results, newest } = stored;
        ArchiveRow {
            link: Link { generator: Some(generator.clone()), ..self.base_link() }.write(),
            name: generator.clone(),
            details: String::new(),
            count: format!("{results} stored"),
            stored: *newest as f64,
        }
    }

    /// A stored result. If a loaded suite has its generator, that describes the axis.
    fn result(&mut self, stored: StoredResult, suites: &[Rc<LoadedSuite>]) -> ArchiveContent {
        let StoredResult { id, stored, response } = stored;
        let request = &response.request;
        let suite = suites.iter().map(|loaded| &loaded.suite).find(|suite| suite.name == request.suite);
        let generator = suite.and_then(|suite| suite.generator(&request.generator));
        let again = Link {
            suite: request.suite.clone(),
            function: request.functions.first().cloned().unwrap_or_default(),
            generator: Some(request.generator.clone()),
            with: request.functions.iter().skip(1).cloned().collect(),
            arguments: LinkArguments::of(&request.arguments),
            ..Link::default()
        };
        let result = CellResult::stored(Id::from_random(id), stored as f64, response, generator);
        // For the breadcrumbs.
        (self.link.suite, self.link.function) = (again.suite.clone(), again.function.clone());
        self.link.generator.clone_from(&again.generator);
        let archived = ArchivedResult {
            results: Results { latest: vec![Rc::new(result)], ..Results::default() },
            presentation: self.link.presentation.clone(),
            remark: None,
        };
        ArchiveContent::Result(Box::new(archived), again.write())
    }
}

/// The message for a response from a newer runner.
const UNKNOWN_FORMAT: &str = "The runner's response has an unknown format. Reload the page.";

fn result_row(card: &ResultCard) -> ArchiveRow {
    let arguments = card.request.arguments.iter().map(|(name, value)| format!("{name} {}", describe(value)));
    let arguments = arguments.collect::<Vec<String>>().join(", ");
    let (id, priority) = (card.id, card.request.priority.number());
    ArchiveRow {
        link: Link { archive: Some(ArchiveLink::Result(id)), ..Link::default() }.write(),
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
