//! The setup of a measurement cell: what to measure, and how to show it.

use std::collections::BTreeMap;

use benchbook_contract::parameter::{Argument, Range};
use benchbook_host::alternative::Alternative;
use benchbook_host::request::Request;
use serde::{Deserialize, Serialize};

use crate::measuring_options::{MeasuringOptions, RunOn};
use crate::view::CellView;

/// What a cell measures, as the user typed it: values may be invalid, and the suite may be missing. The page checks it
/// against the suite's catalog.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellSetup {
    /// The suite's name.
    pub suite: String,
    /// Paths of one to four functions, which are measured on the same inputs. The others are compared with the first.
    pub functions: Vec<String>,
    /// The generator's path. Absent: the default generator of the first function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator: Option<String>,
    /// The arguments of the generator's parameters, by name. An absent parameter has its default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arguments: BTreeMap<String, WrittenArgument>,
    /// The options of the measurement.
    #[serde(flatten)]
    pub options: MeasuringOptions,
    /// How the results are shown.
    #[serde(default, skip_serializing_if = "CellView::is_default")]
    pub view: CellView,
}

/// An argument as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum WrittenArgument {
    /// A value such as `100`, or a range such as `10..1000`.
    Single(String),
    /// A list of values.
    List(Vec<String>),
}

impl CellSetup {
    /// The paths of the functions, each once if several of its builds are compared.
    pub fn distinct_functions(&self) -> Vec<&str> {
        let mut paths: Vec<&str> = Vec::new();
        for path in self.functions.iter().map(|function| Alternative::parse(function).path) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        paths
    }

    /// The setup that repeats a request. Precision and time are in percent and in seconds.
    pub fn repeating(request: &Request) -> Self {
        let written = |(name, argument): (&String, &Argument)| (name.clone(), WrittenArgument::from(argument));
        Self {
            suite: request.suite.clone(),
            functions: request.functions.clone(),
            generator: Some(request.generator.clone()),
            arguments: request.arguments.iter().map(written).collect(),
            options: MeasuringOptions {
                precision: request.precision.map(|precision| number(precision * 100.0)).unwrap_or_default(),
                time: request.point_ms.map(|ms| number(ms / 1_000.0)).unwrap_or_default(),
                first_calls: request.first_calls,
                run_on: RunOn::default(),
            },
            view: CellView::default(),
        }
    }
}

/// A number with all its digits, without rounding errors of the conversion to another unit.
fn number(value: f64) -> String {
    ((value * 1e9).round() / 1e9).to_string()
}

impl From<&Argument> for WrittenArgument {
    fn from(argument: &Argument) -> Self {
        match argument {
            Argument::Range(Range { low, high }) => Self::Single(format!("{low}..{high}")),
            Argument::Values(values) => Self::List(values.iter().map(ToString::to_string).collect()),
            Argument::Number(value) => Self::Single(value.to_string()),
            Argument::Text(text) => Self::Single(text.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_function_in_two_builds_is_one_function() {
        let setup = json!({ "suite": "demo", "functions": ["a::sort@77c0a41f0b12", "a::sort", "merge@77c0a41f0b12"] });
        let setup: CellSetup = serde_json::from_value(setup).expect("a setup");
        assert_eq!(setup.distinct_functions(), ["a::sort", "merge"]);
    }
}
