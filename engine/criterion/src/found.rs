//! A benchmark as the program declares it, and its place in the catalog.

use std::panic::Location;

use benchbook_suite::__private::Throughput;

/// A benchmark that a run of the program has reached.
#[derive(Clone, Debug)]
pub(crate) struct FoundBenchmark {
    /// The function that `criterion_group!` names; empty for a benchmark outside of such a function.
    pub(crate) target: String,
    /// The name of the group; absent for a benchmark outside of groups.
    pub(crate) group: Option<String>,
    /// The name of the function; absent if the benchmark has only a parameter.
    pub(crate) function: Option<String>,
    /// The parameter as text.
    pub(crate) parameter: Option<String>,
    /// What a call processes.
    pub(crate) throughput: Throughput,
    /// Where the program declares it.
    pub(crate) location: &'static Location<'static>,
}

impl FoundBenchmark {
    /// The group and the function, as a path in the catalog.
    pub(crate) fn path(&self) -> String {
        match (&self.group, &self.function) {
            (Some(group), Some(function)) => format!("{group}::{function}"),
            (Some(name), None) | (None, Some(name)) => name.clone(),
            (None, None) => self.parameter.clone().unwrap_or_default(),
        }
    }

    /// The path of a benchmark whose parameter is not one of several.
    pub(crate) fn full_path(&self) -> String {
        match &self.parameter {
            Some(parameter) if self.group.is_some() || self.function.is_some() => {
                format!("{}/{parameter}", self.path())
            }
            _ => self.path(),
        }
    }
}
