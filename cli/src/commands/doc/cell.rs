//! The cell of a measured function in documentation.

use benchbook_contract::catalog::{Function, Suite, name_of};
use benchbook_host::axis::Variation;
use benchbook_host::history::{AcceptedResult, CheckedMetric};
use benchbook_host::units::{Nanos, axis_value};
use benchbook_report::history::day;
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

/// A cell on a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct DocCell {
    /// The name of the function.
    name: String,
    /// The path of the function, without the arguments of an instance.
    #[serde(skip)]
    path: String,
    #[serde(skip)]
    suite: String,
    /// The fragment of the address of the cell; absent if browsers cannot measure it.
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<String>,
    /// The last accepted time, as a sentence without its subject; empty without one.
    #[serde(skip_serializing_if = "String::is_empty")]
    result: String,
}

impl DocCell {
    /// * `has_module`: whether the suite can be measured in browsers.
    pub(super) fn new(suite: &Suite, function: &Function, has_module: bool, results: &[&AcceptedResult]) -> Self {
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let link = (has_module && !function.native)
            .then(|| format!("suite={}&function={}", encoded(&suite.name), encoded(&function.path)));
        let is_of_function = |accepted: &&&AcceptedResult| {
            let benchmark = &accepted.result.benchmark;
            (benchmark.suite.as_str(), benchmark.function.as_str()) == (suite.name.as_str(), function.path.as_str())
                && benchmark.metric == CheckedMetric::Time
        };
        let newest = results
            .iter()
            .filter(is_of_function)
            .max_by(|one, other| one.result.measured.total_cmp(&other.result.measured));
        Self {
            name: name_of(&function.path).to_owned(),
            path: without_arguments(&function.path).to_owned(),
            suite: suite.name.clone(),
            link,
            result: newest.and_then(|accepted| stored_time(accepted)).unwrap_or_default(),
        }
    }

    /// Whether both are of the same function, perhaps with other type arguments.
    pub(super) fn is_instance_of_same(&self, other: &Self) -> bool {
        (&self.suite, &self.path) == (&other.suite, &other.path)
    }

    /// The cell without scripts: a line with the stored time and a link. `base`: the address of the folder of the page.
    pub(super) fn markup(&self, base: &str) -> Markup {
        html! {
            div class="benchbook-cell" data-link=[self.link.as_ref()] data-name=(self.name) style="margin: 1em 0" {
                p {
                    "Benchmark " code { (self.name) }
                    @if !self.result.is_empty() { ": " (self.result) }
                    @if let Some(link) = &self.link { ". " a href=(format!("{base}#{link}")) { "Measure it in your browser" } }
                    "."
                }
            }
        }
    }
}

/// The path without the type arguments of an instance: `sort<u32>` is `sort`.
pub(super) fn without_arguments(path: &str) -> &str {
    path.split('<').next().unwrap_or(path)
}

/// `1.23 µs per call at size 10 000 (AMD EPYC 9B14, 2026-11-20)`: the time at the last axis value. Absent without a time.
fn stored_time(accepted: &AcceptedResult) -> Option<String> {
    let result = &accepted.result;
    let point = result.points.iter().rev().find(|point| !point.means.is_empty())?;
    let mean = point.means.iter().sum::<f64>() / point.means.len() as f64;
    let axis = result.benchmark.arguments.iter().find(|(_, argument)| Variation::of(argument).is_some());
    let at = match axis {
        Some((name, _)) if !point.x.is_absent() => format!(" at {name} {}", axis_value(&point.x)),
        _ => String::new(),
    };
    let machine = result.machine.runner.as_ref().or(result.machine.cpu.as_ref()).unwrap_or(&result.machine.target);
    let day = day(result.measured);
    Some(format!("{} per call{at} ({machine}, {day})", Nanos(mean)))
}
