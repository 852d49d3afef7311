//! The history of a function: the accepted results of earlier builds, and the steps between them.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Arguments;
use benchbook_host::api::{AcceptedHistory, HistoryFunction, MAX_RESULTS};
use benchbook_host::history::{AcceptedResult, CheckedMetric, HistorySeries};

use super::runner::RunnerAction;
use crate::address::pairs::encode;
use crate::address::{Address, HistoryAddress, arguments_as_text};

/// The history of a function, as its address names it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FunctionHistory {
    address: HistoryAddress,
    /// Whether the runner has no results of the function, so that those of the site are shown.
    pub(crate) is_missing_on_runner: bool,
    /// Its contents.
    pub(crate) content: HistoryContent,
}

/// The contents of a history.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum HistoryContent {
    /// The results are not loaded yet.
    Loading,
    /// The measurements, and a sentence for each unreadable file.
    Loaded(Rc<Vec<HistoryMeasurement>>, Vec<String>),
    /// It cannot be shown; a sentence.
    Error(String),
}

/// A request for the results of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HistoryRequest {
    /// A path below the root of the runner's API.
    Runner(String),
    /// The name of a file in the site's folder of accepted results.
    Site(String),
}

/// The results of one metric, generator and arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HistoryMeasurement {
    pub(crate) metric: CheckedMetric,
    pub(crate) generator: String,
    pub(crate) arguments: Arguments,
    /// A series for each class of machines, and for each source code of the generator.
    pub(crate) series: Vec<HistorySeries>,
}

/// An event in a history.
#[derive(Clone, Debug)]
pub(crate) enum HistoryAction {
    /// The response to a request, or a sentence with the error.
    Loaded(HistoryRequest, Result<AcceptedHistory, String>),
    /// The user chose a measurement, by its index.
    Measurement(usize),
    /// The user chose an axis value, as text.
    At(String),
}

impl FunctionHistory {
    /// The history with this address.
    pub(crate) fn new(address: HistoryAddress) -> Self {
        Self { address, is_missing_on_runner: false, content: HistoryContent::Loading }
    }

    /// Follows another address. The results of the same function remain.
    pub(crate) fn follow(self, address: HistoryAddress) -> Self {
        let is_same = (&self.address.suite, &self.address.function) == (&address.suite, &address.function);
        match self.content {
            HistoryContent::Loaded(..) if is_same => Self { address, ..self },
            _ => Self::new(address),
        }
    }

    /// The name of the suite, and the path of the function.
    pub(crate) fn function(&self) -> (&str, &str) {
        (&self.address.suite, &self.address.function)
    }

    /// The request to the runner.
    pub(crate) fn runner_request(&self) -> HistoryRequest {
        let (suite, function) = self.function();
        let (suite, function) = (encode(suite), encode(function));
        HistoryRequest::Runner(format!("history?suite={suite}&function={function}&limit={MAX_RESULTS}"))
    }

    /// The request to the site.
    pub(crate) fn site_request(&self) -> HistoryRequest {
        let (suite, function) = self.function();
        HistoryRequest::Site(HistoryFunction::file(suite, function))
    }

    /// The measurement that the address selects, with its index: the one that matches most of it, and the latest of several.
    pub(crate) fn measurement(&self) -> Option<(usize, &HistoryMeasurement)> {
        let HistoryContent::Loaded(measurements, _) = &self.content else { return None };
        measurements.iter().enumerate().max_by(|(_, one), (_, other)| {
            let rank = |measurement: &HistoryMeasurement| self.matches(measurement);
            rank(one).cmp(&rank(other)).then(one.newest().total_cmp(&other.newest()))
        })
    }

    /// Which parts of the address select a measurement, the most important first.
    fn matches(&self, measurement: &HistoryMeasurement) -> [bool; 4] {
        let HistoryMeasurement { metric, generator, arguments, series } = measurement;
        let has_step =
            self.address.step.as_ref().is_some_and(|id| series.iter().any(|series| series.sides(id).is_some()));
        [
            has_step,
            self.address.metric == *metric,
            self.address.generator.as_ref() == Some(generator),
            self.address.arguments == arguments_as_text(arguments),
        ]
    }

    /// The selected axis value of a measurement: the last one unless the address names another.
    pub(crate) fn axis_value(&self, measurement: &HistoryMeasurement) -> AxisValue {
        let values = measurement.axis_values();
        let wanted = self.address.at.as_ref();
        let chosen = values.iter().find(|value| wanted == Some(&value.to_string())).or(values.last());
        chosen.cloned().unwrap_or_default()
    }

    /// The results on both sides of the chosen step.
    pub(crate) fn sides<'m>(
        &self,
        measurement: &'m HistoryMeasurement,
    ) -> Option<(&'m HistorySeries, &'m AcceptedResult, &'m AcceptedResult)> {
        let id = self.address.step.as_ref()?;
        measurement.series.iter().find_map(|series| {
            let (before, after) = series.sides(id)?;
            Some((series, before, after))
        })
    }

    /// The identifier of the chosen step.
    pub(crate) fn step(&self) -> Option<&str> {
        self.address.step.as_deref()
    }

    /// The fragment of the link to a step, or to the same history without one.
    pub(crate) fn link_to(&self, step: Option<&str>) -> String {
        Address::History(HistoryAddress { step: step.map(str::to_owned), ..self.address() }).link()
    }

    /// Its address, complete once the results are loaded.
    pub(crate) fn address(&self) -> HistoryAddress {
        let address = self.address.clone();
        let Some((_, measurement)) = self.measurement() else { return address };
        let x = self.axis_value(measurement);
        HistoryAddress {
            metric: measurement.metric,
            generator: Some(measurement.generator.clone()),
            arguments: arguments_as_text(&measurement.arguments),
            at: (!x.is_absent()).then(|| x.to_string()),
            ..address
        }
    }

    /// `is_on_site`: whether the site has results of the function.
    pub(crate) fn apply(&mut self, action: HistoryAction, is_on_site: bool) {
        match action {
            HistoryAction::Loaded(request, loaded) if request == self.runner_request() => {
                if is_on_site && loaded.as_ref().map_or(true, |history| history.results.is_empty()) {
                    self.is_missing_on_runner = true;
                } else {
                    self.show(loaded);
                }
            }
            HistoryAction::Loaded(request, loaded) if request == self.site_request() => self.show(loaded),
            // A late response to an earlier request.
            HistoryAction::Loaded(..) => {}
            HistoryAction::Measurement(index) => {
                let HistoryContent::Loaded(measurements, _) = &self.content else { return };
                let Some(chosen) = measurements.get(index) else { return };
                self.address.metric = chosen.metric;
                self.address.generator = Some(chosen.generator.clone());
                self.address.arguments = arguments_as_text(&chosen.arguments);
                self.address.step = None;
            }
            HistoryAction::At(x) => self.address.at = Some(x),
        }
    }

    /// If no results are shown yet, shows those of the site.
    pub(crate) fn prefer_site(&mut self) {
        let is_empty = match &self.content {
            HistoryContent::Loading => false,
            HistoryContent::Loaded(measurements, _) => measurements.is_empty(),
            HistoryContent::Error(_) => true,
        };
        if is_empty {
            self.is_missing_on_runner = true;
            self.content = HistoryContent::Loading;
        }
    }

    fn show(&mut self, loaded: Result<AcceptedHistory, String>) {
        self.content = match loaded {
            Ok(history) => {
                let (suite, function) = self.function();
                HistoryContent::Loaded(
                    Rc::new(HistoryMeasurement::all(suite, function, history.results)),
                    history.warnings,
                )
            }
            Err(reason) => HistoryContent::Error(reason),
        };
    }

    /// Loads the results again from another runner, and once the runner responds again if there was an error or it had none.
    pub(crate) fn reload_after(&mut self, action: &RunnerAction) {
        let reloads = match action {
            RunnerAction::Chosen(_) => true,
            RunnerAction::Connected(..) => {
                self.is_missing_on_runner || matches!(self.content, HistoryContent::Error(_))
            }
            _ => false,
        };
        if reloads {
            self.is_missing_on_runner = false;
            self.content = HistoryContent::Loading;
        }
    }
}

impl HistoryMeasurement {
    /// The measurements of a function, in the order of their first results.
    fn all(suite: &str, function: &str, results: Vec<AcceptedResult>) -> Vec<Self> {
        let of_function = results.into_iter().filter(|accepted| {
            let benchmark = &accepted.result.benchmark;
            benchmark.suite == suite && benchmark.function == function
        });
        let mut all: Vec<Self> = Vec::new();
        for series in HistorySeries::all(of_function.map(Rc::new)) {
            let benchmark = &series.benchmark;
            let is_same = |known: &&mut Self| {
                (known.metric, &known.generator, &known.arguments)
                    == (benchmark.metric, &benchmark.generator, &benchmark.arguments)
            };
            match all.iter_mut().find(is_same) {
                Some(known) => known.series.push(series),
                None => all.push(Self {
                    metric: benchmark.metric,
                    generator: benchmark.generator.clone(),
                    arguments: benchmark.arguments.clone(),
                    series: vec![series],
                }),
            }
        }
        all
    }

    /// The axis values of all series, in their order.
    pub(crate) fn axis_values(&self) -> Vec<AxisValue> {
        let mut values: Vec<AxisValue> = Vec::new();
        for value in self.series.iter().flat_map(HistorySeries::axis_values) {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        values
    }

    /// When the newest result was measured.
    fn newest(&self) -> f64 {
        let times = self.series.iter().flat_map(|series| &series.results).map(|accepted| accepted.result.measured);
        times.fold(f64::NEG_INFINITY, f64::max)
    }
}
